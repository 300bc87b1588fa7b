package source

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/source/ccindex"
)

// tableOf returns a table in the schema of Common Crawl's.
func tableOf(t testing.TB, rows []ccindex.Row, groupRows int64) string {
	t.Helper()
	var buf bytes.Buffer
	if err := ccindex.Write(&buf, rows, groupRows); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// lines returns rows as CDXJ.
func lines(rows []ccindex.Row) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, `%s 20240101000000 {"url": %q, "mime": %q, "mime-detected": %q, "status": "%d", "languages": %q, "filename": %q, "offset": "%d", "length": "%d"}`+"\n",
			r.URLSurtKey, r.URL, r.ContentMIMEType, r.ContentMIMEDetected, r.FetchStatus, r.ContentLanguages, r.WARCFilename, *r.WARCRecordOffset, *r.WARCRecordLength)
	}
	return b.String()
}

// csvOf returns rows as the result of a query.
func csvOf(rows []ccindex.Row) string {
	var b strings.Builder
	b.WriteString("\ufeff\"url\",\"warc_filename\",\"warc_record_offset\",\"warc_record_length\",\"content_languages\",\"content_mime_detected\",\"fetch_status\"\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "\"%s\",%s,%d,%d,\"%s\",%s,%d\n", r.URL, r.WARCFilename, *r.WARCRecordOffset, *r.WARCRecordLength, r.ContentLanguages, r.ContentMIMEDetected, r.FetchStatus)
	}
	return b.String()
}

// foundBy returns a line for every page or failure of an input, with what its index says.
func foundBy(t *testing.T, name string, s Selector) (out, notes []string) {
	t.Helper()
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	in := &Inputs{Blobs: blobs, Select: s, Note: func(what string) { notes = append(notes, what) }}
	f, err := FormatOf(name)
	if err != nil {
		t.Fatal(err)
	}
	for p, err := range in.Pages(t.Context(), name, f) {
		l := line(p, err)
		if err == nil {
			l += fmt.Sprint(" ", p.Index)
		}
		out = append(out, l)
	}
	return out, notes
}

// archives returns real archives if there are any, and one that is made.
func archives(t *testing.T) map[string]string {
	file, _ := indexed(t, 9)
	files := map[string]string{"made.warc.gz": string(file)}
	if shared := os.Getenv("WINNOW_SHARED"); shared != "" {
		for _, name := range []string{"dolma-sample-0000.warc.gz", "ukwa-wikipedia-mona-lisa.warc.gz", "whirlwind.warc", "aut-example.warc.gz"} {
			data, err := os.ReadFile(filepath.Join(shared, "warcs/crawls", name))
			if err != nil {
				t.Fatal(err)
			}
			files[name] = string(data)
		}
	}
	return files
}

// Tables in the schema of Common Crawl, CSV and CDXJ of the same records lead to the same
// pages, with the same that is kept of the index.
func TestTablesAreReadAsOtherIndexes(t *testing.T) {
	files := archives(t)
	var rows []ccindex.Row
	for name, data := range files {
		more, err := ccindex.Rows(bytes.NewReader([]byte(data)), name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range more {
			if name == "made.warc.gz" { // its records have no dates
				more[i].FetchTime = ccindex.Time(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))
			}
		}
		rows = append(rows, more...)
	}
	files["x.cdxj"], files["x.parquet"], files["x.csv"], files["y.csv.gz"] = lines(rows), tableOf(t, rows, 50), csvOf(rows), gzipped(t, csvOf(rows))
	dir := put(t, files)
	want, _ := foundBy(t, filepath.Join(dir, "x.cdxj"), Selector{})
	if len(want) < 9 || !strings.Contains(strings.Join(want, "\n"), "{fetch_status 200}") {
		t.Fatalf("%d pages: %.1000q", len(want), want)
	}
	for _, name := range []string{"x.parquet", "x.csv", "y.csv.gz"} {
		if got, _ := foundBy(t, filepath.Join(dir, name), Selector{}); !slices.Equal(got, want) {
			t.Errorf("%s: %d pages, want %d", name, len(got), len(want))
		}
	}
	for _, s := range []Selector{{Statuses: []string{"200"}, MIMEs: []string{"text/html"}}, {From: "1990"}, {URLs: []string{"http://h.example/"}}} {
		want, _ := foundBy(t, filepath.Join(dir, "x.cdxj"), s)
		if got, _ := foundBy(t, filepath.Join(dir, "x.parquet"), s); !slices.Equal(got, want) {
			t.Errorf("%+v: %d pages, want %d", s, len(got), len(want))
		}
	}
}

