package worker

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// scanned has the phase scan of a run with site-level extractors carried out.
func (w *world) scanned() map[schemas.ItemID]*schemas.Done {
	w.t.Helper()
	x, err := choose.Extractors(w.tasks.Extractors, "iwptd")
	if err != nil {
		w.t.Fatal(err)
	}
	w.choose("iwptd", "vec") // scorers are not asked for before the phase extract
	w.plan.Recipe.Learn = template.Settings(x)
	done, dead := w.work()
	if len(dead) > 0 {
		w.t.Fatalf("given up: %+v", dead[0])
	}
	return done
}

func tablesOf(d *schemas.Done) (names []schemas.Table) {
	for _, s := range d.Shards {
		names = append(names, s.Table)
	}
	return names
}

// Records that can be read where they are are named, not copied; those that share
// a compressed unit are copied, once each, as they are.
func TestScanNamesOrCopiesRecords(t *testing.T) {
	w := newWorld(t)
	c := newCrawl(t, w.dir, "a.warc.gz")
	var offsets []int64
	for n := range 20 {
		offsets = append(offsets, c.page("a.example", n, ""))
	}
	c.response("http://a.example/gone", "404 Not Found", "text/html", "<p>gone")
	c.close()
	members, err := os.ReadFile(c.path)
	if err != nil {
		t.Fatal(err)
	}
	done := w.scanned()
	if len(done) != 1 {
		t.Fatalf("%d items", len(done))
	}
	for id, d := range done {
		if id != "scan-f00000-i00000" || !slices.Equal(tablesOf(d), []schemas.Table{schemas.TableCandidates}) {
			t.Errorf("%s has %v", id, tablesOf(d))
		}
		got := w.candidates(d)
		slices.SortFunc(got, func(a, b schemas.Candidate) int { return int(a.Offset - b.Offset) })
		if len(got) != 20 {
			t.Fatalf("%d candidates, want 20", len(got))
		}
		for i, c := range got {
			if c.Offset != offsets[i] || c.Copy != -1 || c.URL != fmt.Sprintf("http://a.example/%d.html", i) || c.Site != "a.example" {
				t.Errorf("candidate %d: %+v, want offset %d", i, c, offsets[i])
			}
		}
	}

	whole := newWorld(t)
	z, err := gzip.NewReader(bytes.NewReader(members))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	g := gzip.NewWriter(&out)
	g.Write(plain)
	g.Close()
	if err := os.WriteFile(whole.dir+"/a.warc.gz", out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	for id, d := range whole.scanned() {
		if !slices.Equal(tablesOf(d), []schemas.Table{schemas.TableSamples, schemas.TableCandidates}) || d.Shards[0].Rows != 20 {
			t.Errorf("%s has %v", id, d.Shards)
		}
		seen := map[int64]bool{}
		for _, c := range whole.candidates(d) {
			if c.Copy < 0 || seen[c.Copy] {
				t.Errorf("candidate %+v has no copy of its own", c)
			}
			seen[c.Copy] = true
		}
	}
}

// Hosts that no registrar would give out, addresses with a bad escape and files
// have a site as well.
func TestScanSamplesOddAddresses(t *testing.T) {
	w := newWorld(t)
	c := newCrawl(t, w.dir, "a.warc.gz")
	body := func(n int) string {
		return fmt.Sprintf("<p>Page %d. %s", n, strings.Repeat("grain and chaff ", 40))
	}
	want := map[string]string{
		"http://my_mill.example.org/": "my_mill.example.org",
		"http://a--b.example.org/":    "a--b.example.org",
		"http://example.org/100%":     "example.org",
		"file:///home/ann/a.html":     "a", // its package
	}
	n := 0
	for url := range want {
		c.response(url, "200 OK", "text/html", body(n))
		n++
	}
	c.response("nothing", "200 OK", "text/html", body(n))
	// A page of the run, and none that a site is sampled by.
	w.plan.Recipe.Statuses = []int{200, 404}
	c.response("http://example.org/gone", "404 Not Found", "text/html", body(n+1))
	c.close()
	for id, d := range w.scanned() {
		if d.Counts.Pages != 5 { // one that has no site is not looked into
			t.Errorf("%s has %d pages, want 5", id, d.Counts.Pages)
		}
		got := map[string]string{}
		for _, c := range w.candidates(d) {
			got[c.URL] = c.Site
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s has %v, want %v", id, got, want)
		}
	}
}

// candidates reads what an item of the phase scan kept.
func (w *world) candidates(d *schemas.Done) (out []schemas.Candidate) {
	w.t.Helper()
	for _, s := range d.Shards {
		if s.Table != schemas.TableCandidates {
			continue
		}
		f, err := w.store.Open(w.t.Context(), s.Name)
		if err != nil {
			w.t.Fatal(err)
		}
		defer f.Close()
		r, err := columnar.NewReader(columnar.Candidates, f, f.Size())
		if err != nil {
			w.t.Fatal(err)
		}
		for row, err := range r.All(w.t.Context()) {
			if err != nil {
				w.t.Fatal(err)
			}
			out = append(out, *row)
		}
	}
	return out
}
