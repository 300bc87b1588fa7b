package blocks

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/page"
)

func texts(p *Page) (all []string) {
	for i := range p.Blocks {
		all = append(all, string(p.body.Text[p.Blocks[i].Start:p.Blocks[i].End]))
	}
	return all
}

func TestCut(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"block elements", "<p>one <b>two</b> three</p><p>four</p>", "one two three|four"},
		{"text beside a block", "<div>one<p>two</p>three</div>", "one|two|three"},
		{"one br", "<p>one<br>two</p>", "one\ntwo"},
		{"two br", "<p>one<br><br>two</p>", "one|two"},
		{"hidden", "<p>one</p><p hidden>two</p>", "one|two"},
		{"noscript", "<p>one</p><noscript>two</noscript>", "one|two"},
		{"nothing", "<p></p>", ""},
	} {
		if got := strings.Join(texts(fill(t, c.html)), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		text                 string
		words, upper, digits int32
		marks                mark
	}{
		{"Two words", 2, 1, 0, 0},
		{"it's 3.5 USD", 5, 1, 2, 0}, // the words are it, s, 3, 5 and USD
		{"Über Ähnliches", 2, 2, 0, 0},
		{"今年的收成很好，面包便宜了", 8, 0, 0, 0}, // twelve characters
		{"ปีนี้เก็บเกี่ยวได้ดี", 5, 0, 0, 0},
		{"at 12:30 on 1.2.2020", 7, 0, 10, markTime},
		{"see http://x.org or write a@b.de for $5?", 11, 0, 1, markURL | markEmail | markMoney | markQuestion},
		{"…", 0, 0, 0, 0},
	} {
		k := fill(t, "<p>"+c.text+"</p>").Blocks[0]
		if k.Words != c.words || k.upper != c.upper || k.digits != c.digits || k.marks != c.marks {
			t.Errorf("%q: %d words, %d upper, %d digits, marks %b; want %+v", c.text, k.Words, k.upper, k.digits, k.marks, c)
		}
	}
}

// TestScripts checks that a sentence is one in every script, and that no text lacks stop
// words of a language that there is no list for.
func TestScripts(t *testing.T) {
	feature := func(p *Page, name string) uint8 { return p.Row(0)[slices.Index(Names, name)] }
	for _, text := range []string{"Το ψωμί ακρίβυνε, και όχι για πρώτη φορά.", "今年的收成很好，面包便宜了。", "الخبز غالٍ، والحصاد سيئ۔", "रोटी महँगी हो गई है।"} {
		p := fill(t, "<p>"+text+"</p>")
		if end, sentences, stop := feature(p, "text.end"), feature(p, "text.sentences"), feature(p, "text.stop"); end != 6 || sentences != lg(1) || stop != beyond {
			t.Errorf("%s: ends as %d, %d on the scale of sentences, stop words %d", text, end, sentences, stop)
		}
	}
}

func TestLanguageIsThatOfTheText(t *testing.T) {
	german := "<html lang=en><p>Die Ernte war schlecht, und so ist der Preis für das Korn, wie jeder weiß, der Brot kauft, nicht zum ersten Mal gestiegen.</p>"
	p := fill(t, german)
	if stop := p.Row(0)[slices.Index(Names, "text.stop")]; stop < 60 {
		t.Errorf("stop words %d of 200 on a German page that says it is English", stop)
	}
}

func TestClassesOfNames(t *testing.T) {
	for _, c := range []struct {
		value string
		want  nameClass
	}{
		{"comment-list", nameComment | nameCard},
		{"relatedPosts", nameRelated | namePost},
		{"x9 zz", 0},
		{"ad", nameAd},
		{"address", 0}, // address only begins with the name ad
		{"", 0},
	} {
		if _, got := namesIn(nil, []byte(c.value)); got != c.want {
			t.Errorf("%q: %b, want %b", c.value, got, c.want)
		}
	}
}

