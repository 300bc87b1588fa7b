package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

func TestIndexLines(t *testing.T) {
	for line, want := range map[string]string{
		`com,example)/ 20140127171200 {"url": "http://example.com", "mime": "text/html", "status": "200", "length": "1046", "offset": "334", "filename": "a.warc.gz"}`: "20140127171200 http://example.com text/html 200 a.warc.gz 334 1046",
		`k 2014 {"url":"u","status":404,"length":10,"offset":0,"filename":"f","x":{"y":[1]}}`:                                                                          "2014 u  404 f 0 10",
		`k 2014 {"url":"u","status":"-","mime":null,"length":10,"offset":0,"filename":"f"}`:                                                                            "2014 u   f 0 10",
		`com,example)/ 20140103030321 http://example.com text/html 200 DIGEST - - 1043 333 a.warc.gz`:                                                                  "20140103030321 http://example.com text/html 200 a.warc.gz 333 1043",
		" CDX N b a m s k r M S V g": "no record", "": "no record", `!meta 0 {"format": "cdxj"}`: "no record",
		`k 2014 {"url":"u","length":10,"filename":"f"}`:             `offset is ""`,
		`k 2014 {"url":"u","offset":0,"filename":"f"}`:              `length is ""`,
		`k 2014 {"url":"u","offset":-1,"length":1,"filename":"f"}`:  `offset is "-1"`,
		`k 2014 {"url":"u","offset":1e3,"length":1,"filename":"f"}`: `offset is "1e3"`,
		`k 2014 {"url":"u","offset":1,"length":0,"filename":"f"}`:   `length is "0"`,
		`k 2014 {"url":"u","offset":1,"length":1}`:                  "no file",
		`k 2014 {"url":"u",`:                                             "its JSON",
		`k 2014 {"url":{},"offset":1,"length":1}`:                        "its JSON",
		`k 2014 {"offset":99999999999999999999,"length":1,"filename":1}`: "offset is",
		"three fields only":                                              "it has 3 fields, want 11",
	} {
		var p lineParser
		l, err := p.parse([]byte(line))
		got := fmt.Sprint(l.timestamp, " ", l.url, " ", l.mime, " ", l.status, " ", l.file, " ", l.offset, " ", l.length)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) || err == nil && got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
	p := lineParser{}
	p.parse([]byte(" CDX a V S g\n"))
	if l, err := p.parse([]byte("http://h/ 12 34 f\n")); err != nil || l.offset != 12 || l.length != 34 || l.file != "f" || l.url != "http://h/" {
		t.Errorf("fields in another order: %+v, %v", l, err)
	}
	for name, want := range map[string]bool{"a/x.cdxj": true, "x.CDX": true, "x.cdx.gz": true, "a/cdx-00012.gz": true, "x.cdxj.zst": false, "cdx": false, "x.warc.gz": false} {
		if (index{}).called(strings.ToLower(name)) != want {
			t.Errorf("%s is an index: %v", name, !want)
		}
	}
}

func FuzzIndexLine(f *testing.F) {
	f.Add([]byte(`com,example)/ 2014 {"url": "http://example.com", "length": "1046", "offset": "334", "filename": "a.warc.gz"}`))
	f.Add([]byte(`com,example)/ 20140103030321 http://example.com text/html 200 DIGEST - - 1043 333 a.warc.gz`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var p lineParser
		l, err := p.parse(line)
		if err == nil && (l.offset < 0 || l.length <= 0 || l.file == "") {
			t.Errorf("%+v", l)
		}
		hashURL(l.url)
	})
}

