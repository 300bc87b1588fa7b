package template

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// learned returns what two methods have learned about a site.
func learned(site string) []Template {
	return []Template{
		{Method: "a", Version: 1, Learned: 7, Status: StatusOK, Ranks: []uint64{1, 1 << 63}, Linked: 2, Notes: []string{"n", FlagSmallSample}, Body: bytes.Repeat([]byte(site+"\x00\xff"), 40)},
		{Method: "b", Version: 1, Learned: 7, Status: StatusTooFewPages, Ranks: []uint64{9}},
	}
}

func site(n int) string { return fmt.Sprintf("s%04d.example", n) }

// folder writes the table of templates of sites, in parts of some sites each. edit changes
// a row before it is written.
func folder(t *testing.T, sites, each int, edit func(*schemas.TemplateRow)) (dir string, store blob.Store, x *schemas.TemplateIndex) {
	t.Helper()
	dir = t.TempDir()
	store, err := blob.New(blob.Options{}).Store(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	x = &schemas.TemplateIndex{Version: schemas.Version, Run: "r", Hash: "h", SiteBy: schemas.ByHost, Sites: SiteVersion()}
	for from := 0; from < sites; from += each {
		var out bytes.Buffer
		w, err := columnar.NewWriter(columnar.Templates, &out, "r", "h", columnar.LookupSize)
		if err != nil {
			t.Fatal(err)
		}
		for n := from; n < min(from+each, sites); n++ {
			for _, l := range learned(site(n)) {
				row := l.Row("r", schemas.ByHost, site(n))
				if edit != nil {
					edit(&row)
				}
				if err := w.Append(&row); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		name := schemas.PartName(schemas.TableTemplates, len(x.Ranges), 1) + ".parquet"
		written, err := blob.WriteAll(t.Context(), store, name, out.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		first := ""
		if from > 0 {
			first = site(from)
		}
		x.Ranges = append(x.Ranges, schemas.TemplateRange{From: first, File: schemas.Shard{Name: name, Bytes: written.Bytes, SHA256: written.SHA256}})
	}
	data, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := blob.WriteAll(t.Context(), store, schemas.TemplateIndexFile, data); err != nil {
		t.Fatal(err)
	}
	return dir, store, x
}

// Every site is found, by several readers at once, and with the reason those that have no
// template.
func TestLibraryFindsEverySite(t *testing.T) {
	const sites = 300
	_, store, x := folder(t, sites, 70, nil)
	x.Ranges[2].File = schemas.Shard{} // its item was given up
	l := NewLibrary(store, x)
	var all sync.WaitGroup
	for reader := range 4 {
		all.Go(func() {
			for i := range sites {
				n := (i*(7+reader) + reader) % sites
				got, reason, err := l.Site(t.Context(), site(n))
				if n/70 == 2 {
					if reason != algorithms.ReasonLearnFailed || len(got) > 0 || err != nil {
						t.Errorf("%s: %v, %q, %v", site(n), got, reason, err)
					}
					continue
				}
				want := learned(site(n))
				if err != nil || len(got) != 2 {
					t.Errorf("%s: %+v, %q, %v", site(n), got, reason, err)
					continue
				}
				for j := range want {
					if g, w := &got[j], &want[j]; g.ID(x.SiteBy, site(n)) != w.ID(x.SiteBy, site(n)) || !slices.Equal(g.Ranks, w.Ranks) || !bytes.Equal(g.Body, w.Body) {
						t.Errorf("%s: %+v, want %+v", site(n), g, w)
					}
				}
			}
		})
	}
	all.Wait()
	for _, name := range []string{"a.example", "s0005.exampl", "z.example"} {
		if got, reason, err := l.Site(t.Context(), name); len(got) > 0 || reason != algorithms.ReasonTooFewPages || err != nil {
			t.Errorf("%s: %v, %q, %v", name, got, reason, err)
		}
	}
	l.Close()
	if got, _, err := l.Site(t.Context(), site(1)); len(got) != 2 || err != nil {
		t.Errorf("after Close: %v, %v", got, err)
	}
	if l.parts[0].file != nil {
		t.Error("a part is open after Close")
	}
}

// What is held is bounded, whatever is read.
func TestLibraryHoldsABoundedNumberOfBytes(t *testing.T) {
	_, store, x := folder(t, 300, 70, func(r *schemas.TemplateRow) {
		if r.Body != nil {
			l := Template{Method: r.Method, Version: 1, Status: StatusOK, Body: make([]byte, algorithms.MaxTemplate)}
			*r = l.Row("r", schemas.ByHost, r.Site)
		}
	})
	l := NewLibrary(store, x)
	defer l.Close()
	for _, by := range []int{1, 71} {
		for i := range 300 {
			n := i * by % 300
			if got, _, err := l.Site(t.Context(), site(n)); len(got) != 2 || err != nil {
				t.Fatalf("%s: %v, %v", site(n), got, err)
			}
			var held int64
			for _, p := range l.open {
				held += p.held
			}
			if held != l.held || held > heldBytes {
				t.Fatalf("%d bytes are held, counted are %d; at most %d may be", held, l.held, heldBytes)
			}
		}
	}
}

// Templates of an earlier run that are damaged, or that somebody forged, are an error that
// names the file.
func TestHostileTemplatesAreNamed(t *testing.T) {
	part := schemas.PartName(schemas.TableTemplates, 0, 1) + ".parquet"
	for name, c := range map[string]struct {
		file string
		edit func(*schemas.TemplateRow)
		harm func(data []byte) []byte
	}{
		"no part":           {file: part, harm: func([]byte) []byte { return nil }},
		"part cut off":      {file: part, harm: func(b []byte) []byte { return b[:len(b)/2] }},
		"part with a hole":  {file: part, harm: func(b []byte) []byte { clear(b[100 : len(b)-200]); return b }},
		"no table":          {file: part, harm: func(b []byte) []byte { return bytes.Repeat([]byte("x"), len(b)) }},
		"index cut off":     {file: schemas.TemplateIndexFile, harm: func(b []byte) []byte { return b[:40] }},
		"index out of run":  {file: schemas.TemplateIndexFile, harm: func(b []byte) []byte { return bytes.Replace(b, []byte("templates/part"), []byte("../templa/part"), 1) }},
		"another body":      {file: part, edit: func(r *schemas.TemplateRow) { r.Body = append(r.Body, 1) }},
		"body without end":  {file: part, edit: func(r *schemas.TemplateRow) { r.Body = make([]byte, algorithms.MaxTemplate+1) }},
		"sample out of it":  {file: part, edit: func(r *schemas.TemplateRow) { r.Sample = "2,1" }},
		"sample of no page": {file: part, edit: func(r *schemas.TemplateRow) { r.Sample = "x" }},
		"unknown status":    {file: part, edit: func(r *schemas.TemplateRow) { r.Status = "fine" }},
		"template of another site": {file: part, edit: func(r *schemas.TemplateRow) {
			l := learned("another.example")[0]
			*r = l.Row("r", schemas.ByHost, "another.example")
			r.Site = site(0)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, _, _ := folder(t, 1, 1, c.edit)
			if c.harm != nil {
				path := filepath.Join(dir, filepath.FromSlash(c.file))
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if data = c.harm(data); data == nil {
					err = os.Remove(path)
				} else {
					err = os.WriteFile(path, data, 0o666)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			blobs := blob.New(blob.Options{})
			defer blobs.Close()
			r := &schemas.Recipe{SiteBy: schemas.ByHost, Learn: &schemas.Learn{Sites: SiteVersion()}}
			err := Reuse(t.Context(), blobs, r, dir, 0)
			if err == nil { // what cannot be seen when the run is planned is seen when the site is learned
				var e *Earlier
				if e, err = OpenEarlier(t.Context(), blobs, r.Learn); err == nil {
					_, err = e.Templates(t.Context(), site(0), []Method{{"a", &algorithms.Learner{Version: 1, Open: func([]byte) (any, error) { return nil, nil }}}}, 100)
				}
			}
			if err == nil || !strings.Contains(err.Error(), c.file) {
				t.Errorf("%v, want an error that names %s", err, c.file)
			}
			if c.file == part && name != "no part" && !errors.Is(err, columnar.ErrMalformed) {
				t.Errorf("%v is no error of a malformed table", err)
			}
		})
	}
}
