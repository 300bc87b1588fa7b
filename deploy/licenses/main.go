// Command licenses collects the licence texts and notices of everything that is linked
// into programs: of Winnow, of every module, and of Go's standard library.
//
//	go run ./deploy/licenses -o DIR ./cmd/winnow
//
// DIR/NOTICE lists the modules with their versions; DIR/MODULE@VERSION holds their files
// as they are. A module without a licence text is an error, because it may not be
// redistributed.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
)

func main() {
	out := flag.String("o", "", "`folder` to write to")
	flag.Parse()
	if *out == "" || flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := collect(*out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

// module is a module of a build, or the standard library.
type module struct {
	Path, Version, Dir string
	Replace            *module
}

func (m *module) name() string {
	if m.Version == "" {
		return m.Path
	}
	return m.Path + "@" + m.Version
}

// collect writes the texts of what the programs are made of into dir.
func collect(dir string, programs []string) error {
	modules, err := linked(programs)
	if err != nil {
		return err
	}
	notice := []byte("Winnow contains these works, under the licences in this folder:\n\n")
	for _, m := range modules {
		n, err := copyTexts(filepath.Join(dir, filepath.FromSlash(m.name())), m.Dir, stated[m.Path])
		if err != nil {
			return fmt.Errorf("module %s: %w", m.name(), err)
		}
		if n == 0 {
			return fmt.Errorf("module %s: no licence text in %s", m.name(), m.Dir)
		}
		notice = fmt.Appendf(notice, "%s\n", m.name())
	}
	return os.WriteFile(filepath.Join(dir, "NOTICE"), notice, 0o644)
}

// linked are the modules of all packages that the programs import, by path.
func linked(programs []string) ([]*module, error) {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-json=Standard,Module"}, programs...)...)
	cmd.Stderr = os.Stderr
	list, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	found := map[string]*module{"go": {Path: "go", Dir: string(bytes.TrimSpace(root))}}
	for dec := json.NewDecoder(bytes.NewReader(list)); ; {
		var p struct {
			Standard bool
			Module   *module
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if p.Standard || p.Module == nil {
			continue
		}
		if r := p.Module.Replace; r != nil && r.Version == "" {
			continue // a folder of Winnow, which is under its licence
		} else if r != nil {
			p.Module.Dir = r.Dir
		}
		found[p.Module.Path] = p.Module
	}
	return slices.SortedFunc(maps.Values(found), func(a, b *module) int { return cmp.Compare(a.Path, b.Path) }), nil
}

// licenceFile reports whether a file at a module's root is about its licence.
var licenceFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|copyright|notice|patents|authors)([-._].*)?$`)

// stated are modules that say under which licence they are in another file.
var stated = map[string]string{"github.com/JohnCGriffin/overflow": "README.md"}

// copyTexts copies the files about a licence from one folder to another, and returns
// how many there are. also is one more such file, if it is not empty.
func copyTexts(to, from, also string) (int, error) {
	entries, err := os.ReadDir(from)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, e := range entries {
		about := licenceFile.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" || e.Name() == also
		if !e.Type().IsRegular() || !about {
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err == nil {
			err = os.MkdirAll(to, 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, e.Name()), text, 0o644)
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