// hosts returns an archive with n pages, and a table of them with a host each and languages
// in turn.
func hosts(t *testing.T, n int) (archive string, rows []ccindex.Row) {
	file, records := indexed(t, n)
	for i, r := range records {
		offset, length := int32(r.offset), int32(r.length)
		rows = append(rows, ccindex.Row{URL: r.url, URLHostName: fmt.Sprintf("h%03d.example", i), FetchStatus: 200, ContentLanguages: []string{"deu", "eng", ""}[i%3],
			WARCFilename: "a.warc.gz", WARCRecordOffset: &offset, WARCRecordLength: &length})
	}
	return string(file), rows
}

func TestRowsAreChosenByAnExpression(t *testing.T) {
	file, rows := hosts(t, 40)
	folder := "crawl=CC-MAIN-2024-10/subset=warc/"
	dir := put(t, map[string]string{folder + "x.parquet": tableOf(t, rows, 10), folder + "x.csv": csvOf(rows), folder + "a.warc.gz": file})
	for where, want := range map[string]struct {
		pages int
		note  string
	}{
		"url_host_name = 'h007.example'":                                        {1, "1 of 10 rows are chosen; 3 of 4 row groups were not read"},
		"url_host_name in ['h007.example', 'h039.example']":                     {2, "2 of 20 rows are chosen; 2 of 4"},
		"content_languages = 'deu'":                                             {14, "14 of 40 rows are chosen; 0 of 4"},
		"content_languages = ''":                                                {13, "0 of 4"},
		"content_languages startsWith 'deu' and url_host_name < 'h010.example'": {4, "4 of 10 rows are chosen; 3 of 4"},
		"fetch_status = 404":                                                    {-1, "0 of 0 rows are chosen; 4 of 4"},
		"subset = 'warc' and crawl = 'CC-MAIN-2024-10'":                         {40, "40 of 40 rows"},
		"subset = 'robotstxt'":                                                  {-1, "4 of 4 row groups were not read"},
	} {
		got, notes := foundBy(t, filepath.Join(dir, folder, "x.parquet"), Selector{Where: where})
		switch {
		case want.pages < 0 && (len(got) != 1 || got[0] != "lost index-empty"), want.pages >= 0 && len(got) != want.pages:
			t.Errorf("%s: %d pages, want %d: %.200q", where, len(got), want.pages, got)
		case len(notes) != 1 || !strings.Contains(notes[0], want.note):
			t.Errorf("%s: %q, want %q", where, notes, want.note)
		}
	}
	if got, _ := foundBy(t, filepath.Join(dir, folder, "x.csv"), Selector{Where: "fetch_status >= 200 and content_languages = 'eng' and subset = 'warc'"}); len(got) != 13 {
		t.Errorf("CSV: %d pages", len(got))
	}
}

