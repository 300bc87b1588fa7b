package web2text_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/score/web2text"
)

// The twin follows sections 2.3 and 8 of the specification of the measures, with
// whole tables, and was written without knowledge of the packages web2text,
// places and align.

// token is a word of a text with its position.
type token struct {
	word     string
	from, to int
}

func tokensOf(text string) []token {
	var list []token
	single := func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && !unicode.IsMark(r)
	}
	const before, inside, alone = 0, 1, 2
	state := before
	for i, r := range text {
		to := i + len(string(r))
		switch {
		case strings.ContainsRune("\u00ad\u200b\u200c\u200d\u2060\ufeff", r):
			if state != before {
				continue // is not there
			}
		case (unicode.IsLetter(r) || unicode.IsNumber(r)) && single(r):
			list = append(list, token{from: i, to: to})
			state = alone
		case unicode.IsMark(r) && state != before || unicode.IsMark(r) || unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_':
			if state == inside || state == alone && unicode.IsMark(r) {
				list[len(list)-1].to = to
			} else {
				list = append(list, token{from: i, to: to})
				state = inside
			}
		default:
			state = before
		}
	}
	lower := cases.Lower(language.Und)
	for i, t := range list {
		s := strings.Map(func(r rune) rune {
			if strings.ContainsRune("\u00ad\u200b\u200c\u200d\u2060\ufeff", r) {
				return -1
			}
			return r
		}, text[t.from:t.to])
		list[i].word = lower.String(norm.NFC.String(s))
	}
	return list
}

// match is a page word and a word of the text that are aligned.
type match struct{ p, t int }

func align(p, t []token) []match {
	const n = 5
	grams := func(list []token) map[string][]int {
		at := map[string][]int{}
		for i := 0; i+n <= len(list); i++ {
			var words []string
			for _, w := range list[i : i+n] {
				words = append(words, w.word)
			}
			s := strings.Join(words, " ")
			at[s] = append(at[s], i)
		}
		return at
	}
	inP, inT := grams(p), grams(t)
	var anchors []match
	for s, at := range inP {
		if len(at) == 1 && len(inT[s]) == 1 {
			anchors = append(anchors, match{at[0], inT[s][0]})
		}
	}
	slices.SortFunc(anchors, func(a, b match) int { return a.p - b.p })
	// The longest chain that goes forward.
	length, back := make([]int, len(anchors)), make([]int, len(anchors))
	last := -1
	for i, a := range anchors {
		length[i], back[i] = 1, -1
		for j, b := range anchors[:i] {
			if b.t < a.t && length[j]+1 > length[i] {
				length[i], back[i] = length[j]+1, j
			}
		}
		if last < 0 || length[i] > length[last] {
			last = i
		}
	}
	var chain []match
	for i := last; i >= 0; i = back[i] {
		chain = append(chain, anchors[i])
	}
	slices.Reverse(chain)

	var found []match
	atP, atT := 0, 0 // ends of what is aligned
	for _, a := range chain {
		// What the anchor before was extended to may reach into this one. The rest of
		// it stays an anchor if it begins after that on the page.
		k := max(atT-a.t, 0)
		if a.p < atP || k >= n {
			continue
		}
		a = match{a.p + k, a.t + k}
		for a.p > atP && a.t > atT && p[a.p-1].word == t[a.t-1].word {
			a.p, a.t = a.p-1, a.t-1
		}
		found = append(found, gap(p, t, atP, a.p, atT, a.t)...)
		for atP, atT = a.p, a.t; atP < len(p) && atT < len(t) && p[atP].word == t[atT].word; atP, atT = atP+1, atT+1 {
			found = append(found, match{atP, atT})
		}
	}
	return append(found, gap(p, t, atP, len(p), atT, len(t))...)
}

