package source

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/winnow/winnow/pipeline/source/payload"
	"github.com/winnow/winnow/pipeline/source/payload/charset"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
)

// recorder writes records into memory.
type recorder struct {
	t   *testing.T
	buf bytes.Buffer
	w   *write.Writer
	n   int
}

func newArchive(t *testing.T) *recorder {
	a := &recorder{t: t}
	a.w = write.NewWriter(&a.buf)
	return a
}

func (a *recorder) record(r write.Record) string {
	a.t.Helper()
	a.n++
	r.ID, r.Date = write.ID(fmt.Sprint(a.n)), time.Unix(int64(a.n), 0)
	if r.TargetURI == "" {
		r.TargetURI = fmt.Sprintf("http://h.example/%d", a.n)
	}
	if err := a.w.Write(&r); err != nil {
		a.t.Fatal(err)
	}
	return r.ID
}

// response writes a response of a media type, and returns its record id.
func (a *recorder) response(media, body string) string {
	a.t.Helper()
	block, err := write.HTTPResponse("200 OK", []write.Field{{Name: "Content-Type", Value: media}}, []byte(body))
	if err != nil {
		a.t.Fatal(err)
	}
	return a.record(write.Record{Type: "response", ContentType: "application/http; msgtype=response", Block: block})
}

func (a *recorder) page() string { return a.response("text/html", fmt.Sprintf("<p>page %d", a.n+1)) }

// gold writes gold that names the record about, or that names no record if about is empty.
func (a *recorder) gold(about, block string) {
	a.t.Helper()
	r := write.Record{Type: "metadata", ContentType: schemas.GoldMediaType, Block: []byte(block)}
	if about != "" {
		r.Fields = []write.Field{{Name: "WARC-Concurrent-To", Value: "<" + about + ">"}}
	}
	a.record(r)
}

// request writes a record that is neither a page nor gold.
func (a *recorder) request() {
	a.record(write.Record{Type: "request", ContentType: "application/http; msgtype=request", Block: []byte("GET / HTTP/1.1\r\n\r\n")})
}

const goldBlock = `{"version":1,"package":"p","id":"d","text":"grain"}`

