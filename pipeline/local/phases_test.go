package local

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// follower is an extractor that learns which pages its sample links to most. Its
// template consists of the ranks of both, so any difference in them becomes visible.
var follower = &algorithms.Extractor{
	Description: algorithms.Description{
		Name: "follower", Cost: algorithms.Linear, Fidelity: algorithms.Exact,
	},
	Learn: &algorithms.Learner{Version: 1, MinPages: 2, Linked: true,
		Sketch: func(p *algorithms.Pass) ([]byte, error) {
			var out []byte
			for _, r := range website.Links.Of(p).Ranks {
				out = binary.BigEndian.AppendUint64(out, r)
			}
			return out, nil
		},
		Finish: func(s *algorithms.Sample) (algorithms.Learned, error) {
			var l algorithms.Learned
			for _, list := range [][]algorithms.Sketched{s.Pages, s.Linked} {
				for _, p := range list {
					l.Body = binary.BigEndian.AppendUint64(l.Body, p.Rank)
					l.Body = binary.BigEndian.AppendUint32(l.Body, uint32(len(p.Data)))
				}
			}
			return l, nil
		},
		Open: func(body []byte) (any, error) { return len(body), nil },
	},
	Run: func(p *algorithms.Pass) error {
		p.Out.AddSpan(p.Body, page.Span{End: int32(len(p.Body.Text))})
		return nil
	},
}

// selfish fails in every way that a learner can fail, depending on the site.
var selfish = &algorithms.Extractor{
	Description: algorithms.Description{
		Name: "selfish", Cost: algorithms.Linear, Fidelity: algorithms.Exact,
	},
	Learn: &algorithms.Learner{Version: 1, MinPages: 1,
		Sketch: func(p *algorithms.Pass) ([]byte, error) {
			if strings.Contains(p.URL, "two.") {
				panic("sketch")
			}
			return []byte(p.URL), nil
		},
		Finish: func(s *algorithms.Sample) (algorithms.Learned, error) {
			switch {
			case bytes.Contains(s.Pages[0].Data, []byte("one.")):
				return algorithms.Learned{Body: make([]byte, algorithms.MaxTemplate+1)}, nil
			case bytes.Contains(s.Pages[0].Data, []byte("three.")):
				return algorithms.Learned{}, errors.New("a defect")
			}
			return algorithms.Learned{Nothing: true, Notes: []string{"nothing"}}, nil
		},
		Open: func(body []byte) (any, error) { return nil, nil },
	},
	Run: follower.Run,
}

// sitePage is one page of a site with a frame around its article.
func sitePage(host string, n int) string {
	var menu, text strings.Builder
	for i := range 12 {
		fmt.Fprintf(&menu, "<li><a href='/%d.html'>Section %d of %s</a></li>", i*3, i, host)
	}
	for i := range 6 + n%5 {
		fmt.Fprintf(&text, "<p>Sentence %d of page %d on %s is about grain, %d times, and about wind number %d.</p>\n", i, n, host, (i*n)%101, n)
	}
	return fmt.Sprintf("<html><head><title>Page %d</title></head><body><ul>%s</ul><div>%s</div><p>Copyright %s, all rights reserved by the mill.</p></body></html>",
		n, menu.String(), text.String(), host)
}

// capture is one page of the crawl below.
type capture struct {
	url, html string
	date      time.Time
}

// sites returns pages of 5 sites: three large ones, one of 4 pages and one of a single
// page. Some pages were captured twice, and every fourth page has a print view.
func sites() []capture {
	var out []capture
	when := time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)
	for n := range 70 {
		for _, s := range []struct {
			host  string
			pages int
		}{{"www.one.example", 70}, {"two.example", 60}, {"three.example", 40}, {"four.example", 4}, {"five.example", 1}} {
			if n >= s.pages {
				continue
			}
			url := fmt.Sprintf("http://%s/%d.html", s.host, n)
			html := sitePage(s.host, n)
			out = append(out, capture{url, html, when.Add(time.Duration(n) * time.Hour)})
			if n%4 == 1 {
				out = append(out, capture{url + "?print", html, when})
			}
			if n%9 == 2 {
				out = append(out, capture{url, html + "<!-- earlier -->", when.Add(-time.Hour)})
			}
		}
	}
	return out
}

