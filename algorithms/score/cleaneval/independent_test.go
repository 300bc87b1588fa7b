package cleaneval_test

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/score/cleaneval"
)

// The twin follows sections 9.1 to 9.3 of the specification of the measures,
// with a table of every pair of tokens, and was written without knowledge of the
// package.

var mark = regexp.MustCompile(`(?i)<[phl]>`)

// tokens are those of the official program; marks stay if tags is set.
func tokens(text string, tags bool) []string {
	if tags {
		text = mark.ReplaceAllString(text, " $0 ")
	} else {
		text = mark.ReplaceAllString(text, " ")
	}
	list := []string{}
	for _, w := range strings.FieldsFunc(text, algotest.IsBlank) {
		list = append(list, strings.ToLower(strings.Map(func(r rune) rune {
			if strings.ContainsRune(",;:.?!", r) {
				return -1
			}
			return r
		}, w)))
	}
	return list
}

// distances of the first i tokens of e and j of g, a substitution costing two.
func distances(e, g []string) [][]int {
	d := make([][]int, len(e)+1)
	for i := range d {
		d[i] = make([]int, len(g)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			case e[i-1] == g[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = min(d[i-1][j-1]+2, d[i-1][j]+1, d[i][j-1]+1)
			}
		}
	}
	return d
}

// place is a place of an alignment: a token on both sides or on one.
type place struct{ e, g string }

const none = "\x00"

// alignment is one of the best: from the end, the predecessor with the smallest
// distance; equal tokens first, then a substitution, then one of e alone.
func alignment(e, g []string) []place {
	d := distances(e, g)
	type step struct{ i, j int } // how far a step reaches back
	var steps []step
	for i, j := len(e), len(g); i > 0 || j > 0; {
		best, least := step{}, math.MaxInt
		try := func(s step) {
			if i >= s.i && j >= s.j && d[i-s.i][j-s.j] < least {
				best, least = s, d[i-s.i][j-s.j]
			}
		}
		try(step{1, 1})
		try(step{1, 0})
		try(step{0, 1})
		steps = append(steps, best)
		i, j = i-best.i, j-best.j
	}
	var places []place
	i, j, lastE := 0, 0, false
	skip := func(ofE bool) {
		if ofE {
			places = append(places, place{e[i], none})
			i++
		} else {
			places = append(places, place{none, g[j]})
			j++
		}
		lastE = ofE
	}
	for n := len(steps) - 1; n >= 0; n-- {
		switch s := steps[n]; {
		case s == step{1, 1} && e[i] == g[j]:
			places = append(places, place{e[i], g[j]})
			i, j, lastE = i+1, j+1, false
		case s == step{1, 1}:
			first := lastE
			skip(first)
			skip(!first)
		default:
			skip(s.i == 1)
		}
	}
	return places
}

// validity is the mean of the six F-measures.
func validity(e, g []string) float64 {
	places := alignment(e, g)
	sum := 0.0
	for _, of := range []struct {
		tag   string
		reach int
	}{{"<p>", 2}, {"<h>", 1}, {"<l>", 1}} {
		inE, inG := 0, 0
		for _, w := range e {
			if w == of.tag {
				inE++
			}
		}
		for _, w := range g {
			if w == of.tag {
				inG++
			}
		}
		for _, way := range []int{1, -1} {
			correct := 0
			for n, p := range places {
				if p.e != of.tag || p.g != of.tag {
					continue
				}
				ok := true
				for k := 1; k <= of.reach; k++ {
					if m := n + k*way; m >= 0 && m < len(places) && places[m].e != places[m].g {
						ok = false
					}
				}
				if ok {
					correct++
				}
			}
			switch {
			case inE == 0 && inG == 0:
				sum += 100
			case correct > 0:
				p, r := 100*float64(correct)/float64(inE), 100*float64(correct)/float64(inG)
				sum += 2 * p * r / (p + r)
			}
		}
	}
	return sum / 6
}

func edit(e, g []string) float64 {
	if len(e)+len(g) == 0 {
		return 100
	}
	common := (len(e) + len(g) - distances(e, g)[len(e)][len(g)]) / 2
	return 100 * float64(common) / float64(len(e)+len(g)-common)
}

// independent are the numbers of text only, of text and markup, and their mean.
func independent(submission, gold string) (to, tm, final float64) {
	to = edit(tokens(submission, false), tokens(gold, false))
	e, g := tokens(submission, true), tokens(gold, true)
	tm = (edit(e, g) + validity(e, g)) / 2
	return to, tm, (to + tm) / 2
}

