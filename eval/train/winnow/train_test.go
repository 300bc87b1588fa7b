package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms/extract/winnow/blocks"
	"github.com/winnow/winnow/algorithms/extract/winnow/model"
	"github.com/winnow/winnow/eval/corpus"
	"github.com/winnow/winnow/eval/corpus/corpustest"
)

// smallPackage writes a package of generated articles with the given licence and marks.
func smallPackage(t testing.TB, dir, name, licence, marks string) {
	t.Helper()
	folder := filepath.Join(dir, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(file, text string) {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const pages = 24
	write("package.json", fmt.Sprintf(`{"name":%q,"title":"made pages","documents":%d,"license":%q%s}`, name, pages, licence, marks))
	rng := rand.New(rand.NewPCG(1, 2))
	nouns := strings.Fields("grain harvest mill bread price winter farmer field barn rain summer village baker oven river")
	for i := range pages {
		sentence := func() string {
			words := []string{"The"}
			for range 12 + rng.IntN(20) {
				words = append(words, pick(rng, "the", "of", "and", pick(rng, nouns...)))
			}
			return strings.Join(words, " ") + "."
		}
		var gold []string
		for range 3 + rng.IntN(5) {
			gold = append(gold, sentence()+" "+sentence())
		}
		var menu, text strings.Builder
		for range 10 {
			fmt.Fprintf(&menu, "<li><a href=/%s>%s</a></li>", pick(rng, nouns...), pick(rng, nouns...))
		}
		for _, g := range gold {
			fmt.Fprintf(&text, "<p>%s</p>", g)
		}
		kind := pick(rng, "article", "article", "forum", "listing")
		write(fmt.Sprintf("%02d.html", i), fmt.Sprintf("<html lang=en><head><title>%s</title></head><body><nav><ul>%s</ul></nav><div class=text>%s</div><div class=comments><p>%s</p></div><footer>All rights reserved</footer></body></html>",
			"The "+strings.Join(nouns[i%5:i%5+5], " "), menu.String(), text.String(), strings.Repeat(sentence(), 4)))
		write(fmt.Sprintf("%02d.txt", i), strings.Join(gold, "\n"))
		write(fmt.Sprintf("%02d.json", i), fmt.Sprintf(`{"id":"%02d","url":"https://site%d.example.org/%d","page_type":%q}`, i, i/2, i, kind))
	}
}

// quick are settings that learn something from a small package.
var quick = func() settings {
	s := defaults
	for _, g := range []*growth{&s.first, &s.second, &s.comments, &s.types} {
		g.trees, g.minRows, g.minHessian = 6, 2, .1
	}
	s.members = 2
	return s
}()

// TestSameModelAgain trains twice on a package of generated pages. The bytes must be
// the same, the model must be readable, and it must have learned what is content.
func TestSameModelAgain(t *testing.T) {
	dir := t.TempDir()
	smallPackage(t, dir, "made", "CC-BY-4.0, nobody", "")
	smallPackage(t, dir, "other", "MIT", "")
	train := func() []byte {
		out := filepath.Join(dir, "made.model")
		o := options{packages: dir, on: "made,other", leave: "other", out: out, card: filepath.Join(dir, "card.md"), keep: filepath.Join(dir, "folds"), measure: "made", rival: "plain", settings: quick}
		if err := o.train(context.Background(), io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	first := train()
	if !bytes.Equal(first, train()) {
		t.Error("training twice gives two models")
	}
	corpustest.CheckFolds(t, filepath.Join(dir, "folds"), "made", filepath.Join(dir, "made.model"), folds)
	m, err := model.Decode(first)
	if err != nil {
		t.Fatal(err)
	}
	_, documents, err := read(context.Background(), dir, "made")
	if err != nil {
		t.Fatal(err)
	}
	results := measure(documents, always(extractorOf(m)))
	if f := mean(results); f.f1 < .8 {
		t.Errorf("word F1 %.3f on the pages it was trained on", f.f1)
	}
	text, err := os.ReadFile(filepath.Join(dir, "card.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| made | 24 | CC-BY-4.0, nobody |", "| other | 24 | MIT |", "**mean, worst**"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the card lacks %q", want)
		}
	}
}

func TestRefusesWhatMayNotBeTrainedOn(t *testing.T) {
	dir := t.TempDir()
	smallPackage(t, dir, "held", "CC-BY-4.0", `,"held_out":true`)
	smallPackage(t, dir, "closed", "for research use only", "")
	for name, want := range map[string]string{"held": "held out", "closed": "licence", "absent": "no folder"} {
		err := run(context.Background(), []string{"--packages", dir, "--on", name, "--out", filepath.Join(dir, "x")}, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", name, err, want)
		}
	}
}

// TestRefusesAbsentRival checks that a program that is not installed is an error before
// anything is learned, and not an empty answer to every page.
func TestRefusesAbsentRival(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := run(context.Background(), []string{"--packages", t.TempDir(), "--against", "trafilatura"}, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "winnow-peers") {
		t.Errorf("error %v, want one with winnow-peers", err)
	}
}

// TestLabels checks which blocks of a page are its gold, and which are comments.
func TestLabels(t *testing.T) {
	d := &document{Document: corpus.Document{
		HTML: []byte(`<body><p>menu here</p><p hidden>The cat sat on the mat.</p><div id=comment-list><p>I have a cat like this one as well</p></div><p>many more words, so that the comments are not nearly all of the page that there is</p><noscript><p>It was a very large mat.</p></noscript>`),
		Gold: "The cat sat on the mat.\nIt was a very large mat.",
	}}
	var r reader
	r.parse(d)
	l := r.label(d)
	if got, want := fmt.Sprint(l.content), "[0 1 0 0 1]"; got != want {
		t.Errorf("content %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(l.comments), "[false false true false false]"; got != want {
		t.Errorf("comments %s, want %s", got, want)
	}
	if l.coverage != 1 {
		t.Errorf("coverage %v", l.coverage)
	}
}

// TestRewrittenPagesKeepTheirGold checks that everything that is put into a page comes
// from its fold, and that the page still contains its gold.
func TestRewrittenPagesKeepTheirGold(t *testing.T) {
	dir := t.TempDir()
	smallPackage(t, dir, "made", "CC0", "")
	_, documents, err := read(context.Background(), dir, "made")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		d.Gold += strings.Repeat(" ", 2001) // long enough for join
	}
	pages := rewrite(documents)
	if len(pages) < 20 {
		t.Fatalf("%d pages were made", len(pages))
	}
	var r reader
	for _, d := range pages {
		if !r.parse(d) {
			t.Fatal("a page is too large")
		}
		// The text has few different words, so what was removed may still seem to be there.
		if l := r.label(d); l.coverage < .6 {
			t.Errorf("page of %s: %.2f of the gold is on it", d.ID, l.coverage)
		}
	}
}

// slowBest finds the best split of rows by computing the sums of each split separately.
func slowBest(t *table, rows []int32, w *grower) (best float64) {
	total := func(keep func(r int32) bool) (g, h float64) {
		for i, r := range rows {
			if keep(r) {
				g += w.packed[i].gradient()
				h += w.packed[i].hessian()
			}
		}
		return g, h
	}
	value := func(g, h float64) float64 { return g * g / (h + w.g.l2*w.scale) }
	all := value(total(func(int32) bool { return true }))
	for f := range t.columns {
		for bound := range 255 {
			lg, lh := total(func(r int32) bool { return t.columns[f][r] <= uint8(bound) })
			rg, rh := total(func(r int32) bool { return t.columns[f][r] > uint8(bound) })
			if lh < w.g.minHessian*w.scale || rh < w.g.minHessian*w.scale {
				continue
			}
			best = max(best, value(lg, lh)+value(rg, rh)-all)
		}
	}
	return best
}

func TestSplitLikeItsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	tb := &table{columns: columns(4, 200), label: make([]float32, 200), weight: make([]float32, 200)}
	rows := make([]int32, 200)
	for r := range rows {
		rows[r] = int32(r)
		for f := range tb.columns {
			tb.columns[f][r] = uint8(rng.IntN(20))
		}
		tb.weight[r] = rng.Float32() + .1
		tb.label[r] = float32(tb.columns[2][r]) / 40
	}
	g := growth{trees: 1, leaves: 2, rate: .1, l2: 1, minRows: 1, minHessian: .5, columns: 1, rows: 1, seed: 1}
	w := &grower{t: tb, g: g, packed: make([]moment, 200), near: make([]moment, 200), spare: make([]int32, 200), scale: 1 << 20}
	w.bins = []int{20, 20, 20, 20}
	w.draw(rng, make([]int32, 200), .6)
	l := leaf{node: 1, to: 200, hist: w.hist()}
	for _, i := range w.drawn {
		l.sum += w.packed[i]
	}
	w.fill(&l)
	w.split(&l)
	if want := slowBest(tb, rows, w); l.gain < want*(1-1e-9) || l.gain > want*(1+1e-9) || want == 0 {
		t.Errorf("gain %v, want %v", l.gain, want)
	}
	left, right := w.part(&l)
	if left.sum+right.sum != l.sum || left.to != right.from || left.to == 0 || right.to != 200 {
		t.Errorf("parts %+v and %+v of %+v", left, right, l)
	}
}

func TestForestLearns(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	const n = 2000
	tb := &table{columns: columns(blocks.Types, n), label: make([]float32, n), weight: make([]float32, n)}
	rows := make([]int32, n)
	for r := range rows {
		rows[r], tb.weight[r] = int32(r), 1
		for f := range 5 {
			tb.columns[f][r] = uint8(rng.IntN(256))
		}
		if tb.columns[0][r] > 100 != (tb.columns[1][r] > 50) {
			tb.label[r] = 1
		}
	}
	f := grow(tb, rows, growth{trees: 40, leaves: 8, rate: .3, l2: 1, minRows: 5, minHessian: .5, columns: 1, rows: .8, seed: 1})
	wrong := 0
	for _, r := range rows {
		if (model.Probability(sumAt(&f, tb.columns, r)) > .5) != (tb.label[r] > .5) {
			wrong++
		}
	}
	if wrong > n/50 {
		t.Errorf("%d of %d rows are wrong", wrong, n)
	}
}

func TestIntervalHoldsTheMean(t *testing.T) {
	var results []result
	for i := range 200 {
		results = append(results, result{document: &document{Document: corpus.Document{Domain: fmt.Sprint(i / 4)}}, f1: float64(i%10) / 10})
	}
	low, high := interval(results, func(i int) float64 { return results[i].f1 })
	if low >= .45 || high <= .45 || high-low > .2 {
		t.Errorf("[%v, %v] around .45", low, high)
	}
}

// TestShortenedArticle checks that only the beginning of an article is left, on the
// page and in the gold, between parts of another page.
func TestShortenedArticle(t *testing.T) {
	paragraph := func(n int) string {
		words := []string{"Paragraph"}
		for w := range 20 { // no two paragraphs share a sequence of three words
			words = append(words, fmt.Sprintf("word%dof%d", w, n))
		}
		return strings.Join(words, " ")
	}
	var source strings.Builder
	var gold []string
	source.WriteString(`<body><ul class="menu"><li>Home and garden</li><li>Sports and games</li><li>World</li></ul><div class="story">`)
	for i := range 40 {
		fmt.Fprintf(&source, "<p>%s</p>", paragraph(i))
		gold = append(gold, paragraph(i))
	}
	source.WriteString(`</div><div class="foot">Imprint of the newspaper and terms of its use</div>`)
	d := &document{Document: corpus.Document{HTML: []byte(source.String()), Gold: strings.Join(gold, "\n"), Type: "article"}}
	var s donors
	s.surroundings(d, parse(d.HTML), chances(1, 2))
	if len(s.around) != 2 {
		t.Fatalf("%d parts of the page are not of its gold, want the menu and the foot: %v", len(s.around), s.around)
	}
	s.around = []section{{source: "<div>A word from the sponsor of another page</div>"}}
	var r reader
	for i := range 20 {
		short := s.shorten(d, chances(i, 3))
		if short == nil {
			t.Fatal("no page was made")
		}
		r.parse(short)
		l := r.label(short)
		if n := strings.Count(short.Gold, "Paragraph"); n == 0 || n > 12 || l.coverage < .99 {
			t.Errorf("page %d: %d paragraphs are gold, and %.2f of it is on the page", i, n, l.coverage)
		}
		if n, of := strings.Count(string(short.HTML), "Paragraph"), strings.Count(short.Gold, "Paragraph"); n != of {
			t.Errorf("page %d: %d paragraphs are on the page and %d in its gold", i, n, of)
		}
		if !strings.Contains(string(short.HTML), "sponsor of another page") {
			t.Errorf("page %d: nothing was put around the text", i)
		}
	}
}

// TestReducedPages checks that a small page has only the beginning of the text, that a
// bare page has all of it and little else, and that both have a gold that is on the page.
func TestReducedPages(t *testing.T) {
	var source strings.Builder
	var gold []string
	source.WriteString(`<body><ul class="menu">` + strings.Repeat("<li>Baskets and lamps for the garden</li>", 40) + `</ul><div class="product">`)
	for i := range 60 {
		line := fmt.Sprintf("Part%d", i)
		for w := range 20 { // no two lines share a sequence of three words
			line += fmt.Sprintf(" word%dof%d", w, i)
		}
		fmt.Fprintf(&source, "<p>%s</p>", line)
		gold = append(gold, line)
	}
	source.WriteString(`</div><div class="foot">` + strings.Repeat("<p>Imprint of the shop and terms of its use</p>", 30) + `</div>`)
	d := &document{Document: corpus.Document{HTML: []byte(source.String()), Gold: strings.Join(gold, "\n"), Type: "product"}}
	var r reader
	others := 0
	for i := range 40 {
		for _, c := range []struct {
			make        func(*document, *rand.Rand) *document
			least, most int // parts of the text
		}{{small, 2, 21}, {bare, 60, 60}} {
			g := c.make(d, chances(i, 5))
			if g == nil {
				t.Fatal("no page was made")
			}
			r.parse(g)
			l := r.label(g)
			if n := strings.Count(g.Gold, "Part"); n < c.least || n > c.most || l.coverage < .99 {
				t.Errorf("page %d: %d parts are gold, want %d to %d, and %.2f of it is on the page", i, n, c.least, c.most, l.coverage)
			}
			on := words(parse(g.HTML))
			if other := on - len(strings.Fields(g.Gold)); other > 150 {
				t.Errorf("page %d: %d words besides the gold", i, other)
			} else if other > 0 {
				others++
			}
		}
	}
	if others == 0 {
		t.Error("no page has anything but its text")
	}
}

// TestPutBetween checks that parts of other pages come between paragraphs, and that the
// text goes on after them.
func TestPutBetween(t *testing.T) {
	s := donors{around: []section{{source: "<div>A word from the sponsor</div>"}}}
	for i := range 20 {
		root := parse([]byte("<body><article>" + strings.Repeat("<p>"+strings.Repeat("word ", 30)+"</p>", 6) + "</article>"))
		s.putBetween(find(root, func(n *html.Node) bool { return n.Data == "article" }), chances(i, 6))
		text := strings.Fields(visible(root))
		if !slices.Contains(text, "sponsor") || text[0] != "word" || text[len(text)-1] != "word" {
			t.Errorf("page %d: want a part of another page between the paragraphs: %q", i, text)
		}
	}
}

// TestScripts writes a page in every script. Its gold must still be found on it, and text
// must not be longer or shorter than a translation.
func TestScripts(t *testing.T) {
	const text = "The grain was good, and the miller of Ely (he is 57) said: \"It is the best harvest since 1998.\""
	for _, s := range scripts {
		w := &scribe{script: s, of: []rune(s.letters), words: make(map[string]string)}
		root := parse([]byte("<title>Grain prices fall</title><nav>Menu of the page</nav><p class=x>" + text + "</p><noscript><b class='x'>It rained.</b></noscript>"))
		w.page(root, false)
		d := &document{Document: corpus.Document{HTML: render(root), Gold: w.text(text) + "\n" + w.text("It rained.")}}
		if html := string(d.HTML); strings.Contains(html, "grain") || !strings.Contains(html, "1998") || !strings.Contains(html, "class=\"x\"") {
			t.Errorf("%.5s: %s", s.letters, html)
		}
		var r reader
		r.parse(d)
		if l := r.label(d); l.coverage < 1 || l.content[len(l.content)-1] != 1 || l.content[0] != 0 {
			t.Errorf("%.5s: %.2f of the gold found, labels %v: %s", s.letters, l.coverage, l.content, d.HTML)
		}
		if n := r.blocks.Blocks[1].Words; n < 14 || n > 26 {
			t.Errorf("%.5s: %d words", s.letters, n)
		}
	}
}

func TestWordsIn(t *testing.T) {
	for text, want := range map[string]int{"two words": 2, "два слова": 2, "收成很好": 4, "": 0} {
		if got := len(wordsIn(text)); got != want {
			t.Errorf("%q: %d words, want %d", text, got, want)
		}
	}
}
