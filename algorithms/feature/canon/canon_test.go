package canon

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

func pass(html string) *algorithms.Pass {
	var p algorithms.Pass
	pg := new(page.Page)
	pg.Parse([]byte(html), page.Options{})
	p.Reset(pg, "http://example.org/a/")
	return &p
}

func of(t *testing.T, p *algorithms.Pass) *Tree {
	t.Helper()
	tr, err := Of(p)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// outline is "name[first leaf,end leaf) (kids)".
func outline(p *algorithms.Pass, t *Tree, n Node) string {
	s := p.Page.TagName(t.Tag[n])
	if t.Tag[n] == html.TagText {
		return fmt.Sprintf("%q", t.Text(int(t.First[n])))
	}
	if t.Scripts[n] > 0 {
		s += fmt.Sprintf("+%d", t.Scripts[n])
	}
	var kids []string
	for c := n + 1; c < t.End[n]; c = t.End[c] {
		kids = append(kids, outline(p, t, c))
	}
	if len(kids) > 0 {
		s += "(" + strings.Join(kids, " ") + ")"
	}
	return s
}

func TestTree(t *testing.T) {
	f := func(html, want string) {
		t.Helper()
		p := pass(html)
		tr := of(t, p)
		if tr.Len() == 0 {
			if want != "" {
				t.Errorf("%s: empty, want %s", html, want)
			}
			return
		}
		if got := outline(p, tr, 0); got != want {
			t.Errorf("%s:\n%s, want\n%s", html, got, want)
		}
	}
	f(`<body class="p7">  Hello <!-- x -->you <img src=a.png><script>1</script><p><b></b>`, `body+1("Hello you" img p(b))`)
	f(`<p>a<script>1</script>b<meta name=x>c <link href=x> d`, `body(p+1("abc d"))`)
	f(`<pre>one
  two	three</pre>`, `body(pre("one two three"))`)
	f("<p>cafe\u0301\u00a0 noir", "body(p(\"caf\u00e9 noir\"))")
	f(`<video><p>no</p><source src=v></video><svg><text>x</text></svg><iframe>x</iframe>`, `body(video svg iframe)`)
	f(`<p hidden>not seen</p><select><option>one</select><x-y>z</x-y>`, `body(p("not seen") select x-y("z"))`)
	f(`<body><noscript><p>no</p></noscript><template><p>no</p></template><style>p{}</style>yes`, `body("yes")`)
	f(`<table><tr><td>1</table>`, `body(table(tbody(tr(td("1")))))`)
	f(`<frameset><frame src=a></frameset>`, ``)
	f(``, `body`)
}

func TestColumns(t *testing.T) {
	p := pass(`<div>one<p>two <a href=x>three</a></p></div><p>four</p>`)
	tr := of(t, p)
	// 0 body 1 div 2 "one" 3 p 4 "two" 5 a 6 "three" 7 p 8 "four"
	equal := func(name string, got, want []int32) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	equal("parent", tr.Parent, []int32{-1, 0, 1, 1, 3, 3, 5, 0, 7})
	equal("end", tr.End, []int32{9, 7, 3, 7, 5, 7, 7, 9, 9})
	equal("depth", tr.Depth, []int32{0, 1, 2, 2, 3, 3, 4, 1, 2})
	equal("first", tr.First, []int32{0, 0, 0, 1, 1, 2, 2, 3, 3, 4})
	for i, l := range tr.Leaves {
		if l.InLink != (i == 2) || l.Media || l.Hidden {
			t.Errorf("leaf %d: %+v", i, l)
		}
	}
	if tr.Path[3] == tr.Path[7] || tr.Path[2] == tr.Path[4] {
		t.Error("two paths have one hash")
	}
	div, text := xxhash.Sum64String("div"), xxhash.Sum64String("#text")
	body := Join(xxhash.Sum64String("body"), 0)
	if tr.Path[0] != body || tr.Path[2] != Join(Join(body, div), text) {
		t.Error("paths are not chains of names")
	}
}

func TestSubtrees(t *testing.T) {
	p := pass(`<div><p>x</p><p>y</p></div><div><p>x</p><p>y</p></div><div><p>y</p><p>x</p></div>`)
	tr, idc, tags := of(t, p), IDC.Of(p), Tags.Of(p)
	a, b, c := Node(1), tr.End[1], tr.End[tr.End[1]]
	if idc.Sub[a] != idc.Sub[b] || idc.Sub[a] == idc.Sub[c] {
		t.Error("idc: equal subtrees and only they have one hash")
	}
	if tags.Sub[a] != tags.Sub[c] {
		t.Error("tags: what texts say must not matter")
	}
}

// TestLabels compares the labels of the first element of two pages.
func TestLabels(t *testing.T) {
	same := func(a, b string, tags, idc, full bool) {
		t.Helper()
		x, y := pass(a), pass(b)
		for _, f := range []struct {
			feature *algorithms.Feature[Labels]
			want    bool
		}{{&Tags, tags}, {&IDC, idc}, {&Full, full}} {
			if got := f.feature.Of(x).Label[1] == f.feature.Of(y).Label[1]; got != f.want {
				t.Errorf("%s: %s and %s: same %v, want %v", f.feature.Name, a, b, got, f.want)
			}
		}
	}
	same(`<p>`, `<p>`, true, true, true)
	same(`<p>`, `<div>`, false, false, false)
	same(`<p>`, `<p title=x>`, true, true, false)
	same(`<p>`, `<p data-x=1 onclick=f() nonce=n integrity=i>`, true, true, true)
	same(`<p class="b a">`, `<p class="a  b">`, true, true, false)
	same(`<p class="a b">`, `<p class="ab">`, true, false, false)
	same(`<p class="a">`, `<p id="a">`, true, false, false)
	same(`<p id=post-18231 class="n120 x">`, `<p class="n4711 x" id=post-9876>`, true, true, true)
	same(`<p id=post-18>`, `<p id=post-19>`, true, false, false)
	same(`<p align=left title=x>`, `<p title=x align=left>`, true, true, true)
	same(`<img src=/a/x.png>`, `<img src=x.png#f>`, true, true, true)
	same(`<img src=x.png>`, `<img src=y.png>`, true, false, false)
	same(`<a href=x>z</a>`, `<a href="http://EXAMPLE.org/a/x">z</a>`, true, true, true)
	same(`<a href=x>z</a>`, `<a href=y>z</a>`, true, true, false)
	same(`one`, `two`, true, false, false)
	same(`one`, ` one `, true, true, true)
}

func TestLooks(t *testing.T) {
	f := func(a, b string, same bool) {
		t.Helper()
		x, y := Looks.Of(pass(a)), Looks.Of(pass(b))
		if got := x.Label[1] == y.Label[1]; got != same || len(x.Sub) > 0 {
			t.Errorf("%s and %s: same %v, want %v; %d subtrees", a, b, got, same, len(x.Sub))
		}
	}
	f(`<p>`, `<p id=a title=b data-x=c style="color:red">`, true)
	f(`<p class="b a">`, `<p class="a b b">`, true)
	f(`<p class=post-4711>`, `<p class=post-18231>`, true)
	f(`<p class=a>`, `<p class=b>`, false)
	f(`<hr align=left width=10>`, `<hr width=10 align=left>`, true)
	f(`<p align=left>`, `<p align=right>`, false)
	f(`<p class=a>`, `<p align=a>`, false)
	f(`<img src=a width=1>`, `<img src=b width=1>`, true)
	f(`one`, `two`, true)
}

func TestNames(t *testing.T) {
	f := func(html string, id string, classes ...string) {
		t.Helper()
		p := pass(html)
		tree, _ := Of(p)
		want := []uint64{7}
		for _, c := range classes {
			want = append(want, xxhash.Sum64String(c))
		}
		wantID := uint64(0)
		if id != "" {
			wantID = xxhash.Sum64String(id)
		}
		if gotID, got := IDC.Of(p).Names(p, tree, 1, []uint64{7}); gotID != wantID || !slices.Equal(got, want) {
			t.Errorf("%s: %x %x, want %x %x", html, gotID, got, wantID, want)
		}
	}
	f(`<p>`, "")
	f(`<p id="">`, "")
	f(`<p id=post-4711 class="b  a b n1234">`, "post-0", "a", "b", "n0")
}

func TestWords(t *testing.T) {
	f := func(text string, want ...string) {
		t.Helper()
		p := pass("<p>" + text)
		w := WordsOf.Of(p)
		var hashes []uint64
		for _, s := range want {
			hashes = append(hashes, xxhash.Sum64String(s))
		}
		if !slices.Equal(w.Hash, hashes) || len(w.Length) != len(w.Hash) {
			t.Errorf("%q: not the words %q", text, want)
		}
		if len(of(t, p).Leaves) == 1 && len(w.Of(0)) != len(want) {
			t.Errorf("%q: leaf has %d words", text, len(w.Of(0)))
		}
	}
	f("The B-52's 3.14", "the", "b", "52", "s", "3", "14")
	f("ÉTÉ naïve", "été", "naïve")
	f("谷物落", "谷物", "物落")
	f("谷 a谷b", "谷", "a", "谷", "b")
	f("ラーメン", "ラー", "ーメ", "メン")
	f("กิน", "กิน")
	f("हिन्दी", "हिन्दी")
	f("...")
	f("")
}

func TestSelect(t *testing.T) {
	f := func(html string, keep string, text string, nodes int) {
		t.Helper()
		p := pass(html)
		tr := of(t, p)
		if len(keep) != len(tr.Leaves) {
			t.Fatalf("%s has %d leaves", html, len(tr.Leaves))
		}
		marks := make([]bool, len(keep))
		for i, c := range keep {
			marks[i] = c == '+'
		}
		tr.Select(p, marks)
		if err := p.Out.Validate(p.Body); err != nil {
			t.Errorf("%s: %v", html, err)
		}
		got := 0
		for _, r := range p.Out.Rows {
			got += int(r.End - r.Start)
		}
		if s := string(p.Out.AppendText(nil, p.Body)); s != text || got != nodes {
			t.Errorf("%s %s: %q, %d rows; want %q, %d", html, keep, s, got, text, nodes)
		}
	}
	const html = `<div><p>one <b>two</b></p><img src=x><hr></div><p>three</p>`
	f(html, "++++", "one two\nthree", 9) // all but hr
	f(html, "+++-", "one two", 6)        // div p "one" b "two" img
	f(html, "-+-+", "two\nthree", 4)     // b "two" p "three"
	f(html, "--+-", "", 1)               // img
	f(html, "----", "", 0)
	f(`<p hidden>no</p><p>yes</p>`, "+-", "", 2)
	f(`<p hidden>no</p><p>yes</p>`, "++", "yes", 5)
	f(`<p>a<link>b</p><video>fall<b>back</b></video>`, "+-", "ab", 4) // p "a" link "b"
	f(`<p>a<link>b</p><video>fall<b>back</b></video>`, "-+", "fallback", 4)
}

func TestBounds(t *testing.T) {
	many := func(n int) string { return strings.Repeat("<br>", n) }
	if tr := of(t, pass(many(MaxNodes-1))); tr.Len() != MaxNodes {
		t.Errorf("%d nodes", tr.Len())
	}
	p := pass(many(MaxNodes))
	if _, err := Of(p); err != algorithms.ErrPageTooLarge {
		t.Errorf("%d nodes: %v", MaxNodes+1, err)
	}
	if len(IDC.Of(p).Label) != 0 || len(WordsOf.Of(p).Hash) != 0 {
		t.Error("a page that is too large has labels or words")
	}
	if _, err := Of(pass(strings.Repeat("<div>", 600))); err != algorithms.ErrPageTooLarge {
		t.Errorf("a page that was cut at its depth: %v", err)
	}
	// The next page in the same memory is none the worse.
	p.Page.Parse([]byte("<p>fine"), page.Options{})
	p.Reset(p.Page, "")
	if tr := of(t, p); tr.Len() != 3 || len(IDC.Of(p).Sub) != 3 || len(WordsOf.Of(p).Hash) != 1 {
		t.Error("the page after a large one is wrong")
	}
}

// FuzzTree: whatever the page, its columns agree with each other, and what is
// kept of it is a valid selection of whole leaves.
func FuzzTree(f *testing.F) {
	for _, html := range []string{
		`<div><p>one <b>two</b></p><img src=x><hr></div><p hidden>three</p>`,
		`<pre> a  b
c</pre><table>x<tr><td>y<svg><p>z`,
		`<p>a<!-- -->b<link>c<video>d</video>e`,
		"<body>\u00a0e\u0301 <select><option>x</select><textarea> y\n\n z</textarea>",
	} {
		f.Add(html, uint64(0b0110))
	}
	f.Fuzz(func(t *testing.T, html string, keep uint64) {
		p := pass(strings.ToValidUTF8(html, "?"))
		tr, err := Of(p)
		if err != nil {
			return
		}
		rows := page.Row(0)
		for i, l := range tr.Leaves {
			if l.Rows.Start < rows || l.Rows.End <= l.Rows.Start || int(l.Rows.End) > p.Body.Len() || tr.First[l.Node] != int32(i) {
				t.Fatalf("leaf %d: %+v after row %d", i, l, rows)
			}
			rows = l.Rows.End
			text := tr.Text(i)
			if l.Media != (len(text) == 0) || len(text) > 0 && strings.Join(strings.FieldsFunc(string(text), isSpace), " ") != string(text) {
				t.Fatalf("leaf %d: %q", i, text)
			}
		}
		for n := range tr.Len() {
			if up := tr.Parent[n]; n > 0 && (up < 0 || up >= Node(n) || tr.End[up] < tr.End[n]) || tr.End[n] <= Node(n) {
				t.Fatalf("node %d: parent %d, end %d", n, tr.Parent[n], tr.End[n])
			}
		}
		if w := WordsOf.Of(p); len(w.At) != len(tr.Leaves)+1 && tr.Len() > 0 {
			t.Fatalf("words of %d leaves", len(w.At)-1)
		}
		for _, labels := range []*algorithms.Feature[Labels]{&Tags, &IDC, &Full} {
			if l := labels.Of(p); len(l.Label) != tr.Len() || len(l.Sub) != tr.Len() {
				t.Fatalf("%d labels, %d subtrees", len(l.Label), len(l.Sub))
			}
		}
		marks := make([]bool, len(tr.Leaves))
		for i := range marks {
			marks[i] = keep>>(i%64)&1 == 1
		}
		tr.Select(p, marks)
		if err := p.Out.Validate(p.Body); err != nil {
			t.Fatal(err)
		}
		for i, l := range tr.Leaves {
			var leaf, both page.Selection
			leaf.AddTexts(p.Body, l.Rows)
			both.Intersect(&leaf, &p.Out)
			if got := both.Len(); marks[i] && got != leaf.Len() || !marks[i] && got != 0 {
				t.Fatalf("leaf %d kept %v: %d of %d bytes", i, marks[i], got, leaf.Len())
			}
		}
	})
}
