package unfluff

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

func TestProperties(t *testing.T) {
	algotest.Extractor(t, Extractor)
	algotest.NoGarbage(t, Extractor)
}

func TestGolden(t *testing.T) { algotest.Golden(t, Extractor) }

func TestEdges(t *testing.T) {
	algotest.Edges(t, Extractor, map[string]string{
		"empty": "", "blank": "", "no-body": "", "frameset": "", "one-text": "", "one-word": "", "only-links": "",
		"only-images": "", "only-hidden": "", "long-word": "",
		// No blanks, no function words.
		"chinese": "", "thai": "",
		// The text is there, in a p, and has fewer than three function words.
		"deep": "bottom of the well",
		// One paragraph of a megabyte.
		"long-text": strings.TrimSpace(strings.Repeat("grain and chaff ", 1<<16)),
	})
}

// TestRandom: any page gives a valid selection, the same again on used memory.
func TestRandom(t *testing.T) {
	p := algotest.Pass("")
	for seed := range uint64(400) {
		html := algotest.Random(seed)
		want := algotest.Text(t, Extractor, html)
		p.Page.Parse([]byte(html), page.Options{})
		p.Reset(p.Page, "")
		if err := Extractor.Run(p); err != nil {
			t.Fatal(err)
		}
		if got := string(p.Out.AppendText(nil, p.Body)); got != want {
			t.Fatalf("page %d: used memory gives %q, fresh %q", seed, got, want)
		}
	}
}

// run leaves the working memory of a page for a look at its parts.
func runOn(t *testing.T, html string) (*working, *algorithms.Pass) {
	t.Helper()
	p := algotest.Pass(html)
	if err := Extractor.Run(p); err != nil {
		t.Fatal(err)
	}
	return algorithms.Scratch[working](p), p
}

// TestElection works a page out by hand. Function words (English) in brackets.
//
//	body
//	  div: three p, no text directly in it, so it is rebuilt: its children come
//	       out as p of body
//	    p1  "the cat is on the mat and it is in it"  [the is on the and it is in it: 9]
//	    p2  "all of it was for both of us"           [every word: 8]
//	    p3  "grain chaff"                            [0: no candidate]
//	  article
//	    p4  "that is what they said to us"           [that is what they said to us: 7]
//
// Candidates: p1 p2 p4. p1: nothing before it, up = 9. p2: p1 before it has
// more than five, boost 50/1, up = 58. p4: no p before it, up = 7.
// body (parent of p1, p2; grandparent of p4) = 9, 67, 67+3.5 = 70.5, read as 70.
// html (grandparent of p1, p2) = 4.5, 4+29 = 33. article = 7.
func TestElection(t *testing.T) {
	w, p := runOn(t, "<html lang=en><body><div><p>the cat is on the mat and it is in it</p>"+
		"<p>all of it was for both of us</p><p>grain chaff</p></div>"+
		"<article><p>that is what they said to us</p></article></body>")
	got := fmt.Sprint(w.stops)
	for _, i := range w.parents {
		got += fmt.Sprintf(" %s=%v", p.Page.TagName(w.flat.tag[i]), w.score[i])
	}
	if want := "[9 8 7] body=70.5 html=33 article=7"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// article has 7 of 70: more than 0.08, it stays. p3 has no function words.
	if text, want := string(p.Out.AppendText(nil, p.Body)),
		"the cat is on the mat and it is in it\nall of it was for both of us\nthat is what they said to us"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
}

// TestBottom: of 20 candidates the last five (20/4) lose the square of their
// distance from there, unless that is more than 40.
//
//	candidate 15 has 5 left: boost -(5-5)² = 0; the last one has 1 left: -(5-1)² = -16
func TestBottom(t *testing.T) {
	w, _ := runOn(t, "<html lang=en><body>"+strings.Repeat("<section><p>it is in the house</p></section>", 20))
	if got := w.stops[0]; got != 4 {
		t.Fatalf("%d function words, want 4", got)
	}
	// Each section has its own p, so nothing precedes it and up is its score.
	var ups []string
	for _, i := range w.parents {
		if w.flat.tag[i] == html.TagSection {
			ups = append(ups, fmt.Sprint(w.score[i]))
		}
	}
	if got, want := strings.Join(ups, " "), "4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 3 0 -5 -12"; got != want {
		t.Errorf("scores %s, want %s", got, want)
	}
}

