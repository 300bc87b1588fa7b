package pipeline

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var (
	link    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	fenced  = regexp.MustCompile("(?ms)^```.*?^```$")
	coded   = regexp.MustCompile("`[^`\n]*`")
)

// TestLinks checks that every link of the documentation to a file of the repository, or to
// a heading of one, leads somewhere.
func TestLinks(t *testing.T) {
	links := 0
	err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && file != ".." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules"):
			return filepath.SkipDir
		case filepath.Ext(name) != ".md" || strings.HasPrefix(filepath.ToSlash(file), "../eval/train/"): // parts of model cards, which lie elsewhere
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, m := range link.FindAllSubmatch(coded.ReplaceAll(fenced.ReplaceAll(text, nil), nil), -1) {
			u, err := url.Parse(string(m[1]))
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			if u.IsAbs() {
				continue
			}
			links++
			target := file
			if u.Path != "" {
				target = filepath.Join(filepath.Dir(file), filepath.FromSlash(u.Path))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: a link leads nowhere: %v", file, err)
			} else if u.Fragment != "" && !slices.Contains(anchors(t, target), u.Fragment) {
				t.Errorf("%s: %s has no heading %s", file, target, u.Fragment)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if links < 30 {
		t.Errorf("%d links", links)
	}
}

// anchors returns the names that repository browsers give to the headings of a page.
func anchors(t *testing.T, file string) (names []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range heading.FindAllSubmatch(fenced.ReplaceAll(text, nil), -1) {
		names = append(names, strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, string(m[1])))
	}
	return names
}
