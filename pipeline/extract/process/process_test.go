package process

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
)

// program is an extractor for the tests: what it does with a page. served counts the pages
// before it.
type program func(q Request, served int) string

var hoard [][]byte // keeps what "grows" allocates alive

// reply writes an answer.
func reply(q Request, field, value string) string {
	line, _ := json.Marshal(map[string]any{"id": q.ID, field: value})
	return string(line)
}

var programs = map[string]program{
	"upper": func(q Request, _ int) string { return reply(q, "text", q.URL+" "+strings.ToUpper(q.HTML)) },
	"fails": func(q Request, _ int) string { return reply(q, "error", "no article") },
	"omits": func(q Request, _ int) string { return reply(q, "declined", "not in German") },
	"html": func(q Request, _ int) string {
		return reply(q, "html", "<h1>Grain</h1><p>and <b>cha</b>ff<script>1</script>")
	},
	"markdown": func(q Request, _ int) string {
		return reply(q, "markdown", "# Grain\n\n*and* [chaff](http://example.org/)\n")
	},
	"served":      func(q Request, served int) string { return reply(q, "text", fmt.Sprint(served)) },
	"environment": func(q Request, _ int) string { return reply(q, "text", strings.Join(os.Environ(), "\n")) },
	"timed":       func(q Request, _ int) string { return fmt.Sprintf(`{"id":%d,"text":"","ns":7}`, q.ID) },
	"boasts":      func(q Request, _ int) string { return fmt.Sprintf(`{"id":%d,"text":"","ns":-7}`, q.ID) },
	"noisy": func(q Request, _ int) string {
		fmt.Fprintln(os.Stderr, strings.Repeat("a warning\n", 100000))
		return reply(q, "text", "grain")
	},

	// Broken programs. They are well until the page after the first.
	"other id":  onPage(func(q Request) string { q.ID += 7; return reply(q, "text", "grain") }),
	"no id":     onPage(func(q Request) string { return `{"text":"grain"}` }),
	"not json":  onPage(func(q Request) string { return "grain" }),
	"empty":     onPage(func(q Request) string { return "" }),
	"no form":   onPage(func(q Request) string { return reply(q, "words", "grain") }),
	"two forms": onPage(func(q Request) string { return fmt.Sprintf(`{"id":%d,"text":"a","html":"b"}`, q.ID) }),
	"two lines": func(q Request, _ int) string { return "debug: page\n" + reply(q, "text", "grain") },
	"long line": onPage(func(q Request) string { return reply(q, "text", strings.Repeat("x", maxAnswer(len(q.HTML)))) }),
	"endless": onPage(func(q Request) string {
		for line := strings.Repeat("x", 1<<20); ; {
			os.Stdout.WriteString(line)
		}
	}),
	"half a line": onPage(func(q Request) string { os.Stdout.WriteString(`{"id":`); os.Exit(0); return "" }),
	"exits":       onPage(func(q Request) string { fmt.Fprintln(os.Stderr, "no such model"); os.Exit(3); return "" }),
	"closes":      onPage(func(q Request) string { os.Stdout.Close(); time.Sleep(time.Hour); return "" }),
	"hangs":       onPage(func(q Request) string { time.Sleep(time.Hour); return "" }),
	"hangs with a child": onPage(func(q Request) string {
		sleep := exec.Command("sleep", "600")
		sleep.Stdout, sleep.Stderr = os.Stdout, os.Stderr
		sleep.Run()
		return ""
	}),
	"killed": onPage(func(q Request) string { // so many times, by the length of a file
		text, err := os.ReadFile(q.URL)
		if err != nil || len(text) == 0 {
			return reply(q, "text", "alive")
		}
		os.WriteFile(q.URL, text[1:], 0o666)
		self, _ := os.FindProcess(os.Getpid())
		self.Kill()
		time.Sleep(time.Hour)
		return ""
	}),
	"grows": onPage(func(q Request) string {
		for {
			block := make([]byte, 1<<20)
			for i := range block {
				block[i] = byte(i)
			}
			hoard = append(hoard, block)
		}
	}),
}

// onPage is a program that answers the first page with its HTML.
func onPage(then func(q Request) string) program {
	return func(q Request, served int) string {
		if served == 0 {
			return reply(q, "text", q.HTML)
		}
		return then(q)
	}
}

// The test binary is the programs, too.
func TestMain(m *testing.M) {
	if len(os.Args) < 3 || os.Args[1] != "program" {
		os.Exit(m.Run())
	}
	name := strings.Join(os.Args[2:], " ")
	hello, ok := map[string]string{
		"no greeting": "Loading model…", "version 2": `{"protocol":2,"name":"x"}`, "no name": `{"protocol":1}`,
		"long greeting": strings.Repeat("x", maxHello+1),
	}[name]
	if !ok {
		hello = `{"protocol":1,"name":"` + name + `","version":"1.5","citation":"none"}`
	}
	if name == "silent" {
		time.Sleep(time.Hour)
	}
	fmt.Println(hello)
	in := bufio.NewReader(os.Stdin)
	for served := 0; ; served++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			os.Exit(0)
		}
		var q Request
		if err := json.Unmarshal(line, &q); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(programs[name](q, served))
	}
}

