package web2text

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
)

func units(s string) []uint16 { return utf16.Encode([]rune(s)) }

// twinAnchors is the search for anchors by tables of all pieces of all lengths.
func twinAnchors(source, text []uint16) (segments []segment) {
	const k = piece
	trimmed := func(s []uint16) (out []uint16) {
		for _, u := range s {
			if !isWhite(u) && u != gap {
				out = append(out, u)
			}
		}
		return out
	}
	where := map[string][]int{}
	for i := 0; i+k <= len(source); i++ {
		if s := source[i : i+k]; !slices.Contains(s, gap) {
			where[fmt.Sprint(s)] = append(where[fmt.Sprint(s)], i)
		}
	}
	solid, count := trimmed(source), map[string]int{}
	for n := 1; n <= k; n++ {
		for i := 0; i+n <= len(solid); i++ {
			count[fmt.Sprint(solid[i:i+n])]++
		}
	}
	equal := func(a, b uint16) bool { return isWhite(a) && isWhite(b) || fold(a) == fold(b) }
	last := segment{}
	for i := 0; i < len(text)+1-k; {
		s := text[i : i+k]
		at := where[fmt.Sprint(s)]
		if len(at) != 1 || len(trimmed(s)) == 0 || count[fmt.Sprint(trimmed(s))] != 1 {
			i++
			continue
		}
		p, right, left := at[0], 0, 0
		for i+k+right < len(text) && p+k+right < len(source) && equal(text[i+k+right], source[p+k+right]) {
			right++
		}
		for i-left > 0 && p-left > 0 && p-left >= last.to+1 && equal(text[i-1-left], source[p-1-left]) {
			left++
		}
		switch {
		case p <= last.from:
			segments = segments[:max(0, len(segments)-2)]
			last = segment{}
			if len(segments) > 0 {
				last = segments[len(segments)-1]
			}
			i++
		case p < last.to:
			i++
		default:
			if p-left > last.to || i-left > last.textTo {
				segments = append(segments, segment{last.to, p - left, last.textTo, i - left, false})
			}
			last = segment{p - left, p + k + right, i - left, i + k + right, true}
			segments = append(segments, last)
			i += k + right
		}
	}
	return append(segments, segment{last.to, len(source), last.textTo, len(text), false})
}

// twinTable is the whole table of a gap, and the way back through it.
func twinTable(source, text []uint16) []bool {
	n, m := len(source), len(text)
	score, gaps, step := make([][]int, n+1), make([][]bool, n+1), make([][]uint8, n+1)
	for i := range score {
		score[i], gaps[i], step[i] = make([]int, m+1), make([]bool, m+1), make([]uint8, m+1)
		gaps[i][0], step[i][0] = true, skipSource
	}
	for j := 1; j <= m; j++ {
		score[0][j], gaps[0][j], step[0][j] = -j, true, skipText
	}
	for i := 1; i <= n; i++ {
		for j := 1; j <= m; j++ {
			s, c := source[i-1], text[j-1]
			skip := score[i][j-1]
			if !isWhite(c) {
				skip -= 6
			}
			best, how, in := score[i-1][j], skipSource, true
			if !gaps[i-1][j] {
				best -= 2
			}
			if skip > best {
				best, how, in = skip, skipText, gaps[i][j-1]
			}
			if fold(s) == fold(c) || isWhite(s) && isWhite(c) {
				worth := 0
				switch {
				case isAlphanumeric(s) && s == c:
					worth = 3
				case s == c || !isWhite(s):
					worth = 1
				}
				if x := score[i-1][j-1] + worth; x > best {
					best, how, in = x, pair, false
				}
			}
			score[i][j], step[i][j], gaps[i][j] = best, how, in
		}
	}
	aligned := make([]bool, n)
	for i, j := n, m; i != 0 || j != 0; {
		switch step[i][j] {
		case pair:
			i, j = i-1, j-1
			aligned[i] = source[i] != gap
		case skipText:
			j--
		default:
			i--
		}
	}
	return aligned
}

// texts of few characters, so that much is there more than once, and pieces of
// markup between them.
func randomHTML(r *rand.Rand) (html, text string) {
	var h, t strings.Builder
	words := []string{"grain", "Chaff", "the", "of", "a", "harvest", "1867", "é", "𝒳", "wind", "fan\u00a0x"}
	for range 3 + r.IntN(12) {
		var p strings.Builder
		for range 1 + r.IntN(8) {
			p.WriteString(words[r.IntN(len(words))])
			p.WriteString([]string{" ", "  ", "\n", ", "}[r.IntN(4)])
		}
		h.WriteString([]string{"<p>", "<DIV class='a>b'>", "<br/>", "<!-- no -->", "&amp;", "<script>if (a<b) x</script>"}[r.IntN(6)] + p.String())
		switch r.IntN(5) {
		case 0: // left out
		case 1:
			t.WriteString(strings.ToUpper(p.String()))
		case 2:
			t.WriteString(strings.ReplaceAll(p.String(), "a", "o"))
		default:
			t.WriteString(p.String())
		}
	}
	return h.String(), t.String()
}

func TestSourceTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s source
	var a aligner
	var p page.Page
	for range 400 {
		html, text := randomHTML(r)
		p.Parse([]byte(html), page.Options{})
		s.fill(&p)
		a.text = append(a.text[:0], units(text)...)
		a.align(&s)
		segments := twinAnchors(s.units, a.text)
		want := make([]bool, len(s.units))
		for _, x := range segments {
			if x.same {
				for i := x.from; i < x.to; i++ {
					want[i] = true
				}
			} else {
				copy(want[x.from:x.to], twinTable(s.units[x.from:x.to], a.text[min(x.textFrom, x.textTo):x.textTo]))
			}
		}
		if !slices.Equal(a.aligned, want) {
			t.Fatalf("%q in %q:\n got %v\nwant %v", text, html, marks(s.units, a.aligned), marks(s.units, want))
		}
	}
}

