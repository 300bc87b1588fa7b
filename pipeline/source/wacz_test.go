package source

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
)

// zipped returns a zip file with files that are stored, except those whose names are in
// compressed.
func zipped(t testing.TB, compressed []string, files ...[2]string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, f := range files {
		h := &zip.FileHeader{Name: f[0], Method: zip.Store}
		if slices.Contains(compressed, f[0]) {
			h.Method = zip.Deflate
		}
		out, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write([]byte(f[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// pagesOf returns one line for every page or failure of an input, with its location.
func pagesOf(t *testing.T, name string) (lines []string) {
	t.Helper()
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	in := &Inputs{Blobs: blobs}
	f, err := FormatOf(name)
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range in.Pages(t.Context(), name, f) {
		lines = append(lines, line(p, err))
	}
	return lines
}

// line returns a line about a page or a failure, with its location.
func line(p *Page, err error) string {
	var lost *Failure
	switch {
	case errors.As(err, &lost):
		return "lost " + lost.Reason
	case err != nil:
		return "error " + err.Error()
	}
	return fmt.Sprintf("%d#%d %s %s", p.Location.Offset, p.Location.Ordinal, p.URL, p.HTML)
}

// A collection of real crawls that another program packed gives the pages of the archives
// in it. Their offsets are those in the archives themselves.
func TestWACZHasThePagesOfItsArchives(t *testing.T) {
	a := newArchive(t)
	a.gold(a.page(), goldBlock)
	a.page()
	dir := put(t, map[string]string{"a.warc.gz": a.buf.String(), "b.warc.gz": a.buf.String()})
	z := zipped(t, []string{"datapackage.json"}, [2]string{"datapackage.json", "{}"}, [2]string{"archive/a.warc.gz", a.buf.String()},
		[2]string{"indexes/index.cdx.gz", "x"}, [2]string{"archive/b.warc.gz", a.buf.String()}, [2]string{"pages/pages.jsonl", "{}"})
	for _, name := range []string{"crawl.wacz", "crawl.zip", "named-otherwise.bin"} {
		if err := os.WriteFile(filepath.Join(dir, name), z, 0o666); err != nil {
			t.Fatal(err)
		}
		want := slices.Concat(pagesOf(t, filepath.Join(dir, "a.warc.gz")), pagesOf(t, filepath.Join(dir, "b.warc.gz")))
		if got := pagesOf(t, filepath.Join(dir, name)); !slices.Equal(got, want) || len(got) != 4 {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// The archive in a real collection has the same pages after another program has extracted
// it.
func TestRealWACZ(t *testing.T) {
	shared := os.Getenv("WINNOW_SHARED")
	if shared == "" {
		t.Skip("WINNOW_SHARED is not set")
	}
	name := filepath.Join(shared, "warcs/indexed/valid_example_1.wacz")
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	dir := t.TempDir()
	if err := os.CopyFS(dir, z); err != nil {
		t.Fatal(err)
	}
	want := pagesOf(t, filepath.Join(dir, "archive/example-collection.warc"))
	if got := pagesOf(t, name); !slices.Equal(got, want) || len(got) != 1 {
		t.Errorf("\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	got := pagesOf(t, filepath.Join(shared, "warcs/indexed/invalid_example_1.wacz"))
	if len(got) != 1 || !strings.Contains(got[0], "not a WACZ collection, or is an empty one") {
		t.Errorf("a collection without archives: %q", got)
	}
}

// found returns the files to which an input leads, and the errors of the refused ones.
func found(t *testing.T, name string) (files []File, text string) {
	t.Helper()
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	files, err := Find(t.Context(), blobs, []string{name}, FindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text += fmt.Sprintf("%s %v\n", f.Refused, f.Err)
	}
	return files, text
}

func TestHostileZips(t *testing.T) {
	a := newArchive(t)
	a.page()
	one := [2]string{"archive/a.warc.gz", a.buf.String()}
	two := [2]string{"archive/b.warc.gz", a.buf.String()}
	good := zipped(t, nil, one, two)
	// Directory entries of archives: their offsets are the last four bytes of the fixed part.
	directory := func(z []byte, n int) []byte {
		at := 0
		for range n + 1 {
			at += 4 + bytes.Index(z[at+4:], []byte("PK\x01\x02"))
		}
		return z[at:]
	}
	change := func(n, field int, v uint32) []byte {
		z := bytes.Clone(good)
		binary.LittleEndian.PutUint32(directory(z, n)[field:], v)
		return z
	}
	many := func() []byte {
		var buf bytes.Buffer
		w := zip.NewWriter(&buf)
		long := strings.Repeat("x", 60000)
		for n := range 1 + maxDirectory/60000 {
			if _, err := w.CreateHeader(&zip.FileHeader{Name: fmt.Sprint(n, long)}); err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
		return buf.Bytes()
	}
	crowd := func(file string) []byte {
		files := make([][2]string, maxArchives+1)
		for i := range files {
			files[i][0] = fmt.Sprintf(file, i)
		}
		return zipped(t, nil, files...)
	}
	const compressed, uncompressed, offset = 20, 24, 42
	for name, c := range map[string]struct {
		zip  []byte
		want string
	}{
		"many archives":       {crowd("archive/%d.warc"), "more than 10000 archives"},
		"many indexes":        {crowd("indexes/%d.cdxj"), "more than 10000 indexes"},
		"cut":                 {good[:len(good)-30], "wacz-bad"},
		"nothing but a magic": {[]byte("PK\x03\x04"), "wacz-bad"},
		"overlapping":         {change(1, offset, 0), "overlap"},
		"overlapping names":   {zipped(t, nil, one, one), "two archives of one name"},
		"offset in a record":  {change(1, offset, 7), "no file where the directory says"},
		"offset behind":       {change(1, offset, 1<<31), "no file where the directory says"},
		"too long":            {change(1, compressed, 1<<31), "its size is 2147483648 bytes"},
		"not as long stored":  {change(1, uncompressed, 1<<31), "wacz-bad"},
		"leads out":           {zipped(t, nil, one, [2]string{"../../etc/a.warc.gz", ""}), "lie outside"},
		"absolute":            {zipped(t, nil, one, [2]string{"/etc/a.warc.gz", ""}), "lie outside"},
		"backslash":           {zipped(t, nil, one, [2]string{`..\a.warc.gz`, ""}), "lie outside"},
		"compressed":          {zipped(t, []string{two[0]}, one, [2]string{two[0], strings.Repeat("a", 1<<20)}), "wacz-entry-compressed"},
		"no archive":          {zipped(t, nil, [2]string{"datapackage.json", "{}"}), "an empty one"},
		"a collection in it":  {zipped(t, nil, [2]string{"a.wacz", string(good)}), "a collection of collections"},
		"a zip in it":         {zipped(t, nil, [2]string{"archive/a.warc", string(good)}), "a collection of collections"},
		"large directory":     {many(), "more than 8 MiB"},
	} {
		dir := put(t, map[string]string{"x.wacz": string(c.zip)})
		files, text := found(t, filepath.Join(dir, "x.wacz"))
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: %s; want %q", name, text, c.want)
		}
		for _, f := range files {
			if f.Refused == "" && f.Err == nil && f.Within.Offset+f.Size > int64(len(c.zip)) {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
	files, text := found(t, filepath.Join(put(t, map[string]string{"x.wacz": string(good)}), "x.wacz"))
	if len(files) != 2 || text != " <nil>\n <nil>\n" || !files[0].Split || !strings.HasSuffix(files[1].URL, "/x.wacz#archive/b.warc.gz") {
		t.Errorf("%+v", files)
	}
}

// Zip64 records are for files beyond 4 GiB. Here they are written although they are not
// needed.
func TestZip64(t *testing.T) {
	a := newArchive(t)
	a.page()
	z := zipped(t, nil, [2]string{"archive/a.warc.gz", a.buf.String()})
	end := bytes.LastIndex(z, []byte("PK\x05\x06"))
	size, at := binary.LittleEndian.Uint32(z[end+12:]), binary.LittleEndian.Uint32(z[end+16:])
	var out bytes.Buffer
	out.Write(z[:end])
	put := func(values ...any) {
		for _, v := range values {
			if err := binary.Write(&out, binary.LittleEndian, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	put([]byte("PK\x06\x06"), uint64(44), uint16(45), uint16(45), uint32(0), uint32(0), uint64(1), uint64(1), uint64(size), uint64(at))
	put([]byte("PK\x06\x07"), uint32(0), uint64(end), uint32(1))
	put([]byte("PK\x05\x06"), uint16(0), uint16(0), uint16(0xffff), uint16(0xffff), uint32(0xffffffff), uint32(0xffffffff), uint16(0))
	dir := putOne(t, "x.wacz", out.Bytes())
	if got := pagesOf(t, filepath.Join(dir, "x.wacz")); len(got) != 1 || !strings.HasPrefix(got[0], "0#0 ") {
		t.Errorf("%q", got)
	}
}

func putOne(t *testing.T, name string, data []byte) string {
	return put(t, map[string]string{name: string(data)})
}

// Whatever a zip file's directory says, the archives found lie within the file and do not
// overlap.
func FuzzWACZ(f *testing.F) {
	f.Add(zipped(f, nil, [2]string{"archive/a.warc", "WARC/1.0\r\n"}, [2]string{"archive/b.warc.gz", "x"}))
	f.Add(zipped(f, []string{"archive/a.warc"}, [2]string{"archive/a.warc", strings.Repeat("a", 1000)}))
	f.Fuzz(func(t *testing.T, data []byte) {
		files, _, err := openWACZ(bytes.NewReader(data), blob.Object{URL: "file:///x.wacz", Size: int64(len(data))})
		if err != nil {
			return
		}
		end := int64(0)
		for _, p := range files {
			if p.Within.Offset < end || p.Size < 0 || p.Within.Offset+p.Size > int64(len(data)) || p.Within.Size != int64(len(data)) {
				t.Fatalf("%+v in %d bytes, behind %d", p, len(data), end)
			}
			end = p.Within.Offset + p.Size
		}
	})
}