func TestSelector(t *testing.T) {
	l := indexLine{timestamp: "20240131120000", url: "http://h.example/a/b", mime: "Text/HTML; charset=x", status: "404"}
	for name, c := range map[string]struct {
		o    SelectorOptions
		want bool
	}{
		"all": {SelectorOptions{}, true}, "prefix": {SelectorOptions{URLs: []string{"http://x/", "http://h.example/a/"}}, true},
		"another prefix": {SelectorOptions{URLs: []string{"http://x/"}}, false}, "pattern": {SelectorOptions{URLMatch: "a/.$"}, true},
		"another pattern": {SelectorOptions{URLMatch: "^a"}, false}, "type": {SelectorOptions{MIMEs: []string{"TEXT/html"}}, true},
		"family": {SelectorOptions{MIMEs: []string{"image/png", "text/*"}}, true}, "another type": {SelectorOptions{MIMEs: []string{"text/htm"}}, false},
		"status": {SelectorOptions{Statuses: []string{"200", "404"}}, true}, "class": {SelectorOptions{Statuses: []string{"4XX"}}, true},
		"another class": {SelectorOptions{Statuses: []string{"2xx"}}, false},
		"from":          {SelectorOptions{From: "2024-01-31"}, true}, "from later": {SelectorOptions{From: "2024-01-31T12:00:01Z"}, false},
		"to": {SelectorOptions{To: "2024-01"}, true}, "to the day": {SelectorOptions{To: "20240131"}, true}, "to before": {SelectorOptions{To: "2023"}, false},
		"both":      {SelectorOptions{From: "2024", To: "2024"}, true},
		"minute":    {SelectorOptions{To: "2024-01-31T12:00"}, true},
		"all of it": {SelectorOptions{URLs: []string{"http"}, MIMEs: []string{"text/html"}, Statuses: []string{"404"}, From: "2020", To: "2030"}, true},
	} {
		s, err := NewSelector(c.o)
		if got := s.chooses(&l); err != nil || got != c.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for _, o := range []SelectorOptions{{URLMatch: "("}, {MIMEs: []string{"html"}}, {Statuses: []string{"2x"}}, {Statuses: []string{"2000"}},
		{From: "24"}, {To: "tomorrow"}, {From: "2024", To: "2023"}, {From: "20245"},
		{To: "2024-13"}, {To: "2024-02-30"}, {From: "2024-01-31T24:00"}} {
		if s, err := NewSelector(o); err == nil {
			t.Errorf("%+v: %+v", o, s)
		}
	}
}

// Chosen records are sorted, also through temporary files.
func TestPicksAreSorted(t *testing.T) {
	p := newPicks()
	p.Rows = 7
	defer p.Close()
	var want, got []pick
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		k := pick{random.Int32N(5), random.Int64N(1 << 40), 1 + random.Int64N(9), random.Uint64(), strings.Repeat("k", random.IntN(9))}
		want = append(want, k)
		if err := p.Add(&k); err != nil {
			t.Fatal(err)
		}
	}
	slices.SortFunc(want, func(a, b pick) int { return comparePicks(&a, &b) })
	for k, err := range p.Sorted(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, *k)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d picks, want %d in order", len(got), len(want))
	}
}

