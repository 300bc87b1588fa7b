package website

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

func pass(url, html string) *algorithms.Pass {
	var p algorithms.Pass
	pg := new(page.Page)
	pg.Parse([]byte(html), page.Options{})
	p.Reset(pg, url)
	return &p
}

// TestRank has the ranks of a few addresses: samples differ if they change.
func TestRank(t *testing.T) {
	for canonical, want := range map[string]uint64{
		"example.org/":       0xe9ff85db6a428613,
		"example.org/a":      0x2ee8edb6e7b1af52,
		"example.org/b?x=1":  0x99659d9e945f4800,
		"example.org/~ann/c": 0x1cc7415cdafa383b,
	} {
		if got := rank([]byte(canonical)); got != want {
			t.Errorf("%s: %x, want %x", canonical, got, want)
		}
		if got := RankOf("https://" + canonical + "#x"); got != want {
			t.Errorf("address of %s: %x, want %x", canonical, got, want)
		}
	}
	if rank([]byte(strings.Repeat("x", 2000))) == rank([]byte(strings.Repeat("x", 2001))) {
		t.Error("long addresses share a rank")
	}
}

func TestKey(t *testing.T) {
	f := func(url, host, domain, key string) {
		t.Helper()
		if got := Host(url); got != host {
			t.Errorf("host of %q: %q, want %q", url, got, host)
		}
		if got := Domain(url); got != domain {
			t.Errorf("domain of %q: %q, want %q", url, got, domain)
		}
		if got := Key(ByHost, url); got != key {
			t.Errorf("site of %q: %q, want %q", url, got, key)
		}
		if got := Key(ByDomain, url); got != domain {
			t.Errorf("site of %q by domain: %q, want %q", url, got, domain)
		}
	}
	f("http://www.News.Example.co.uk:80/a", "www.news.example.co.uk", "example.co.uk", "news.example.co.uk")
	f("https://example.com:8443/", "example.com:8443", "example.com", "example.com:8443")
	f("https://example.com:443", "example.com", "example.com", "example.com")
	f("http://cs.example.edu/~anna/x.html", "cs.example.edu", "example.edu", "cs.example.edu/~anna")
	f("http://127.0.0.1/x", "127.0.0.1", "127.0.0.1", "127.0.0.1")
	f("http://[::1]:8080/x", "[::1]:8080", "::1", "[::1]:8080")
	f("http://bücher.example/", "xn--bcher-kva.example", "xn--bcher-kva.example", "xn--bcher-kva.example")
	f("http://co.uk/", "co.uk", "co.uk", "co.uk")
	// Crawls have these; browsers ask for them as they are.
	f("http://my_blog.example.com/a", "my_blog.example.com", "example.com", "my_blog.example.com")
	f("http://r3---sn-ab.example.com/", "r3---sn-ab.example.com", "example.com", "r3---sn-ab.example.com")
	f("http://-odd-.example.com/", "-odd-.example.com", "example.com", "-odd-.example.com")
	f("http://bücher_2.example.com/", "xn--bcher_2-n2a.example.com", "example.com", "xn--bcher_2-n2a.example.com")
	f("http://www.example.org/100%", "www.example.org", "example.org", "example.org")
	f("http://www.example.org/%zz?q=%", "www.example.org", "example.org", "example.org")
	f("http://example.org/a b|c", "example.org", "example.org", "example.org")
	f("http://EXAMPLE.org.\\x", "example.org", "example.org", "example.org")
	f("http://example.org/%7eann/%zz", "example.org", "example.org", "example.org/~ann")
	f("http://example.org/~ann?x=/y", "example.org", "example.org", "example.org/~ann")
	f("ftp://ftp.example.org/pub/", "ftp.example.org", "example.org", "ftp.example.org")
	for _, none := range []string{"urn:winnow:pkg/1", "", "http://a b/", "%zz", "http://[fe80::1%25eth0]/", "http://[x:y]/",
		"http://a%20b/", "http://a%3Cb.example/", "http://a..b/", "http://example.org:80a/", "file:///home/x", "www.example.org/", "dns:www.example.org"} {
		f(none, None, None, None)
	}
	if SuffixVersion() == "" {
		t.Error("the list of public suffixes has no version")
	}
}

