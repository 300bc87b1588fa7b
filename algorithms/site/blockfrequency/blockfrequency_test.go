package blockfrequency

import (
	"fmt"
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
)

func TestSite(t *testing.T)        { algotest.Site(t, Extractor, algotest.Website()) }
func TestLeaveOneOut(t *testing.T) { algotest.LeaveOneOut(t, Extractor, algotest.Website()) }
func TestNoGarbage(t *testing.T)   { algotest.SiteNoGarbage(t, Extractor) }

func FuzzOpen(f *testing.F) { algotest.FuzzOpen(f, Extractor, algotest.Website()) }

// BenchmarkSite measures applying a template against a parse, and learning.
//
//	go test ./algorithms/site/blockfrequency -run '^$' -bench Site
func BenchmarkSite(b *testing.B) { algotest.BenchmarkSite(b, Extractor) }

func at(i int, body string) algotest.SitePage {
	return algotest.SitePage{URL: fmt.Sprintf("http://example.org/%d", i), HTML: "<body>" + body, Rank: uint64(i + 1)}
}

func pages() []algotest.SitePage {
	var out []algotest.SitePage
	for i, word := range []string{"zero", "one", "two", "three", "four"} {
		note := ""
		if i%2 == 0 {
			note = "<p>a note</p>"
		}
		out = append(out, at(i, `<ul><li><a href=/>Home</a></li></ul><div>`+word+`<p>of <b>`+word+`</b></p>`+note+`</div><p><img src=/logo.png></p>`))
	}
	return out
}

// TestByHand: on the other four pages of the sample, or all five,
//
//	li "Home" → /     DF 4, outside 5
//	p "a note"        DF 2 on pages 0, 2, 4; outside 3
//	p logo.png        DF 4, outside 5
//	all others        DF 0
//
// and DFmax(4) = 1, DFmax(5) = 1 for φ = 10 %; 3 and 3 for 60 %; 3 and 4 for 61 %.
func TestByHand(t *testing.T) {
	f := func(phi int, p algotest.SitePage, want string) {
		t.Helper()
		if got := algotest.Learn(t, New(Params{phi}), pages()).Text(t, p); got != want {
			t.Errorf("φ %d: %s: %q, want %q", phi, p.URL, got, want)
		}
	}
	f(10, pages()[0], "zero\nof zero")
	f(10, pages()[1], "one\nof one")
	f(60, pages()[0], "zero\nof zero\na note")
	note := at(9, `<p>a note</p>`)
	f(60, note, "")
	f(61, note, "a note")
	// The same words with another link, or in another order, are another block.
	f(10, at(9, `<ul><li><a href=/x>Home</a></li><li><a href="http://example.org#top">Home</a></li></ul><div>five</div>`), "Home\nfive")
	f(10, at(9, `<ul><li>example.org/<b>Home</b></li></ul>`), "example.org/Home") // a text is no link
	f(10, at(9, `<p>note a</p><p>a <b>note</b></p>`), "note a\na note")
}

// TestMedia: media count by what they are and their addresses.
func TestMedia(t *testing.T) {
	l := algotest.Learn(t, Extractor, pages())
	p := l.Run(t, at(9, `<p><img src="http://example.org/logo.png"></p><p><img src=/other.png></p><p><iframe src=/logo.png></iframe></p>`))
	n := 0
	for _, rows := range p.Out.Rows {
		n += int(rows.End - rows.Start)
	}
	if n != 4 { // two paragraphs with their media
		t.Errorf("%d rows kept, want 4", n)
	}
}

func TestNotes(t *testing.T) {
	l := algotest.Learn(t, Extractor, pages())
	if p := l.Run(t, at(9, "<h1>else</h1>")); !slices.Equal(p.Notes, []string{algorithms.NoteNoMatch}) {
		t.Errorf("notes %v", p.Notes)
	}
	if l.Nothing || len(l.Notes) > 0 {
		t.Errorf("%+v", l.Learned)
	}
	if _, err := algotest.TryLearn(t, Extractor, pages()[:4]); err != algorithms.ErrTooFewPages {
		t.Errorf("four pages: %v", err)
	}
}
