package align

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/page"
)

func parse(html string) *page.Body {
	p := new(page.Page)
	p.Parse([]byte(html), page.Options{})
	return p.Body()
}

func TestAlign(t *testing.T) {
	f := func(html, text string, want ...int32) {
		t.Helper()
		var p Page
		p.Fill(&parse(html).Table)
		var a Aligner
		var m Matches
		for range 2 { // the second time over the memory of the first
			a.Align(&m, &p, []byte(text))
			if !slices.Equal(m.Page, want) {
				t.Errorf("%q on %q: words %v, want %v", text, html, m.Page, want)
			}
		}
	}
	f("Menu The cat sat on the mat The end", "The cat sat on the mat", 1, 2, 3, 4, 5, 6)
	f("", "words")
	f("words", "")
	f("Home About The cat sat Home", "The cat sat", 2, 3, 4)
	// Short and far from the rest: not matched. Long: matched.
	f("the one two three four five six", "four five six the", 4, 5, 6)
	f("x that x y z grain and chaff fall", "that grain and chaff", 5, 6, 7)
	f("x harvesters x y z grain and chaff fall", "harvesters grain and chaff", 1, 5, 6, 7)
	// Case, composition and invisible characters do not count.
	f("GRAIN caf\u00e9 naive", "grain cafe\u0301 na\u00adive", 0, 1, 2)
	f("cafe\u0301 <b>na</b>\u00adive x", "Caf\u00e9 naive", 0, 1)
	f("東京の空は今日も青い", "京の空は今日も", 1, 2, 3, 4, 5, 6, 7)
	// Order counts.
	f("alpha beta gamma delta epsilon zeta eta theta iota kappa", "zeta eta theta iota kappa alpha beta gamma delta epsilon", 5, 6, 7, 8, 9)
	// A repeated sentence: the words are in between anchors.
	f("share this a b c d e f share this g h i j k l", "a b c d e f share this g h i j k l", 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
	// Hidden text has no words.
	f("one <p hidden>two</p> three four five six", "one two three four five six", 0, 1, 2, 3, 4)
}

func TestText(t *testing.T) {
	f := func(html, text, want string) {
		t.Helper()
		b := parse(html)
		var a Aligner
		var s page.Selection
		for range 2 {
			a.Text(&s, b, text)
			if err := s.Validate(b); err != nil {
				t.Fatalf("%q on %q: %v", text, html, err)
			}
			if got := string(s.AppendText(nil, b)); got != want {
				t.Errorf("%q on %q: got %q, want %q", text, html, got, want)
			}
		}
	}
	const html = "<h1>Harvest</h1><p>“It rained,” she said. <i>Then</i>... it stopped!</p><p hidden>never shown</p><ul><li>wheat<li>rye</ul>© imprint"
	f(html, "It rained she said", "“It rained,” she said.")
	f(html, "Harvest “It rained,” she said. Then it stopped wheat rye", "Harvest\n“It rained,” she said. Then... it stopped!\nwheat\nrye")
	f(html, "never shown", "")
	f(html, "nothing of it", "")
	f(html, "it stopped wheat", "it stopped!\nwheat")
	f("<p>na\u00adive cafe\u0301.</p>", "naive café", "na\u00adive cafe\u0301.")
}

// TestTextsOfOnePage: an Aligner that is used for text after text gives the answers of a new
// one, whichever page a text is of.
func TestTextsOfOnePage(t *testing.T) {
	texts := []string{"alpha beta gamma", "gamma delta epsilon zeta", "words of no page", "", "beta gamma delta epsilon", "alpha beta gamma delta"}
	pages := []string{
		"<p>alpha beta gamma delta</p><p>epsilon zeta</p>",
		"<p>alpha beta gamma delta</p><p hidden>epsilon zeta</p>", // the same text, partly hidden
		"<p>alpha beta gamma</p><p hidden>delta</p><p>epsilon zeta</p>",
		"",
	}
	r := rand.New(rand.NewPCG(7, 8))
	var used Aligner
	var pg page.Page
	src := ""
	for range 500 {
		if src == "" || r.IntN(4) == 0 {
			src = pages[r.IntN(len(pages))]
			pg.Parse([]byte(src), page.Options{}) // the page before is in the same memory
		}
		text := texts[r.IntN(len(texts))]
		var got, want page.Selection
		used.Text(&got, pg.Body(), text)
		new(Aligner).Text(&want, pg.Body(), text)
		if !slices.Equal(got.Spans, want.Spans) || !slices.Equal(got.Rows, want.Rows) {
			t.Fatalf("%q on %q: %v, want %v", text, src, got.Spans, want.Spans)
		}
	}
}

// total is the score of an alignment by the definition.
func total(p *Page, pairs []int32, n int) int {
	score, gap := 0, false
	at := 0
	for i := range n {
		if at < len(pairs) && int(pairs[at]) == i {
			score += perRune * int(p.runes[p.ids[i]])
			gap = false
			at++
			continue
		}
		if !gap {
			score -= open
		}
		gap = true
	}
	return score
}

// best is the plain table over all words: the best score of any alignment.
func best(p *Page, text []int32) int {
	n, m := len(p.ids), len(text)
	matched, skipped := make([][]int, n+1), make([][]int, n+1)
	for i := range n + 1 {
		matched[i], skipped[i] = make([]int, m+1), make([]int, m+1)
		for j := range m + 1 {
			matched[i][j], skipped[i][j] = never, never
			if i == 0 {
				matched[i][j] = 0
				continue
			}
			if j > 0 {
				matched[i][j], skipped[i][j] = matched[i][j-1], skipped[i][j-1]
				if p.ids[i-1] == text[j-1] {
					matched[i][j] = max(matched[i][j], max(matched[i-1][j-1], skipped[i-1][j-1])+perRune*int(p.runes[p.ids[i-1]]))
				}
			}
			skipped[i][j] = max(skipped[i][j], matched[i-1][j]-open, skipped[i-1][j])
		}
	}
	return max(matched[n][m], skipped[n][m])
}

// The table without what cannot match must have the score of the plain table.
func TestGridIsTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		sigma := []int{3, 10, 60}[i%3]
		words := func(n int) string {
			var b strings.Builder
			for range r.IntN(n) {
				x := r.IntN(sigma)
				fmt.Fprintf(&b, "%s%d ", strings.Repeat("w", x%7), x)
			}
			return b.String()
		}
		var p Page
		p.Fill(&parse(words(40)).Table)
		var a Aligner
		var m Matches
		a.Align(&m, &p, []byte(words(30)))
		if len(p.ids) == 0 || len(a.ids) == 0 {
			continue
		}
		var got []int32
		if !a.grid.fill(p.ids, a.ids, p.runes) {
			t.Fatal("too large")
		}
		last := -1
		a.grid.walk(func(i, j int) {
			if p.ids[i] != a.ids[j] || j <= last {
				t.Fatalf("words %d and %d matched behind %d", i, j, last)
			}
			last = j
			got = append(got, int32(i))
		})
		if score, want := total(&p, got, len(p.ids)), best(&p, a.ids); score != want {
			t.Fatalf("%v and %v: score %d, want %d", p.ids, a.ids, score, want)
		}
	}
}

