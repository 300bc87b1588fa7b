// Package peers has only tests: that every adapter speaks the protocol.
package peers

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const article = `<!DOCTYPE html><html><head><title>The sieve</title></head><body>
<nav><ul><li><a href=/a>Home</a><li><a href=/b>Archive</a><li><a href=/c>About us</a></ul></nav>
<article><h1>The sieve</h1>
<p>A sieve is older than the plough, and every village that grew corn kept one by the door of the barn, where the wind came in.</p>
<p>The smith made the rim, the <b>saddler</b> the net, and the farmer's children broke both before the harvest was in, which is why a second one hung from the beam.</p>
<p>What fell through was kept for the hens, what stayed was swept into sacks, and what flew off was forgotten, until somebody found that it burns rather well in a stove.</p>
</article><footer><p>Copyright <a href=/imprint>Imprint</a></p></footer></body></html>`

// message is a greeting or an answer.
type message struct {
	Protocol                    int
	Name, Version, Citation     string
	ID                          int
	Text, HTML, Markdown, Error string
	NS                          int64
}

// talk starts an adapter, asks it for each page, and returns its greeting and its answers.
func talk(t *testing.T, env []string, command []string, pages ...string) (m []message) {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env, cmd.Stderr = append(os.Environ(), env...), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(out)
	for i := range len(pages) + 1 {
		line, err := r.ReadBytes('\n')
		if err != nil {
			t.Fatalf("%v: %v", command, err)
		}
		var next message
		if err := json.Unmarshal(line, &next); err != nil {
			t.Fatalf("%v: %q: %v", command, line, err)
		}
		m = append(m, next)
		if i < len(pages) {
			if err := json.NewEncoder(in).Encode(map[string]any{"id": i + 1, "url": "http://example.org/sieve", "html": pages[i]}); err != nil {
				t.Fatal(err)
			}
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v, at the end of its input: %v", command, err)
	}
	return m
}

// check checks what an adapter says about the article, an empty page and the article again.
func check(t *testing.T, env []string, command ...string) {
	t.Helper()
	m := talk(t, env, command, article, "", article)
	if h := m[0]; h.Protocol != 1 || h.Name == "" || h.Version == "" || h.Version == "unknown" || h.Citation == "" {
		t.Errorf("greeting %+v", h)
	}
	for i, a := range m[1:] {
		if a.ID != i+1 || a.NS <= 0 {
			t.Errorf("answer %d: %+v", i+1, a)
		}
		if i == 1 {
			continue // an adapter may answer an empty page with an error
		}
		text := a.Text + a.HTML + a.Markdown
		for _, want := range []string{"older than the plough", "burns rather well"} {
			if !strings.Contains(text, want) {
				t.Errorf("answer %d: %q is not in %+v", i+1, want, a)
			}
		}
		if strings.Contains(text, "Archive") {
			t.Errorf("answer %d has the navigation: %+v", i+1, a)
		}
	}
}

func TestGo(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "winnow-peers")
	if out, err := exec.Command("go", "build", "-o", binary, "./winnow-peers").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"trafilatura", "trafilatura-fast", "trafilatura-precision", "trafilatura-recall", "readability", "domdistiller"} {
		t.Run(name, func(t *testing.T) { check(t, []string{"WINNOW_EXTRACTOR_MEMORY=536870912"}, binary, name) })
	}
	err := exec.Command(binary, "nonsense").Run()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 2 {
		t.Errorf("an unknown name: %v", err)
	}
}

func TestNode(t *testing.T) {
	if _, err := os.Stat("node/node_modules"); err != nil {
		t.Skip("npm install was not run in peers/node")
	}
	for _, name := range []string{"readability.mjs", "defuddle.mjs"} {
		t.Run(name, func(t *testing.T) { check(t, nil, "node", "node/"+name) })
	}
}

// python returns Debian's Python, whose packages apt-get installs.
func python(t *testing.T) string {
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no python3")
	return ""
}

func TestPython(t *testing.T) {
	for module, script := range map[string]string{
		"readability": "readability_lxml.py", "trafilatura": "trafilatura_python.py",
		"resiliparse": "resiliparse_python.py", "justext": "justext_python.py",
	} {
		t.Run(script, func(t *testing.T) {
			if exec.Command(python(t), "-c", "import "+module).Run() != nil {
				t.Skip(module + " is not installed")
			}
			check(t, nil, python(t), "python/"+script)
		})
	}
}

// TestPythonInterfaces runs the adapters of packages that may not be installed with modules
// that have the same interface, and that do nothing but return the article: it shows that the
// adapters call them as they are written here, not that the packages are so.
func TestPythonInterfaces(t *testing.T) {
	for _, script := range []string{"trafilatura_python.py", "resiliparse_python.py", "justext_python.py", "mineru_extractor.py"} {
		t.Run(script, func(t *testing.T) {
			check(t, []string{"PYTHONPATH=testdata/interfaces", "PYTHONDONTWRITEBYTECODE=1"}, python(t), "python/"+script, "English")
		})
	}
}