func TestEligible(t *testing.T) {
	words := "<p>" + strings.Repeat("word ", minWords) + "</p>"
	f := func(want bool, head, body string) {
		t.Helper()
		if got := Eligible(pass("http://example.org/a", "<head>"+head+"</head><body>"+body)); got != want {
			t.Errorf("%s %.20s: %v, want %v", head, body, got, want)
		}
	}
	f(true, "", words)
	f(false, "", "<p>"+strings.Repeat("word ", minWords-1)+"</p>")
	f(false, "", "<p hidden>"+strings.Repeat("word ", minWords)+"</p>")
	f(true, `<meta http-equiv=refresh content=300>`, words)
	f(true, `<meta http-equiv=refresh content="300; url=/a">`, words)
	f(true, `<meta http-equiv=refresh content="300; url=a#x">`, words)
	f(true, `<meta http-equiv=refresh content="url=/b">`, words)
	f(true, `<noscript><meta http-equiv=refresh content="0; url=/b"></noscript>`, words)
	f(false, `<meta http-equiv=" Refresh " content="0; URL = '/b' x">`, words)
	f(false, `<meta http-equiv=refresh content="0.5, http://example.com/a">`, words)
	f(false, `<meta http-equiv=refresh content="0 /b">`, words)
	f(false, ``, words+`<meta http-equiv=refresh content="0;/b">`)
	if Eligible(pass("http://example.org/", "<frameset><frame src=a></frameset>")) {
		t.Error("a page without a body was taken")
	}
}

func TestTextHash(t *testing.T) {
	a := pass("http://example.org/a", "<body><div>one two</div>")
	if b := pass("http://example.org/b?print=1", "<body><p class=x>one <b>two</b></p>"); TextHash(a) != TextHash(b) {
		t.Error("one text has two hashes")
	}
	if b := pass("http://example.org/a", "<body><div>one too</div>"); TextHash(a) == TextHash(b) {
		t.Error("two texts have one hash")
	}
}

func TestLinks(t *testing.T) {
	p := pass("http://www.news.example.co.uk/in/a.html", `<head><base href=/out/></head><body>
		<a href=b.html>1</a> <a href="b.html#x">again</a> <a href="https://sport.example.co.uk:8080/c?d">2</a>
		<a href="http://www.news.example.co.uk/in/a.html#top">self</a> <a href="http://notexample.co.uk/">other</a>
		<a href="mailto:x@example.co.uk">mail</a> <a name=x>no link</a> <a href="">3</a> <a href="http://example.co.uk">4</a>
		<noscript><a href=no>no</a></noscript><area href=no><div hidden><a href=5>5</a></div>`)
	want := []uint64{
		RankOf("http://www.news.example.co.uk/out/b.html"),
		RankOf("http://sport.example.co.uk:8080/c?d"),
		RankOf("http://www.news.example.co.uk/out/"),
		RankOf("http://example.co.uk/"),
		RankOf("http://www.news.example.co.uk/out/5"),
	}
	if got := Links.Of(p); !slices.Equal(got.Ranks, want) || got.Cut {
		t.Errorf("%x %v, want %x", got.Ranks, got.Cut, want)
	}
	for _, url := range []string{"http://[::1]:80/a", "http://127.0.0.1:8080/a"} {
		if got := Links.Of(pass(url, "<a href=b>x</a><a href=http://127.0.0.2/>x</a>")).Ranks; len(got) != 1 {
			t.Errorf("%s: %d links, want 1", url, len(got))
		}
	}
	if got := Links.Of(pass("urn:x", "<a href=b>x</a><a href=http://example.org/>x</a>")).Ranks; len(got) != 0 {
		t.Errorf("a page from nowhere has links: %x", got)
	}
}

func TestManyLinks(t *testing.T) {
	var many strings.Builder
	for i := range MaxLinks + 1 {
		fmt.Fprintf(&many, "<a href=/%d>x</a> <a href=/%d>x</a>", i, i/2)
	}
	got := Links.Of(pass("http://example.org/", many.String()))
	if len(got.Ranks) != MaxLinks || !got.Cut || got.Ranks[MaxLinks-1] != RankOf(fmt.Sprintf("http://example.org/%d", MaxLinks-1)) {
		t.Errorf("%d links, cut %v", len(got.Ranks), got.Cut)
	}
}