func TestScales(t *testing.T) {
	last := uint8(0)
	for n := 0; n < 1<<30; n += 1 + n/50 {
		if v := lg(n); v < last {
			t.Fatalf("lg(%d) = %d is below %d", n, v, last)
		} else {
			last = v
		}
	}
	if lg(0) != 0 || lg(1) != 10 || lg(3) != 20 || lg(-5) != 0 || lg(8191) != 130 || lg(1<<40) != 130 {
		t.Error("lg", lg(0), lg(1), lg(3), lg(-5), lg(8191), lg(1<<40))
	}
	if share(1, 2) != 100 || share(0, 0) != 0 || share(5, 1) != 255 || share(-1, 2) != 0 {
		t.Error("share", share(1, 2), share(0, 0), share(5, 1), share(-1, 2))
	}
}

// TestLongTextIsEvenlyDescribed checks that the paragraphs of a long text have the same
// features from some point on, except for those that are shares of the page: training
// pages are short, and a paragraph is no less content for having many before it.
func TestLongTextIsEvenlyDescribed(t *testing.T) {
	p := fill(t, "<title>On mills</title><h1>On mills</h1>"+strings.Repeat("<p>The mill by the river grinds all the grain of the valley, summer and winter, and has done so for ages.</p>", 1000))
	early, late := p.Row(300), p.Row(600)
	for f, name := range Names {
		switch name {
		case "place.block", "place.words-before", "in2.place", "in3.place", "in4.place", "group1.place", "main.text-before":
			continue // shares
		}
		if early[f] != late[f] {
			t.Errorf("%s is %d after 300 paragraphs and %d after 600", name, early[f], late[f])
		}
	}
}

// TestSameRowsOnAUsedPage fills one Page with several pages, one after the other.
func TestSameRowsOnAUsedPage(t *testing.T) {
	var used Page
	for _, src := range []string{made, "", "<p>short</p>", strings.Repeat(made, 3), made} {
		fresh := fill(t, src)
		var pg page.Page
		pg.Parse([]byte(src), page.Options{})
		used.Fill(&pg, "https://example.org/news/2020/grain-rises")
		if len(used.Blocks) != len(fresh.Blocks) {
			t.Fatalf("a page of %d bytes has %d blocks after another one, else %d", len(src), len(used.Blocks), len(fresh.Blocks))
		}
		for i := range fresh.Blocks {
			if used.Row(i) != fresh.Row(i) {
				t.Errorf("block %d of a page of %d bytes has other features after another one", i, len(src))
			}
		}
	}
}