func compare(t *testing.T, name string, trial *algorithms.Trial, submission, gold string) {
	t.Helper()
	to, tm, final := independent(submission, gold)
	for _, x := range []struct {
		s    *algorithms.Scorer
		want float64
	}{{cleaneval.TO, to}, {cleaneval.TM, tm}, {cleaneval.Final, final}} {
		if got := x.s.Score(trial); math.Abs(got.Value-x.want) > 1e-9 {
			t.Errorf("%s: %s is %v (%s %s), twin has %v\n%.300q\n%.300q", name, x.s.Name, got.Value, got.Method, got.Reason, x.want, submission, gold)
		}
	}
}

func TestIndependentOnTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 18))
	words := strings.Fields("a b c d A B, c! ... ? e.f É")
	text := func() string {
		var b strings.Builder
		for range r.IntN(6) {
			b.WriteString([]string{"<p>", "<p>", "<h>", "<l>", "<P> "}[r.IntN(5)])
			for range r.IntN(6) {
				b.WriteString(words[r.IntN(1+r.IntN(len(words)))])
				b.WriteString([]string{" ", " ", " ", "\u00a0"}[r.IntN(4)])
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	for range 2000 {
		submission, gold := text(), text()
		if !mark.MatchString(gold) {
			continue
		}
		g := algorithms.Gold{Text: gold}
		var trial algorithms.Trial
		// Without places every line is a paragraph.
		plain := strings.TrimSpace(mark.ReplaceAllString(submission, ""))
		trial.Reset(&g, []byte(plain), nil, false)
		var lines []string
		for _, l := range strings.Split(plain, "\n") {
			if strings.TrimFunc(l, algotest.IsBlank) != "" {
				lines = append(lines, "<p>"+l)
			}
		}
		compare(t, "random", &trial, strings.Join(lines, "\n"), gold)
	}
}

// submit writes the page text as a submission: a line for each line of the page
// text, marked by the nearest block-level ancestor of its first text.
func submit(b *page.Body) string {
	var out strings.Builder
	for at, text := 0, string(b.Text); at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		kind := "<p>"
		for r, tag := range b.Tag {
			if tag != html.TagText || int(b.TextEnd[r]) <= at {
				continue
			}
			up := b.Parent[r]
			for up != 0 && !page.IsBlockTag(b.Tag[up]) {
				up = b.Parent[up]
			}
			switch b.Tag[up] {
			case html.TagH1, html.TagH2, html.TagH3, html.TagH4, html.TagH5, html.TagH6:
				kind = "<h>"
			case html.TagLi, html.TagDd, html.TagDt:
				kind = "<l>"
			}
			break
		}
		out.WriteString(kind + line + "\n")
		at += len(line) + 1
	}
	return out.String()
}

var shown = strings.NewReplacer(" hidden", "", `style="display: none"`, "")

func TestIndependentOnPages(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 18))
	compared := 0
	try := func(name, html string) {
		t.Helper()
		p := algotest.Pass(html)
		b := p.Body
		for _, f := range b.Flags {
			if f&page.Hidden != 0 {
				return // a selection of all text has no hidden text
			}
		}
		submission := submit(b)
		if n := len(strings.Fields(submission)); n == 0 || n > 1500 {
			return
		}
		// The gold is the submission with lines dropped, doubled and marked otherwise.
		var lines []string
		for _, l := range strings.Split(strings.TrimSpace(submission), "\n") {
			switch r.IntN(8) {
			case 0:
			case 1:
				lines = append(lines, l, l)
			case 2:
				lines = append(lines, []string{"<p>", "<h>", "<l>"}[r.IntN(3)]+l[3:])
			default:
				lines = append(lines, l)
			}
		}
		gold := strings.Join(lines, "\n")
		if !mark.MatchString(gold) {
			return
		}
		sel := page.Selection{Spans: []page.Span{{Start: 0, End: int32(len(b.Text))}}}
		g := algorithms.Gold{Text: gold, Page: p.Page}
		var trial algorithms.Trial
		trial.Reset(&g, sel.AppendText(nil, b), &sel, false)
		compare(t, name, &trial, submission, gold)
		compared++
	}
	for seed := range uint64(200) {
		try("random", shown.Replace(algotest.Random(seed)))
	}
	for _, p := range algotest.RealPages(t, 1, "cleaneval-dev") {
		try(p.Name, p.HTML)
	}
	if compared < 50 {
		t.Errorf("only %d pages", compared)
	}
}
