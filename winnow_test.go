package winnow_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow"
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/extract/markup"
	"github.com/winnow/winnow/pipeline/source/payload"
)

// pages returns the shipped page and, of the shared folder, some pages of crawls.
func pages(t testing.TB) map[string][]byte {
	t.Helper()
	names := []string{"examples/page.html"}
	if root := os.Getenv("WINNOW_PAGES"); root != "" {
		more, err := filepath.Glob(filepath.Join(root, "*.html"))
		if err != nil || len(more) == 0 {
			t.Fatalf("WINNOW_PAGES has no pages: %v", err)
		}
		names = append(names, more[:min(len(more), 300)]...)
	}
	all := map[string][]byte{"news": []byte(news)}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = src
	}
	return all
}

// TestSameAsThePipeline compares the answers for pages, by three extractors, with those that
// the parts of the pipeline have for them.
func TestSameAsThePipeline(t *testing.T) {
	for _, name := range []string{"winnow", "boilerpipe-article", "bte"} {
		list := suite.Extractors()
		e := list[slices.IndexFunc(list, func(e *algorithms.Extractor) bool { return e.Name == name })]
		d, err := driver.New(driver.Config{Extractors: []*algorithms.Extractor{e}})
		if err != nil {
			t.Fatal(err)
		}
		library, err := winnow.New(winnow.Options{Extractor: name})
		if err != nil {
			t.Fatal(err)
		}
		var decoder payload.Decoder
		const address = "https://h.example/a/b"
		for file, src := range pages(t) {
			doc := decoder.DecodeHTML(src, "")
			want, err := d.Page(context.Background(), driver.Input{HTML: doc.HTML, URL: address})
			if err != nil {
				t.Fatal(err)
			}
			x := &want.Extractions[0]
			got, err := library.Extract(src, address)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			md, _ := markup.NewWriter().Markdown(want.Page, &x.Selection, address, markup.Masking{})
			html := markup.NewWriter().HTML(want.Page, &x.Selection, address, markup.Masking{})
			if got.Text != string(x.Text) || got.Markdown() != string(md) || got.HTML() != string(html) || got.Confidence != float64(x.Confidence) {
				t.Errorf("%s: %s answers otherwise than in the pipeline", file, name)
			}
			var parts []string
			for _, b := range got.Blocks() {
				if b.Probability < 0 || b.Probability > 1 || name == "winnow" && b.Probability == 0 || (b.Kind == winnow.Heading) != (b.Level > 0) {
					t.Errorf("%s: %+v", file, b)
				}
				parts = append(parts, b.Text)
			}
			if words := strings.Fields(strings.Join(parts, "\n")); !slices.Equal(words, strings.Fields(got.Text)) {
				t.Errorf("%s: %s: the blocks have another text", file, name)
			}
		}
	}
}

