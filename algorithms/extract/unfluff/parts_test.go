package unfluff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/stopwords"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// write is the document as HTML, names of elements and texts alone.
func (d *document) write(p *page.Page, x ref) string {
	n := &d.nodes[x]
	var b strings.Builder
	if n.tag == html.TagText {
		for r := n.runs; r != 0; r = d.runs[r].next {
			b.Write(d.text[d.runs[r].start:d.runs[r].end])
		}
		return b.String()
	}
	for k := n.first; k != 0; k = d.nodes[k].next {
		b.WriteString(d.write(p, k))
	}
	return fmt.Sprintf("<%s>%s</%[1]s>", p.TagName(n.tag), b.String())
}

// TestClean has the program's own results (unfluff 3.2.0), written down again.
func TestClean(t *testing.T) {
	for src, want := range map[string]string{
		// Bare text waits for a p or the end; a link comes out twice.
		"<div>a1 <a>b</a> c1<h2>d</h2><p>e</p>f1</div>": "<p>b</p><p>d</p><p>a1  <a>b</a>  c1</p><p>e</p><p>f1</p>",
		// A text of one character is lost, and so are elements without contents.
		"<div>x<hr><p>e</p></div>": "<p>e</p>",
		// Links before a text are taken from the nearest on, after it only one.
		"<div><a>1</a><a>2</a>tt<a>3</a><a>4</a></div>": "<p>1</p><p>2</p><p>3</p><p>4</p><p> <a>2</a>  <a>1</a> tt <a>3</a> </p>",
		// Only the outermost div is rewritten.
		"<div><div><div>deep</div></div></div>":     "<p><div>deep</div></p>",
		"<div><div><p>deep</p></div></div>":         "<p></p><p>deep</p><p></p>",
		"<div><section><h1>h</h1>t</section></div>": "<p><section><h1>h</h1>t</section></p>",
		// A heading ends the paragraph that is written around it.
		"<div><h1>h</h1>t</div>":    "<p></p><h1>h</h1>t<p></p>",
		"<p>a<em>b</em>c":           "<p>abc</p>",
		"<p>a<em>b<em>c</em></em>d": "<p>ab<em>c</em>d</p>",
		"<em>a</em><em><img></em>":  "<em>a</em><em><img></img></em>",
		"<p>a<span>b<span>c</span></span></p><span>d<span>e</span></span>": "<p>ab<p>c</p></p><p>d<span>e</span></p>",
		"<pre>a <b>b</b>\n</pre><ul class='x task-list'><li>c</ul>":        "a b\nc",
		"<u>a<u>b</u></u>":                   "a<u>b</u>",
		"<p>a\nb\nc\n\nd</p>":                "<p>a b\nc\n\nd</p>",
		"<li>a\nb":                           "<li>a\nb</li>",
		"<div>a\tb\nc<p>e</p></div>":         "<p>ab\n\nc</p><p>e</p>",
		"<div class=Twitter>a</div>":         "<p>a</p>",
		"<div class='a twitter'>a</div>":     "",
		"<div class=-twitter>a</div>":        "<p>a</p>",
		"<div id=xmore>a</div>":              "",
		"<div id=emore>a</div>":              "<p>a</p>",
		"<span class=dropcap>A</span>bc":     "Abc",
		"<div class=navBAR>a</div><i id=fn>": "",
		"<h1>x</h1><p>a<svg><text>no</text></svg><span hidden>no</span>": "<h1>x</h1><p>a<svg></svg></p>",
	} {
		p := algotest.Pass("<body>" + src)
		var d document
		d.read(p)
		d.clean()
		got := d.write(p.Page, d.root)
		got = strings.TrimSuffix(strings.TrimPrefix(got, "<html><body>"), "</body></html>")
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", src, got, want)
		}
		d.check(t, src)
	}
}

