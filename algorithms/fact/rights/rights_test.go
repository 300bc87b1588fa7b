package rights

import (
	"maps"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/fact"
)

func TestFact(t *testing.T) { algotest.Fact(t, Fact) }

// found returns what is found on a page, without the directives that are false.
func found(t testing.TB, html string, headers ...fact.Header) map[string]string {
	t.Helper()
	values := algotest.Show(Fact.Page, algotest.FindOn(t, Fact.Page, algotest.Pass(html), nil, headers...))
	for _, c := range columns[noindex : noimageai+1] {
		if values[c.Name] == "false" {
			delete(values, c.Name)
		}
	}
	return values
}

func TestRights(t *testing.T) {
	f := func(html string, want map[string]string, headers ...string) {
		t.Helper()
		var list []fact.Header
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			list = append(list, fact.Header{Name: name, Value: value})
		}
		if got := found(t, html, list...); !maps.Equal(got, want) {
			t.Errorf("%s %q:\n got %v\nwant %v", html, headers, got, want)
		}
	}
	type m = map[string]string

	// Robots, for all and for some.
	f(`<p>nothing said`, m{})
	f(`<meta name=robots content="NoIndex, follow"><meta name=ROBOTS content="noai, noimageai">`,
		m{"robots": "noindex,follow,noai,noimageai", "noindex": "true", "noai": "true", "noimageai": "true"})
	f(`<meta name=robots content=none>`, m{"robots": "none", "noindex": "true", "nofollow": "true"})
	f(`<meta name=robots content="max-snippet: 0, max-image-preview:large, nocache">`,
		m{"robots": "max-snippet:0,max-image-preview:large,nocache", "nosnippet": "true", "noarchive": "true"})
	f(`<meta name=Googlebot content=noindex><meta name=GPTBot content="noai"><meta name=slurp content=noarchive>`,
		m{"robots_agents": "googlebot:noindex,gptbot:noai,slurp:noarchive"})
	f(`<meta name=referrer content=none><meta name=mybot content="a robot that we sell">`, m{})
	f(``, m{"robots": "noindex,nofollow", "noindex": "true", "nofollow": "true"}, "x-robots-tag: noindex", "x-robots-tag: nofollow, noindex")
	f(``, m{"robots": "nosnippet", "nosnippet": "true", "robots_agents": "otherbot:noindex,otherbot:nofollow,googlebot:max-snippet:5"},
		"x-robots-tag: nosnippet, otherbot: noindex, nofollow", "x-robots-tag: googlebot: max-snippet: 5")
	f(``, m{"robots": "unavailable_after:fri,noarchive", "noarchive": "true"}, "x-robots-tag: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, noarchive")

	// Text and data mining: what is reserved anywhere is reserved.
	f(`<meta name="tdm-reservation" content="1"><meta name="tdm-policy" content="https://e.org/policy.json">`,
		m{"tdm_reservation": "true", "tdm_policy": "https://e.org/policy.json"})
	f(`<meta name="tdm-reservation" content="0">`, m{"tdm_reservation": "true", "tdm_policy": "/p"}, "tdm-reservation: 1", "tdm-policy: /p")
	f(``, m{"tdm_reservation": "false"}, "tdm-reservation: 0")
	f(`<meta name="tdm-reservation" content="maybe">`, m{})

	// Preferences of use: what any statement disallows is disallowed.
	f(`<meta name=robots content=noml>`, m{"robots": "noml", "noai": "true"})
	f(``, m{"content_usage": "train-ai=n,search=y", "train_ai_reserved": "true", "search_reserved": "false"}, "content-usage: train-ai=n, search=y;a=b")
	f(``, m{"content_signal": "search=yes,ai-train=no,ai-input=no", "train_ai_reserved": "true", "ai_use_reserved": "true", "search_reserved": "false"},
		"content-signal: search=yes,ai-train=no, AI-Input=NO")
	f(``, m{"content_usage": "train-ai=y,ai-use=n", "content_signal": "ai-train=no", "train_ai_reserved": "true", "ai_use_reserved": "true"},
		"content-usage: train-ai=y", "content-signal: ai-train=no", "content-usage: ai-use=n")
	f(``, m{"content_usage": "train-ai=n,train-ai=y", "train_ai_reserved": "true"}, "content-usage: train-ai=n, train-ai=y")
	f(``, m{"content_usage": "train-ai,bots=n,search=maybe"}, "content-usage: train-ai, bots=n, search=maybe, =n, , \"a\"=n")

	// Licences.
	f(`<p><a rel="nofollow license" href="https://example.org/terms">terms</a> <a href="https://creativecommons.org/licenses/by/4.0/">picture</a>`,
		m{"license": "https://example.org/terms"})
	f(`<a href="http://www.creativecommons.org/licenses/BY-NC-SA/3.0/de/deed.en">CC</a><a rel=license href="//creativecommons.org/publicdomain/zero/1.0/">0</a>`,
		m{"license": "//creativecommons.org/publicdomain/zero/1.0/", "cc_license": "zero-1.0"})
	f(`<a href="http://www.creativecommons.org/licenses/BY-NC-SA/3.0/de/deed.en">CC</a>`,
		m{"license": "http://www.creativecommons.org/licenses/BY-NC-SA/3.0/de/deed.en", "cc_license": "by-nc-sa-3.0"})
	f(`<a href="https://creativecommons.org/about/">about</a><a href="https://evil.example/?creativecommons.org/licenses/by/4.0">x</a>`, m{})

	// The canonical address.
	f(`<link rel=canonical href="/story?id=1#top">`, m{"canonical_url": "http://example.org/story?id=1#top"})
	f(`<base href="https://other.example/a/"><link rel="Canonical" href="b">`, m{"canonical_url": "https://other.example/a/b"})
	f(`<a rel=canonical href="/no">`, m{"canonical_url": "https://e.org/x"}, `link: <https://e.org/style.css>; rel=preload, <https://e.org/x>; rel="canonical"`)
	f(`<link rel=canonical href="http://%zz/">`, m{"canonical_url": "http://%zz/"})

	// Payment.
	f(`<script type="application/ld+json">[{"@type":"NewsArticle","isAccessibleForFree":"False","hasPart":{"isAccessibleForFree":true}}]</script>`,
		m{"accessible_for_free": "false"})
	f(`<script type="application/ld+json"><!-- {"@graph":[{"a":1},{"isAccessibleForFree":true}]}; --></script>`, m{"accessible_for_free": "true"})
	f(`<meta itemprop=isAccessibleForFree content="http://schema.org/False">`, m{"accessible_for_free": "false"})
	f(`<script type="application/ld+json">{"isAccessibleForFree":</script>`, m{})
}

