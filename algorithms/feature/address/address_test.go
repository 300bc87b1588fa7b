package address

import (
	"bytes"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

func TestCanonical(t *testing.T) {
	for url, want := range map[string]string{
		"HTTP://WWW.Example.org:80/a/./b/../c#top": "www.example.org/a/c",
		"https://example.org?x=1":                  "example.org/?x=1",
		"https://example.org":                      "example.org/",
		"http://example.org:443/":                  "example.org:443/",
		"https://example.org:0443/":                "example.org/",
		"http://example.org./a":                    "example.org/a",
		"http://u:p@example.org/":                  "example.org/",
		"http://example.org/höhe?q=ü":              "example.org/h%C3%B6he?q=%C3%BC",
		"http://bücher.example/":                   "xn--bcher-kva.example/",
		"http://[::1]:8080/x":                      "[::1]:8080/x",
		"http://example.org/a/..":                  "example.org/",
		"http://example.org/a/b/%2E%2e/c":          "example.org/a/c",
		"http://example.org/../../x":               "example.org/x",
		"http://example.org/a//b":                  "example.org/a//b",
		"http://example.org/a b":                   "example.org/a%20b",
		"http://example.org\\a\\b":                 "example.org/a/b",
		" http://exa\nmple.org/\t ":                "example.org/",
		"http://example.org/...":                   "example.org/...",
		"http://under_score.example.org/":          "under_score.example.org/",
		// Not of the web, or no host.
		"mailto:ann@example.org":  "mailto:ann@example.org",
		"urn:winnow:pkg/1#x":      "urn:winnow:pkg/1",
		"http://a b/":             "http://a b/",
		"http://":                 "http://",
		"http://example.org:8a/x": "http://example.org:8a/x",
		"%zz":                     "%zz",
		"":                        "",
	} {
		if got := Canonical(url); got != want {
			t.Errorf("%q: %q, want %q", url, got, want)
		}
	}
}

// TestResolve has the examples of RFC 3986, 5.4, whose base is
// http://a/b/c/d;p?q, where they are of the web.
func TestResolve(t *testing.T) {
	var b Base
	b.Set([]byte("http://a/b/c/d;p?q"))
	for ref, want := range map[string]string{
		"g": "a/b/c/g", "./g": "a/b/c/g", "g/": "a/b/c/g/", "/g": "a/g", "//g": "g/",
		"?y": "a/b/c/d;p?y", "g?y": "a/b/c/g?y", "#s": "a/b/c/d;p?q", "g#s": "a/b/c/g",
		";x": "a/b/c/;x", "g;x?y#s": "a/b/c/g;x?y", "": "a/b/c/d;p?q", ".": "a/b/c/", "./": "a/b/c/",
		"..": "a/b/", "../": "a/b/", "../g": "a/b/g", "../..": "a/", "../../": "a/", "../../g": "a/g",
		"../../../g": "a/g", "/./g": "a/g", "/../g": "a/g", "g.": "a/b/c/g.", ".g": "a/b/c/.g", "g..": "a/b/c/g..",
		"./../g": "a/b/g", "./g/.": "a/b/c/g/", "g/./h": "a/b/c/g/h", "g/../h": "a/b/c/h",
		"g;x=1/./y": "a/b/c/g;x=1/y", "g?y/../x": "a/b/c/g?y/../x",
		"http:g": "a/b/c/g", "https://x.example/": "x.example/", "HTTPS://x.example:443": "x.example/",
	} {
		if got, ok := b.Append(nil, []byte(ref)); string(got) != want || !ok {
			t.Errorf("%q: %q %v, want %q", ref, got, ok, want)
		}
	}
	for _, ref := range []string{"g:h", "javascript:void(0)", "data:,x"} {
		if got, ok := b.Append(nil, []byte(ref)); ok || string(got) != ref {
			t.Errorf("%q: %q %v, want itself", ref, got, ok)
		}
	}
}

func TestBaseElement(t *testing.T) {
	var (
		pg page.Page
		p  algorithms.Pass
	)
	pg.Parse([]byte(`<head><base target=_top><base href="/news/2026/"><base href="/no"></head><body>x`), page.Options{})
	p.Reset(&pg, "http://example.org/")
	b := Of.Of(&p)
	if got, _ := b.Append(nil, []byte("a.html")); string(got) != "example.org/news/2026/a.html" {
		t.Errorf("%q", got)
	}
	if string(b.Own()) != "example.org/" {
		t.Errorf("own address %q", b.Own())
	}
	p.URL = "urn:winnow:1"
	Of.Compute(b, &p)
	if got, ok := b.Append(nil, []byte("a.html")); ok || string(got) != "a.html" {
		t.Errorf("%q %v against a base that is not of the web", got, ok)
	}
}

// FuzzAppend: a canonical form is its own canonical form, begins with a host,
// and has no byte that an address may not have.
func FuzzAppend(f *testing.F) {
	for _, s := range []string{"http://a/b/../c?d#e", "//x", "\\\\x\\y", "a/%2e./b", "https://é/", "http://[", "?", "http:/x"} {
		f.Add([]byte("http://a/b/c/d;p?q"), []byte(s))
	}
	f.Fuzz(func(t *testing.T, base, ref []byte) {
		var b Base
		b.Set(base)
		got, ok := b.Append([]byte("kept:"), ref)
		if !bytes.HasPrefix(got, []byte("kept:")) {
			t.Fatalf("%q: what was there is gone: %q", ref, got)
		}
		if got = got[5:]; !ok {
			return
		}
		if bytes.IndexByte(got, '/') < 1 || bytes.ContainsAny(got, " \n\t\"<>#") {
			t.Fatalf("%q against %q: %q", ref, base, got)
		}
		again := Canonical("http://" + string(got))
		if https := Canonical("https://" + string(got)); string(got) != again && string(got) != https {
			t.Fatalf("%q against %q: %q, and of that %q", ref, base, got, again)
		}
	})
}

// TestShortWays: what plainHost and isPlain let pass is what the long way makes of
// it.
func TestShortWays(t *testing.T) {
	hosts := []string{"example.org", "a.b", "x", "a..b", ".a", "a.", "", "A.b", "a-b_c.d", "a:80", "a@b", "a%62", "ä", "[::1]", strings.Repeat("a.", 126) + "b", strings.Repeat("a.", 127) + "b"}
	rests := []string{"", "/", "?q", "\\x", "/x?y", "#"}
	for _, host := range hosts {
		for _, rest := range rests {
			n := plainHost([]byte(host + rest))
			if n == 0 {
				continue
			}
			if long, ok := appendAuthority(nil, []byte(host), false); !ok || n != len(host) || string(long) != host {
				t.Errorf("%.20q and %q: %d bytes, the long way has %.20q", host, rest, n, long)
			}
		}
	}
	for _, host := range []string{"example.org", "a-b_c.d", "x"} {
		if plainHost([]byte(host+"/")) != len(host) {
			t.Errorf("%q is not plain", host)
		}
	}
	for path, want := range map[string]bool{
		"": true, "a/b.html?x=.&y=/../%2e": true, "a//b/": true, "a.b/c%20d": true,
		".": false, "a/../b": false, "a/.b": false, "%2e/a": false, "a\\b": false, "a b": false, "a?b c": false, "ä": false, "a?ä": false,
	} {
		if got := isPlain([]byte(path)); got != want {
			t.Errorf("%q is plain: %v", path, got)
		}
	}
}

// FuzzPlain: what appendPlain lets pass is what the long way makes of it.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{"http://a.b/c/d?e=f", "https://a.b?x", "https://a.b", "/a/b.html", "/", "/a/.b", "/a/b?c=/.", "/%2e/", "//x/y", "http://a.b/" + strings.Repeat("a", 20) + "\\",
		"http://a.b/1234567/.", "http://a.b/123456/.", "http://a.b/12345/%2e", "/a#b", "/a\"b", "/a<b", "/a>b", "/a`b", "/a\x7fb", "/é", "http://a.b./", "http:///a"} {
		f.Add([]byte("http://a.b/c/d;p?q"), []byte(s))
		f.Add([]byte("https://x/"), []byte(s+"#"))
	}
	f.Fuzz(func(t *testing.T, base, ref []byte) {
		var b Base
		b.Set(base)
		for range 2 { // the second time with a host that is known
			want, valid := b.appendAny([]byte("kept:"), ref)
			got, ok := b.appendPlain([]byte("kept:"), ref)
			if ok && (!valid || !bytes.Equal(got, want)) || !ok && string(got) != "kept:" {
				t.Fatalf("%q against %q: %q %v, the long way has %q %v", ref, base, got, ok, want, valid)
			}
		}
	})
}

// TestPlain has addresses that need not be read byte by byte, and others.
func TestPlain(t *testing.T) {
	var b Base
	b.Set([]byte("http://a.b/c/d;p?q"))
	for ref, want := range map[string]bool{
		"https://example.org/a/b.html?x=1&y=%20": true, "http://example.org": true, "/": true, "/a": true, "https://a.b?x": true,
		"": false, "a": false, "//a/b": false, "/a/../b": false, "/a b": false, "/a#b": false, "HTTP://a/": false, "http://A/": false,
	} {
		if _, ok := b.appendPlain(nil, []byte(ref)); ok != want {
			t.Errorf("%q is plain: %v", ref, ok)
		}
	}
}
