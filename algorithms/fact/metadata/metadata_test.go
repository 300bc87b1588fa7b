package metadata

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
)

func TestFact(t *testing.T) { algotest.Fact(t, Fact) }

// found returns the values on a page: "text (source)".
func found(t testing.TB, html, url string) map[string]string {
	t.Helper()
	p := algotest.Pass(html)
	p.URL = url
	values := algotest.Show(Fact.Page, algotest.FindOn(t, Fact.Page, p, nil))
	out := map[string]string{}
	for name, v := range values {
		if source, ok := values[name+"_source"]; ok {
			out[name] = v + " (" + source + ")"
		} else if !strings.HasSuffix(name, "_source") {
			t.Errorf("%s has no source", name)
		}
	}
	return out
}

func TestMetadata(t *testing.T) {
	type m = map[string]string
	f := func(html string, want m) {
		t.Helper()
		if got := found(t, html, "http://example.org/"); !maps.Equal(got, want) {
			t.Errorf("%s:\n got %v\nwant %v", html, got, want)
		}
	}
	// The order of trust: every source has a title, and they are taken away one by one.
	sources := []string{
		`<script type="application/ld+json">{"@type":"WebSite","name":"Site"}</script><script type="application/ld+json">{"@graph":[{"@type":"WebPage","name":"Page"},` +
			`{"@type":["NewsArticle"],"headline":"LD &amp; one","author":[{"name":"Ada"},{"name":" Bob  B. "}],"datePublished":"2024-05-06T07:08:09+02:00","dateModified":"2024-05-07","publisher":{"name":"Paper"},"description":"LD says"}]}</script>`,
		`<meta property="og:title" content="OG"><meta property="og:site_name" content="OG site"><meta property="article:author" content="https://f.example/ada"><meta property="og:type" content="article"><meta property="article:published_time" content="2024-04-01">`,
		`<meta name="DC.Title" content="DC"><meta name="DC.creator" content="Dee"><meta name="DC.creator" content="Cee"><meta name="dcterms.created" content="2024-03-03"><meta name="DC.date.issued" content="2024-03-01">`,
		`<meta name="citation_title" content="Cited"><meta name=citation_publication_date content="2023/12/31">`,
		`<meta name=twitter:title content="Tweet"><meta name=author content="Meta Author"><meta name=description content="Meta says">`,
		`<div itemscope><span itemprop=headline>Micro</span><span itemprop=author itemscope>by <b itemprop=name>Mia</b></span><time itemprop=datePublished datetime="2022-02-02">then</time></div>`,
		`<title>Title | Site</title><h1>Head<br>ing</h1><p class="x byline">By Hedy L.</p><time datetime="2021-01-01">1 Jan</time>`,
	}
	want := []m{
		{"title": "LD & one (json-ld)", "author": "Ada; Bob B. (json-ld)", "published": "2024-05-06T07:08:09+02:00 (json-ld)", "modified": "2024-05-07 (json-ld)",
			"site_name": "Paper (json-ld)", "description": "LD says (json-ld)", "type": "NewsArticle (json-ld)"},
		{"title": "OG (opengraph)", "author": "Dee; Cee (dublincore)", "published": "2024-04-01 (opengraph)", "site_name": "OG site (opengraph)", "type": "article (opengraph)", "description": "Meta says (meta)"},
		{"title": "DC (dublincore)", "author": "Dee; Cee (dublincore)", "published": "2024-03-01 (dublincore)", "description": "Meta says (meta)"},
		{"title": "Cited (citation)", "author": "Meta Author (meta)", "published": "2023-12-31 (citation)", "description": "Meta says (meta)"},
		{"title": "Tweet (meta)", "author": "Meta Author (meta)", "published": "2022-02-02 (microdata)", "description": "Meta says (meta)"},
		{"title": "Micro (microdata)", "author": "Mia (microdata)", "published": "2022-02-02 (microdata)"},
		{"title": "Head ing (markup)", "author": "Hedy L. (markup)", "published": "2021-01-01 (markup)"},
	}
	for i := range sources {
		f(strings.Join(sources[i:], "\n"), want[i])
	}

	f(`<title>Two</title><h1>a</h1><h1>b</h1><a rel="nofollow author" href=/x>Written by Eve</a>`, m{"title": "Two (markup)", "author": "Eve (markup)"})
	f(`<script type="application/ld+json">{"@type":"Organization","name":"Owner"}</script><script type="application/ld+json">not json</script>`, m{})
	f(`<script type="application/ld+json">{"@type":"http://schema.org/Product","name":"Sieve","author":"https://x.example/"}</script>`, m{"title": "Sieve (json-ld)", "type": "Product (json-ld)"})
	if got := found(t, "<p>x", "http://example.org/2024/05/01/story"); !maps.Equal(got, m{"published": "2024-05-01 (url)"}) {
		t.Errorf("date of an address: %v", got)
	}
}