func extractor(t testing.TB, name string) *algorithms.Extractor {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	e, err := Parse(strings.ReplaceAll(name, " ", "-") + "=" + binary + " program " + name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func newProcesses(t testing.TB, o Options) *Processes {
	p := New(o)
	t.Cleanup(p.Close)
	return p
}

// Every way in which a program may break is an error with its kind, and the next page is
// answered again.
func TestRun(t *testing.T) {
	p := newProcesses(t, Options{Memory: 128 << 20})
	for _, c := range []struct {
		name string
		want error
		says string
	}{
		{"upper", nil, "http://example.org/ <P>GRAIN &AMP; \u2028 \"CHAFF\""},
		{"html", nil, "Grain\nand chaff"},
		{"markdown", nil, "Grain\nand chaff"},
		{"noisy", nil, "grain"},
		{"fails", pageError("no article"), "no article"},
		{"omits", driver.ErrDeclined, "not in German"},
		{"other id", driver.ErrAnswer, "answers another page than 2"},
		{"no id", driver.ErrAnswer, "answers another page than 2"},
		{"not json", driver.ErrAnswer, `"grain"`},
		{"empty", driver.ErrAnswer, `""`},
		{"no form", driver.ErrAnswer, "has 0 of text, html and markdown"},
		{"two forms", driver.ErrAnswer, "has 2 of text, html and markdown"},
		{"two lines", driver.ErrAnswer, `"debug: page"`},
		{"long line", driver.ErrAnswer, "the line is too long"},
		{"endless", driver.ErrAnswer, "the line is too long"},
		{"half a line", driver.ErrCrash, "unexpected EOF"},
		{"exits", driver.ErrCrash, "exit status 3 (EOF); its last words: no such model"},
		{"grows", driver.ErrMemory, "memory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 2 { // the second time in a new process where the first one has ended
				a, err := p.Run(t.Context(), extractor(t, c.name), driver.Input{HTML: []byte("<p>grain &amp; \u2028 \"chaff\""), URL: "http://example.org/"}, time.Minute)
				said := a.Text
				if err != nil {
					said = err.Error()
				}
				if !errors.Is(err, c.want) || !strings.Contains(said, c.says) {
					t.Fatalf("%q, %v; want %v that says %q", a.Text, err, c.want, c.says)
				}
				if a.Took <= 0 && c.name != "two lines" { // which breaks on the first page of all
					t.Errorf("it took %v", a.Took)
				}
			}
		})
	}
}

// A program that closes its output and goes on is killed after a second.
func TestOutputClosed(t *testing.T) {
	p := newProcesses(t, Options{})
	if _, err := p.once(t.Context(), extractor(t, "closes"), driver.Input{}, time.Minute); !errors.Is(err, driver.ErrCrash) || !strings.Contains(err.Error(), "killed") {
		t.Errorf("%v", err)
	}
}

// A program that does not answer ends with all that it has started.
func TestTime(t *testing.T) {
	for _, name := range []string{"hangs", "hangs with a child"} {
		p := newProcesses(t, Options{})
		began := time.Now()
		if _, err := p.Run(t.Context(), extractor(t, name), driver.Input{}, 500*time.Millisecond); !errors.Is(err, driver.ErrTime) {
			t.Errorf("%s: %v, want out of time", name, err)
		}
		if spent := time.Since(began); spent > time.Minute {
			t.Errorf("%s: ended after %v", name, spent)
		}
		if len(p.running) != 0 {
			t.Errorf("%s: the process is used again", name)
		}
	}
}

