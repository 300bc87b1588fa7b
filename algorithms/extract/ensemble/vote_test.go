package ensemble

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/extract/bte"
	"github.com/winnow/winnow/algorithms/extract/cetd"
	"github.com/winnow/winnow/algorithms/extract/density"
	"github.com/winnow/winnow/algorithms/extract/dsc"
	"github.com/winnow/winnow/algorithms/extract/lqf"
	"github.com/winnow/winnow/algorithms/extract/plain"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// own lists extractors of several families that need nothing but a pass.
var own = []*algorithms.Extractor{plain.Extractor, bte.Extractor, dsc.Extractor, lqf.LQF25, lqf.LQF50, lqf.LQF75, density.Extractor, cetd.DS, cetd.CompositeDS}

// settled returns an ensemble over the extractors of own, with the given settings.
func settled(t testing.TB, make func(Params) *algorithms.Extractor, settings ...string) *algorithms.Extractor {
	t.Helper()
	values := map[string]string{"members": "bte+dsc+lqf-25+lqf-50@2+lqf-75+density@3+cetd-ds"}
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		values[name] = value
	}
	e, err := make(Params{Share: 0.66, Unit: "word", Fill: 3, Lone: 2, By: "page", list: own}).With(values)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// ballots returns a pass over html. In it, members of the named families chose the
// words with the listed numbers; a family that begins with - abstains.
func ballots(html string, votes ...string) (*algorithms.Pass, []setting.Member) {
	p := algotest.Pass(html)
	words := p.Body.Words().Span
	var members []setting.Member
	for i, v := range votes {
		family, chosen, _ := strings.Cut(v, ":")
		e := &algorithms.Extractor{Description: algorithms.Description{Name: fmt.Sprint(i), Family: family}}
		members = append(members, setting.Member{Extractor: e, Weight: 1})
		a := algorithms.Answer{Extractor: e}
		if !strings.HasPrefix(family, "-") {
			a.OK, a.Selection = true, new(page.Selection)
			for _, word := range strings.Fields(chosen) {
				var k int
				fmt.Sscan(word, &k)
				a.Selection.AddSpan(p.Body, words[k])
			}
			a.Text = a.Selection.AppendText(nil, p.Body)
		}
		p.Answers = append(p.Answers, a)
	}
	return p, members
}

