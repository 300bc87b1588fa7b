package cetr_test

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/extract/cetr"
	"github.com/winnow/winnow/algorithms/page"
)

// The twin follows section 3.9 of the specification and two public ports of the
// authors' program (superisaac/pycetr, dragnet-org/dragnet), on the source and
// its tokens, and was written without knowledge of the package and of package
// lines.

// removed says of every byte from the body on whether it is of a comment or an
// element that the method takes out first.
func removed(src string, body int) []bool {
	gone := make([]bool, len(src))
	z := html.NewTokenizer(strings.NewReader(src))
	element := "" // name of the element that is being taken out
	for at := 0; ; {
		kind := z.Next()
		raw := len(z.Raw())
		name, _ := z.TagName()
		if (kind == html.StartTagToken || kind == html.SelfClosingTagToken) && element == "" && at >= body {
			switch n := string(name); n {
			case "script", "style", "noscript":
				element = n
			}
		}
		if element != "" || kind == html.CommentToken {
			for i := at; i < at+raw; i++ {
				gone[i] = true
			}
		}
		if kind == html.EndTagToken && string(name) == element {
			element = ""
		}
		at += raw
		if kind == html.ErrorToken {
			return gone
		}
	}
}

// line is a line of the source: what tokens it has.
type line struct {
	tags  int
	text  string
	words []int
}

// linesOf cuts the source of the body.
func linesOf(p *page.Page) []line {
	k := p.Tokens()
	src := string(p.Source)
	from := 0
	if at := p.BodyLex(); at > 0 {
		from = int(p.Lex.Src[at-1].End)
	}
	// What precedes the first token belongs to the head, and so is a noscript that
	// begins there: it ends where the body begins.
	body := from
	if k.Len() > 0 {
		body = max(body, int(k.Src[0].Start))
	}
	gone := removed(src, body)
	inTag, start := make([]bool, len(src)), map[int]int{}
	for i := range k.Len() {
		r := k.Src[i]
		if gone[r.Start] {
			continue
		}
		start[int(r.Start)] = i
		if k.Kind[i] != page.TokenWord {
			for j := r.Start; j < r.End; j++ {
				inTag[j] = true
			}
		}
	}
	runes, newlines := 0, 0
	for i, r := range src {
		if i >= from && !gone[i] {
			runes++
			if r == '\n' {
				newlines++
			}
		}
	}
	wrap := float64(runes)/float64(newlines+1) > float64(cetr.Default.Trigger)

	lines := []line{{}}
	var text strings.Builder
	columns := 0
	end := func() {
		lines[len(lines)-1].text = algotest.Fold(html.UnescapeString(text.String()))
		text.Reset()
		columns = 0
		lines = append(lines, line{})
	}
	word := 0 // where the word that is being read ends
	for i, r := range src {
		if i < from || gone[i] {
			continue
		}
		token, begins := start[i]
		isTag := begins && k.Kind[token] != page.TokenWord
		between := !inTag[i] && !begins && i >= word
		if wrap && columns >= cetr.Default.Columns && r != '\n' {
			if between && algotest.IsBlank(r) { // the line end takes its place
				end()
				continue
			}
			if isTag {
				end()
			}
		}
		if begins {
			l := &lines[len(lines)-1]
			if isTag {
				l.tags++
			} else {
				l.words = append(l.words, token)
				word = int(k.Src[token].End)
			}
		}
		if i < word {
			text.WriteRune(r)
		} else if between {
			text.WriteByte(' ')
		}
		columns++
		if r == '\n' {
			end()
		}
	}
	end()
	var full []line
	for _, l := range lines {
		if l.tags > 0 || len(l.words) > 0 {
			full = append(full, l)
		}
	}
	return full
}

func smooth(v []float64) []float64 {
	s := cetr.Default.S
	radius := int(math.Ceil(s))
	out := make([]float64, len(v))
	for i := range v {
		weights := 0.0
		for j := -radius; j <= radius; j++ {
			if i+j >= 0 && i+j < len(v) {
				g := math.Exp(-float64(j*j) / (2 * s * s))
				out[i] += g * v[i+j]
				weights += g
			}
		}
		out[i] /= weights
	}
	return out
}