// What is wrong with a table is said before the work begins.
func TestTablesThatCannotBeUsed(t *testing.T) {
	file, rows := hosts(t, 5)
	good := tableOf(t, rows, 100)
	far, none := int32(1<<30), int32(-7)
	bad := slices.Clone(rows)
	bad[1].WARCFilename, bad[2].WARCRecordOffset, bad[3].WARCRecordLength = "", &none, nil
	lies := slices.Clone(rows)
	lies[0].WARCRecordOffset, lies[1].URL, lies[2].WARCRecordLength = &far, "http://other.example/", lies[3].WARCRecordLength
	out := slices.Clone(rows)
	out[4].WARCFilename = "../../a.warc.gz"
	for name, c := range map[string]struct {
		file, data string
		s          Selector
		want       []string // parts of the only line, or of the error
		pages      int
	}{
		"half written":     {file: "x.parquet", data: good[:len(good)/2], want: []string{"lost unreadable"}},
		"empty":            {file: "x.parquet", data: "", want: []string{"lost unreadable"}},
		"no table":         {file: "x.parquet", data: "<html>", want: []string{"lost unreadable"}},
		"empty CSV":        {file: "x.csv", data: "", want: []string{"lost unreadable"}},
		"long row":         {file: "x.csv", data: "warc_filename,warc_record_offset,warc_record_length\n\"" + strings.Repeat("x", 2<<20) + "\",1,2\n", want: []string{"lost unreadable"}},
		"other columns":    {file: "x.csv", data: "url,offset\nhttp://h.example/,5\n", want: []string{"lost index-format"}},
		"rows":             {file: "x.parquet", data: tableOf(t, bad, 100), want: []string{"lost index-lines"}, pages: 2},
		"rows of CSV":      {file: "x.csv", data: csvOf(rows) + "a,b\n" + "\"c\nd", want: []string{"lost index-lines"}, pages: 5},
		"locations":        {file: "x.parquet", data: tableOf(t, lies, 100), want: []string{"lost index-outside", "lost index-url"}, pages: 3},
		"another folder":   {file: "x.parquet", data: tableOf(t, out, 100), want: []string{"error ", "x.parquet: row 5: ", "--list-may-leave"}},
		"unknown column":   {file: "x.parquet", data: good, s: Selector{Where: "language = 'deu'"}, want: []string{"error ", "x.parquet: where: no column \"language\"; there are: content_charset, "}},
		"another kind":     {file: "x.parquet", data: good, s: Selector{Where: "fetch_status = 'ok'"}, want: []string{"error ", "x.parquet: where: "}},
		"where of a CDXJ":  {file: "x.cdxj", data: lines(rows), s: Selector{Where: "a = 'b'"}, want: []string{"error ", "x.cdxj has no columns that --where could choose by"}},
		"where of archive": {file: "x.warc.gz", data: file, s: Selector{Where: "a = 'b'"}, want: []string{"error ", errNoIndex.Error()}, pages: 5},
	} {
		dir := put(t, map[string]string{"a.warc.gz": file, c.file: c.data})
		got, _ := foundBy(t, filepath.Join(dir, c.file), c.s)
		pages := 0
		for _, l := range got {
			if !strings.HasPrefix(l, "lost ") && !strings.HasPrefix(l, "error ") {
				pages++
			}
		}
		all := strings.Join(got, "\n")
		if slices.ContainsFunc(c.want, func(part string) bool { return !strings.Contains(all, part) }) || pages != c.pages {
			t.Errorf("%s: %d pages: %.500s", name, pages, all)
		}
	}
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	dir := put(t, map[string]string{"x.parquet": good[:len(good)-9], "y.csv": "url,offset\nhttp://h.example/,5\n"})
	files, err := Find(t.Context(), blobs, []string{filepath.Join(dir, "x.parquet"), filepath.Join(dir, "y.csv")}, FindOptions{Selections: blobsStore(t, blobs)})
	if err != nil || len(files) != 2 {
		t.Fatalf("%+v, %v", files, err)
	}
	for i, want := range []string{"was not written to its end", "it has no column warc_filename (or filename, file); a table of records has the columns warc_filename, warc_record_offset and warc_record_length"} {
		if !strings.Contains(files[i].Err.Error(), want) {
			t.Errorf("%v, want %q", files[i].Err, want)
		}
	}
}

func blobsStore(t *testing.T, blobs *blob.Client) blob.Store {
	t.Helper()
	store, err := blobs.Store(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return store
}