func TestVote(t *testing.T) {
	for _, c := range []struct {
		why, html, want string
		change          func(*Params)
		votes           []string
	}{
		{"three votes, share .66: words 0, 1 and 3 by vote, word 2 by smoothing", "<p>a b c d e", "a b c d", nil, []string{"x:0 1 3", "y:0 1 2", "z:0 3"}},
		{"without smoothing", "<p>a b c d e", "a b\nd", func(p *Params) { p.Fill = 0 }, []string{"x:0 1 3", "y:0 1 2", "z:0 3"}},
		{"a tie is kept", "<p>a b", "a", func(p *Params) { p.Share = 0.6; p.Lone = 0 }, []string{"v:0", "w:0", "x:0", "y:1", "z:"}},
		{"who abstains is not counted", "<p>a b", "a b", nil, []string{"x:0 1", "y:0 1", "-z:"}},
		{"a family has one vote", "<p>a b c d", "c d", func(p *Params) { p.Lone = 0 }, []string{"x:0 1", "x:0 1", "x:0 1", "y:2 3", "z:2 3"}},
		{"a family of three is not rounded away", "<p>a b", "a b", nil, []string{"x:0 1", "x:0 1", "x:0 1"}},
		{"three dropped words are kept, four are not", "<p>a b c d e f g h i j", "a b c d e\nj", func(p *Params) { p.Lone = 0 }, []string{"x:0 4 9"}},
		{"lone words of a dropped block go", "<p>a b c d<p>e f g", "e f g", nil, []string{"x:1 2 4 5 6"}},
		{"a short block of which all is kept stays", "<p>a b<p>c d e f g", "a b", nil, []string{"x:0 1 3"}},
		{"runs end with their block", "<p>a b c d<p>e f g h", "a b c", nil, []string{"x:0 1 2 5"}},
		{"the mean of a block decides", "<p>a b c<p>d e", "a b c", func(p *Params) { p.Unit = "block" }, []string{"x:0 1 2", "y:0 1", "z:0 3"}},
		{"nobody answered", "<p>a b", "", nil, []string{"-x:", "-y:"}},
		{"no words", "", "", nil, []string{"x:"}},
	} {
		pass, members := ballots(c.html, c.votes...)
		p := Params{Members: members, Share: 0.66, Unit: "word", Fill: 3, Lone: 2}
		if c.change != nil {
			c.change(&p)
		}
		if err := p.vote(pass); err != nil {
			t.Fatal(err)
		}
		if err := pass.Validate(); err != nil {
			t.Fatalf("%s: %v", c.why, err)
		}
		if got := string(pass.AppendText(nil)); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(c.want), " ") {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
}

func TestWeights(t *testing.T) {
	pass, members := ballots("<p>a b", "x:0", "y:1", "z:")
	members[0].Weight = 3
	if err := (Params{Members: members, Share: 0.6}).vote(pass); err != nil || string(pass.AppendText(nil)) != "a" {
		t.Errorf("%q, want the word with three of five votes: %v", pass.AppendText(nil), err)
	}
}

func TestNotes(t *testing.T) {
	for _, c := range []struct {
		change func(*algorithms.Answer)
		want   []string
	}{
		{func(*algorithms.Answer) {}, nil},
		{func(a *algorithms.Answer) { a.Aligned = true }, []string{"aligned_members"}},
		{func(a *algorithms.Answer) { a.Selection = nil }, []string{"members_abstained"}},
	} {
		pass, members := ballots("<p>a b", "x:0", "y:1")
		c.change(&pass.Answers[1])
		if err := (Params{Members: members, Share: 0.5}).vote(pass); err != nil || !slices.Equal(pass.Notes, c.want) {
			t.Errorf("notes %q, want %q: %v", pass.Notes, c.want, err)
		}
	}
}

func TestGolden(t *testing.T) {
	algotest.Golden(t, settled(t, newMajority), settled(t, newBest), settled(t, newWeighted), settled(t, newNGram))
}

func TestNoGarbage(t *testing.T) {
	algotest.NoGarbage(t, settled(t, newMajority))
	algotest.NoGarbage(t, settled(t, newNGram))
}

func TestHarness(t *testing.T) {
	algotest.Extractor(t, settled(t, newMajority))
	algotest.Extractor(t, settled(t, newMajority, "unit=block"))
	algotest.Extractor(t, settled(t, newNGram))
}

// slowVote votes for each word separately, as the definition says.
func slowVote(share float64, fill, lone int, block bool) func(p *algorithms.Pass) page.Selection {
	weights := map[string]float64{"lqf-50": 2, "density": 3}
	return func(p *algorithms.Pass) page.Selection {
		words := p.Body.Words()
		families := map[string]float64{}
		for _, a := range p.Answers {
			families[a.Extractor.Family]++
		}
		votes, total := make([]float64, len(words.Span)), 0.0
		for _, a := range p.Answers {
			w := max(weights[a.Extractor.Name], 1) / families[a.Extractor.Family]
			total += w
			for i, word := range words.Span {
				if slices.ContainsFunc(a.Selection.Spans, func(s page.Span) bool { return s.Start <= word.Start && word.End <= s.End }) {
					votes[i] += w
				}
			}
		}
		kept := make([]bool, len(votes))
		for i := range votes {
			from, to := i, i
			for from > 0 && p.Body.Block[words.Row[from-1]] == p.Body.Block[words.Row[i]] {
				from--
			}
			for to < len(votes) && p.Body.Block[words.Row[to]] == p.Body.Block[words.Row[i]] {
				to++
			}
			sum := votes[i]
			if block {
				sum = 0
				for _, v := range votes[from:to] {
					sum += v / float64(to-from)
				}
			}
			kept[i] = sum >= share*total-1e-9
		}
		if !block {
			slowSmooth(p.Body, words, kept, fill, lone)
		}
		var out page.Selection
		for i, k := range kept {
			if k {
				// Neighbouring kept words are added by one call of AddWords, which
				// joins them.
				to := i + 1
				for to < len(kept) && kept[to] {
					to++
				}
				if i == 0 || !kept[i-1] {
					out.AddWords(p.Body, i, to)
				}
			}
		}
		return out
	}
}

func slowSmooth(b *page.Body, words *page.Words, kept []bool, fill, lone int) {
	block := func(i int) page.Row { return b.Block[words.Row[i]] }
	voted := slices.Clone(kept)
	for i := range kept {
		for j := i + 1; j < len(kept) && j-i-1 <= fill && block(j) == block(i); j++ {
			if voted[i] && voted[j] {
				for k := i; k < j; k++ {
					kept[k] = true
				}
				break
			}
		}
	}
	for from := 0; from < len(kept); {
		to := from
		runs, n := 0, 0
		for ; to < len(kept) && block(to) == block(from); to++ {
			if kept[to] {
				n++
				if to == from || !kept[to-1] {
					runs++
				}
			}
		}
		if runs == 1 && n <= lone && n < to-from {
			for k := from; k < to; k++ {
				kept[k] = false
			}
		}
		from = to
	}
}

func TestVoteAgainstItsTwin(t *testing.T) {
	algotest.Twin(t, settled(t, newMajority), 200, slowVote(0.66, 3, 2, false))
	algotest.Twin(t, settled(t, newMajority, "share=0.4", "fill=1", "lone=5"), 200, slowVote(0.4, 1, 5, false))
	algotest.Twin(t, settled(t, newMajority, "unit=block"), 200, slowVote(0.66, 3, 2, true))
	for _, p := range algotest.RealPages(t, 10, "cleaneval-dev", "wcxb-dev") {
		if !algotest.SameAsTwin(t, settled(t, newMajority), p.HTML, slowVote(0.66, 3, 2, false)) {
			t.Errorf("differs on %s", p.Name)
		}
	}
}

// TestSharesAreWhole checks that unit is divisible by the sizes of families up to ten.
func TestSharesAreWhole(t *testing.T) {
	for n := 1; n <= 10; n++ {
		if math.Mod(unit, float64(n)) != 0 {
			t.Errorf("a family of %d does not add up to a vote", n)
		}
	}
}