// clusters returns the cluster of each point, 0 being that at the origin.
func clusters(x, y []float64) []int {
	distance := func(i int, c [2]float64) float64 {
		return (x[i]-c[0])*(x[i]-c[0]) + (y[i]-c[1])*(y[i]-c[1])
	}
	centres := [][2]float64{{0, 0}}
	nearest := func(i int) (int, float64) {
		best, least := 0, math.Inf(1)
		for c := range centres {
			if d := distance(i, centres[c]); d < least {
				best, least = c, d
			}
		}
		return best, least
	}
	for len(centres) < cetr.Default.K {
		far, most := 0, math.Inf(-1)
		for i := range x {
			if _, d := nearest(i); d > most {
				far, most = i, d
			}
		}
		centres = append(centres, [2]float64{x[far], y[far]})
	}
	of := make([]int, len(x))
	for round := range cetr.Default.Rounds {
		changed := round == 0
		for i := range x {
			c, _ := nearest(i)
			changed = changed || c != of[i]
			of[i] = c
		}
		if !changed {
			break
		}
		for c := 1; c < len(centres); c++ {
			var sum [2]float64
			n := 0.0
			for i := range x {
				if of[i] == c {
					sum[0] += x[i]
					sum[1] += y[i]
					n++
				}
			}
			if n > 0 {
				centres[c] = [2]float64{sum[0] / n, sum[1] / n}
			}
		}
	}
	return of
}

// independent says of every token whether it is a word that the variant selects.
func independent(p *page.Page, variant string) map[int]bool {
	lines := linesOf(p)
	if len(lines) == 0 {
		return nil
	}
	ratio := make([]float64, len(lines))
	for i, l := range lines {
		ratio[i] = float64(utf8.RuneCountInString(l.text)) / float64(max(1, l.tags))
	}
	ratio = smooth(ratio)
	keep := make([]bool, len(lines))
	switch variant {
	case "cetr-tm":
		mean, deviation := 0.0, 0.0
		for _, v := range ratio {
			mean += v
		}
		mean /= float64(len(ratio))
		for _, v := range ratio {
			deviation += (v - mean) * (v - mean)
		}
		deviation = math.Sqrt(deviation / float64(len(ratio)))
		for i, v := range ratio {
			keep[i] = v > cetr.Default.Lambda*deviation
		}
	default:
		change := make([]float64, len(lines))
		if variant == "cetr" {
			for i := range lines {
				next := ratio[i+1 : min(i+1+cetr.Default.Alpha, len(ratio))]
				if len(next) == 0 {
					continue
				}
				sum := 0.0
				for _, v := range next {
					sum += v
				}
				change[i] = math.Abs(sum/float64(len(next)) - ratio[i])
			}
			change = smooth(change)
		}
		for i, c := range clusters(ratio, change) {
			keep[i] = c != 0
		}
	}
	selected := map[int]bool{}
	for i, l := range lines {
		if keep[i] {
			for _, w := range l.words {
				selected[w] = true
			}
		}
	}
	return selected
}

func compare(t *testing.T, e *algorithms.Extractor, name, source string) {
	t.Helper()
	p := algotest.Pass(source)
	if err := e.Run(p); err != nil {
		t.Fatal(err)
	}
	want := independent(p.Page, e.Name)
	k := p.Page.Tokens()
	for i, s := range k.Text {
		if k.Kind[i] != page.TokenWord || s.Len() == 0 {
			continue
		}
		got := false
		for _, out := range p.Out.Spans {
			got = got || out.Start <= s.Start && s.End <= out.End
		}
		if got != want[i] {
			t.Errorf("%s on %s: word %d %q at byte %d is selected: %v, twin says %v",
				e.Name, name, i, p.Body.Text[s.Start:s.End], k.Src[i].Start, got, want[i])
			return
		}
	}
}

func TestIndependent(t *testing.T) {
	pages := algotest.RealPages(t, 1, "cleaneval-dev", "cleanportaleval")
	for _, e := range []*algorithms.Extractor{cetr.CETR, cetr.CETRKM, cetr.CETRTM} {
		t.Run(e.Name, func(t *testing.T) {
			for seed := range uint64(150) {
				source := algotest.Random(seed)
				compare(t, e, "random "+strconv.FormatUint(seed, 10), source)
				compare(t, e, "random without lines "+strconv.FormatUint(seed, 10), strings.ReplaceAll(source, "\n", " "))
			}
			for _, p := range pages {
				compare(t, e, p.Name, p.HTML)
			}
			if len(pages) < 50 {
				t.Errorf("only %d real pages", len(pages))
			}
		})
	}
}