func TestKinds(t *testing.T) {
	const src = `<h2>Two <b>words</b></h2><p>One.<br>More.</p><ul><li>item <p>its text</p></li></ul><pre>x
y</pre><blockquote><p>a</p><p>b</p></blockquote><table><tr><td>1</td><td>2</td></tr><tr><td><p>layout</p></td></tr></table><figure><figcaption>cap</figcaption></figure>bare`
	r, err := winnow.Extract(strings.NewReader(src), winnow.Options{Extractor: "plain"})
	if err != nil {
		t.Fatal(err)
	}
	want := []winnow.Block{{Text: "Two words", Kind: winnow.Heading, Level: 2}, {Text: "One.\nMore.", Kind: winnow.Paragraph},
		{Text: "item\nits text", Kind: winnow.ListItem}, {Text: "x\ny", Kind: winnow.Code}, {Text: "a\nb", Kind: winnow.Quote},
		{Text: "1\n2", Kind: winnow.TableRow}, {Text: "layout", Kind: winnow.Paragraph}, {Text: "cap", Kind: winnow.Caption}, {Text: "bare", Kind: winnow.Paragraph}}
	if got := r.Blocks(); !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// TestPosts checks that each post of a discussion is a block, with the replies in it as
// blocks of their own.
func TestPosts(t *testing.T) {
	const src = `<h1>Bread</h1><div id="p1" class="post"><b class="author">Eve</b><time datetime="2024-05-06">May</time><p>How?</p><p>Why?</p>
<div role="comment"><p>Slowly.</p></div></div><div id="p2" class="post"><p>So.</p></div><p>end</p>`
	r, err := winnow.Extract(strings.NewReader(src), winnow.Options{Extractor: "plain"})
	if err != nil {
		t.Fatal(err)
	}
	want := []winnow.Block{{Text: "Bread", Kind: winnow.Heading, Level: 1}, {Text: "EveMay\nHow?\nWhy?", Kind: winnow.Post, Author: "Eve", Date: "2024-05-06"},
		{Text: "Slowly.", Kind: winnow.Post}, {Text: "So.", Kind: winnow.Post}, {Text: "end", Kind: winnow.Paragraph}}
	if got := r.Blocks(); !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// TestNothingAllocatedBeyondTheResult checks that a page of a hundred times the size takes
// as many allocations as a small one: the Result and its texts, and what facts find.
func TestNothingAllocatedBeyondTheResult(t *testing.T) {
	e, err := winnow.New(winnow.Options{})
	if err != nil {
		t.Fatal(err)
	}
	count := func(paragraphs int) float64 {
		src := []byte(strings.Replace(news, "</article>", strings.Repeat("<p>The mill has been closed since the spring, and so the barns are empty, said the miller, who knows them well.</p>", paragraphs)+"</article>", 1))
		return testing.AllocsPerRun(10, func() {
			if _, err := e.Extract(src, ""); err != nil {
				t.Fatal(err)
			}
		})
	}
	small, large := count(2), count(200)
	if small != large || small > 40 {
		t.Errorf("%v allocations for a small page, %v for a large one", small, large)
	}
}

func TestErrors(t *testing.T) {
	f := func(src string, opt winnow.Options, want error) {
		t.Helper()
		if _, err := winnow.Extract(strings.NewReader(src), opt); !errors.Is(err, want) {
			t.Errorf("%.20q, %+v: %v, want %v", src, opt, err, want)
		}
	}
	f("\x89PNG\r\n\x1a\n", winnow.Options{}, winnow.ErrNotHTML)
	f(news, winnow.Options{ContentType: "image/png"}, winnow.ErrNotHTML)
	f(strings.Repeat("<p>x", 1<<16+1), winnow.Options{}, winnow.ErrTooLarge)
	release := make(chan bool)
	defer close(release)
	f(news, winnow.Options{Limits: winnow.Limits{Time: time.Millisecond}, Own: &algorithms.Extractor{
		Description: algorithms.Description{Name: "stuck"}, Run: func(*algorithms.Pass) error { <-release; return nil }}}, winnow.ErrTime)
	for _, opt := range []winnow.Options{{Extractor: "none"}, {Extractor: "bte", Comments: winnow.CommentsInclude}, {Comments: "some"}, {Settings: map[string]string{"x": "y"}}} {
		if _, err := winnow.New(opt); err == nil {
			t.Errorf("%+v is taken", opt)
		}
	}
	for _, name := range winnow.Extractors() {
		if _, err := winnow.Extract(strings.NewReader(news), winnow.Options{Extractor: name}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, limits := range []winnow.Limits{{Bytes: len(news) - 1}, {Nodes: 10}, {Text: 100}} {
		r, err := winnow.Extract(strings.NewReader(news), winnow.Options{Limits: limits})
		if err != nil || !r.Cut {
			t.Errorf("%+v: %v", limits, err)
		}
	}
	if r, err := winnow.Extract(strings.NewReader(news), winnow.Options{Limits: winnow.Limits{Bytes: len(news)}}); err != nil || r.Cut {
		t.Errorf("the whole page: %v", err)
	}
}

// TestResultOfAnEarlierPage: a Result keeps its fields, and its methods do not answer for
// another page.
func TestResultOfAnEarlierPage(t *testing.T) {
	e, err := winnow.New(winnow.Options{})
	if err != nil {
		t.Fatal(err)
	}
	first, err := e.Extract([]byte(news), "")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Clone(first.Text)
	if _, err := e.Extract([]byte("<p>another"), ""); err != nil {
		t.Fatal(err)
	}
	if first.Text != text {
		t.Error("the text changed")
	}
	defer func() {
		if recover() == nil {
			t.Error("the Markdown of another page is returned")
		}
	}()
	first.Markdown()
}

// FuzzExtract gives any bytes to an Extractor that read other pages before, and to a new one.
func FuzzExtract(f *testing.F) {
	f.Add([]byte(news), "text/html", "https://h.example/2024/01/02/x")
	f.Add([]byte("\xff\xfe<\x00p\x00>\x00a\x00"), "", ":")
	f.Add([]byte("<table><td><pre><li><h1>x<noscript><p>y"), "text/html; charset=koi8-r", "")
	used := map[string]*winnow.Extractor{}
	f.Fuzz(func(t *testing.T, src []byte, contentType, url string) {
		opt := winnow.Options{ContentType: contentType}
		fresh, err := winnow.New(opt)
		if err != nil {
			t.Fatal(err)
		}
		if used[contentType] == nil && len(used) < 100 {
			if used[contentType], err = winnow.New(opt); err != nil {
				t.Fatal(err)
			}
		}
		before := bytes.Clone(src)
		a, errA := fresh.Extract(src, url)
		e := used[contentType]
		if e == nil {
			e = fresh
		}
		if errA == nil {
			md, html, blocks := a.Markdown(), a.HTML(), a.Blocks()
			b, err := e.Extract(src, url)
			if err != nil || a.Text != b.Text || md != b.Markdown() || html != b.HTML() || !slices.Equal(blocks, b.Blocks()) || a.Title != b.Title {
				t.Fatalf("a used Extractor answers otherwise: %v", err)
			}
		}
		if !bytes.Equal(before, src) {
			t.Fatal("the page was changed")
		}
	})
}

// BenchmarkExtract is to be compared with BenchmarkDriver:
//
//	WINNOW_PAGES=FOLDER go test -run '^$' -bench . .
func BenchmarkExtract(b *testing.B) {
	e, err := winnow.New(winnow.Options{})
	if err != nil {
		b.Fatal(err)
	}
	all := pages(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range all {
			if _, err := e.Extract(src, ""); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkDriver does what a worker of the pipeline does for a page, with the same facts.
func BenchmarkDriver(b *testing.B) {
	config := driver.Config{Extractors: suite.Extractors()[:1]}
	for _, fact := range suite.Facts() {
		if fact.Name == "metadata" || fact.Name == "language" {
			config.Facts = append(config.Facts, fact)
		}
	}
	d, err := driver.New(config)
	if err != nil {
		b.Fatal(err)
	}
	var decoder payload.Decoder
	all := pages(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range all {
			if _, err := d.Page(context.Background(), driver.Input{HTML: decoder.DecodeHTML(src, "").HTML}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