// packed writes captures to the given number of files in turn. form says how: "members"
// of gzip, "whole" files of gzip or "zstd", or "plain".
func packed(t *testing.T, all []capture, files int, form string) string {
	t.Helper()
	dir := t.TempDir()
	for i := range files {
		var members bytes.Buffer
		w := write.NewWriter(&members)
		for j := i; j < len(all); j += files {
			c := all[j]
			block, err := write.HTTPResponse("200 OK", []write.Field{{Name: "Content-Type", Value: "text/html"}}, []byte(c.html))
			if err == nil {
				err = w.Write(&write.Record{Type: "response", ID: write.ID("sites", fmt.Sprint(j)), Date: c.date, TargetURI: c.url,
					ContentType: "application/http; msgtype=response", Block: block})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		end, data := ".warc.gz", members.Bytes()
		if !slices.Contains([]string{"members", "wacz", "index"}, form) {
			r, err := gzip.NewReader(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if data, err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
		}
		var out bytes.Buffer
		switch form {
		case "whole":
			z := gzip.NewWriter(&out)
			z.Write(data)
			z.Close()
			data = out.Bytes()
		case "zstd":
			z, err := zstd.NewWriter(&out)
			if err != nil {
				t.Fatal(err)
			}
			z.Write(data)
			z.Close()
			end, data = ".warc.zst", out.Bytes()
		case "plain":
			end = ".warc"
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("c%d%s", i, end)), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	switch form {
	case "wacz":
		collect(t, dir)
	case "index":
		return index(t, dir)
	}
	return dir
}

// index writes an index of all records of the archives in a folder, in reverse order,
// and one record twice.
func index(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := warc.Open(bytes.NewReader(data), 0, int64(len(data)), 0, warc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var rec warc.Record
		var starts []int64
		var urls []string
		for r.Next(&rec) == nil {
			starts, urls = append(starts, rec.Offset), append(urls, rec.TargetURI)
		}
		starts = append(starts, int64(len(data)))
		for i, url := range urls {
			lines = append(lines, fmt.Sprintf(`key 20240501000000 {"url": %q, "mime": "text/html", "status": "200", "filename": %q, "offset": "%d", "length": %d}`,
				url, filepath.Base(name), starts[i], starts[i+1]-starts[i]))
		}
	}
	slices.Reverse(lines)
	path := filepath.Join(dir, "all.cdxj")
	if err := os.WriteFile(path, []byte(strings.Join(append(lines, lines[7]), "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// collect packs the archives of a folder into a WACZ collection in the folder.
func collect(t *testing.T, dir string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := z.CreateHeader(&zip.FileHeader{Name: "archive/" + filepath.Base(name), Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "all.wacz"), out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// learning returns the options of a run with site-level extractors.
func learning(t *testing.T, out, in string, change ...func(*Options)) Options {
	t.Helper()
	opt := options(out, in, "r")
	opt.Extract.Extractors = append(slices.Clone(suite.Extractors()), follower, selfish)
	chooseFor(t, &opt, "plain,iwptd,follower,selfish")
	opt.Plan.ItemBytes = 1 << 30
	for _, f := range change {
		f(&opt)
	}
	return opt
}

func chooseFor(t *testing.T, opt *Options, names string) {
	t.Helper()
	x, err := choose.Extractors(opt.Extract.Extractors, names)
	if err != nil {
		t.Fatal(err)
	}
	opt.Plan.Recipe.Extractors, _ = recipe.Methods(x, nil)
	opt.Plan.Recipe.Scorers = nil
	opt.Plan.Recipe.Learn = template.Settings(x)
}

func mustRun(t *testing.T, opt Options) {
	t.Helper()
	if _, err := Run(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
}

// pageRows returns the sorted rows of documents, without the locations of the pages.
func pageRows(t *testing.T, out string) []string {
	t.Helper()
	var rows []string
	eachDocument(t, out, func(r *schemas.Document) {
		d := *r
		d.ParseNS, d.FeatureNS, d.ExtractNS, d.File, d.Offset, d.DocID, d.PageID = 0, 0, 0, "", 0, "", 0
		rows = append(rows, fmt.Sprintf("%+v", d))
	})
	slices.Sort(rows)
	return rows
}

func eachDocument(t *testing.T, out string, f func(*schemas.Document)) {
	t.Helper()
	store, m := finished(t, out)
	for _, file := range m.FilesOf(schemas.TableDocuments) {
		each(t, store, file, columnar.DocumentsOf(&m.Run.Recipe), f)
	}
}

func eachPage(t *testing.T, out string, f func(*schemas.Page)) {
	t.Helper()
	store, m := finished(t, out)
	for _, file := range m.FilesOf(schemas.TablePages) {
		each(t, store, file, columnar.PagesOf(&m.Run.Recipe), f)
	}
}

func finished(t *testing.T, out string) (blob.Store, *schemas.Manifest) {
	t.Helper()
	store, err := blob.New(blob.Options{}).Store(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ingest.Manifest(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	return store, m
}

// templateRows returns the rows of the templates table without times, by site and
// extractor.
func templateRows(t *testing.T, out string) map[string]schemas.TemplateRow {
	t.Helper()
	store, m := finished(t, out)
	rows := map[string]schemas.TemplateRow{}
	for _, file := range m.FilesOf(schemas.TableTemplates) {
		each(t, store, file, columnar.Templates, func(r *schemas.TemplateRow) {
			row := *r
			row.LearnNS, row.Learned = 0, min(row.Learned, 1) // 1 if there is a time
			method, _, _ := strings.Cut(r.Method, ":")        // removes settings
			rows[r.Site+" "+method] = row
		})
	}
	return rows
}

func TestLearnThenExtract(t *testing.T) {
	in, out := packed(t, sites(), 3, "members"), t.TempDir()
	mustRun(t, learning(t, out, in))
	_, m := finished(t, out)
	if fmt.Sprint(m.Run.Phases) != "[scan learn extract]" || m.Run.Phase != schemas.PhaseExtract || m.Templates == nil {
		t.Errorf("phases %v, phase %s, templates %v", m.Run.Phases, m.Run.Phase, m.Templates)
	}
	rows := templateRows(t, out)
	for key, want := range map[string]schemas.TemplateRow{
		"one.example iwptd":     {Status: "ok", Pages: 25},
		"two.example iwptd":     {Status: "ok", Pages: 25},
		"three.example iwptd":   {Status: "ok", Pages: 25},
		"four.example iwptd":    {Status: "too_few_pages", Pages: 4}, // it needs 5
		"five.example iwptd":    {Status: "too_few_pages", Pages: 1},
		"one.example follower":  {Status: "ok", Pages: 25, Linked: 12}, // as many as the menu has links
		"four.example follower": {Status: "ok", Pages: 4, Linked: 2, Flags: "small_sample"},
		"five.example follower": {Status: "too_few_pages", Pages: 1},
		"one.example selfish":   {Status: "oversize", Pages: 25},
		"two.example selfish":   {Status: "learn_failed"},
		"three.example selfish": {Status: "learn_failed", Pages: 25},
		"four.example selfish":  {Status: "empty", Pages: 4, Flags: "nothing,small_sample"},
	} {
		got := rows[key]
		if got.Status != want.Status || got.Pages != want.Pages || got.Linked != want.Linked || got.Flags != want.Flags {
			t.Errorf("%s: %+v, want %+v", key, got, want)
		}
		if usable := want.Status == "ok" || want.Status == "empty"; usable != (got.TemplateID != "") {
			t.Errorf("%s: status %s, template %q", key, got.Status, got.TemplateID)
		}
	}
	if len(rows) != 15 {
		t.Errorf("%d rows of templates, want 5 sites times 3 methods", len(rows))
	}
	pages := map[uint64]schemas.Page{}
	eachPage(t, out, func(p *schemas.Page) { pages[p.PageID] = *p })
	inSample := map[string]map[string]bool{}
	eachDocument(t, out, func(r *schemas.Document) {
		page := pages[r.PageID]
		key := page.Site + " " + r.Extractor
		learned, site := rows[key]
		joined(t, &learned, &page, r)
		switch {
		case !site: // plain
			if r.TemplateID != "" || r.Outcome != "ok" {
				t.Errorf("%s: %+v", key, *r)
			}
			return
		case learned.TemplateID == "":
			reason := learned.Status
			if r.Outcome != "skipped" || r.Reason != reason || r.TemplateID != "" {
				t.Errorf("%s: outcome %s, reason %s; want skipped, %s", key, r.Outcome, r.Reason, reason)
			}
			return
		}
		if r.Outcome != "ok" || r.TemplateID != learned.TemplateID || r.TemplatePages != learned.Pages {
			t.Errorf("%s: %+v", key, *r)
		}
		if r.InSample {
			if inSample[key] == nil {
				inSample[key] = map[string]bool{}
			}
			inSample[key][r.URL] = true
		}
		// The frame is removed, the article stays.
		if r.Extractor == "iwptd" && (r.Coverage < 0.2 || r.Coverage > 0.9) {
			t.Errorf("%s: coverage %v of %s", key, r.Coverage, r.URL)
		}
	})
	for _, key := range []string{"one.example iwptd", "three.example iwptd", "one.example follower"} {
		if n := len(inSample[key]); n != 25 {
			t.Errorf("%s: %d addresses are in the sample, want 25", key, n)
		}
	}
}

// joined checks that what a row of documents says about its template agrees with the
// row of templates that the site of its page and template_method refer to.
func joined(t *testing.T, learned *schemas.TemplateRow, page *schemas.Page, r *schemas.Document) {
	t.Helper()
	if len(r.ConfigHash) != 16 || page.SiteBy != "host" {
		t.Errorf("%s: config %q, site by %q", r.URL, r.ConfigHash, page.SiteBy)
	}
	if r.Extractor == "plain" {
		if r.TemplateMethod != "" || r.TemplateStatus != "" || r.LOO || r.Cluster != 0 {
			t.Errorf("a page-level method has a template: %+v", *r)
		}
		return
	}
	if r.TemplateMethod != learned.Method || r.TemplateStatus != learned.Status || page.SiteBy != learned.SiteBy || learned.Version < 1 || learned.Learned == 0 {
		t.Errorf("%s %s: %+v does not fit %+v", r.URL, r.Extractor, *r, *learned)
	}
	if counts := r.Extractor == "iwptd"; r.LOO != (counts && r.InSample) {
		t.Errorf("%s %s: in sample %v, left out %v", r.URL, r.Extractor, r.InSample, r.LOO)
	}
}

// TestRowsOfTwoPhasesDoNotDependOnTheWay checks that the rows are the same however the
// crawl is split, packed and processed.
func TestRowsOfTwoPhasesDoNotDependOnTheWay(t *testing.T) {
	all := sites()
	ref := t.TempDir()
	mustRun(t, learning(t, ref, packed(t, all, 3, "members"), func(o *Options) { o.Worker.Slots = 1 }))
	want, wantTemplates := pageRows(t, ref), templateRows(t, ref)
	if len(want) != 4*len(all) {
		t.Fatalf("%d rows, want %d", len(want), 4*len(all))
	}
	const several = "three workers, many items"
	for name, c := range map[string]struct {
		form   string
		files  int
		change func(*Options)
	}{
		several:                   {"members", 3, func(o *Options) { o.Worker.Slots, o.Plan.ItemBytes = 3, 6<<10 }},
		"plain":                   {"plain", 2, func(o *Options) { o.Plan.ItemBytes = 40 << 10 }},
		"whole files of gzip":     {"whole", 3, func(o *Options) { o.Plan.ItemBytes = 4 << 10 }},
		"zstd":                    {"zstd", 1, func(*Options) {}},
		"a collection":            {"wacz", 3, func(o *Options) { o.Worker.Slots, o.Plan.ItemBytes = 2, 6<<10 }},
		"by an index":             {"index", 3, func(o *Options) { o.Worker.Slots, o.Plan.ItemBytes = 2, 6<<10 }},
		"few templates in memory": {"members", 3, func(o *Options) { o.Extract.TemplateBytes = 1 }},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != several {
				t.Skip("several workers in one way are enough for the race detector")
			}
			out := t.TempDir()
			mustRun(t, learning(t, out, packed(t, all, c.files, c.form), c.change))
			if got := templateRows(t, out); fmt.Sprint(got) != fmt.Sprint(wantTemplates) {
				for key, w := range wantTemplates {
					if fmt.Sprint(got[key]) != fmt.Sprint(w) {
						t.Errorf("%s: %+v, want %+v", key, got[key], w)
					}
				}
			}
			got := pageRows(t, out)
			if len(got) != len(want) {
				t.Fatalf("%d rows, want %d", len(got), len(want))
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("row %d:\n%s\nwant\n%s", i, got[i], want[i])
				}
			}
		})
	}
}

func TestPageLevelRunHasOnePhase(t *testing.T) {
	in, out := packed(t, sites(), 1, "members"), t.TempDir()
	opt := learning(t, out, in)
	chooseFor(t, &opt, "plain")
	mustRun(t, opt)
	store, m := finished(t, out)
	if fmt.Sprint(m.Run.Phases) != "[extract]" || m.Templates != nil {
		t.Errorf("phases %v, templates %+v", m.Run.Phases, m.Templates)
	}
	files, err := store.List(t.Context(), "templates")
	if err != nil || len(files) != 0 {
		t.Error(files, err)
	}
}

func TestTemplatesAreUsedAgain(t *testing.T) {
	all := sites()
	first := t.TempDir()
	in := packed(t, all, 2, "members")
	mustRun(t, learning(t, first, in, func(o *Options) { chooseFor(t, o, "iwptd") }))
	want := templateRows(t, first)

	reuse := func(from string, age time.Duration) func(*Options) {
		return func(o *Options) {
			chooseFor(t, o, "iwptd,follower")
			if err := template.Reuse(t.Context(), o.Blobs, &o.Plan.Recipe, from, age); err != nil {
				t.Fatal(err)
			}
		}
	}
	// This is a crawl of half of the same sites, with one new site.
	var second []capture
	for i, c := range all {
		if i%2 == 0 {
			second = append(second, c)
		}
	}
	for n := range 9 {
		second = append(second, capture{fmt.Sprintf("http://six.example/%d", n), sitePage("six.example", n), time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC)})
	}
	out := t.TempDir()
	mustRun(t, learning(t, out, packed(t, second, 1, "members"), reuse(first, 0)))
	rows := templateRows(t, out)
	for _, s := range []string{"one.example", "two.example", "three.example"} {
		got := rows[s+" iwptd"]
		if got.TemplateID != want[s+" iwptd"].TemplateID || got.Flags != "reused" {
			t.Errorf("%s: %+v, want %+v again", s, got, want[s+" iwptd"])
		}
		if f := rows[s+" follower"]; f.Status != "ok" || strings.Contains(f.Flags, "reused") {
			t.Errorf("%s follower: %+v", s, f)
		}
	}
	if got := rows["six.example iwptd"]; got.Status != "ok" || got.Flags != "small_sample" {
		t.Errorf("a new site: %+v", got)
	}

	// A template that is too old is learned again. The next run is planned at least a
	// second later.
	time.Sleep(1100 * time.Millisecond)
	stale := t.TempDir()
	mustRun(t, learning(t, stale, in, reuse(out, time.Millisecond)))
	for key, r := range templateRows(t, stale) {
		if strings.Contains(r.Flags, "reused") {
			t.Errorf("%s is used again: %+v", key, r)
		}
	}
	// A template that is used again keeps its date, so it becomes too old although its
	// run is recent.
	third := t.TempDir()
	mustRun(t, learning(t, third, in, reuse(out, time.Hour)))
	if r := templateRows(t, third)["one.example iwptd"]; r.TemplateID != want["one.example iwptd"].TemplateID || r.Flags != "reused" {
		t.Errorf("at second hand: %+v", r)
	}
}

// TestManySites checks that a site is learned once when the sites are divided among many
// items and the pages of each are in every item of the phase scan.
func TestManySites(t *testing.T) {
	if testing.Short() {
		t.Skip("a crawl of 6,000 pages")
	}
	const hosts, pages = 400, 15 // more candidates than an item of the phase learn has
	var all []capture
	for n := range pages {
		for h := range hosts {
			host := fmt.Sprintf("h%03d.example", h)
			all = append(all, capture{fmt.Sprintf("http://%s/%d", host, n), sitePage(host, n), time.Unix(int64(n), 0)})
		}
	}
	out := t.TempDir()
	mustRun(t, learning(t, out, packed(t, all, 2, "members"), func(o *Options) {
		chooseFor(t, o, "iwptd")
		o.Plan.ItemBytes, o.Worker.Slots = 1<<20, 2
	}))
	_, m := finished(t, out)
	if n := len(m.FilesOf(schemas.TableTemplates)); n < 2 {
		t.Errorf("%d parts of templates, want several", n)
	}
	rows := templateRows(t, out)
	for h := range hosts {
		if r := rows[fmt.Sprintf("h%03d.example iwptd", h)]; r.Status != "ok" || r.Pages != pages {
			t.Fatalf("%+v", r)
		}
	}
	if len(rows) != hosts || m.Templates.Sites != hosts || m.Templates.Statuses["ok"] != hosts {
		t.Errorf("%d rows, %+v", len(rows), m.Templates)
	}
	eachDocument(t, out, func(r *schemas.Document) {
		if r.Outcome != "ok" || r.TemplatePages != pages {
			t.Fatalf("%+v", *r)
		}
	})
}

// learnsUntil runs a process that learns, and ends it at a site.
func learnsUntil(opt *Options, poison string) {
	x, err := choose.Extractors(suite.Extractors(), "plain,iwptd")
	if err != nil {
		panic(err)
	}
	opt.Plan.Recipe.Extractors, _ = recipe.Methods(x, nil)
	opt.Plan.Recipe.Scorers = nil
	opt.Plan.Recipe.Learn = template.Settings(x)
	opt.Worker.Slots, opt.Plan.ItemBytes, opt.Worker.Rest = 1, 1<<30, 10*time.Millisecond
	opt.Learn.BeforeSite = func(name string) {
		if name == poison {
			os.Exit(9)
		}
	}
}

// TestSiteThatKillsIsDead checks that a site that ends the process repeatedly is
// given up, that the others are learned, and that its pages give the reason why they
// were skipped.
func TestSiteThatKillsIsDead(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for leases")
	}
	in, out := packed(t, sites(), 1, "members"), t.TempDir()
	crashes := 0
	for ; ; crashes++ {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "LOCAL_TEST_OUT="+out, "LOCAL_TEST_IN="+in, "LOCAL_TEST_POISON=two.example")
		text, err := cmd.CombinedOutput()
		if err == nil {
			break
		}
		if crashes == 6 || cmd.ProcessState.ExitCode() != 9 {
			t.Fatalf("%d crashes, %v:\n%s", crashes, err, text)
		}
	}
	if crashes != 5 {
		t.Errorf("%d crashes, want 5: one before a journal is kept, one to suspect the site, three at it alone", crashes)
	}
	for site, want := range map[string]string{"one.example": "ok", "two.example": "learn_failed", "three.example": "ok"} {
		if got := templateRows(t, out)[site+" iwptd"].Status; got != want {
			t.Errorf("%s: %s, want %s", site, got, want)
		}
	}
	eachDocument(t, out, func(r *schemas.Document) {
		if strings.Contains(r.URL, "//two.example/") && r.Extractor == "iwptd" && r.Reason != "learn_failed" {
			t.Errorf("%s: %s, %s", r.URL, r.Outcome, r.Reason)
		}
	})
}

// TestLargeSiteCostsItsSample checks that only pages of a large site that may be
// sampled are read.
func TestLargeSiteCostsItsSample(t *testing.T) {
	var all []capture
	for n := range 600 {
		all = append(all, capture{fmt.Sprintf("http://large.example/%d", n), sitePage("large.example", n), time.Unix(int64(n), 0)})
	}
	out := t.TempDir()
	mustRun(t, learning(t, out, packed(t, all, 1, "members"), func(o *Options) { chooseFor(t, o, "iwptd") }))
	_, m := finished(t, out)
	// A random order has an expected number of 64 * (1 + ln(600/64)) = 207.
	c := m.Templates.Scanned
	if c.Records != 600 || c.Pages < 64 || c.Pages > 280 || c.Pages+c.NotHTML["unsampled"] != 600 {
		t.Errorf("%d pages were looked into, %v", c.Pages, c.NotHTML)
	}
	if r := templateRows(t, out)["large.example iwptd"]; r.Status != "ok" || r.Pages != 25 {
		t.Errorf("%+v", r)
	}
}

// TestSiteMayBeThePackage checks that a package of gold pages is one site, whatever
// hosts its pages come from.
func TestSiteMayBeThePackage(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "p.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	w := write.NewWriter(f)
	for n := range 12 {
		url := fmt.Sprintf("http://host%d.example/", n)
		block, err := write.HTTPResponse("200 OK", []write.Field{{Name: "Content-Type", Value: "text/html"}}, []byte(sitePage("one", n)))
		if err != nil {
			t.Fatal(err)
		}
		id, text := write.ID(url), "gold that learning does not look at"
		if err := w.Write(&write.Record{Type: "response", ID: id, Date: time.Unix(0, 0), TargetURI: url, ContentType: "application/http; msgtype=response", Block: block}); err != nil {
			t.Fatal(err)
		}
		g := &schemas.Gold{Version: 1, Package: "pack", ID: fmt.Sprint(n), URL: url, Text: &text}
		if err := gold.WriteGold(w, g, id, url, time.Unix(0, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for by, want := range map[string]string{schemas.ByHost: "too_few_pages", schemas.ByPackage: "ok"} {
		out := t.TempDir()
		mustRun(t, learning(t, out, dir, func(o *Options) {
			chooseFor(t, o, "iwptd")
			o.Plan.Recipe.SiteBy = by
		}))
		rows := templateRows(t, out)
		site, n := "host3.example", 12
		if by == schemas.ByPackage {
			site, n = "pack", 1
		}
		if got := rows[site+" iwptd"]; got.Status != want || len(rows) != n {
			t.Errorf("by %s: %+v, %d rows", by, got, len(rows))
		}
	}
}

// TestInputThatVanishesCostsItsPages checks that a file that disappears after the scan
// only affects its own pages.
func TestInputThatVanishesCostsItsPages(t *testing.T) {
	in, out := packed(t, sites(), 3, "members"), t.TempDir()
	once := false
	sum, err := Run(t.Context(), learning(t, out, in, func(o *Options) {
		o.Worker.Slots, o.Worker.GiveUpAfter = 1, time.Millisecond
		o.Learn.BeforeSite = func(name string) {
			if !once && !strings.HasPrefix(name, "file:") {
				once = true
				if err := os.Remove(filepath.Join(in, "c1.warc.gz")); err != nil {
					t.Error(err)
				}
			}
		}
	}))
	if err != nil || sum.Dead != 1 {
		t.Fatalf("%+v, %v; want one item given up, of the last phase", sum, err)
	}
	rows := templateRows(t, out)
	for _, key := range []string{"one.example iwptd", "two.example iwptd", "three.example iwptd"} {
		if r := rows[key]; r.Status != "ok" || r.Pages < 5 || r.Pages > 25 {
			t.Errorf("%s: %+v", key, r)
		}
	}
}

// responses begins an archive in dir with responses of web servers. record adds a
// response, with an optional Location.
func responses(t *testing.T, dir string) (record func(url, status, location, html string), done func()) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "a.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	w := write.NewWriter(f)
	record = func(url, status, location, html string) {
		t.Helper()
		fields := []write.Field{{Name: "Content-Type", Value: "text/html"}}
		if location != "" {
			fields = append(fields, write.Field{Name: "Location", Value: location})
		}
		block, err := write.HTTPResponse(status, fields, []byte(html))
		if err == nil {
			err = w.Write(&write.Record{Type: "response", ID: write.ID(url), Date: time.Unix(0, 0), TargetURI: url, ContentType: "application/http; msgtype=response", Block: block})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return record, func() {
		t.Helper()
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLinksLeadThroughRedirectsOnce checks that a link to a redirect within the site
// counts as a link to its target, and that a redirect to another site, or to another
// redirect, counts as none.
func TestLinksLeadThroughRedirectsOnce(t *testing.T) {
	dir := t.TempDir()
	record, done := responses(t, dir)
	const host = "http://one.example"
	for n := range 10 {
		html := strings.NewReplacer("/0.html", "/go", "/3.html", "/loop", "/6.html", "/away", "/9.html", "/gone").Replace(sitePage("one.example", n))
		record(fmt.Sprintf("%s/%d.html", host, n), "200 OK", "", html)
	}
	record(host+"/go", "301 Moved Permanently", "4.html", "moved")
	record(host+"/loop", "302 Found", host+"/go", "moved")
	record(host+"/away", "301 Moved Permanently", "http://two.example/", "moved")
	record("http://two.example/", "200 OK", "", sitePage("two.example", 1))
	done()
	out := t.TempDir()
	mustRun(t, learning(t, out, dir))
	if r := templateRows(t, out)["one.example follower"]; r.Status != "ok" || r.Pages != 10 || r.Linked != 1 {
		t.Errorf("%+v, want one link candidate", r)
	}
}

// TestMenuBehindRedirects checks that pages of a menu count as linked if every page
// links to them by an address that is redirected, as on sites that add a slash.
func TestMenuBehindRedirects(t *testing.T) {
	dir := t.TempDir()
	record, done := responses(t, dir)
	const host = "http://one.example"
	menu := "<ul><li><a href=/mill>Mill</a></li><li><a href=/barn>Barn</a></li><li><a href=/farm>Farm</a></li></ul>"
	page := func(n int) string {
		return fmt.Sprintf("<body>%s<div>%s</div></body>", menu, strings.Repeat(fmt.Sprintf("<p>Sentence of page %d about grain and wind number %d.</p>", n, n*n), 12))
	}
	for n := range 10 {
		record(fmt.Sprintf("%s/%d.html", host, n), "200 OK", "", page(n))
	}
	for i, name := range []string{"mill", "barn", "farm"} {
		record(host+"/"+name, "301 Moved Permanently", "/"+name+"/", "moved")
		record(host+"/"+name+"/", "200 OK", "", page(20+i))
	}
	done()
	out := t.TempDir()
	mustRun(t, learning(t, out, dir, func(o *Options) { chooseFor(t, o, "temex") }))
	if r := templateRows(t, out)["one.example temex"]; r.Status != "ok" || r.Linked != 3 || strings.Contains(r.Flags, "cs_fallback") {
		t.Errorf("%+v, want a template of three pages of the menu", r)
	}
}