// gap aligns what is between two anchors: a matched word earns its length, each
// run of page words that are left out costs four and a half, as package align has it: a
// lone word of four characters is not worth two runs instead of one.
func gap(p, t []token, fromP, toP, fromT, toT int) []match {
	const word, open = 2, 9
	type cell struct{ matched, skipping int }
	rows, columns := toP-fromP, toT-fromT
	const never = -1 << 40
	best := make([][]cell, rows+1)
	for i := range best {
		best[i] = make([]cell, columns+1)
		for j := range best[i] {
			c := cell{never, never}
			if i == 0 {
				c.matched = 0 // words of the text are left out at no cost
			}
			if i > 0 && j > 0 && p[fromP+i-1].word == t[fromT+j-1].word {
				b := best[i-1][j-1]
				c.matched = max(b.matched, b.skipping) + word*len([]rune(p[fromP+i-1].word))
			}
			if i > 0 {
				c.skipping = max(best[i-1][j].matched-open, best[i-1][j].skipping)
			}
			if i > 0 && j > 0 {
				c.matched = max(c.matched, best[i][j-1].matched)
				c.skipping = max(c.skipping, best[i][j-1].skipping)
			}
			best[i][j] = c
		}
	}
	var found []match
	i, j := rows, columns
	skipping := best[i][j].skipping > best[i][j].matched
	for i > 0 && j > 0 {
		c := best[i][j]
		switch {
		case !skipping:
			if p[fromP+i-1].word == t[fromT+j-1].word {
				b := best[i-1][j-1]
				if c.matched == max(b.matched, b.skipping)+word*len([]rune(p[fromP+i-1].word)) {
					found = append(found, match{fromP + i - 1, fromT + j - 1})
					i, j = i-1, j-1
					skipping = b.skipping > b.matched
					continue
				}
			}
			j--
		case c.skipping == best[i][j-1].skipping:
			j--
		case c.skipping == best[i-1][j].matched-open:
			i--
			skipping = false
		default:
			i--
		}
	}
	slices.Reverse(found)
	return found
}

// spansOf are the words at the given places with what is between neighbours
// and the punctuation that touches them.
func spansOf(text string, words []token, at []match) []page.Span {
	var spans []page.Span
	for n, m := range at {
		from, to := words[m.p].from, words[m.p].to
		if n > 0 && at[n-1].p == m.p-1 {
			spans[len(spans)-1].End = int32(to)
		} else {
			limit := 0
			if m.p > 0 {
				limit = words[m.p-1].to
			}
			for from > limit {
				r, size := lastRune(text[:from])
				if algotest.IsBlank(r) {
					break
				}
				from -= size
			}
			spans = append(spans, page.Span{Start: int32(from), End: int32(to)})
		}
		if n+1 == len(at) || at[n+1].p != m.p+1 {
			limit := len(text)
			if m.p+1 < len(words) {
				limit = words[m.p+1].from
			}
			for i, r := range text[to:limit] {
				if algotest.IsBlank(r) {
					limit = to + i
					break
				}
			}
			spans[len(spans)-1].End = int32(limit)
		}
	}
	return spans
}

func lastRune(s string) (rune, int) {
	r := []rune(s[max(0, len(s)-4):])
	last := r[len(r)-1]
	return last, len(string(last))
}

// label reports whether a block is content: more than two thirds of its characters
// are in the spans.
func label(b *page.Body, r int, spans []page.Span) bool {
	n, in := 0, 0
	for i := int(b.TextStart[r]); i < int(b.TextEnd[r]); {
		c := []rune(string(b.Text[i:min(len(b.Text), i+4)]))[0]
		units := len(utf16.Encode([]rune{c}))
		n += units
		for _, s := range spans {
			if int(s.Start) <= i && i < int(s.End) {
				in += units
			}
		}
		i += len(string(c))
	}
	return in > 2*max(1, n)/3
}

var (
	bullet  = regexp.MustCompile(`<l>\s*(»|\*|\d{1,2}\.)`)
	segment = regexp.MustCompile(`<[hpl]>`)
	ruled   = regexp.MustCompile(`(?m)^\s*(_{10,}|-{10,})\s*$`)
)

