package score_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/suite"
)

// worstTexts are pairs of a gold and an extracted text that cost some way of
// comparing them more than others of their length; each text has about n bytes.
var worstTexts = []struct {
	name string
	make func(r *rand.Rand, n int) (gold, text string)
}{
	{"different words", func(r *rand.Rand, n int) (string, string) {
		return numbers(n, "%x "), numbers(n, "%x ") // the gold is never the text: see texts
	}},
	{"different words, turned", func(_ *rand.Rand, n int) (string, string) { return numbers(n, "%x "), turned(numbers(n, "%x ")) }},
	{"two words", func(r *rand.Rand, n int) (string, string) { return random(r, n, "a ", "b "), random(r, n, "a ", "b ") }},
	{"two letters", func(r *rand.Rand, n int) (string, string) { return random(r, n, "a", "b"), random(r, n, "a", "b") }},
	{"one letter", func(_ *rand.Rand, n int) (string, string) { return strings.Repeat("a", n), strings.Repeat("a", n/2) }},
	{"one word", func(_ *rand.Rand, n int) (string, string) {
		return strings.Repeat("a ", n/2), strings.Repeat("a ", n/4)
	}},
	{"few words", func(r *rand.Rand, n int) (string, string) {
		w := strings.Fields(numbers(300, "%x "))
		return random(r, n, spaced(w)...), random(r, n, spaced(w)...)
	}},
	{"sentences of two words", func(r *rand.Rand, n int) (string, string) {
		return numbers(n, "A %x. "), numbers(n, "%x a. ")
	}},
	{"sentences turned", func(r *rand.Rand, n int) (string, string) {
		return numbers(n, "Aa b%x cc. "), numbers(n, "Cc d%x aa. ")
	}},
	{"sentences of few words", func(r *rand.Rand, n int) (string, string) {
		return random(r, n, "Grain ", "chaff ", "wind. "), random(r, n, "Grain ", "chaff ", "wind. ")
	}},
	{"lines", func(r *rand.Rand, n int) (string, string) {
		return random(r, n, "a\n", "b\n"), random(r, n, "a\n", "b\n")
	}},
	{"periods", func(_ *rand.Rand, n int) (string, string) { return strings.Repeat(".", n), strings.Repeat(". ", n/2) }},
	{"Fibonacci", func(_ *rand.Rand, n int) (string, string) { s := fibonacci(n); return s, "b" + s[:len(s)-2] }},
	{"signs", func(r *rand.Rand, n int) (string, string) {
		sign := func() string {
			var b strings.Builder
			for b.Len() < n {
				b.WriteRune(rune(0x4e00 + r.IntN(20_000)))
			}
			return b.String()
		}
		return sign(), sign()
	}},
	{"tags", func(_ *rand.Rand, n int) (string, string) {
		return strings.Repeat("<p> a\n", n/6), strings.Repeat("<h> a b\n", n/8)
	}},
	{"URL lines", func(_ *rand.Rand, n int) (string, string) {
		return "URL: x\n" + strings.Repeat("URL a\n", n/6), strings.Repeat("URL b\n", n/6)
	}},
	{"prose", func(r *rand.Rand, n int) (string, string) {
		a := strings.Join(prose(r, n), "\n")[:n]
		return a, a[n/3:] + a[:n/3]
	}},
}

func numbers(n int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()[:n]
}

func random(r *rand.Rand, n int, of ...string) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(of[r.IntN(len(of))])
	}
	return b.String()[:n]
}

func spaced(words []string) []string {
	for i := range words {
		words[i] += " "
	}
	return words
}

func turned(s string) string {
	w := strings.Fields(s)
	for i, j := 0, len(w)-1; i < j; i, j = i+1, j-1 {
		w[i], w[j] = w[j], w[i]
	}
	return strings.Join(w, " ")
}

func fibonacci(n int) string {
	a, b := "a", "ab"
	for len(b) < n {
		a, b = b, b+a
	}
	return b[:n]
}

// worstPair makes a pair; no text is the beginning or the end of the other.
func worstPair(i, n int) (gold, text string) {
	gold, text = worstTexts[i].make(rand.New(rand.NewPCG(uint64(i), 1)), n)
	return "begin " + gold + " stop", "first " + text + " last"
}

