package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// link matches the target of a link or an image in Markdown.
var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// heading matches the text of a heading.
var heading = regexp.MustCompile(`(?m)^#+ (.+)$`)

// TestLinksOfPages checks that every relative link in the pages of the repository leads to a
// file, and to a heading if it names one. The notes of trainers are parts of model cards, and their links
// are those of the cards.
func TestLinksOfPages(t *testing.T) {
	t.Chdir("../..")
	list, err := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md").Output()
	if err != nil {
		t.Skip("this is not a copy of the repository:", err)
	}
	for name := range strings.FieldsSeq(string(list)) {
		text, err := os.ReadFile(name)
		if os.IsNotExist(err) || strings.Contains(name, "testdata/") || strings.HasPrefix(name, "eval/train/") {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllSubmatch(text, -1) {
			target, anchor, _ := strings.Cut(string(m[1]), "#")
			if strings.Contains(target, ":") {
				continue
			}
			file := name
			if target != "" {
				file = filepath.Join(filepath.Dir(name), target)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: the link %s leads to no file", name, m[1])
			} else if anchor != "" && filepath.Ext(file) == ".md" && !anchors(t, file)[anchor] {
				t.Errorf("%s: the link %s leads to no heading", name, m[1])
			}
		}
	}
}

// anchors returns the anchors of the headings of a page, as GitHub makes them.
func anchors(t *testing.T, file string) map[string]bool {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, m := range heading.FindAllSubmatch(text, -1) {
		kept := regexp.MustCompile(`[^\p{L}\p{N}\s_-]`).ReplaceAllString(strings.ToLower(string(m[1])), "")
		found[strings.ReplaceAll(kept, " ", "-")] = true
	}
	return found
}