// TestLongTitle checks that a title that is too long is cut between two characters.
func TestLongTitle(t *testing.T) {
	for _, before := range []string{"", "a", "ab"} {
		text := strings.TrimSuffix(found(t, "<title>"+before+strings.Repeat("€", maxText)+"</title>", "http://example.org/")["title"], " (markup)")
		if len(text) < maxText-3 || len(text) > maxText || strings.Trim(text, "ab€") != "" {
			t.Errorf("%d bytes, beside the characters of the page: %q", len(text), strings.Trim(text, "ab€"))
		}
	}
}

func TestDates(t *testing.T) {
	for in, want := range map[string]string{
		"2024-05-06": "2024-05-06", "2024-05-06T07:08:09Z": "2024-05-06T07:08:09Z", "2024-05-06 07:08:09": "2024-05-06", "20240506": "2024-05-06",
		"May 6, 2024": "2024-05-06", "6 May 2024": "2024-05-06", "05/06/2024": "2024-05-06", "Published: May 6, 2024": "2024-05-06",
		"Mon, 06 May 2024 07:08:09 GMT": "2024-05-06T07:08:09Z", "2024-05-06T07:08:09.123-0500": "2024-05-06T07:08:09-05:00",
		"": "", "today": "", "1714980000": "", "12345": "", "1875-01-01": "", "2024-13-45": "", "0000-00-00": "", "9999999999999999999": "", strings.Repeat("1 ", 40): "",
	} {
		if got := day(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzMetadata(f *testing.F) {
	f.Add(`<script type="application/ld+json">{"@type":"Article","author":[[],{"name":{"@value":"x"}}],"datePublished":17}</script>`, "2024-05-06")
	f.Add(`<div itemprop="author headline datePublished" itemscope><a itemprop=name>`, "6 Mai 2024")
	f.Add(`<time datetime="::::"><h1><script>x</script>`, "00:00:00.000000001 PM MST -070")
	f.Fuzz(func(t *testing.T, html, date string) {
		found(t, strings.ToValidUTF8(html, "?"), "http://example.org/"+date)
		day(date)
	})
}

// BenchmarkFact measures the cost beside that of the parse, on the same pages.
func BenchmarkFact(b *testing.B) { algotest.BenchmarkFact(b, Fact) }

// TestClasses checks that every class is recognised among others, and no other.
func TestClasses(t *testing.T) {
	for _, list := range [][]string{bylines, dates} {
		for _, word := range list {
			byline, date := classes([]byte("x " + word + "\n y"))
			if byline != slices.Contains(bylines, word) || date != slices.Contains(dates, word) {
				t.Errorf("%s: byline %v, date %v", word, byline, date)
			}
		}
	}
	if byline, date := classes([]byte("authors bylines unpublished post-date-x")); byline || date {
		t.Error("other words are classes")
	}
}

// FuzzClasses checks that a class which has one of bylines or dates is likely, wherever it
// is in a text, and that a text which needs no folding is what folding makes of it.
func FuzzClasses(f *testing.F) {
	f.Add("x", "big byline", "padding behind it")
	f.Add("", "entry-date\tx\u00a0y", "")
	f.Add("<p class=", "x post-authors post-author", ">")
	f.Add("", "a\u2019b\u2028c\u3000\u1680d\u2003\u0085", "")
	f.Fuzz(func(t *testing.T, before, class, behind string) {
		text := []byte(before + class + behind)
		if byline, date := classes([]byte(class)); (byline || date) && !likely(text, len(before), len(before)+len(class)) {
			t.Errorf("%q in %q is not likely", class, text)
		}
		if want := strings.Join(strings.Fields(class), " "); isFolded(class) && class != want {
			t.Errorf("%q is not folded: %q", class, want)
		}
	})
}

// TestLikely checks that few classes are likely that are none of those that are looked for.
func TestLikely(t *testing.T) {
	for _, list := range [][]string{bylines, dates} {
		for _, word := range list {
			text := "<p class='x  " + word + "'>........"
			if !likely([]byte(text), 10, 13+len(word)) {
				t.Errorf("%s is not likely", word)
			}
		}
	}
	text := "nav menu-item menu-item-type-post_type my-author main-byline........"
	if likely([]byte(text), 0, len(text)-8) {
		t.Errorf("%s is likely", text)
	}
}