// TestFilesOfTheHost: what robots.txt and tdmrep.json say counts where the page says nothing.
func TestFilesOfTheHost(t *testing.T) {
	site := &fact.Site{Headers: []fact.Header{{Name: "content-usage", Value: "train-ai=n"}, {Name: "content-signal", Value: "search=no"},
		{Name: "tdm-reservation", Value: "1"}, {Name: "tdm-policy", Value: "/terms"}}}
	f := func(html string, want map[string]string, headers ...fact.Header) {
		t.Helper()
		out := make([]fact.Value, len(columns))
		if err := find(&fact.Subject{Pass: algotest.Pass(html), Headers: headers, Site: site, Out: out}); err != nil {
			t.Fatal(err)
		}
		got := algotest.Show(Fact.Page, out)
		maps.DeleteFunc(got, func(_, value string) bool { return value == "false" })
		if !maps.Equal(got, want) {
			t.Errorf("%s %q:\n got %v\nwant %v", html, headers, got, want)
		}
	}
	f(`<p>x`, map[string]string{"content_usage": "train-ai=n", "content_signal": "search=no", "train_ai_reserved": "true", "search_reserved": "true",
		"tdm_reservation": "true", "tdm_policy": "/terms"})
	f(`<meta name="tdm-reservation" content="0">`, map[string]string{"content_usage": "train-ai=y", "content_signal": "search=no", "search_reserved": "true"},
		fact.Header{Name: "content-usage", Value: "train-ai=y"})
}

func FuzzRights(f *testing.F) {
	f.Add(`<meta name=robots content="a:b:c,,:"><link rel=canonical href="//[">`, "x-robots-tag", "otherbot:: noindex:, unavailable_after:,1")
	f.Add(`<script type="application/ld+json">{"isAccessibleForFree":[[]]}</script>`, "link", `<x>; rel="canonical"`)
	f.Add(``, "content-usage", "train-ai=n;,=,;=n,search==y")
	f.Add(`<a rel=license href="http://creativecommons.org/licenses/by/....">`, "tdm-reservation", "1")
	f.Fuzz(func(t *testing.T, html, name, value string) {
		found(t, strings.ToValidUTF8(html, "?"), fact.Header{Name: name, Value: value})
	})
}

// BenchmarkFact measures the cost beside that of the parse, on the same pages.
func BenchmarkFact(b *testing.B) { algotest.BenchmarkFact(b, Fact) }