// steps reads a range and returns one line for each step.
func steps(t *testing.T, s *WARC, file []byte, r Range) (lines []string) {
	t.Helper()
	if err := s.Reset(bytes.NewReader(file), r, Options{Name: "f"}); err != nil {
		t.Fatal(err)
	}
	for {
		step, err := s.Next()
		if err == io.EOF {
			if _, again := s.Next(); again != io.EOF {
				t.Errorf("after the end: %v", again)
			}
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		switch step {
		case Candidate:
			doc, err := s.Decode()
			if err != nil {
				t.Fatal(err)
			}
			if doc.Outcome != payload.Page {
				lines = append(lines, fmt.Sprintf("%s %s", doc.Outcome, doc.Reason))
			}
		case Ready:
			p := s.Page()
			line := strings.TrimPrefix(string(p.HTML), "<p>")
			if p.Gold != nil {
				line += ", gold of " + p.Gold.ID
			}
			if names := append(p.Flags.Names(), p.Decoded.Names()...); len(names) > 0 {
				line += ", " + strings.Join(names, " ")
			}
			lines = append(lines, line)
		case Failed:
			f := s.Failure()
			lines = append(lines, fmt.Sprintf("%s %s: %s", f.Stage, f.Severity, f.Detail))
		}
	}
}

func TestGoldRules(t *testing.T) {
	const about = "gold damaged: it does not directly follow a page"
	for name, c := range map[string]struct {
		write func(a *recorder)
		want  []string
	}{
		"named":             {func(a *recorder) { a.gold(a.page(), goldBlock) }, []string{"page 1, gold of d"}},
		"not named":         {func(a *recorder) { a.page(); a.gold("", goldBlock) }, []string{"page 1, gold of d"}},
		"of another page":   {func(a *recorder) { a.page(); a.gold("urn:uuid:other", goldBlock) }, []string{"gold damaged: it is about <urn:uuid:other>, the page before it is <" + write.ID("1") + ">", "page 1"}},
		"twice":             {func(a *recorder) { id := a.page(); a.gold(id, goldBlock); a.gold(id, goldBlock) }, []string{about, "page 1, gold of d"}},
		"behind a request":  {func(a *recorder) { id := a.page(); a.request(); a.gold(id, goldBlock) }, []string{about, "page 1"}},
		"behind an image":   {func(a *recorder) { a.response("image/png", "x"); a.gold("", goldBlock) }, []string{"not-page media-type", about}},
		"behind a bad page": {func(a *recorder) { a.response("text/html", "%PDF-1.4\n\x00"); a.gold("", goldBlock) }, []string{"refused binary-as-html", about}},
		"first in the file": {func(a *recorder) { a.gold("", goldBlock); a.page() }, []string{about, "page 2"}},
		"without text":      {func(a *recorder) { a.gold(a.page(), `{"id":"d"}`) }, []string{`gold damaged: schemas: gold of "d": no text field (null says that the main content is not known)`, "page 1"}},
		"of a bad package":  {func(a *recorder) { a.gold(a.page(), `{"id":"d","package":"a b","text":""}`) }, []string{`gold damaged: its package "a b" has other characters than letters, digits and . _ -`, "page 1"}},
		"other metadata": {func(a *recorder) {
			a.page()
			a.record(write.Record{Type: "metadata", ContentType: "application/warc-fields", Block: []byte("a: b\r\n")})
		}, []string{"page 1"}},
		"of the second of two": {func(a *recorder) { a.page(); a.gold(a.page(), goldBlock) }, []string{"page 1", "page 2, gold of d"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := newArchive(t)
			c.write(a)
			var s WARC
			if got := steps(t, &s, a.buf.Bytes(), Range{End: int64(a.buf.Len())}); !slices.Equal(got, c.want) {
				t.Errorf("\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// crawl returns an archive of pages with and without gold. Some gold in it belongs to no
// page.
func crawl(t *testing.T) []byte {
	a := newArchive(t)
	for n := range 40 {
		id := a.page()
		if n%2 == 0 {
			a.gold(id, goldBlock)
		}
		switch n % 5 {
		case 1:
			a.request()
			a.gold("", goldBlock)
		case 2:
			a.response("image/png", "x")
		case 3:
			a.gold("urn:uuid:other", goldBlock)
		}
	}
	return a.buf.Bytes()
}

// Wherever a file is cut, the ranges together find what the whole file holds, and each
// begins where the one before ended. One WARC reads all ranges with the same buffers.
func TestRangesFindTheSame(t *testing.T) {
	file := crawl(t)
	var s WARC
	whole := steps(t, &s, file, Range{End: int64(len(file))})
	slices.Sort(whole) // bad gold may be reported before or after the page that precedes it
	if got := s.Account().NotPages; got["gold"] != 36 || got["media-type"] != 8 {
		t.Errorf("records that are not pages: %v", got)
	}
	for _, size := range []int{1, 2, 7} { // records of a range, about
		var parts []string
		next, golds := int64(0), int64(0)
		step := int64(len(file) / 100 * size)
		for start := int64(0); start < int64(len(file)); start += step {
			lines := steps(t, &s, file, Range{Start: start, End: min(start+step, int64(len(file))), First: -1})
			a := s.Account()
			golds += a.NotPages["gold"]
			if a.First < 0 {
				continue // no record begins in the range
			}
			if parts = append(parts, lines...); a.First != next {
				t.Errorf("range at %d begins with the record at %d, the one before ended at %d", start, a.First, next)
			}
			next = a.Next
		}
		slices.Sort(parts)
		if !slices.Equal(parts, whole) || golds != 36 || next != int64(len(file)) {
			t.Errorf("ranges of %d bytes find %d gold records up to %d, and\n%s\nwant\n%s", step, golds, next, strings.Join(parts, "\n"), strings.Join(whole, "\n"))
		}
	}
}

// together compresses records into one gzip member, so that the checksum comes after all
// of them.
func together(t *testing.T, file []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := io.Copy(w, r); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestDamage(t *testing.T) {
	a := newArchive(t)
	first := a.page()
	a.gold(first, goldBlock)
	cut := a.buf.Len()
	a.gold(a.page(), goldBlock)
	file := a.buf.Bytes()
	var s WARC

	got := steps(t, &s, file[:len(file)-12], Range{End: int64(len(file) - 12)})
	if len(got) != 3 || got[0] != "page 1, gold of d" || got[1] != "gold damaged: its record is damaged" || got[2] != "page 3" {
		t.Errorf("the last gold is cut: %q", got)
	}
	wrong := bytes.Clone(file)
	wrong[cut-5] ^= 1 // checksum of the first gold
	got = steps(t, &s, wrong, Range{End: int64(len(file))})
	if want := []string{"gold damaged: its record is damaged", "page 1", "page 3, gold of d"}; !slices.Equal(got, want) {
		t.Errorf("a checksum is wrong: %q, want %q", got, want)
	}

	b := newArchive(t)
	for range 200 { // more than is inflated at once
		b.response("text/html", "<p>"+strings.Repeat(fmt.Sprint(b.n*7919, " "), 400))
	}
	one := together(t, b.buf.Bytes())
	one[len(one)-8] ^= 1
	if got := steps(t, &s, one, Range{End: int64(len(one))}); len(got) != 200 {
		t.Errorf("%d pages, want 200", len(got))
	}
	if late := s.Account().DamagedLate; !slices.Equal(late, []int64{0}) {
		t.Errorf("units that proved damaged behind their pages: %v, want that at 0", late)
	}
}

// The provenance of a record is valid for a row of a table, and is the same before and
// after the record is decoded.
func TestProvenance(t *testing.T) {
	a := newArchive(t)
	a.record(write.Record{Type: "resource", ContentType: "text/html; charset=windows-1252", Block: []byte("<p>caf\xe9"), TargetURI: "http://h.example/" + strings.Repeat("x", 2*MaxURL)})
	a.page()
	var s WARC
	if err := s.Reset(bytes.NewReader(a.buf.Bytes()), Range{End: int64(a.buf.Len())}, Options{Name: "f.warc.gz"}); err != nil {
		t.Fatal(err)
	}
	if step, err := s.Next(); step != Candidate || err != nil || utf8.RuneCountInString(s.Record().TargetURI) != MaxURL {
		t.Fatal(step, err, len(s.Record().TargetURI))
	}
	if _, err := s.Decode(); err != nil {
		t.Fatal(err)
	}
	if step, err := s.Next(); step != Ready || err != nil {
		t.Fatal(step, err)
	}
	p := s.Page()
	if string(p.HTML) != "<p>café" || p.File != "f.warc.gz" || p.Location != (schemas.Location{}) || p.Length == 0 || utf8.RuneCountInString(p.URL) != MaxURL ||
		p.RecordID != "<"+write.ID("1")+">" || p.Date.Unix() != 1 || p.Charset != "windows-1252" || p.CharsetSource != charset.FromHTTP || p.Status != 0 {
		t.Errorf("%.200s %+v", p.URL, *p)
	}
	if got, want := s.Ahead(), "http://h.example/2"; got != want {
		t.Errorf("ahead is %q, want %q", got, want)
	}
}

// If the caller does not decode a record, the record is not a page, and gold after it
// has no page.
func TestLeftOut(t *testing.T) {
	a := newArchive(t)
	a.gold(a.page(), goldBlock)
	a.gold(a.page(), goldBlock)
	var s WARC
	if err := s.Reset(bytes.NewReader(a.buf.Bytes()), Range{End: int64(a.buf.Len())}, Options{}); err != nil {
		t.Fatal(err)
	}
	var got []Step
	for {
		step, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if got = append(got, step); step == Candidate && len(got) > 1 {
			if _, err := s.Decode(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := []Step{Candidate, Failed, Candidate, Ready}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// If the caller sets Page.HTML to nil, the buffer of the HTML is never written to again.
func TestPageLeftToOthers(t *testing.T) {
	a := newArchive(t)
	a.page()
	a.page()
	var s WARC
	if err := s.Reset(bytes.NewReader(a.buf.Bytes()), Range{End: int64(a.buf.Len())}, Options{}); err != nil {
		t.Fatal(err)
	}
	var left [][]byte
	for p, err := range Pages(t.Context(), "f", &s) {
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, p.HTML)
		p.HTML = nil
	}
	if len(left) != 2 || string(left[0]) != "<p>page 1" || string(left[1]) != "<p>page 2" {
		t.Errorf("%q", left)
	}
}

// Pages reports a record that cannot be read and continues with the next one.
func TestPages(t *testing.T) {
	a := newArchive(t)
	a.response("text/html", "%PDF-1.4\n\x00")
	a.gold("", goldBlock)
	a.gold(a.page(), goldBlock)
	a.page()
	file := a.buf.Bytes()[:a.buf.Len()-6]
	var s WARC
	if err := s.Reset(bytes.NewReader(file), Range{End: int64(len(file))}, Options{Name: "f"}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for p, err := range Pages(t.Context(), "f", &s) {
		var f *Failure
		switch {
		case errors.As(err, &f):
			got = append(got, f.Reason)
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, p.URL)
		}
	}
	if want := []string{"binary-as-html", "gold-bad", "http://h.example/3", "http://h.example/5", "unit-truncated"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Reset(bytes.NewReader(file), Range{End: int64(len(file))}, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, err := range Pages(ended, "f", &s) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after the context's end: %v", err)
		}
	}
}

// The ranges of the files of real crawls find what the whole files hold.
func TestRealCrawls(t *testing.T) {
	root := os.Getenv("WINNOW_SHARED")
	if root == "" {
		t.Skip("WINNOW_SHARED is not set")
	}
	var s WARC
	err := filepath.WalkDir(filepath.Join(root, "warcs", "crawls"), func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		file, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if f, err := warc.Probe(bytes.NewReader(file)); err != nil || !f.Splittable() {
			return nil
		}
		size := int64(len(file))
		whole := steps(t, &s, file, Range{End: size})
		var parts []string
		for start := int64(0); start < size; start += size/5 + 1 {
			parts = append(parts, steps(t, &s, file, Range{Start: start, End: min(start+size/5+1, size), First: -1})...)
		}
		if len(whole) == 0 || !slices.Equal(whole, parts) {
			t.Errorf("%s: the whole has %d lines, its parts %d, or other ones", name, len(whole), len(parts))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