// On a page of many words every word of a text that is there is found, and the
// alignment goes forward.
func TestLargePage(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for range 20_000 {
		fmt.Fprintf(&b, "w%d ", r.IntN(800))
	}
	all := strings.Fields(b.String())
	text := slices.Concat(all[300:2000], []string{"unknown", "words"}, all[9000:9500], all[15000:15010])
	var p Page
	p.Fill(&parse(b.String()).Table)
	var a Aligner
	var m Matches
	a.Align(&m, &p, []byte(strings.Join(text, " ")))
	if m.Coverage() < 0.99 || m.Method != Full {
		t.Errorf("found %d of %d words, %s", len(m.Text), m.Words, m.Method)
	}
	if !slices.IsSorted(m.Page) || !slices.IsSorted(m.Text) {
		t.Error("the alignment goes back")
	}
}

// Nothing unique and no room for the table.
func TestCoarse(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString([]string{"grain ", "chaff "}[r.IntN(2)])
		}
		return b.String()
	}
	var p Page
	p.Fill(&parse(words(10_000)).Table)
	var a Aligner
	var m Matches
	a.Align(&m, &p, []byte(words(9000)))
	if m.Method != Coarse || len(m.Page) < 5000 {
		t.Errorf("%s, %d words found", m.Method, len(m.Page))
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	b := parse("<p>" + strings.Repeat("grain and chaff of the field, ", 50) + "the end is near <p>not at all")
	var a Aligner
	var s page.Selection
	text := b.Text[20:400]
	run := func() {
		s.Reset()
		a.page.Fill(&b.Table)
		a.Align(&a.found, &a.page, text)
		a.page.Select(&s, b, a.found.Page)
	}
	run()
	if n := testing.AllocsPerRun(5, run); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func FuzzText(f *testing.F) {
	f.Add("<p>The cat <b>sat</b> on the mat", "the cat sat")
	f.Add("<p hidden>a</p>b<p style=display:none>c d e f g</p> h", "a b c d e f g h")
	f.Add("e\u0301\u00ad\u200b x", "é")
	f.Fuzz(func(t *testing.T, html, text string) {
		html, text = html[:min(len(html), 4000)], text[:min(len(text), 4000)] // longer inputs only make the search slower
		b := parse(strings.ToValidUTF8(html, "\uFFFD"))
		var a Aligner
		var s page.Selection
		a.Text(&s, b, text)
		if err := s.Validate(b); err != nil {
			t.Fatal(err)
		}
	})
}

// go test -run - -bench . ./algorithms/compare/align
func BenchmarkAlign(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	var words []string
	for range 7000 { // about 40 kB
		x := r.Float64()
		words = append(words, fmt.Sprintf("w%d", int(x*x*3000)))
	}
	body := parse("<p>" + strings.Join(words, " "))
	text := strings.Join(append(append([]string{}, words[1000:1400]...), words[3000:3500]...), " ")
	var a Aligner
	var p Page
	var m Matches
	b.Run("do=fill", func(b *testing.B) {
		b.SetBytes(int64(len(body.Text)))
		b.ReportAllocs()
		for b.Loop() {
			p.Fill(&body.Table)
		}
	})
	b.Run("do=align", func(b *testing.B) {
		b.SetBytes(int64(len(body.Text)))
		b.ReportAllocs()
		for b.Loop() {
			a.Align(&m, &p, []byte(text))
		}
	})
}