// TestLinkHeavy: three of eight words linked by two links is 3/8·2 < 1; by
// three links, 4 of 9 words, more than one.
func TestLinkHeavy(t *testing.T) {
	f := func(src string, want bool) {
		t.Helper()
		w, _ := runOn(t, "<body><p>"+src+"</p>")
		for i, tag := range w.flat.tag {
			if tag == html.TagP && w.flat.linkHeavy(int32(i)) != want {
				t.Errorf("%s: %v", src, !want)
			}
		}
	}
	f("a b c d e <a>f g</a> <a>h</a>", false)
	f("a b c d e <a>f g</a> <a>h</a> <a>i</a>", true)
	f("a b c", false)
	f("<a>a</a>", true)
}

// Before the winner: paragraphs of siblings with more than 0.3 of the mean.
//
//	winner  section 2, two p with 9 function words each, mean 9, 0.3 of it 2.7
//	before  section 1 with a p of 5 and one of 2
func TestSiblings(t *testing.T) {
	text := algotest.Text(t, Extractor, "<html lang=en><body>"+
		"<section><p>it is in the house of cards</p><p>the lid is red</p></section>"+
		"<section><p>the cat is on the mat and it is in it</p><p>the cat is on the mat and it is in it</p></section>"+
		"<section><p>this is what comes after it was over</p></section>")
	want := "it is in the house of cards\nthe cat is on the mat and it is in it\nthe cat is on the mat and it is in it"
	if text != want {
		t.Errorf("%q, want %q", text, want)
	}
}

// TestFormat has what is dropped inside of the winner.
func TestFormat(t *testing.T) {
	const p = "<p>the cat is on the mat and it is in it</p>"
	const line = "the cat is on the mat and it is in it"
	for html, want := range map[string]string{
		p + "<p>(it is what they said to us)</p>" + p:                                   line + "\n" + line,
		p + "<p>" + line + "<br>***<br>end</p>" + p:                                     line + "\n" + line + "\nend\n" + line,
		p + "<p>" + line + " <em>grain</em></p>":                                        line + "\n" + line + " grain", // unwrapped at the start
		p + "<p>" + line + " <cite>grain</cite></p>":                                    line + "\n" + line,
		p + "<p>" + line + " <b>grain</b></p>":                                          line + "\n" + line + " grain",
		p + "<p>" + line + " <a>grain</a></p>":                                          line + "\n" + line + " grain",
		p + "<ul><li>this is in the list<li>grain</ul>" + p:                             line + "\nthis is in the list\n" + line,
		p + "<dl><dd>this is in the list</dl>" + p:                                      line + "\n" + line, // no p in it
		p + "<h2>this is what it is all for</h2>" + p:                                   line + "\n" + line,
		p + "<blockquote><p>this is what it is all for</p></blockquote>" + p:            line + "\nthis is what it is all for\n" + line,
		p + "<blockquote><p>is in it as it is</p></blockquote>" + p:                     line + "\n" + line, // 17 characters
		p + "bare text with a letter" + p:                                               line + "\nbare text with a letter\n" + line,
		p + "…" + p:                                                                     line + "\n" + line,
		p + "<p class=comment>" + line + "</p><p id=Side>" + line + "</p>":              line,
		p + "<p name=x-META>" + line + "</p><p class=metal>" + line + "</p>":            line + "\n" + line,
		p + "<p>" + line + "<span class=date>it is of the</span></p>":                   line + "\n" + line,
		"<article class=comment>" + p + p + "</article><aside class=links>" + p + p + p: line + "\n" + line,
	} {
		if got := algotest.Text(t, Extractor, "<html lang=en><body>"+html); got != want {
			t.Errorf("%s:\n got %q\nwant %q", html, got, want)
		}
	}
}

// TestConformance: on the page that all methods are tried on only "one" and
// "two" are function words. Their paragraphs make the second inner div the best;
// its heading has no p, its third paragraph no function word.
func TestConformance(t *testing.T) {
	got := algotest.Text(t, Extractor, algotest.Conformance())
	count := map[string]int{}
	for _, word := range strings.Fields(got) {
		count[word]++
	}
	if want := "map[lnk:2 one:60 two:40]"; fmt.Sprint(count) != want {
		t.Errorf("%v, want %s", count, want)
	}
}

func TestLanguage(t *testing.T) {
	const german = "<body><p>das ist nicht von mir und auch nicht von dir</p>"
	for head, want := range map[string]bool{
		"<html lang=de>": true, "<html lang=DE-at>": true, "<html lang=german>": false, "<html>": false,
		"<html><meta name=lang content=de>": true, "<html><meta http-equiv=content-language content=de>": true,
		"<html lang=en><meta name=lang content=de>": false,
	} {
		if got := algotest.Text(t, Extractor, head+german) != ""; got != want {
			t.Errorf("%s: found something: %v", head, got)
		}
	}
}