func TestNoGarbage(t *testing.T) {
	var pg page.Page
	pg.Parse([]byte(strings.Repeat(made, 5)), page.Options{})
	var p Page
	p.Fill(&pg, "")
	first := make([]float32, len(p.Blocks))
	p.SetSecond(first)
	if n := testing.AllocsPerRun(10, func() {
		p.Fill(&pg, "")
		p.SetTypes(&[7]float32{})
		p.SetSecond(first)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestHostilePages fills a Page with pages that were made to take much time or memory.
func TestHostilePages(t *testing.T) {
	var names strings.Builder
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		names.WriteString("<i class=")
		for range 6 {
			names.WriteByte(byte('a' + rng.IntN(26)))
		}
		names.WriteString(">x</i>")
	}
	for name, src := range map[string]string{
		"deep":     strings.Repeat("<div>x", 5000),
		"names":    names.String(),
		"headings": strings.Repeat("<h1>x</h1><h6>y</h6>", 5000),
		"blocks":   strings.Repeat("<p>x", MaxBlocks),
		"long":     "<p>" + strings.Repeat("word ", 200000),
		"class":    "<p class='" + strings.Repeat("comment-", 100000) + "'>x",
		"ld+json":  "<script type='application/ld+json'>" + strings.Repeat(`"@type"`, 100000) + "</script><p>x",
	} {
		p := fill(t, src)
		if len(p.Blocks) == 0 || len(p.Tiles) != (len(p.Blocks)+Lanes-1)/Lanes {
			t.Errorf("%s: %d tiles for %d blocks", name, len(p.Tiles), len(p.Blocks))
		}
	}
	var pg page.Page
	pg.Parse([]byte(strings.Repeat("<p>x", MaxBlocks+1)), page.Options{})
	if new(Page).Fill(&pg, "") {
		t.Error("a page of too many blocks was taken")
	}
}

// slowIndependent tries every threshold.
func slowIndependent(p *Page, probability []float32) (best float64) {
	gold := 0.0
	for i := range p.Blocks {
		gold += float64(p.Blocks[i].Words) * float64(probability[i])
	}
	for _, threshold := range probability {
		words, mass := 0.0, 0.0
		for i := range p.Blocks {
			if probability[i] >= threshold {
				words += float64(p.Blocks[i].Words)
				mass += float64(p.Blocks[i].Words) * float64(probability[i])
			}
		}
		best = max(best, 2*mass/(words+gold))
	}
	return best
}

func TestIndependentLikeItsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 200 {
		p := &Page{Blocks: make([]Block, 1+rng.IntN(40))}
		probability := make([]float32, len(p.Blocks))
		for i := range p.Blocks {
			p.Blocks[i].Words = int32(rng.IntN(100))
			probability[i] = float32(rng.IntN(bins+1)) / bins // a multiple of the step that Independent uses
		}
		f1, threshold := p.Independent(probability)
		if want := slowIndependent(p, probability); float64(f1) < want-1e-5 || float64(f1) > want+1e-5 {
			t.Fatalf("F1 %v, want %v", f1, want)
		}
		words, mass, gold := 0.0, 0.0, 0.0
		for i, q := range probability {
			w := float64(p.Blocks[i].Words)
			gold += w * float64(q)
			if q >= threshold {
				words += w
				mass += w * float64(q)
			}
		}
		if got := 2 * mass / max(1e-9, words+gold); got < float64(f1)-1e-5 || got > float64(f1)+1e-5 {
			t.Fatalf("the threshold %v gives %v, not %v", threshold, got, f1)
		}
	}
}

// withWords returns a page of blocks with the given numbers of words.
func withWords(words ...int32) *Page {
	p := &Page{Blocks: make([]Block, len(words))}
	for i, w := range words {
		p.Blocks[i].Words = w
	}
	return p
}

// TestChooseLikeItsTwin compares Choose with a count over a fine grid of golds: gold
// number u has the blocks whose grade the gold reaches with a probability above u.
func TestChooseLikeItsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 3))
	for range 50 {
		p := withWords(make([]int32, 1+rng.IntN(30))...)
		probability := make([]float32, len(p.Blocks))
		for i := range p.Blocks {
			p.Blocks[i].Words = int32(rng.IntN(100))
			if rng.IntN(8) > 0 { // the others are in no answer
				probability[i] = rng.Float32()
			}
		}
		const grid = 4000
		expected := func(from float32) (sum float64) {
			for u := range grid {
				answer, gold, both := 0, 0, 0
				for i, q := range probability {
					if q == 0 {
						continue
					}
					w := int(p.Blocks[i].Words)
					in := float64(reach[grade(q)]) > (float64(u)+.5)/grid
					if q >= from {
						answer += w
					}
					if in {
						gold += w
					}
					if in && q >= from {
						both += w
					}
				}
				if gold > 0 && answer > 0 {
					sum += 2 * float64(both) / float64(answer+gold) / grid
				}
			}
			return sum
		}
		f1, threshold := p.Choose(probability)
		if got := expected(threshold); math.Abs(got-float64(f1)) > 5e-3 {
			t.Fatalf("the threshold %v gives %v, not %v", threshold, got, f1)
		}
		for g := range grades {
			if other := expected(float32(g) / grades); other > float64(f1)+5e-3 {
				t.Fatalf("the threshold %v gives %v, more than %v of the one that was chosen", float32(g)/grades, other, f1)
			}
		}
	}
}

// TestUnlikelyCommentsStayOut has a short text before many words that are unlikely to be
// gold, but of which all are gold if one is.
func TestUnlikelyCommentsStayOut(t *testing.T) {
	p := withWords(150, 13000, 40)
	if f1, threshold := p.Choose([]float32{.95, .2, .02}); threshold <= .2 || f1 < .6 {
		t.Errorf("expected F1 %v with the blocks from %v on, want the text alone", f1, threshold)
	}
	if f1, threshold := p.Choose([]float32{.5, .45, .02}); threshold > .45 || f1 < .5 {
		t.Errorf("expected F1 %v with the blocks from %v on, want both texts", f1, threshold)
	}
	if f1, threshold := withWords().Choose(nil); f1 != 0 || threshold <= 1 {
		t.Errorf("no blocks: %v, %v", f1, threshold)
	}
}