// scored runs a measure on a pair and returns the most memory that it took.
func scored(s *algorithms.Scorer, gold, text string) (score algorithms.Score, peak int64) {
	var x algorithms.Trial
	peak = algotest.Peak(func() {
		x.Reset(&algorithms.Gold{Text: gold}, []byte(text), nil, false)
		score = s.Score(&x)
	})
	runtime.KeepAlive(&x)
	return score, peak
}

// TestWorstTextsInMemory checks that the memory for scoring a page is bounded by its
// longest text, whatever the texts are: by what the driver reserves, plus a constant 64
// MB.
func TestWorstTextsInMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	const n = 60_000
	most := driver.ScoreMemory(n) + 64<<20
	for i, w := range worstTexts {
		gold, text := worstPair(i, n)
		for _, s := range suite.Scorers() {
			began := time.Now()
			got, peak := scored(s, gold, text)
			if peak > most {
				t.Errorf("%s of %s: %d MB, want at most %d", s.Name, w.name, peak>>20, most>>20)
			}
			if took := time.Since(began); peak > most/3 || took > time.Second {
				t.Logf("%s of %s: %d MB, %v %s %s", s.Name, w.name, peak>>20, took, got.Method, got.Reason)
			}
		}
	}
}

// BenchmarkWorstTexts measures every measure on pairs of texts that cost much, of
// doubling size up to the longest that is scored. "growth" is the time of a pair over
// that of one of half its size: two is linear; what grows faster ends at a bound of
// operations (a method "anchored", a reason "text_too_long"). Texts end at 8 KiB unless
// WINNOW_BENCH_MIB is set.
//
//	WINNOW_BENCH_MIB=1 go test ./algorithms/score -run '^$' -bench WorstTexts -benchtime 1x -timeout 1h
func BenchmarkWorstTexts(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	first, most := 1<<11, 1<<13 // bytes of a text
	if os.Getenv("WINNOW_BENCH_MIB") != "" {
		first, most = 1<<18, driver.DefaultScoreBytes // takes most of an hour
	}
	for i, w := range worstTexts {
		for _, s := range suite.Scorers() {
			b.Run(fmt.Sprintf("texts=%s/measure=%s", strings.ReplaceAll(w.name, " ", "-"), s.Name), func(b *testing.B) {
				for b.Loop() {
					last, growth, peak := time.Duration(0), 0.0, int64(0)
					for n := first; n <= most; n *= 2 {
						gold, text := worstPair(i, n-20)
						began := time.Now()
						_, p := scored(s, gold, text)
						took := time.Since(began)
						if last > 0 {
							growth = float64(took) / float64(last)
						}
						last, peak = took, max(peak, p)
					}
					b.ReportMetric(last.Seconds(), "s")
					b.ReportMetric(growth, "growth")
					b.ReportMetric(float64(peak)/1e6, "peak-MB")
				}
			})
		}
	}
}

// TestWorstTextsHaveAnAnswer checks that a scorer without a score for a pair gives a
// reason, and gives the same reason each time.
func TestWorstTextsHaveAnAnswer(t *testing.T) {
	gold, text := worstPair(2, 4000)
	for _, s := range suite.Scorers() {
		if s.With == nil {
			continue
		}
		for _, name := range []string{"cells", "steps"} {
			tight, err := s.With(map[string]string{name: "50"})
			if err != nil {
				continue // it has no such setting
			}
			first, _ := scored(tight, gold, text)
			again, _ := scored(tight, gold, text)
			if first != again {
				t.Errorf("%s: %+v, then %+v", tight.Name, first, again)
			}
			if first.Reason != algorithms.ReasonTooLong && first.Reason != algorithms.ReasonNotDefined && !strings.HasPrefix(first.Method, "anchored") {
				t.Errorf("%s: %+v, want no score or one that is said to be a lower bound", tight.Name, first)
			}
		}
	}
	d, err := driver.New(driver.Config{Extractors: []*algorithms.Extractor{{Description: algorithms.Description{Name: "whole"}, Run: whole(1)}}, Scorers: suite.Scorers()})
	if err != nil {
		t.Fatal(err)
	}
	r, err := d.Page(context.Background(), driver.Input{HTML: []byte("<p>" + text), Gold: &driver.Gold{Text: gold}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Extractions[0].Scores {
		if s.Err != "" {
			t.Errorf("%s: %s", s.Scorer.Name, s.Err)
		}
	}
}
