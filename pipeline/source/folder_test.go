package source

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/source/gold"
)

// tree writes a folder that holds something of every kind.
func tree(t *testing.T) string {
	return put(t, map[string]string{
		"a.warc": "x", "deep/b.arc.gz": "x",
		"gold/1.html": "x", "gold/1.txt": "x", "gold/2.html": "x", "gold/3.htm": "x", "gold/README": "x",
		"named/package.json": "{}", "named/1.html": "x", "packed.tar.xz": "x",
		"page.html": "x", "deep/page.xhtml": "x", "deep/notes.txt": "x",
		"out/run.json": "x", "out/report.html": "x", "out/texts/part.warc.gz": "x", "mine/inputs/x.warc.gz": "x",
		"run/run.json": "{}", "run/run.html": "x", ".hidden/h.html": "x",
	})
}

// A folder on a disk is read by one rule: archives, gold packages and other HTML files are
// told apart, and neither the run's own output folder nor that of another run is an input.
func TestReadTree(t *testing.T) {
	dir := tree(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{dir, link} {
		got, err := ReadTree(t.Context(), dir, filepath.Join(dir, "mine"))
		if err != nil {
			t.Fatal(err)
		}
		for what, lists := range map[string][2][]string{
			"archives": {got.Archives, {"a.warc", "deep/b.arc.gz"}},
			"packages": {got.Packages, {"gold", "named", "packed.tar.xz", "run"}},
			"pages":    {got.Pages, {"deep/page.xhtml", "gold/3.htm", "page.html"}},
		} {
			for i, name := range lists[0] {
				lists[0][i], _ = filepath.Rel(dir, name)
			}
			if !slices.Equal(lists[0], lists[1]) {
				t.Errorf("%s %q, want %q", what, lists[0], lists[1])
			}
		}
		var notes []string
		got.Tell(func(s string) { notes = append(notes, s) })
		if !slices.EqualFunc(notes, []string{"files that are not called like crawl archives (2, the first is ", "output folders of runs (2, the first is "}, strings.Contains) {
			t.Errorf("%q", notes)
		}
	}
	if _, err := ReadTree(t.Context(), filepath.Join(dir, "out"), ""); err == nil || !strings.Contains(err.Error(), "is the output folder of a run, and not an input") {
		t.Errorf("an output folder: %v", err)
	}
}

// A folder yields the pages of its archives, packages and HTML files.
func TestFolder(t *testing.T) {
	a := newArchive(t)
	a.page()
	dir := put(t, map[string]string{"c.warc.gz": a.buf.String(), "gold/1.html": "<p>gold", "gold/1.txt": "gold", "p.html": "<p>p", "deep/a b.html": "<p>deep", "deep/backup.tar": string(make([]byte, 1024))})
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	want := []string{"<p>page 1", "<p>gold gold 1", "<p>deep gold deep/a b", "<p>p gold p"}
	var notes []string
	if got := read(t, &Inputs{Blobs: blobs, Note: func(s string) { notes = append(notes, s) }}, dir); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "backup.tar, which is not a gold package") {
		t.Errorf("%q", notes)
	}
	if got := read(t, &Inputs{Blobs: blobs}, t.TempDir()); len(got) != 1 || !strings.Contains(got[0], "no archives there") {
		t.Errorf("an empty folder: %q", got)
	}
}

// Pages of one name in different forms keep different ids, and a link that leads out of
// the folder is not followed.
func TestOpenPages(t *testing.T) {
	dir := put(t, map[string]string{"my site!/a.html": "1", "my site!/a.htm": "2", "secret": "3"})
	top := filepath.Join(dir, "my site!")
	if err := os.Symlink("../secret", filepath.Join(top, "b.html")); err != nil {
		t.Fatal(err)
	}
	files := []string{filepath.Join(top, "a.html"), filepath.Join(top, "a.htm"), filepath.Join(top, "b.html")}
	common, err := CommonFolder(append(files, filepath.Join(dir, "secret")))
	if err != nil || common != dir {
		t.Errorf("%s, %v, want %s", common, err, dir)
	}
	p, err := OpenPages(top, files, gold.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var got []string
	for d, err := range p.Documents(t.Context()) {
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, d.ID+" "+string(d.HTML))
	}
	if p.Info.Name != "my-site-" || len(got) != 3 || got[0] != "a.htm 2" || got[1] != "a.html 1" || !strings.Contains(got[2], "b.html: ") {
		t.Errorf("%s: %q", p.Info.Name, got)
	}
}
