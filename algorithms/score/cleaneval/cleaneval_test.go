package cleaneval

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// pair scores texts without a page, repeatedly in the same memory.
type pair struct {
	gold  algorithms.Gold
	trial algorithms.Trial
}

func (p *pair) score(s *algorithms.Scorer, gold, text string) algorithms.Score {
	p.gold.Reset()
	p.gold.Text = gold
	p.trial.Reset(&p.gold, []byte(text), nil, false)
	return s.Score(&p.trial)
}

func near(a, b float64) bool { return math.Abs(a-b) < 5e-4 }

func TestOfficialExamples(t *testing.T) {
	var p pair
	f := func(s *algorithms.Scorer, gold, text string, want float64) {
		t.Helper()
		if got := p.score(s, gold, text); !near(got.Value, want) {
			t.Errorf("%s of %q against %q: %+v, want %.3f", s.Name, text, gold, got, want)
		}
	}
	f(TO, "Alpha beta gamma. Alpha delta!", "Home Alpha beta beta gamma.", 42.857143)
	const gold, text = "<h>News\n<p>The cat sat on a mat", "<p>The cat sat.\n<p>On a mat"
	f(TO, gold, text, 85.714)
	f(TM, gold, text, 57.222)
	f(Final, gold, text, 71.468)
	f(TO, "URL: http://x/\n\n<h>News", "news", 100)
	f(TO, "", " ", 100)
	f(TO, "a", "", 0)
	f(TO, "a , b", "a . b", 100) // the emptied tokens are equal
	f(TO, "a , b", "a b", 66.666667)
	f(TM, "<p>one<l>two", "<P> One, <l> two.", 100)
}

func TestValidityOfTheExample(t *testing.T) {
	var p pair
	p.gold.Reset()
	p.gold.Text = "<h>News\n<p>The cat sat on a mat"
	p.trial.Reset(&p.gold, []byte("<p>The cat sat.\n<p>On a mat"), nil, false)
	var a aligner
	a.score(&p.trial, inWords.plain, inWords.marked)
	if len(a.pairs) != 7 || len(a.places) != 10 {
		t.Errorf("%d pairs in %d places, want 7 in 10", len(a.pairs), len(a.places))
	}
	if got := a.validity(inWords.marked.Gold(&p.gold), inWords.marked.Trial(&p.trial)); !near(got, 44.444) {
		t.Errorf("segment validity %.3f, want 44.444", got)
	}
}

// A gold without marks: its lines are the segments.
func TestUnmarkedGold(t *testing.T) {
	var p pair
	if got := p.score(TM, "News\n\nThe cat sat", "News\nThe cat sat\n"); got.Value != 100 || got.Method != "lines" {
		t.Errorf("equal lines: %+v", got)
	}
	if got := p.score(TM, "News\nThe cat sat", "News The cat sat"); got.Value >= 100 {
		t.Errorf("another segment: %+v", got)
	}
	if got := p.score(EvertTags, "News", "News"); got.Reason != algorithms.ReasonNotDefined {
		t.Errorf("segmentation score without marks: %+v", got)
	}
}

// walkTable is a literal transcription of the program's alignment: the full
// table of distances and the walk from its end.
func walkTable(e, g []int32) (pairs [][2]int, distance int) {
	d := make([][]int, len(e)+1)
	for i := range d {
		d[i] = make([]int, len(g)+1)
		for j := range d[i] {
			switch {
			case i == 0:
				d[i][j] = j
			case j == 0:
				d[i][j] = i
			case e[i-1] == g[j-1]:
				d[i][j] = min(d[i-1][j-1], d[i-1][j]+1, d[i][j-1]+1)
			default:
				d[i][j] = min(d[i-1][j-1]+2, d[i-1][j]+1, d[i][j-1]+1)
			}
		}
	}
	for i, j := len(e), len(g); i > 0 && j > 0; {
		diagonal, skipE, skipG := d[i-1][j-1], d[i-1][j], d[i][j-1]
		switch {
		case diagonal <= skipE && diagonal <= skipG:
			i, j = i-1, j-1
			if e[i] == g[j] {
				pairs = append(pairs, [2]int{i, j})
			}
		case skipE <= skipG:
			i--
		default:
			j--
		}
	}
	slices.Reverse(pairs)
	return pairs, d[len(e)][len(g)]
}