// check looks at all links of the tree.
func (d *document) check(t *testing.T, src string) {
	t.Helper()
	seen := 0
	for x := d.root; x != 0; x = d.step(x, d.root) {
		if seen++; seen > len(d.nodes) {
			t.Fatalf("%s: a circle", src)
		}
		last := ref(0)
		for k := d.nodes[x].first; k != 0; k = d.nodes[k].next {
			if d.nodes[k].parent != x || d.nodes[k].prev != last {
				t.Fatalf("%s: node %d below %d has the parent %d and %d before it, not %d", src, k, x, d.nodes[k].parent, d.nodes[k].prev, last)
			}
			last = k
		}
		if d.nodes[x].last != last {
			t.Fatalf("%s: the last child of %d is %d, not %d", src, x, last, d.nodes[x].last)
		}
	}
}

// slowNext is lookAhead without memory.
func (d *document) slowNext(x ref) ref {
	for !d.nodes[x].cutNext {
		if x = d.nodes[x].next; x == 0 || d.nodes[x].tag != html.TagText {
			return x
		}
	}
	return 0
}

func TestLookAhead(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		d := document{nodes: make([]node, 1), runs: make([]textRun, 1)}
		var c chain
		for range random.IntN(12) {
			x := d.newElement(html.TagA)
			if random.IntN(4) > 0 {
				x = d.newText(0, 0, 0)
			}
			d.push(&c, x)
			d.nodes[x].cutNext = random.IntN(5) == 0
		}
		var ahead lookAhead
		for k := c.first; k != 0; k = d.nodes[k].next {
			if d.nodes[k].tag != html.TagText {
				continue
			}
			if got, want := ahead.element(&d, k), d.slowNext(k); got != want {
				t.Fatalf("after %d comes %d, want %d", k, got, want)
			}
		}
	}
}

// TestLarge has pages that would take minutes if any step looked at siblings or
// ancestors again and again.
func TestLarge(t *testing.T) {
	const n = 150_000
	head := "<html lang=en><body><p>the cat is on the mat and it is in it</p>"
	for name, src := range map[string]string{
		"texts":    head + "<div>" + strings.Repeat("of it <!-- -->", n) + "</div>",
		"links":    head + "<div>" + strings.Repeat("<a>of it</a>", n) + "and that is it</div>",
		"between":  head + "<div>" + strings.Repeat("<a>of it</a><!-- --> <!-- -->", n) + "and that is it</div>",
		"spans":    head + "<div>" + strings.Repeat("<span>of <em>it</em><a>is</a></span>", n) + "</div>",
		"cells":    head + "<table>" + strings.Repeat("<td>it is in of the", n),
		"siblings": head + strings.Repeat("<section><p>it is in of the house</p></section>", n),
		"nested":   head + strings.Repeat("<section><p>it is in (of the", n),
		"lines":    head + "<div>" + strings.Repeat("it is in\n---\nof the\n", n) + "</div>",
		"marks":    "<body>" + strings.Repeat("<i>", 400) + strings.Repeat(".-", n) + strings.Repeat(" ", n),
	} {
		t.Run(name, func(t *testing.T) { algotest.Text(t, Extractor, src) }) // the limit is that of go test
	}
}

// TestReplacedNeighbour: a walk over siblings does not get past an
// element that was replaced (see the package's doc).
func TestReplacedNeighbour(t *testing.T) {
	const p = "<p>the cat is on the mat and it is in it</p>"
	f := func(body, want string) {
		t.Helper()
		w, _ := runOn(t, "<html lang=en><body>"+body)
		var got []string
		for i, tag := range w.flat.tag {
			if tag == html.TagP {
				got = append(got, fmt.Sprint(textBefore(&w.flat, int32(i))))
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", body, got, want)
		}
	}
	f(p+p, "[false true]")
	f(p+"<div>it is</div>"+p, "[false true false]") // the new p sees the first one, the last one sees nothing
	f(p+"<section>it is</section>"+p, "[false true]")
	f(p+"<p>x</p><p>y</p><p>z</p>"+p, "[false true true true false]") // not farther than three
}

// TestStopWords has the worked example of the definition, and slices.
func TestStopWords(t *testing.T) {
	en := stopwords.Load("en")
	f := func(text string, want int) {
		t.Helper()
		var w wordText
		w.reset()
		a := w.here()
		w.add([]byte(text))
		b := w.here()
		w.seal(en)
		if got := w.count(a, b, en); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	f("The cat is on the mat, and it is fine", 7)
	f("The cat is on\nthe mat, and it is fine", 5)
	f("(The) cat’s #is# o-n t.h.e", 4)
	f("", 0)
	f(" the ", 1)
}

// slow counts as the program does.
func slow(text string, list *stopwords.List) (n int) {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune("|@<>[]\"'.,-/#?!$%^&*+;:{}=_`~()", r) {
			return -1
		}
		return r
	}, text)
	for _, word := range strings.Split(text, " ") {
		if list.Has([]byte(strings.ToLower(word))) {
			n++
		}
	}
	return n
}

