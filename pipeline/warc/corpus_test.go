package warc

import (
	"bufio"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sharedFile is one line of the manifest of the WARC collection.
type sharedFile struct {
	name   string
	arc    bool
	byType map[string]int64
}

// arcTypes are the types of the records that the manifest counts by scheme.
var arcTypes = map[string]string{"filedesc": TypeWarcinfo, "http": TypeResponse, "dns": TypeResource}

// shared reads the manifest of the WARC collection, or skips the test.
func shared(t testing.TB) (dir string, files []sharedFile) {
	root := os.Getenv("WINNOW_SHARED")
	if root == "" {
		t.Skip("WINNOW_SHARED is not set: no collection of WARC files")
	}
	dir = filepath.Join(root, "warcs")
	f, err := os.Open(filepath.Join(dir, "manifest.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Scan() // the first line holds the names of the columns
	for sc.Scan() {
		col := strings.Split(sc.Text(), "\t")
		file := sharedFile{name: col[0], arc: col[6] == "ARC", byType: map[string]int64{}}
		if col[9] != "none" {
			for part := range strings.SplitSeq(col[9], ", ") {
				n, typ, _ := strings.Cut(part, " ")
				if as := arcTypes[typ]; as != "" {
					typ = as
				}
				file.byType[typ], err = strconv.ParseInt(n, 10, 64)
				if err != nil {
					t.Fatalf("%s: %v", col[0], err)
				}
			}
		}
		if file.name == "odd/aut-badexample.arc.gz" {
			file.byType[TypeResponse] = 4 // the manifest's count relies on lengths that are wrong
		}
		files = append(files, file)
	}
	return dir, files
}

// got is a record as the tests compare it.
type got struct {
	Address
	typ, uri string
	sum      [sha1.Size]byte
	size     int64
	flags    Flags
}

func (g got) String() string {
	return fmt.Sprintf("%v+%d %s %s %d bytes %v", g.Address, g.Length, g.typ, g.uri, g.size, g.flags.Names())
}

// readItem reads an item to its end. The reader may have been used before.
func readItem(t testing.TB, r *Reader, src Source, start, end, first int64, opt Options) ([]got, Summary) {
	t.Helper()
	if err := r.Reset(src, start, end, first, opt); err != nil {
		t.Fatal(err)
	}
	var recs []got
	var rec Record
	for {
		err := r.Next(&rec)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		recs = append(recs, got{rec.Address, rec.Type, rec.TargetURI, sha1.Sum(rec.Block), rec.BlockSize, rec.Flags})
	}
	s := r.Summary()
	if s.BytesUnits+s.BytesGaps != s.Next-s.First && s.First >= 0 {
		t.Fatalf("bytes: %d in units, %d in gaps, read [%d,%d)", s.BytesUnits, s.BytesGaps, s.First, s.Next)
	}
	return recs, s
}

// readAll reads a whole file as one item.
func readAll(t testing.TB, src Source, opt Options) ([]got, Summary) {
	t.Helper()
	recs, s := readItem(t, new(Reader), src, 0, src.Size(), -1, opt)
	if s.First != 0 || s.Next != src.Size() {
		t.Fatalf("read [%d,%d) of %d", s.First, s.Next, src.Size())
	}
	return recs, s
}

func openShared(t testing.TB, dir, name string) Source {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return io.NewSectionReader(f, 0, st.Size())
}

// TestRealCollection reads every file of the collection. All bytes must be counted, and in
// the well-formed part the records must be those of the manifest.
func TestRealCollection(t *testing.T) {
	dir, files := shared(t)
	for _, f := range files {
		t.Run(f.name, func(t *testing.T) {
			src := openShared(t, dir, f.name)
			format, probed := Probe(src)
			if f.name == "malformed/nas-input-nonarc.arc" {
				if !errors.Is(probed, ErrNotWARC) {
					t.Errorf("probe: %v, want a refusal", probed)
				}
			} else if (format == FormatARC || format == FormatARCGzip) != f.arc {
				t.Errorf("probe: %v, %v", format, probed)
			}
			_, s := readAll(t, src, Options{})
			part, _, _ := strings.Cut(f.name, "/")
			switch {
			case part == "malformed":
				if !maps.Equal(s.ByType, f.byType) {
					t.Logf("records %v, manifest %v, defects %v", s.ByType, f.byType, s.Defects)
				}
			default:
				if probed != nil && len(f.byType) > 0 {
					t.Errorf("probe: %v", probed)
				}
				if !maps.Equal(s.ByType, f.byType) {
					t.Errorf("records %v, manifest %v, defects %v", s.ByType, f.byType, s.Defects)
				}
			}
		})
	}
}

// TestRealCollectionByHand reads files that other readers read wrongly: with one line end
// after each record, with an HTTP header instead of a WARC header, and with a WARC file
// within a record.
func TestRealCollectionByHand(t *testing.T) {
	dir, _ := shared(t)
	for _, c := range []struct {
		name      string
		records   int64
		responses int64
	}{
		{"malformed/node-warc-books.toscrape.warc", 60, 30},
		{"malformed/ipwb-broken.warc", 6, 2},
		{"derived/warc-inside-warc.warc.gz", 80, 80},
	} {
		_, s := readAll(t, openShared(t, dir, c.name), Options{})
		if s.Records != c.records || s.ByType[TypeResponse] != c.responses || s.ByType[TypeNone] != 0 {
			t.Errorf("%s: %v", c.name, s.ByType)
		}
	}
}

// TestRealCollectionContainers checks that the records are the same in every container.
func TestRealCollectionContainers(t *testing.T) {
	dir, _ := shared(t)
	for _, family := range [][]string{
		{"crawls/scrapy-webarchive-quotes-wacz-data.warc.gz", "derived/quotes.dict.warc.zst",
			"derived/quotes.packed-dict.warc.zst", "derived/quotes.no-dict.warc.zst"},
		{"crawls/dolma-sample-0000.warc.gz", "derived/dolma-sample-0000.one-member.warc.gz",
			"derived/dolma-sample-0000.bgzf-like.warc.gz"},
		{"odd/slyrz-test.warc", "odd/slyrz-test.warc.gz", "odd/slyrz-test.warc.bz2"},
		{"crawls/whirlwind.warc", "crawls/whirlwind.warc.gz", "derived/whirlwind.single-frame.warc.zst"},
	} {
		want, _ := readAll(t, openShared(t, dir, family[0]), Options{})
		for _, name := range family[1:] {
			recs, _ := readAll(t, openShared(t, dir, name), Options{})
			same := func(a, b got) bool { return a.sum == b.sum && a.typ == b.typ && a.uri == b.uri && a.flags == b.flags }
			if !slices.EqualFunc(recs, want, same) {
				t.Errorf("%s: %d records differ from the %d of %s", name, len(recs), len(want), family[0])
			}
		}
	}
}
