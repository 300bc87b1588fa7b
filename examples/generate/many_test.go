package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestManySites checks that the same settings give the same bytes, and that the frame
// around every article is shared by the pages of its site and by no other site.
func TestManySites(t *testing.T) {
	m, err := newMany(6, 12, 4)
	if err != nil {
		t.Fatal(err)
	}
	a, b := t.TempDir(), t.TempDir()
	for _, folder := range []string{a, b} {
		if err := m.write(folder); err != nil {
			t.Fatal(err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(a, "*"))
	if len(files) != 4 {
		t.Fatalf("%d files, want 4", len(files))
	}
	for _, f := range files {
		x, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if y, err := os.ReadFile(filepath.Join(b, filepath.Base(f))); err != nil || !bytes.Equal(x, y) {
			t.Errorf("%s differs the second time: %v", f, err)
		}
	}
	footer := func(s string) string { return s[strings.Index(s, "<footer>"):] }
	seen := map[string]bool{}
	for site := range 6 {
		var first string
		for page := range 12 {
			title, paragraphs := m.article(site, page)
			html := m.html(site, page, title, paragraphs)
			text := visible(t, html)
			for _, p := range append(paragraphs, title) {
				if !strings.Contains(text, fold(p)) {
					t.Errorf("site %d, page %d: %q is not on the page", site, page, p)
				}
			}
			if seen[paragraphs[0]] {
				t.Errorf("site %d, page %d: its text is another's", site, page)
			}
			seen[paragraphs[0]] = true
			if page == 0 {
				first = footer(html)
			} else if footer(html) != first {
				t.Errorf("site %d: page %d has another footer", site, page)
			}
		}
		if seen[first] {
			t.Errorf("site %d has the footer of another site", site)
		}
		seen[first] = true
	}
	if _, err := newMany(0, 1, 1); err == nil {
		t.Error("no sites were made")
	}
}