// TestFlatTwin compares the columns with what the program computes from the
// text of each element.
func TestFlatTwin(t *testing.T) {
	words := strings.Fields("the of it is a grain, (and) in! über 穀物 𝒳 that on\tto")
	random := rand.New(rand.NewPCG(3, 4))
	for seed := range uint64(200) {
		src := algotest.Random(seed)
		if seed%2 == 0 { // function words across tags
			var b strings.Builder
			for range 200 {
				b.WriteString(words[random.IntN(len(words))])
				b.WriteString([]string{" ", " ", "", "\n", "<b>", "</b>", "<a>", "</a> ", "<div>", "</div>", "<p>", "<table><td>", "</table>", "<br>"}[random.IntN(14)])
			}
			src = "<html lang=en><body>" + b.String()
		}
		w, p := runOn(t, src)
		w.document.read(p)
		w.document.clean()
		w.document.check(t, src)
		if w.root == 0 {
			continue
		}
		w.flat.lay(&w.document, w.language(p.Page))
		f := &w.flat
		for i := range f.tag {
			var all, linked strings.Builder
			links := 0
			for k := int32(i); k < f.end[i]; k++ {
				if f.tag[k] == html.TagText {
					all.WriteString(w.document.write(p.Page, f.node[k]))
				} else if f.tag[k] == html.TagA && k > int32(i) {
					if links++; links > 1 {
						linked.WriteByte(' ')
					}
					for m := k; m < f.end[k]; m++ {
						if f.tag[m] == html.TagText {
							linked.WriteString(w.document.write(p.Page, f.node[m]))
						}
					}
				}
			}
			text := all.String()
			if got, want := f.stopWords(int32(i)), slow(text, f.list); got != want {
				t.Fatalf("page %d: %d function words in %q, want %d", seed, got, text, want)
			}
			if got, want := int(f.units(int32(i))), len(utf16.Encode([]rune(text))); got != want {
				t.Fatalf("page %d: %d units in %q, want %d", seed, got, text, want)
			}
			heavy := links > 0 && float64(strings.Count(linked.String(), " ")+1)/float64(strings.Count(text, " ")+1)*float64(links) >= 1
			if got := f.linkHeavy(int32(i)); got != heavy {
				t.Fatalf("page %d: link heavy %v: %q with links %q", seed, got, text, linked.String())
			}
		}
	}
}

func TestMatcher(t *testing.T) {
	words := []string{"he", "she", "his", "hers", "s-a"}
	m := newMatcher(words)
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		b := make([]byte, random.IntN(8))
		for i := range b {
			b[i] = "hHeEsSrRiI-axÿ"[random.IntN(14)]
		}
		want := false
		for _, word := range words {
			want = want || strings.Contains(strings.ToLower(string(b)), word)
		}
		if got := m.in(b); got != want {
			t.Fatalf("%q: %v", b, got)
		}
	}
}

func TestBadNames(t *testing.T) {
	for name, want := range map[string]bool{
		"side": true, "SIDE": true, "sidebar": false, "post-meta": true, "metadata": false, "metal": false,
		"fn": true, "fnord": false, "updated": true, "Footer": true, "story": false, "": false, "f": false, "hashtags": true,
	} {
		if got := bad([]byte(name)); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
