package source

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas"
)

// gzipped returns text as a gzip file.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The records of a collection are those that its indexes name, for a run and for a
// command that reads pages alike.
func TestCollectionsAreReadByTheirIndexes(t *testing.T) {
	file, r := indexed(t, 6)
	page := func(i int) string { return fmt.Sprintf("%d#0 %s <p>page %d", r[i].offset, r[i].url, i+1) }
	pages := func(which ...int) (lines []string) {
		for _, i := range which {
			lines = append(lines, page(i))
		}
		return lines
	}
	all := pages(0, 1, 2, 3, 4, 5)
	some := r[1].line("a.warc.gz") + r[4].line("a.warc.gz")
	behind := record{int64(len(file)) + 5, 10, ""}
	chosen := Selector{URLs: []string{r[4].url}}
	for _, c := range []struct {
		name    string
		indexes map[string]string // index files by name; the collection holds a.warc.gz and b.warc.gz
		choose  Selector
		want    []string // selections of a.warc.gz and b.warc.gz
		note    string
	}{
		{"two archives", map[string]string{"indexes/index.cdxj": some + r[2].line("b.warc.gz")}, Selector{}, pages(1, 4, 2), "name"},
		{"compressed twice", map[string]string{"indexes/index.cdx.gz": gzipped(t, some+r[2].line("archive/b.warc.gz"))}, Selector{}, pages(1, 4, 2), "name"},
		{"two indexes", map[string]string{"indexes/1.cdxj": some, "indexes/2.cdxj": r[1].line("a.warc.gz") + r[2].line("b.warc.gz")}, Selector{}, pages(1, 4, 2), "name"},
		{"an archive without lines", map[string]string{"indexes/index.cdxj": some}, Selector{}, slices.Concat(pages(1, 4), all), "name"},
		{"a bad line", map[string]string{"indexes/index.cdxj": some + "nonsense\n"}, Selector{}, slices.Concat(all, all), "the collection is read completely"},
		{"damaged", map[string]string{"indexes/index.cdx.gz": gzipped(t, some)[:20]}, Selector{}, slices.Concat(all, all), "the collection is read completely"},
		{"an archive that is not there", map[string]string{"indexes/index.cdxj": some + r[0].line("c.warc.gz")}, Selector{}, slices.Concat(all, all), `"c.warc.gz", which is not in the collection`},
		{"empty", map[string]string{"indexes/index.cdxj": ""}, Selector{}, slices.Concat(all, all), "the collection is read completely"},
		{"nothing but lies", map[string]string{"indexes/index.cdxj": behind.line("a.warc.gz") + r[3].line("b.warc.gz")}, Selector{}, slices.Concat(all, pages(3)), "name"},
		{"some lies", map[string]string{"indexes/index.cdxj": behind.line("a.warc.gz") + some + r[3].line("b.warc.gz")}, Selector{}, slices.Concat([]string{"lost index-outside"}, pages(1, 4, 3)), "name"},
		{"all asked for", map[string]string{"indexes/index.cdxj": some}, Selector{Whole: true}, slices.Concat(all, all), ""},
		{"chosen lines", map[string]string{"indexes/index.cdxj": some + r[2].line("b.warc.gz")}, chosen, pages(4), ""},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "-"), func(t *testing.T) {
			files := [][2]string{{"archive/a.warc.gz", string(file)}, {"archive/b.warc.gz", string(file)}}
			var deflated []string
			for name, text := range c.indexes {
				files = append(files, [2]string{name, text})
				deflated = append(deflated, name)
			}
			for _, compressed := range [][]string{nil, deflated} {
				dir := putOne(t, "x.wacz", zipped(t, compressed, files...))
				name := filepath.Join(dir, "x.wacz")
				slices.Sort(c.want)
				if got := slices.Sorted(slices.Values(chosenPages(t, name, c.choose))); !slices.Equal(got, c.want) {
					t.Errorf("pages:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
				}
				got, notes := runPages(t, name, c.choose)
				if slices.Sort(got); !slices.Equal(got, c.want) {
					t.Errorf("a run reads\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
				}
				if !strings.Contains(notes, c.note) || (c.note == "") != (notes == "") {
					t.Errorf("notes %q, want %q", notes, c.note)
				}
			}
		})
	}
}

// chosenPages returns one line for every page or failure of an input of which a selector
// chooses records.
func chosenPages(t *testing.T, name string, s Selector) (lines []string) {
	t.Helper()
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	in := &Inputs{Blobs: blobs, Select: s}
	for p, err := range in.Pages(t.Context(), name, collection{}) {
		lines = append(lines, line(p, err))
	}
	return lines
}

// runPages returns one line for every page or failure of the files that a run reads for
// an input, and what the run notes about it.
func runPages(t *testing.T, name string, s Selector) (lines []string, notes string) {
	t.Helper()
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	store, err := blobs.Store(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files, err := Find(t.Context(), blobs, []string{name}, FindOptions{Select: s, Selections: store, Note: func(what string) { notes += what + "\n" }})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Refused != "" {
			lines = append(lines, "refused "+f.Refused)
			continue
		}
		in := schemas.File{URL: f.URL, Size: f.Size, Identity: f.Identity, Within: schemas.Within(f.Within), Selection: f.Selection}
		src, err := Open(t.Context(), blobs, store, in.Stored(), in.Selection)
		if err != nil {
			t.Fatal(err)
		}
		var w WARC
		if err := w.Reset(src, Range{End: f.Size}, Options{}); err != nil {
			t.Fatal(err)
		}
		for p, err := range Pages(t.Context(), f.URL, &w) {
			lines = append(lines, line(p, err))
		}
		src.Close()
	}
	return lines, notes
}

// The index in a real collection names the one page of its archive, and leaves out the
// record that describes the archive.
func TestIndexOfARealCollection(t *testing.T) {
	shared := os.Getenv("WINNOW_SHARED")
	if shared == "" {
		t.Skip("WINNOW_SHARED is not set")
	}
	name := filepath.Join(shared, "warcs/indexed/valid_example_1.wacz")
	got, notes := runPages(t, name, Selector{})
	if want := pagesOf(t, name); !slices.Equal(got, want) || len(got) != 1 {
		t.Errorf("%q, want %q", got, want)
	}
	t.Log(notes)
}