func TestSelectionTable(t *testing.T) {
	var s selection
	s.begin()
	for _, k := range []pick{{0, 10, 5, 1, ""}, {0, 10, 5, 1, ""}, {0, 12, 5, 2, ""}, {0, 15, 5, 0, "deu\x00text/html"}, {0, 40, 60, 3, ""}, {0, 90, 11, 4, ""}, {0, 1 << 62, 1 << 62, 4, ""}} {
		s.add(k, 100)
	}
	if !slices.Equal(s.offsets, []int64{10, 15, 40}) || s.size() != 70 || s.repeated != 1 || len(s.wrong) != 3 || s.wrongAll != [2]int64{2, 1} {
		t.Fatalf("%+v", s)
	}
	for at, want := range map[int64]int64{0: 10, 4: 14, 5: 15, 9: 19, 10: 40, 69: 99, 70: 100} {
		if got := s.real(at); got != want {
			t.Errorf("%d is at %d, want %d", at, got, want)
		}
	}
	if !s.adjacent(0, 5) || s.adjacent(5, 10) || s.adjacent(0, 10) {
		t.Error("records that follow each other in the file")
	}
	data := s.append(nil)
	got, err := decodeSelection(data, 100)
	if err != nil || fmt.Sprint(*got) != fmt.Sprint(s) {
		t.Errorf("%+v, %v, want %+v", got, err, s)
	}
	for n := range data {
		if _, err := decodeSelection(data[:n], 100); !errors.Is(err, errTable) {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
	if _, err := decodeSelection(data, 99); !errors.Is(err, errTable) {
		t.Errorf("of a smaller file: %v", err)
	}
}

// A table that is decoded from any bytes holds records in order and within the file.
func FuzzSelectionTable(f *testing.F) {
	s := new(selection)
	s.begin()
	s.add(pick{0, 10, 5, 1, ""}, 100)
	s.add(pick{0, 12, 5, 1, ""}, 100)
	f.Add(s.append(nil), int64(100))
	f.Add([]byte("\x01\x00\x00\x00\x00\x30\x3000000000"), int64(-20)) // a file of negative size holds no record
	f.Fuzz(func(t *testing.T, data []byte, size int64) {
		s, err := decodeSelection(data, size)
		if err != nil {
			return
		}
		end := int64(0)
		for i, at := range s.offsets {
			if at < end || s.length(i) <= 0 || s.end(i) > size {
				t.Fatalf("%+v of %d", s, size)
			}
			end = s.end(i)
		}
	})
}

// sized is a blob.Source in memory that records the calls of Expect.
type sized struct {
	*bytes.Reader
	expected []int64
}

func (s *sized) Expect(end int64) { s.expected = append(s.expected, end) }
func (s *sized) Check() error     { return nil }
func (s *sized) Close() error     { return nil }

func TestSelectedIsReadInFewRanges(t *testing.T) {
	data := make([]byte, 3<<20)
	for i := range data {
		data[i] = byte(i * 7 >> 8)
	}
	var sel selection
	sel.begin()
	var want []byte
	for _, k := range []pick{{0, 10, 5, 0, ""}, {0, 100, 50, 0, ""}, {0, 2000, 1, 0, ""}, {0, 1 << 20, 10000, 0, ""}, {0, 1<<20 + 20000, 9, 0, ""}, {0, 3<<20 - 1, 1, 0, ""}} {
		sel.add(k, int64(len(data)))
		want = append(want, data[k.offset:k.offset+k.length]...)
	}
	src := &sized{Reader: bytes.NewReader(data)}
	f := &selected{Source: src, sel: &sel}
	f.Expect(f.Size())
	got, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size()+100))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v, want %d", len(got), err, len(want))
	}
	if !slices.Equal(src.expected, []int64{2001, 1<<20 + 20009, 3 << 20}) {
		t.Errorf("ranges end at %d", src.expected)
	}
	for at := range f.Size() {
		one := make([]byte, 3)
		n, err := f.ReadAt(one, at)
		if !bytes.Equal(one[:n], want[at:min(int(at)+3, len(want))]) || (err == io.EOF) != (n < 3) {
			t.Fatalf("at %d: %d bytes, %v", at, n, err)
		}
	}
}

// record is a record of an archive as an index describes it.
type record struct {
	offset, length int64
	url            string
}

// indexed returns an archive of pages with gold, and its records.
func indexed(t *testing.T, pages int) (archiveBytes []byte, records []record) {
	a := newArchive(t)
	for range pages {
		at := int64(a.buf.Len())
		a.page()
		records = append(records, record{at, int64(a.buf.Len()) - at, fmt.Sprintf("http://h.example/%d", a.n)})
	}
	return a.buf.Bytes(), records
}

func (r record) line(file string) string {
	return fmt.Sprintf(`k 20240101000000 {"url":%q,"filename":%q,"offset":%d,"length":%d,"mime":"text/html","status":200}`+"\n", r.url, file, r.offset, r.length)
}

