package worker

import "testing"

func TestGroups(t *testing.T) {
	f := func(url, host, domain, site string) {
		t.Helper()
		if got := groupKey(ByHost, "f", url); got != host {
			t.Errorf("host of %q: %q, want %q", url, got, host)
		}
		if got := groupKey(ByDomain, "f", url); got != domain {
			t.Errorf("domain of %q: %q, want %q", url, got, domain)
		}
		if got := siteKey(ByHost, "p", url); got != site {
			t.Errorf("site of %q: %q, want %q", url, got, site)
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
	f("urn:winnow:pkg/1", unnamed, unnamed, unnamed)
	f("", unnamed, unnamed, unnamed)
	f("http://a b/", unnamed, unnamed, unnamed)
	f("%zz", unnamed, unnamed, unnamed)
	if got := siteKey(ByPackage, "p", "http://x.example/"); got != "p" {
		t.Error(got)
	}
	if got := siteKey(ByDomain, "p", "http://a.x.example.org/"); got != "example.org" {
		t.Error(got)
	}
}

func TestFileName(t *testing.T) {
	for url, want := range map[string]string{
		"file:///a/b/crawl.warc.gz":               "crawl",
		"s3://bucket/p/x.warc.zst?region=eu":      "x",
		"https://h/CC-MAIN-1.warc.gz":             "CC-MAIN-1",
		"file:///a/plain.warc":                    "plain",
		"file:///a/.gz":                           ".gz",
		"file:///a/no-end":                        "no-end",
		"file:///a/with%20space%2Fslash.warc.bz2": "slash",
	} {
		if got := fileName(url); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

func TestCheckGrouping(t *testing.T) {
	if err := CheckGrouping(ByFile, ByHost); err != nil {
		t.Error(err)
	}
	if CheckGrouping("", ByHost) == nil || CheckGrouping(ByPackage, ByHost) == nil || CheckGrouping(ByFile, ByFile) == nil {
		t.Error("a grouping that does not exist was taken")
	}
}
