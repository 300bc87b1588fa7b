package score_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/suite"
)

// prose makes about n bytes of sentences and paragraphs over 3,000 words, the
// frequent ones short, as a page would have them.
func prose(r *rand.Rand, n int) []string {
	letters := "etaoinshrdlucmfwypvbgkqjxz"
	words := make([]string, 3000)
	for i := range words {
		var b strings.Builder
		for range 1 + r.IntN(3+i/300) {
			x := r.Float64()
			b.WriteByte(letters[int(x*x*26)])
		}
		words[i] = b.String()
	}
	var out []string
	for size := 0; size < n; {
		var b strings.Builder
		for range 2 + r.IntN(5) {
			for k := range 5 + r.IntN(20) {
				x := r.Float64()
				w := words[int(x*x*x*3000)]
				if k == 0 {
					w = strings.ToUpper(w[:1]) + w[1:]
				} else {
					b.WriteByte(' ')
				}
				b.WriteString(w)
			}
			b.WriteString(". ")
		}
		p := strings.TrimSpace(b.String())
		out = append(out, p)
		size += len(p) + 1
	}
	return out
}

// load is a page with gold, and an extraction that has most of the gold and
// some of the rest.
type load struct {
	page  page.Page
	gold  algorithms.Gold
	trial algorithms.Trial
	sel   page.Selection
	text  []byte
}

func newLoad(pageBytes, goldBytes int) *load {
	r := rand.New(rand.NewPCG(1, 2))
	l := new(load)
	var html, gold strings.Builder
	size := 0
	for i, p := range prose(r, pageBytes) {
		fmt.Fprintf(&html, "<div id=d%d><p>%s</p></div>\n", i, p)
		if i >= 3 && size < goldBytes {
			gold.WriteString(p + "\n")
			size += len(p) + 1
		}
	}
	l.page.Parse([]byte(html.String()), page.Options{})
	b := l.page.Body()
	// From a little before the gold to a little before its end, one block left out.
	end := int32(min(len(b.Text), len(b.Text)/20+size))
	l.sel.AddWords(b, 40, len(b.Words().Span)*int(end)/len(b.Text)/2)
	l.sel.AddWords(b, len(b.Words().Span)*int(end)/len(b.Text)/2+60, len(b.Words().Span)*int(end)/len(b.Text))
	l.text = l.sel.AppendText(nil, b)
	l.gold.Text = gold.String()
	l.prepare()
	return l
}

func (l *load) prepare() {
	text := l.gold.Text
	l.gold.Reset()
	l.gold.Text, l.gold.Page = text, &l.page
	l.gold.With, l.gold.Without = []string{text[100:140], "not on the page"}, []string{"nor this", "all rights reserved"}
}

// fresh changes a digit of the extraction, so that no score of an earlier text is
// reused.
func (l *load) fresh(i int) {
	copy(l.text[10:18], fmt.Sprintf("%08d", i))
	l.trial.Reset(&l.gold, l.text, &l.sel, false)
}

// table is the textbook dynamic programme in two rows, over characters.
func table(a, b []rune) int {
	prev, cur := make([]int32, len(b)+1), make([]int32, len(b)+1)
	for _, x := range a {
		for j, y := range b {
			switch {
			case x == y:
				cur[j+1] = prev[j] + 1
			case prev[j+1] >= cur[j]:
				cur[j+1] = prev[j+1]
			default:
				cur[j+1] = cur[j]
			}
		}
		prev, cur = cur, prev
	}
	return int(prev[len(b)])
}

// BenchmarkScore is the cost of one more extraction, the gold being prepared;
// its items are made again, as for the first measure of an extraction.
//
//	go test -run - -bench Score -benchtime 20x ./algorithms/score
func BenchmarkScore(b *testing.B) {
	for _, size := range []struct {
		name       string
		page, gold int
	}{{"20kB", 25_000, 20_000}, {"5kB-of-40kB", 40_000, 5_000}} {
		l := newLoad(size.page, size.gold)
		n := 0
		for _, s := range suite.Scorers() {
			b.Run("scorer="+s.Name+"/size="+size.name, func(b *testing.B) {
				l.prepare()
				l.fresh(n)
				s.Score(&l.trial)
				b.SetBytes(int64(len(l.text)))
				b.ReportAllocs()
				for b.Loop() {
					n++
					l.fresh(n)
					s.Score(&l.trial)
				}
			})
		}
		if size.name == "20kB" {
			gold, text := []rune(l.gold.Text), []rune(string(l.text))
			b.Run("scorer=textbook-table/size="+size.name, func(b *testing.B) {
				b.SetBytes(int64(len(l.text)))
				for b.Loop() {
					table(gold, text)
				}
			})
		}
	}
}

// BenchmarkPrepare is the cost of the gold side of all measures, once a page,
// with one extraction; and of each further extraction by all measures.
func BenchmarkPrepare(b *testing.B) {
	l := newLoad(40_000, 5_000)
	all := func() {
		for _, s := range suite.Scorers() {
			s.Score(&l.trial)
		}
	}
	n := 0
	b.Run("gold=new", func(b *testing.B) {
		for b.Loop() {
			l.prepare()
			n++
			l.fresh(n)
			all()
		}
	})
	b.Run("gold=prepared", func(b *testing.B) {
		for b.Loop() {
			n++
			l.fresh(n)
			all()
		}
	})
	b.Run("gold=prepared/text=seen", func(b *testing.B) {
		for b.Loop() {
			l.trial.Reset(&l.gold, l.text, &l.sel, false)
			all()
		}
	})
}

// TestLoad checks that every scorer finds more right than wrong on a page like those of
// the benchmark, and gives the same score the second time.
func TestLoad(t *testing.T) {
	l := newLoad(12_000, 8_000)
	for _, s := range suite.Scorers() {
		l.fresh(0)
		first := s.Score(&l.trial)
		l.fresh(0)
		if again := s.Score(&l.trial); again != first {
			t.Errorf("%s: %+v, then %+v", s.Name, first, again)
		}
		if first.Reason == algorithms.NoReason && s.Mean != algorithms.MeanValue && s.Name != "snippet" &&
			s.Name != "lcstring" && (first.F1 < 0.5 || first.F1 > 1) {
			t.Errorf("%s: %+v", s.Name, first)
		}
	}
}