// marks are the aligned units, with gaps for the others.
func marks(source []uint16, aligned []bool) string {
	out := slices.Clone(source)
	for i := range out {
		if !aligned[i] {
			out[i] = gap
		}
	}
	return string(utf16.Decode(out))
}

func alignText(html, text string) string {
	var p page.Page
	p.Parse([]byte(html), page.Options{})
	var s source
	s.fill(&p)
	var a aligner
	a.text = units(text)
	a.align(&s)
	return strings.Trim(marks(s.units, a.aligned), string(rune(gap)))
}

func TestSourceAlignment(t *testing.T) {
	f := func(html, text, want string) {
		t.Helper()
		if got := alignText(html, text); got != want {
			t.Errorf("%q in %q: %q, want %q", text, html, got, want)
		}
	}
	f("<p>Wheat and barley, rye<p>imprint", "wheat AND  barley, rye", "Wheat and barley, rye")
	// A character that is wrong costs itself alone, with its neighbours out of the gap.
	f("<p>The harvesters of the valley begin early", "The harvesters 0f the valley begin early", "The harvesters □f the valley begin early")
	// Attributes, scripts, comments and named references are no text.
	f("<p title='harvest moon'>x</p><script>harvest moon</script><!-- harvest moon --><p>harvest moon", "harvest moon", "harvest moon")
	f("<p>fish &amp; chips for all of us", "fish & chips for all of us", "fish □□□□□ chips for all of us")
	f("<p>nothing of the kind", "quartz", "")
}

func TestMask(t *testing.T) {
	f := func(html, want string) {
		t.Helper()
		m := newMasker([]byte(html))
		out := []byte(html)
		for i := 0; i < len(html); {
			end := m.end(i)
			for k := i; k < end; k++ {
				out[k] = '#'
			}
			i = max(end, i+1)
		}
		if string(out) != want {
			t.Errorf("%s\n got %s\nwant %s", html, out, want)
		}
	}
	f("<p>a</p>b", "###a####b")
	f("a<b c>d", "a#####d")
	f("a < b > c <1> </ p>", "a < b > c <1> </ p>")
	f("a <b <i>c", "a <b ###c")
	f("<SCRIPT x>if (a<b) {}</script >z", "################################"[:31]+"z")
	f("<script>a<b>c", "########a###c")
	f("<header>menu</header>x", "#####################x")
	f("<style>a</style>b<!--c<p>-->d<!-- e", "################b###########d<!-- e")
	f("&nbsp;&#160;&a1;&b", "######&#160;&a1;&b")
}

// What the two alignments make of a page: a gold with typing errors is not found
// by its words, and found by its characters.
func TestAlignSetting(t *testing.T) {
	const html = "<p>The harvesters begin early<p>imprint of the paper"
	const gold = "Teh harvestesr bgein earyl"
	f := func(align string, common, goldBlocks int64, method string) {
		t.Helper()
		s, err := Blocks.With(map[string]string{"align": align})
		if err != nil {
			t.Fatal(err)
		}
		got := algotest.ScorePieces(t, s, html, gold, "The harvesters begin early")
		if got.Common != common || got.Gold != goldBlocks || got.Extracted != 1 || got.Universe != 2 || got.Method != method {
			t.Errorf("align=%s: %+v", align, got)
		}
	}
	f(ByWords, 0, 0, "full")
	f(BySource, 1, 1, "w2t")
	if _, err := Blocks.With(map[string]string{"align": "other"}); err == nil {
		t.Error("another alignment is taken")
	}
}

// An extraction without places on the page has labels by the source.
func TestBySourceNeedsNoPlaces(t *testing.T) {
	s, err := Blocks.With(map[string]string{"align": BySource})
	if err != nil {
		t.Fatal(err)
	}
	var pg page.Page
	pg.Parse([]byte("<p>wheat and barley<p>imprint"), page.Options{})
	var g algorithms.Gold
	var x algorithms.Trial
	g.Text, g.Page = "<P>wheat and barley", &pg
	x.Reset(&g, []byte("wheat and barley"), nil, false)
	if got := s.Score(&x); got.Common != 1 || got.Extracted != 1 || got.Gold != 1 || got.Coverage != 1 {
		t.Errorf("got %+v", got)
	}
}

// A gap that is too large for the table is aligned all the same, and says so.
func TestCoarse(t *testing.T) {
	source, text := units(strings.Repeat("xy", 50)+"grain"), units("the grain")
	var a aligner
	a.cells = 10
	aligned := make([]bool, len(source))
	a.gap(source, text, aligned)
	if got := strings.Trim(marks(source, aligned), string(rune(gap))); got != "grain" || !a.coarse {
		t.Errorf("%q, coarse %t", got, a.coarse)
	}
}

func FuzzSource(f *testing.F) {
	f.Add("<p>The harvesters begin early</p>", "the harvestesr begin")
	f.Add("<head><script>a<b</head>□ grain and chaff", "grain\u00a0and □ chaff grain and chaff")
	f.Fuzz(func(t *testing.T, html, text string) {
		if len(html)+len(text) > 4000 {
			t.Skip()
		}
		alignText(html, text)
	})
}