// The end of the context ends the process.
func TestContext(t *testing.T) {
	p := newProcesses(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := p.Run(ctx, extractor(t, "hangs"), driver.Input{}, time.Minute); !errors.Is(err, ctx.Err()) {
		t.Errorf("error %v, want canceled", err)
	}
}

// A program begins with a page of our own, and is replaced after a number of pages.
func TestPages(t *testing.T) {
	p := newProcesses(t, Options{Pages: 3})
	for i, want := range []string{"1", "2", "1", "2", "1"} {
		if a, err := p.Run(t.Context(), extractor(t, "served"), driver.Input{}, time.Minute); err != nil || a.Text != want {
			t.Errorf("%d: %q, %v; want %s", i, a.Text, err, want)
		}
	}
}

// What a program says of its time counts, if it is not more than it can be.
func TestTook(t *testing.T) {
	p := newProcesses(t, Options{})
	for _, c := range []struct {
		name string
		says bool
	}{{"timed", true}, {"boasts", false}} {
		a, err := p.Run(t.Context(), extractor(t, c.name), driver.Input{}, time.Minute)
		if err != nil || (a.Took == 7) != c.says || a.Took <= 0 {
			t.Errorf("%s: %v, %v", c.name, a.Took, err)
		}
	}
}

// A program sees what it needs of the environment, and no credentials.
func TestProgramSeesNoCredentials(t *testing.T) {
	for _, secret := range []string{"AWS_SECRET_ACCESS_KEY", "AZURE_STORAGE_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "WINNOW_NATS", "HTTPS_PROXY"} {
		t.Setenv(secret, "sesame")
	}
	t.Setenv("TZ", "UTC")
	t.Setenv(environment, "1073741824")
	p := newProcesses(t, Options{})
	a, err := p.Run(t.Context(), extractor(t, "environment"), driver.Input{}, time.Minute)
	if err != nil || strings.Contains(a.Text, "sesame") || !strings.Contains(a.Text, "TZ=UTC") || !strings.Contains(a.Text, "WINNOW_EXTRACTOR_MEMORY=1073741824") {
		t.Errorf("%v, environment:\n%s", err, a.Text)
	}
}

// A process that was killed from outside says nothing about the page; a page at which
// process after process is killed does, and how they ended is told.
func TestKilledFromOutside(t *testing.T) {
	p := newProcesses(t, Options{})
	for times := range crashes + 1 {
		file := filepath.Join(t.TempDir(), "times")
		if err := os.WriteFile(file, make([]byte, times), 0o666); err != nil {
			t.Fatal(err)
		}
		a, err := p.Run(t.Context(), extractor(t, "killed"), driver.Input{URL: file}, time.Minute)
		switch {
		case times < crashes && (err != nil || a.Text != "alive"):
			t.Errorf("killed %d times: %q, %v", times, a.Text, err)
		case times == crashes && (!errors.Is(err, driver.ErrCrash) || !strings.Contains(err.Error(), "killed")):
			t.Errorf("killed %d times: %v, want a crash by a signal", times, err)
		}
	}
}

// That a program cannot be started is not the fault of the page, and is known before the work
// begins.
func TestProgramsThatCannotBeUsed(t *testing.T) {
	p := newProcesses(t, Options{Start: time.Second})
	missing, err := Parse("missing=" + filepath.Join(t.TempDir(), "none"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		e    *algorithms.Extractor
		says string
	}{
		{missing, "no such file"},
		{extractor(t, "no greeting"), `its first line is "Loading model…", not the greeting of the extractor protocol`},
		{extractor(t, "version 2"), "it speaks version 2 of the extractor protocol, want 1"},
		{extractor(t, "no name"), "not the greeting"},
		{extractor(t, "long greeting"), "the line is too long"},
		{extractor(t, "silent"), "out of time"},
	} {
		if _, err := p.Check(t.Context(), c.e); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.e.Name, err, c.says)
		}
		if _, err := p.Run(t.Context(), c.e, driver.Input{}, time.Minute); !errors.Is(err, driver.ErrNoProcess) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want no process: %q", c.e.Name, err, c.says)
		}
	}
	if hello, err := p.Check(t.Context(), extractor(t, "upper")); err != nil || hello != (Hello{1, "upper", "1.5", "none"}) {
		t.Errorf("%+v, %v", hello, err)
	}
}

func TestParse(t *testing.T) {
	for _, bad := range []string{"", "x", "x=", "x= ", "=y", "X=y", "a b=c", "a/b=c", "a:b=c"} {
		if e, err := Parse(bad); err == nil {
			t.Errorf("%q is %+v", bad, e)
		}
	}
	e, err := Parse("x-1=python3  /opt/x.py --focus=recall")
	if err != nil || e.Name != "x-1" || strings.Join(e.Command, "|") != "python3|/opt/x.py|--focus=recall" {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestTextOfMarkdown(t *testing.T) {
	const src = "# The *sieve*\n\nIs **older** than [the plough](http://example.org/a_(b)), `so`\n===\n" +
		"> - quoted\n```go\nfunc main()\n```\n| a | b |\n|---|:-:|\n| 1 | snake_case |\n![barn](x.png)\n3\\*4 [open](never\n"
	const want = "The sieve\nIs older than the plough), so\nquoted\nfunc main()\na   b\n1   snake_case\n!barn\n3*4 open(never"
	got := textOfMarkdown(src)
	var lines []string
	for line := range strings.Lines(got) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Markdown of hostile pages is read in linear time: with quadratic time, these take hours.
func TestHostileMarkdown(t *testing.T) {
	for _, piece := range []string{"[", "*a_", "`", "> ", "](", "[a](", "a **b", "\\"} {
		textOfMarkdown(strings.Repeat(piece, 4<<20))
	}
}