func TestAlignmentIsTheProgramsOnRandomPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var p pair
	text := func(sigma, longest int) string {
		var b strings.Builder
		b.WriteString("<p>")
		for range r.IntN(longest) {
			fmt.Fprintf(&b, "w%d ", r.IntN(sigma))
			if r.IntN(12) == 0 {
				b.WriteString([]string{"\n<p>", "\n<h>", "\n<l>"}[r.IntN(3)])
			}
		}
		return b.String()
	}
	for i := range 1000 {
		sigma := []int{3, 30, 500}[i%3]
		p.gold.Reset()
		longest := []int{150, 150, 150, 500}[i%4]
		p.gold.Text = text(sigma, longest)
		extracted := text(sigma, longest)
		if i%8 > 4 { // with much of the gold
			at := r.IntN(len(p.gold.Text))
			extracted = p.gold.Text[at:] + extracted + p.gold.Text[at/2:at]
		}
		p.trial.Reset(&p.gold, []byte(extracted), nil, false)
		var a aligner
		a.score(&p.trial, inWords.plain, inWords.marked)
		g, e := inWords.marked.Gold(&p.gold).IDs, inWords.marked.Trial(&p.trial)
		want, distance := walkTable(e, g)
		var got [][2]int
		for _, x := range a.pairs {
			got = append(got, [2]int{int(x.E), int(x.G)})
		}
		if !slices.Equal(got, want) {
			t.Fatalf("alignment of %q and %q:\n got  %v\n want %v", p.trial.Text, p.gold.Text, got, want)
		}
		text := similarity(int64(len(got)), int64(len(e)), int64(len(g)))
		if want := 100 * (1 - float64(distance)/float64(len(a.places))); !near(text, want) {
			t.Fatalf("score %.3f, by distance and length %.3f", text, want)
		}
	}
}

func TestEvertExample(t *testing.T) {
	var p pair
	const gold, text = "URL: http://x/\n<h> News\n<p>the cat sat on a mat", "<p> the cat sat\n<p> on a mat"
	got := p.score(Evert, gold, text)
	if got.Common != 8 || got.Extracted != 9 || got.Gold != 10 || !near(100*got.Precision, 88.889) || !near(100*got.Recall, 80) || !near(100*got.F1, 84.211) {
		t.Errorf("tokens: %+v", got)
	}
	got = p.score(EvertTags, gold, text)
	if got.Common != 1 || got.Extracted != 2 || got.Gold != 2 || got.F1 != 0.5 {
		t.Errorf("tags: %+v", got)
	}
	if got := p.score(Evert, "", ""); got.Common != 1 || got.F1 != 1 {
		t.Errorf("empty against empty: %+v", got)
	}
	if got := p.score(Evert, "a b", ""); got.Common != 0 || got.Extracted != 1 || got.Gold != 2 {
		t.Errorf("empty extraction: %+v", got)
	}
	if got := p.score(Evert, "one\x01\x02two\tthree\u00a0four", "one two three\u00a0four"); got.F1 != 1 || got.Gold != 3 {
		t.Errorf("control characters: %+v", got)
	}
}

// TestAgainstDifflib compares with recorded answers of Python.
func TestAgainstDifflib(t *testing.T) {
	raw, err := os.ReadFile("testdata/difflib.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Cases []struct {
			Text, Gold string
			Common     int64
		}
	}
	if err := json.Unmarshal(raw, &recorded); err != nil {
		t.Fatal(err)
	}
	if len(recorded.Cases) < 80 {
		t.Errorf("only %d recorded pairs", len(recorded.Cases))
	}
	var p pair
	for i, c := range recorded.Cases {
		if got := p.score(Evert, c.Gold, c.Text); got.Common != c.Common {
			t.Errorf("pair %d: %d in common, want %d", i, got.Common, c.Common)
		}
		if got := p.score(LCS, c.Gold, c.Text); got.Common < c.Common {
			t.Errorf("pair %d: %d in common by longest common subsequence, fewer than %d", i, got.Common, c.Common)
		}
	}
}