func TestRecordsThatAnIndexNames(t *testing.T) {
	file, r := indexed(t, 9)
	moved := func(r record, by int64) record { r.offset += by; return r }
	named := func(r record, url string) record { r.url = url; return r }
	longer := func(r record, by int64) record { r.length += by; return r }
	page := func(i int) string { return fmt.Sprintf("%d#0 %s <p>page %d", r[i].offset, r[i].url, i+1) }
	for name, c := range map[string]struct {
		records []record
		want    []string
	}{
		"some":                  {[]record{r[7], r[2], r[3]}, []string{page(2), page(3), page(7)}},
		"one twice":             {[]record{r[2], r[2], r[1]}, []string{page(1), page(2)}},
		"slash and case":        {[]record{named(r[1], "HTTP://H.example/2")}, []string{page(1)}},
		"without a URL":         {[]record{named(r[1], "")}, []string{page(1)}},
		"another URL":           {[]record{r[0], named(r[1], "http://other.example/"), r[2]}, []string{"lost index-url", page(0), page(2)}},
		"within a record":       {[]record{r[0], moved(longer(r[2], -9), 9), r[4]}, []string{"lost index-nothing", page(0), page(4), "lost gap"}},
		"first within a record": {[]record{moved(longer(r[2], -9), 9), r[4]}, []string{"lost index-nothing", page(4), "lost gap"}},
		"last within a record":  {[]record{r[1], moved(longer(r[2], -9), 9)}, []string{"lost index-nothing", page(1), "lost gap"}},
		"behind the end":        {[]record{r[0], {int64(len(file)) + 5, 10, ""}, {0, 1 << 40, ""}}, []string{"lost index-outside", "lost index-outside", page(0)}},
		"overlap":               {[]record{r[0], longer(r[1], 5), r[2], r[3]}, []string{"lost index-overlap", page(0), page(1), page(3), "lost unit-corrupt"}},
		"longer than it is":     {[]record{r[0], longer(r[1], r[2].length), r[4]}, []string{page(0), page(1), page(4)}},
		"shorter than it is":    {[]record{r[0], longer(r[1], -9), r[4]}, []string{page(0), page(1), page(4), "lost unit-corrupt"}},
		"nothing but lies":      {[]record{{int64(len(file)) + 5, 10, ""}}, []string{"lost index-outside"}},
	} {
		var lines strings.Builder
		for _, k := range c.records {
			lines.WriteString(k.line("a.warc.gz"))
		}
		dir := put(t, map[string]string{"a.warc.gz": string(file), "x.cdxj": lines.String()})
		got := pagesOf(t, filepath.Join(dir, "x.cdxj"))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// However the records that an index names are cut into ranges, the ranges together find
// what reading all of the records at once finds. Each failure of the index is found once, and
// each record that is where the index says is copied once.
func TestRangesOfSelectionsFindTheSame(t *testing.T) {
	file := crawl(t)
	var sel selection
	sel.begin()
	var all []record
	for i, k := range recordsOf(t, file) {
		if i%3 != 1 {
			all = append(all, k)
		}
		if i%10 == 4 {
			all = append(all, record{k.offset + 1, k.length, ""}, record{int64(len(file)), 10, ""})
		}
	}
	slices.SortStableFunc(all, func(a, b record) int { return int(a.offset - b.offset) })
	for _, k := range all {
		sel.add(pick{0, k.offset, k.length, hashURL(k.url), ""}, int64(len(file)))
	}
	src := &selected{Source: &sized{Reader: bytes.NewReader(file)}, sel: &sel, format: warc.FormatGzip}
	var s WARC
	read := func(r Range) (lines []string) {
		copied := func(n *NamedRecord) error {
			data, err := io.ReadAll(n.Raw)
			if end := n.Offset + int64(len(data)); len(data) == 0 || !bytes.Equal(data, file[n.Offset:end]) {
				t.Errorf("the copy of the record at %d has other bytes", n.Offset)
			}
			lines = append(lines, fmt.Sprintf("copy %d %d", n.Offset, len(data)))
			return err
		}
		if err := s.Reset(src, r, Options{Named: copied}); err != nil {
			t.Fatal(err)
		}
		for {
			step, err := s.Next()
			if err == io.EOF {
				return lines
			}
			if err != nil {
				t.Fatal(err)
			}
			switch step {
			case Candidate:
				if _, err := s.Decode(); err != nil {
					t.Fatal(err)
				}
			case Ready:
				p := s.Page()
				lines = append(lines, fmt.Sprintf("%d %s %v", p.Location.Offset, p.HTML, p.Gold != nil))
			case Failed:
				f := s.Failure()
				lines = append(lines, fmt.Sprintf("%d %s %s", f.Offset, f.Reason, f.Detail))
			}
		}
	}
	size := src.Size()
	whole := read(Range{End: size})
	slices.Sort(whole)
	if n := len(whole); n < 40 {
		t.Fatalf("%d lines:\n%s", n, strings.Join(whole, "\n"))
	}
	for _, n := range []int64{2, 7, 50, 300} {
		var parts []string
		next := int64(0)
		var chain warc.Chain
		for i := range n {
			start, end := size*i/n, size*(i+1)/n
			lines := read(Range{Start: start, End: end, First: -1})
			a := s.Account()
			verdict, from, err := chain.Next(warc.Extent{Start: start, End: end, First: a.First, Next: a.Next})
			if verdict == warc.Rerun {
				lines = read(Range{Start: start, End: end, First: from})
				a = s.Account()
				verdict, _, err = chain.Next(warc.Extent{Start: start, End: end, First: a.First, Next: a.Next})
			}
			if err != nil {
				t.Fatal(err)
			}
			if verdict == warc.Accept {
				parts, next = append(parts, lines...), a.Next
			}
		}
		slices.Sort(parts)
		if !slices.Equal(parts, whole) || next != size {
			t.Errorf("%d ranges find up to %d of %d\n%s\nwant\n%s", n, next, size, strings.Join(parts, "\n"), strings.Join(whole, "\n"))
		}
	}
}

// recordsOf returns all records of an archive.
func recordsOf(t *testing.T, file []byte) (records []record) {
	t.Helper()
	rest := file
	for len(rest) > 0 {
		b := bytes.NewReader(rest)
		z, err := gzip.NewReader(b)
		if err != nil {
			t.Fatal(err)
		}
		z.Multistream(false)
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		_, uri, _ := strings.Cut(string(text), "WARC-Target-URI: ")
		uri, _, _ = strings.Cut(uri, "\r\n")
		at := int64(len(file) - len(rest))
		records = append(records, record{at, int64(len(rest) - b.Len()), uri})
		rest = rest[len(rest)-b.Len():]
	}
	return records
}

// Find writes a table that Open reads, and refuses what it cannot use.
func TestFindByIndex(t *testing.T) {
	file, r := indexed(t, 5)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(r[1].line("a.warc.gz") + "no line\n" + r[3].line("sub/b.warc.gz") + r[4].line("none.warc.gz")))
	z.Close()
	dir := put(t, map[string]string{"a.warc.gz": string(file), "sub/b.warc.gz": string(file), "x.cdxj.gz": packed.String(), "empty.cdx": " CDX N b a m s k r M S V g\n",
		"x.html.cdxj": r[1].line("page.html"), "page.html": strings.Repeat("<p>page", 1000), "out.cdxj": r[0].line("../other/a.warc.gz"), "two.cdxj": r[2].line("a.warc.gz")})
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	out := t.TempDir()
	store, err := blobs.Store(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	opt := FindOptions{Selections: store}
	find := func(names ...string) ([]File, error) {
		for i := range names {
			names[i] = filepath.Join(dir, names[i])
		}
		return Find(t.Context(), blobs, names, opt)
	}
	files, err := find("x.cdxj.gz", "two.cdxj")
	var missing *blob.MissingError
	if !errors.As(err, &missing) || len(missing.Missing) != 1 || !strings.Contains(err.Error(), "none.warc.gz, which an index names") || len(files) != 3 {
		t.Fatalf("%+v, %v", files, err)
	}
	if f := files[2]; f.Refused != "index-lines" || !strings.Contains(f.Err.Error(), "1 of 4 lines name no record that can be read; the first is line 2: it has 2 fields") {
		t.Errorf("%+v", f)
	}
	for i, want := range [][]string{{"2", "3"}, {"4"}} {
		f := files[i]
		in := schemas.File{URL: f.URL, Size: f.Size, Identity: f.Identity, Selection: f.Selection}
		src, err := Open(t.Context(), blobs, store, in.Stored(), in.Selection)
		if err != nil {
			t.Fatal(err)
		}
		var s WARC
		if err := s.Reset(src, Range{End: f.Size}, Options{}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for p, err := range Pages(t.Context(), "x", &s) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, strings.TrimPrefix(p.URL, "http://h.example/"))
		}
		if !slices.Equal(got, want) || !f.Split {
			t.Errorf("%+v: %q, want %q", f, got, want)
		}
		src.Close()
	}
	again, _ := find("two.cdxj", "x.cdxj.gz")
	if !slices.EqualFunc(again, files, func(a, b File) bool { return a.Selection == b.Selection && a.Object == b.Object }) {
		t.Errorf("another order, another plan: %+v, %+v", again, files)
	}
	if tables, _ := os.ReadDir(filepath.Join(out, schemas.SelectionFolder)); len(tables) != 1 {
		t.Errorf("%d tables", len(tables))
	}
	sel := files[0].Selection
	sel.Bytes = 1 << 30
	var table *TableError
	if _, err := Open(t.Context(), blobs, store, schemas.Stored{URL: files[0].URL}, sel); !errors.As(err, &table) {
		t.Errorf("a table that is cut: %v", err)
	}
	for name, want := range map[string]string{"empty.cdx": "none of its 1 lines is chosen", "x.html.cdxj": "not a WARC file"} {
		if files, err := find(name); err != nil || len(files) != 1 || !strings.Contains(fmt.Sprint(files[0].Err), want) {
			t.Errorf("%s: %+v, %v", name, files, err)
		}
	}
	if _, err := find("out.cdxj"); err == nil || !strings.Contains(err.Error(), "line 1: ") || !strings.Contains(err.Error(), "--list-may-leave") {
		t.Errorf("an index that leads out: %v", err)
	}
	if _, err := find("two.cdxj", "a.warc.gz"); err == nil || !strings.Contains(err.Error(), "leave out one of the two") {
		t.Errorf("a file and its index: %v", err)
	}
	opt.Select.From = "2025"
	if files, err := find("two.cdxj"); err != nil || len(files) != 1 || files[0].Refused != "index-empty" {
		t.Errorf("no line is chosen: %+v, %v", files, err)
	}
	if _, err := find("a.warc.gz"); !errors.Is(err, errNoIndex) {
		t.Errorf("records of a file without an index: %v", err)
	}
}

// An index made by another program names the pages that reading the archive finds.
func TestRealIndexes(t *testing.T) {
	shared := os.Getenv("WINNOW_SHARED")
	if shared == "" {
		t.Skip("WINNOW_SHARED is not set")
	}
	dir := filepath.Join(shared, "warcs/indexed")
	for name, pages := range map[string]int{"dupes": 1, "example": 1} {
		whole := pagesOf(t, filepath.Join(dir, name+".warc.gz"))
		got := pagesOf(t, filepath.Join(dir, name+".cdxj"))
		if len(got) != pages {
			t.Errorf("%s: %d pages, want %d: %q", name, len(got), pages, got)
		}
		for _, line := range got {
			if !slices.Contains(whole, line) {
				t.Errorf("%s: %q is none of its pages", name, line)
			}
		}
	}
}
