package fastcontentextractor

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
)

func TestSite(t *testing.T) {
	algotest.Site(t, Extractor, algotest.Website())
	whole := Default
	whole.Compare, whole.Cut = Whole, HTML5
	algotest.Site(t, New(whole), algotest.Website())
}

func TestNoGarbage(t *testing.T) {
	algotest.SiteNoGarbage(t, Extractor)
	whole := Default
	whole.Compare = Whole
	algotest.SiteNoGarbage(t, New(whole))
}

func FuzzOpen(f *testing.F) { algotest.FuzzOpen(f, Extractor, algotest.Website()) }

func at(i int, body string) algotest.SitePage {
	return algotest.SitePage{URL: fmt.Sprintf("http://example.org/%d", i), HTML: "<body>" + body, Rank: uint64(i + 1)}
}

func pages() []algotest.SitePage {
	var out []algotest.SitePage
	for i, word := range []string{"zero", "one", "two", "three", "four"} {
		out = append(out, at(i, `<ul>home news</ul><div>`+word+`<p>about `+word+` and more</p><p>share this page</p></div>`))
	}
	out[4].HTML += `<table><tr><td>only here</table>`
	return out
}

// TestLearnByHand: DF of every block among the other four pages, DFmax(4) = 1.
//
//	path      block                    DF
//	UL        {home news}              4   template; no content at UL: not in P
//	DIV       {zero} … {four}          0   content: DIV in P
//	DIV.P     {about zero and more}…   0   cosine 3/4 with each other: content, DIV.P in P
//	DIV.P     {share this page}        4   template at a path of P: nonContent
//	TABLE.TR  {only here}              0   content on one page: in P with support 1
func TestLearnByHand(t *testing.T) {
	f := func(support int, want string, rest int) {
		t.Helper()
		p := Default
		p.Support = support
		l := algotest.Learn(t, New(p), pages()).Value.(*template)
		var paths []uint64
		for _, path := range strings.Fields(want) {
			paths = append(paths, hashOf(path))
		}
		slices.Sort(paths)
		if !slices.Equal(l.paths, paths) || l.set.Len() != rest {
			t.Errorf("support %d: %x with %d vectors, want %x with %d", support, l.paths, l.set.Len(), paths, rest)
		}
		for i, at := range l.at {
			if l.paths[at] != hashOf("DIV.P") || len(l.set.View(i).IDs) != 3 {
				t.Errorf("vector %d at %x: %v", i, l.paths[at], l.set.View(i))
			}
		}
	}
	f(1, "DIV DIV.P TABLE.TR", 1)
	f(2, "DIV DIV.P", 1)
	f(6, "", 0)

	l := algotest.Learn(t, Extractor, pages())
	if got := l.Text(t, pages()[1]); got != "one\nabout one and more" {
		t.Errorf("%q", got)
	}
	outside := at(9, `<ul>home news</ul><ul>sports</ul><div>nine<p>nine lives</p><p>share this page</p></div><div><ul>no</ul></div>`)
	if got := l.Text(t, outside); got != "nine\nnine lives" {
		t.Errorf("%q", got)
	}
}

// TestThreshold: of eleven pages two have a note. DF is 1 among the other ten, and
// DFmax(10) = 1, so it is template; DFmax(11) would be 2.
func TestThreshold(t *testing.T) {
	var sample []algotest.SitePage
	for i := range 11 {
		note := ""
		if i < 2 {
			note = "<p>a note</p>"
		}
		sample = append(sample, at(i, fmt.Sprintf("<p>own%d</p>%s", i, note)))
	}
	if got := algotest.Learn(t, Extractor, sample).Text(t, sample[0]); got != "own0" {
		t.Errorf("%q", got)
	}
}

// TestPaperFigure learns from pages made like the paragraph that the paper
// prints, and finds a phrase in the text of that paragraph that runs over two
// blocks.
func TestPaperFigure(t *testing.T) {
	const figure = `<p> On Sept. 27, the US <span class="yshortcuts" id="lw_1223369478_0">House of
Representatives</span> unanimously passed a resolution recognizing <span
class="yshortcuts" id="lw_1223369478_1">The Christian Science Monitor</span> on its centennial.
The measure was sponsored by <span class="yshortcuts" id="lw_1223369478_2">Rep. Lamar
Smith</span> (R) of Texas who once served on the Monitor staff. It was cosponsored
by 40 other <span class="yshortcuts" id="lw_1223369478_3">members of Congress</span>. </p>`
	var sample []algotest.SitePage
	for i := range 5 {
		sample = append(sample, at(i, fmt.Sprintf(`<ul>Home World</ul><p>Story %c about <span>Person %c</span> and <span>Place %c</span>.</p>`, 'a'+i, 'k'+i, 'p'+i)))
	}
	got := algotest.Learn(t, Extractor, sample).Text(t, at(9, "<ul>Home World</ul>"+figure))
	want := "On Sept. 27, the US House of Representatives unanimously passed a resolution recognizing The Christian Science Monitor " +
		"on its centennial. The measure was sponsored by Rep. Lamar Smith (R) of Texas who once served on the Monitor staff. " +
		"It was cosponsored by 40 other members of Congress."
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !strings.Contains(got, "the US House of Representatives") {
		t.Error("the phrase is not found")
	}
}

func TestBounds(t *testing.T) {
	var sample []algotest.SitePage
	for i := range 5 { // each page has content at 900 paths of its own
		var b strings.Builder
		for n := 900 * i; n < 900*(i+1); n++ {
			open, shut := "", ""
			for bit := range 13 {
				name := []string{"div", "ul"}[n>>bit&1]
				open, shut = open+"<"+name+">", "</"+name+">"+shut
			}
			fmt.Fprintf(&b, "%swords%d%s", open, n, shut)
		}
		sample = append(sample, at(i, b.String()))
	}
	if _, err := algotest.TryLearn(t, Extractor, sample); err != algorithms.ErrOversize {
		t.Errorf("error %v", err)
	}

	var big []algotest.SitePage
	for i := range 5 {
		var b strings.Builder
		for j := range 9000 {
			fmt.Fprintf(&b, "<p>text w%d v%d u%d t%d s%d%s</p>", j, j+1, j+2, j+3, j+4, []string{" and more", "", ""}[j%3])
		}
		fmt.Fprintf(&b, "<p>own%d</p>", i)
		big = append(big, at(i, b.String()))
	}
	l := algotest.Learn(t, Extractor, big)
	if !slices.Equal(l.Notes, []string{algorithms.NoteTruncated}) || len(l.Body) < algorithms.MaxTemplate*9/10 {
		t.Errorf("%v, %d bytes", l.Notes, len(l.Body))
	}
	long, set := 0, &l.Value.(*template).set
	for i := range set.Len() {
		if len(set.View(i).IDs) == 8 {
			long++
		}
	}
	if long != 3000 {
		t.Errorf("%d of 3000 long vectors are left", long)
	}
	if l.Nothing {
		t.Error("nothing was found to be template")
	}
}

func TestNothing(t *testing.T) {
	var sample []algotest.SitePage
	for i := range 5 {
		sample = append(sample, at(i, fmt.Sprintf("<p>page%d", i)))
	}
	if l := algotest.Learn(t, Extractor, sample); !l.Nothing {
		t.Error("something was found to be template")
	}
}