// prepared is the gold without CleanEval's additions.
func prepared(gold string) string {
	if first, rest, _ := strings.Cut(gold, "\n"); strings.HasPrefix(first, "URL:") {
		gold = rest
	}
	return ruled.ReplaceAllString(segment.ReplaceAllString(bullet.ReplaceAllString(gold, ""), ""), "")
}

// independent are the blocks that both have, that the extraction has, that the
// gold has, and all.
func independent(b *page.Body, gold string, sel *page.Selection) (both, extracted, golden, all int) {
	words := slices.DeleteFunc(tokensOf(string(b.Text)), func(w token) bool {
		for r, f := range b.Flags {
			if f&page.IsText != 0 && f&page.Hidden != 0 && int(b.TextStart[r]) < w.to && w.from < int(b.TextEnd[r]) {
				return true
			}
		}
		return false
	})
	spans := spansOf(string(b.Text), words, align(words, tokensOf(prepared(gold))))
	for r, f := range b.Flags {
		if f&page.IsText == 0 {
			continue
		}
		all++
		shown := f&page.Hidden == 0 // hidden text is a block, but content of neither side
		g, e := shown && label(b, r, spans), shown && label(b, r, sel.Spans)
		if g {
			golden++
		}
		if e {
			extracted++
		}
		if g && e {
			both++
		}
	}
	return both, extracted, golden, all
}

func compare(t *testing.T, name string, p *algorithms.Pass, gold string, sel *page.Selection) {
	t.Helper()
	g := algorithms.Gold{Text: gold, Page: p.Page}
	var trial algorithms.Trial
	trial.Reset(&g, sel.AppendText(nil, p.Body), sel, false)
	got := web2text.Blocks.Score(&trial)
	both, extracted, golden, all := independent(p.Body, gold, sel)
	if got.Common != int64(both) || got.Extracted != int64(extracted) || got.Gold != int64(golden) || got.Universe != int64(all) {
		t.Errorf("%s: %+v, twin has %d blocks in both, %d extracted, %d in the gold, %d in all", name, got, both, extracted, golden, all)
	}
}

func TestIndependent(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 18))
	for seed := range uint64(600) {
		p := algotest.Pass(algotest.Random(seed))
		// Some rows of the page are its gold, others the extraction.
		var gold, sel page.Selection
		for row := range p.Body.Tag {
			if p.Body.Flags[row]&page.IsText == 0 {
				continue
			}
			if r.IntN(3) > 0 {
				gold.AddTexts(p.Body, page.Rows{Start: page.Row(row), End: page.Row(row + 1)})
			}
			if r.IntN(3) > 0 {
				sel.AddTexts(p.Body, page.Rows{Start: page.Row(row), End: page.Row(row + 1)})
			}
		}
		text := string(gold.AppendText(nil, p.Body))
		compare(t, "random "+strconv.FormatUint(seed, 10), p, text, &sel)
		words := strings.Fields(text)
		for i := range words {
			switch r.IntN(12) {
			case 0:
				words[i] = "husk"
			case 1:
				words[i] += "\n<l> 1. "
			case 2:
				words[i] += "\n__________\n<p>"
			}
		}
		compare(t, "random with errors "+strconv.FormatUint(seed, 10), p, "URL: x\n"+strings.Join(words, " "), &sel)
	}
	compared := 0
	for _, x := range algotest.RealPages(t, 2, "cleaneval-dev", "cleanportaleval") {
		p := algotest.Pass(x.HTML)
		if x.Gold == "" || len(x.Gold)+len(p.Body.Text) > 30_000 {
			continue
		}
		var sel page.Selection
		for row := range p.Body.Tag {
			if p.Body.Flags[row]&page.IsText != 0 && r.IntN(2) > 0 {
				sel.AddTexts(p.Body, page.Rows{Start: page.Row(row), End: page.Row(row + 1)})
			}
		}
		compare(t, x.Name, p, x.Gold, &sel)
		compared++
	}
	if compared < 20 {
		t.Errorf("only %d real pages", compared)
	}
}
