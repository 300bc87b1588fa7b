package structure

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
)

func TestConformance(t *testing.T) {
	for _, s := range Scorers {
		algotest.Scorer(t, s)
	}
}

// score scores a whole page against a gold in Markdown.
func score(s *algorithms.Scorer, gold, html string) algorithms.Score {
	var p page.Page
	p.Parse([]byte(html), page.Options{})
	var all page.Selection
	all.AddRow(p.Body(), 0)
	g := algorithms.Gold{Markdown: gold, Page: &p}
	var trial algorithms.Trial
	trial.Reset(&g, nil, &all, false)
	return s.Score(&trial)
}

func TestWorkedExamples(t *testing.T) {
	const table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
	for _, c := range []struct {
		scorer     *algorithms.Scorer
		gold, html string
		want       float64
	}{
		{Code, "```go\nx := 1\n```\n", "<pre>x := 1</pre>", 1},
		{Code, "```\nx := 1\n```\n", "<p>x := 1", 0},                            // it is not a fence
		{Code, "```\nabcd\n```\n", "<pre>abxd</pre>", .75},                      // one of four is replaced
		{Code, "```\nab\n```\n\n> ```\n> cd\n> ```\n", "<pre>ab</pre>", 2. / 5}, // "ab" of "ab\ncd"
		{Code, "````\n```\n````\n", "<pre>```</pre>", 1},
		{Formula, "Let $a + b$ and $$c$$.", "<p>Let <math alttext='a+b'></math> and <script type='math/tex;mode=display'>c</script>.", 1},
		{Formula, "`$x$` costs \\$5, $y$", "<p>\\(z\\)", 0},
		{Heading, "# A\n\n## B\n", "<h1>A</h1><h2>B</h2>", 1},
		{Heading, "# A\n\n## B\n", "<h1>A</h1><h3>B</h3>", 1 - 1./9}, // one mark more
		{Table, table, "<table><tr><th>a<th>b<tr><td>1<td>2</table>", 1},
		{Table, table, "<table><tr><th>a<th>b<tr><td>1<td>3</table>", 1 - 1./7},                // one of seven nodes
		{Table, table, "<table><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4</table>", 1 - 3./10}, // a row with two cells more
		{Table, table + "\n" + table, "<table><tr><th>a<th>b<tr><td>1<td>2</table>", .5},       // one of two tables
		{Table, "- " + table[:strings.Index(table, "\n")] + "\n  |---|---|\n", "<p>none</p>", 0},
	} {
		if got := score(c.scorer, c.gold, c.html); math.Abs(got.Value-c.want) > 1e-6 || got.Reason != algorithms.NoReason {
			t.Errorf("%s of %q against %q: %+v, want %.4f", c.scorer.Name, c.html, c.gold, got, c.want)
		}
	}
}

func TestNoScore(t *testing.T) {
	for _, s := range Scorers {
		if got := score(s, "", "<pre>x</pre>").Reason; got != algorithms.ReasonNoGold {
			t.Errorf("%s without gold: %q", s.Name, got)
		}
		if got := score(s, "text", "<p>text").Reason; got != algorithms.ReasonNotDefined {
			t.Errorf("%s without elements: %q", s.Name, got)
		}
	}
	long := strings.Repeat("x", MaxChars+1)
	for s, gold := range map[*algorithms.Scorer]string{
		Code:    "```\n" + long + "\n```\n",
		Formula: "$" + long + "$",
		Heading: "# " + long,
		Table:   "| a |\n|---|\n" + strings.Repeat("| b |\n", maxNodes),
	} {
		if got := score(s, gold, "<p>text").Reason; got != algorithms.ReasonTooLong {
			t.Errorf("%s of a gold beyond its bound: %q", s.Name, got)
		}
	}
}

// plainDistance is the edit distance as it is defined, by the whole table.
func plainDistance(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0:
				d[i][j] = j
			case j == 0:
				d[i][j] = i
			default:
				replace := 1
				if a[i-1] == b[j-1] {
					replace = 0
				}
				d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+replace)
			}
		}
	}
	return d[len(a)][len(b)]
}

func TestDistanceIsThatOfTheTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func(n int) []rune {
		s := make([]rune, r.IntN(n))
		for i := range s {
			s[i] = 'a' + rune(r.IntN(3))
		}
		return s
	}
	for range 2000 {
		a, b := word(200), word(200)
		if r.IntN(2) == 0 { // similar ones
			b = slices.Clone(a)
			for range r.IntN(5) {
				if len(b) > 0 {
					b = slices.Delete(b, 0, 1+r.IntN(min(3, len(b))))
				}
				b = slices.Insert(b, r.IntN(len(b)+1), 'c')
			}
		}
		if got, want := distance(a, b), plainDistance(a, b); got != want {
			t.Fatalf("distance(%q, %q) = %d, want %d", string(a), string(b), got, want)
		}
	}
}

// branch is a tree as the definition of its edit distance has it.
type branch struct {
	depth int
	text  string
	kids  []branch
}

// forestDistance is the edit distance of forests by its recursive definition: the last root of
// one is deleted, or inserted, or replaced by that of the other.
func forestDistance(a, b []branch) float64 {
	if len(a) == 0 && len(b) == 0 {
		return 0
	}
	without := func(f []branch) []branch { return slices.Concat(f[:len(f)-1], f[len(f)-1].kids) }
	if len(a) == 0 {
		return forestDistance(a, without(b)) + 1
	}
	if len(b) == 0 {
		return forestDistance(without(a), b) + 1
	}
	x, y := a[len(a)-1], b[len(b)-1]
	replace := 1.0
	if x.depth == y.depth {
		replace = 0
		if n := max(len(x.text), len(y.text)); n > 0 {
			replace = float64(plainDistance([]rune(x.text), []rune(y.text))) / float64(n)
		}
	}
	return min(forestDistance(without(a), b)+1, forestDistance(a, without(b))+1,
		forestDistance(x.kids, y.kids)+forestDistance(a[:len(a)-1], b[:len(b)-1])+replace)
}

func TestTreeDistanceIsTheRecursiveOne(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	random := func() (tree, branch) {
		var s tree
		root := branch{depth: 0}
		for range r.IntN(3) {
			line, row := "|", branch{depth: 1}
			for range 1 + r.IntN(2) {
				cell := []string{"a", "b", "ab", "cd"}[r.IntN(4)]
				line += cell + "|"
				row.kids = append(row.kids, branch{depth: 2, text: cell})
			}
			s.row(line)
			root.kids = append(root.kids, row)
		}
		return s, root
	}
	for range 300 {
		a, x := random()
		b, y := random()
		if got, want := treeDistance(&a, &b), forestDistance([]branch{x}, []branch{y}); math.Abs(got-want) > 1e-5 {
			t.Fatalf("%+v, %+v: %f, want %f", x, y, got, want)
		}
	}
}

func FuzzElements(f *testing.F) {
	f.Add("# a\n```\nx\n```\n| a |\n|---|\n$x$ `\\(y\\)`\n- > ~~~\n")
	f.Fuzz(func(t *testing.T, text string) {
		var e elements
		e.read(text)
		for _, list := range [][]string{e.code, e.formulas, e.headings} {
			if n := len(strings.Join(list, "")); n > len(text) {
				t.Errorf("%d bytes of elements in %d", n, len(text))
			}
		}
	})
}