// blocks is a literal transcription of difflib's matching blocks.
func blocks(a, b []string) int {
	positions := map[string][]int{}
	for j, x := range b {
		positions[x] = append(positions[x], j)
	}
	if len(b) >= 200 {
		for x, at := range positions {
			if len(at) > len(b)/100+1 {
				delete(positions, x)
			}
		}
	}
	var match func(alo, ahi, blo, bhi int) int
	match = func(alo, ahi, blo, bhi int) int {
		besti, bestj, best := alo, blo, 0
		lengths := map[int]int{}
		for i := alo; i < ahi; i++ {
			next := map[int]int{}
			for _, j := range positions[a[i]] {
				if j < blo || j >= bhi {
					continue
				}
				k := lengths[j-1] + 1
				next[j] = k
				if k > best {
					besti, bestj, best = i-k+1, j-k+1, k
				}
			}
			lengths = next
		}
		for besti > alo && bestj > blo && a[besti-1] == b[bestj-1] {
			besti, bestj, best = besti-1, bestj-1, best+1
		}
		for besti+best < ahi && bestj+best < bhi && a[besti+best] == b[bestj+best] {
			best++
		}
		if best == 0 {
			return 0
		}
		return best + match(alo, besti, blo, bestj) + match(besti+best, ahi, bestj+best, bhi)
	}
	return match(0, len(a), 0, len(b))
}

func TestEvertIsDifflibOnRandomPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var p pair
	for i := range 1000 {
		sigma := []int{3, 30, 500}[i%3]
		words := func() []string {
			out := make([]string, 1+r.IntN([]int{20, 100, 300}[i/3%3]))
			for k := range out {
				x := r.Float64()
				out[k] = fmt.Sprintf("w%d", int(x*x*float64(sigma)))
			}
			return out
		}
		g, e := words(), words()
		if i%2 == 0 {
			at := r.IntN(len(g))
			e = slices.Concat(e, g[at:], e[:len(e)/2], g[:at])
		}
		want := blocks(e, g)
		if got := p.score(Evert, strings.Join(g, " "), strings.Join(e, " ")); got.Common != int64(want) {
			t.Fatalf("%q against %q: %d in common, want %d", e, g, got.Common, want)
		}
	}
}

func TestEvertBeyondItsBound(t *testing.T) {
	small, err := Evert.With(map[string]string{"steps": "3"})
	if err != nil {
		t.Fatal(err)
	}
	var p pair
	if got := p.score(small, "a b c d e", "e d c b a"); got.Reason != algorithms.ReasonTooLong {
		t.Errorf("got %+v, want no score", got)
	}
}

// TestSubmission checks that an extraction with locations on the page is written with
// the marks of its blocks.
func TestSubmission(t *testing.T) {
	var pg page.Page
	pg.Parse([]byte("<body><h2>Harvest</h2><p>It <b>rained</b>. <p>Then<br>it stopped.<ul><li>wheat<li><p>rye</ul><dl><dt>oats</dl>end"), page.Options{})
	b := pg.Body()
	text := string(b.Text)
	span := func(from, to string) page.Span {
		start := strings.Index(text, from)
		return page.Span{Start: int32(start), End: int32(start + strings.Index(text[start:], to) + len(to))}
	}
	f := func(want string, spans ...page.Span) {
		t.Helper()
		sel := page.Selection{Spans: spans}
		g := algorithms.Gold{Page: &pg}
		g.Text = "<p>x"
		var trial algorithms.Trial
		trial.Reset(&g, sel.AppendText(nil, b), &sel, false)
		if got := string(*submission.Of(&trial)); got != want {
			t.Errorf("got  %q\nwant %q\nof   %q", got, want, text)
		}
	}
	f("<h> Harvest\n<p> It rained.\n<p> Then\n<p> it stopped.\n<l> wheat\n<p> rye\n<l> oats\n<p> end\n",
		page.Span{Start: 0, End: int32(len(text))})
	f("<h> vest\n<p> rained.\n<l> wheat\n", span("vest", "vest"), span("rained", "."), span("wheat", "wheat"))
	f("<p> It rained\n<p> rye\n<l> oa\n", span("It", "It"), span("rained", "ed"), span("rye", "oa"))
	f("")
}
