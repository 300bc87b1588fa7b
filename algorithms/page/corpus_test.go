package page

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"

	"github.com/winnow/winnow/pipeline/payload"
	"github.com/winnow/winnow/pipeline/warc"
)

// packageNames are the gold packages of the shared data.
var packageNames = []string{"cleaneval-dev", "cleaneval-final", "cleanportaleval", "dragnet", "l3s-gn1", "readability", "wcxb-dev"}

// sharedFolder is the folder of the shared data; without it the test is skipped.
func sharedFolder(t testing.TB) string {
	dir := os.Getenv("WINNOW_SHARED")
	if dir == "" {
		t.Skip("WINNOW_SHARED is not set: no packages and crawl files")
	}
	return dir
}

// eachPackagePage calls f with every page of a package, decoded, until it
// returns false.
func eachPackagePage(t testing.TB, name string, f func(id string, src []byte) bool) {
	file, err := os.Open(filepath.Join(sharedFolder(t), "packages", name+".tar.xz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	x, err := xz.NewReader(bufio.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var d payload.Decoder
	for r := tar.NewReader(x); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(h.Name, ".html") {
			continue
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if !f(h.Name, d.DecodeHTML(raw, "").HTML) {
			return
		}
	}
}

// eachCrawlPage calls f with every page of every crawl file.
func eachCrawlPage(t testing.TB, f func(id string, src []byte)) {
	root := filepath.Join(sharedFolder(t), "warcs")
	err := filepath.WalkDir(root, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.Contains(name, ".warc") {
			return err
		}
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return err
		}
		r, err := warc.Open(io.NewSectionReader(file, 0, info.Size()), 0, info.Size(), -1, warc.Options{})
		if err != nil {
			return err
		}
		var rec warc.Record
		var d payload.Decoder
		for {
			if err := r.Next(&rec); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			m := payload.Message{Block: rec.Block}
			switch rec.Type {
			case warc.TypeResponse:
			case warc.TypeResource:
				m.Kind, m.ContentType = payload.Resource, rec.ContentType
			default:
				continue
			}
			if doc := d.Decode(m); doc.Outcome == payload.Page {
				f(filepath.Base(name)+" "+rec.TargetURI, doc.HTML)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// causes undo, in a page, what the twin is known to take another way (see
// divergences). A difference is explained if it is gone without the cause.
var causes = []struct {
	name string
	undo func(src []byte) []byte
}{
	{"an end tag without a name", func(src []byte) []byte { return bytes.ReplaceAll(src, emptyEndTag, nil) }},
	// Both read the rest in quirks mode without it.
	{"quirks by the doctype", func(src []byte) []byte {
		return regexp.MustCompile(`(?i)<!doctype[^>]*>`).ReplaceAll(src, nil)
	}},
}

// explain returns the cause of the difference of src to the twin.
func explain(src []byte) string {
	var p Page
	for _, c := range causes {
		changed := c.undo(src)
		root, err := twin(changed)
		if err != nil {
			return ""
		}
		p.Parse(changed, unbounded)
		if compareTwin(&p, root) == "" {
			return c.name
		}
	}
	return ""
}

// unbounded lets no page of the corpus meet the bounds of text and nodes, which the
// twin does not have: one has 431 MB.
var unbounded = Options{MaxNodes: 1 << 28, MaxText: 1 << 29}

// TestTwinCorpus compares every page of every package and crawl file with the
// twin. Equal are element names, attributes, texts, comments and order.
func TestTwinCorpus(t *testing.T) {
	var p Page
	var pages, linked, differ int
	check := func(t *testing.T, id string, src []byte) {
		pages++
		root, err := twin(src)
		p.Parse(src, unbounded)
		checkBuilt(t, &p)
		if err != nil {
			if p.Cut&CutDepth == 0 {
				t.Errorf("%s: the twin refuses it: %v", id, err)
			}
			return
		}
		if p.builder.order == orderLinked {
			linked++
		}
		if diff := compareTwin(&p, root); diff != "" {
			differ++
			if why := explain(src); why != "" {
				t.Logf("%s differs by %s", id, why)
			} else {
				t.Errorf("%s: %.400s", id, diff)
			}
		}
	}
	summary := func(t *testing.T) {
		t.Logf("%d pages, %d renumbered, %d differ from the twin", pages, linked, differ)
		pages, linked, differ = 0, 0, 0
	}
	for _, name := range packageNames {
		t.Run(name, func(t *testing.T) {
			eachPackagePage(t, name, func(id string, src []byte) bool {
				check(t, id, src)
				return true
			})
			summary(t)
		})
	}
	t.Run("crawls", func(t *testing.T) {
		eachCrawlPage(t, func(id string, src []byte) { check(t, id, src) })
		summary(t)
	})
}
