package winnow

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/extract/winnow/blocks"
	"github.com/winnow/winnow/algorithms/extract/winnow/model"
	"github.com/winnow/winnow/algorithms/page"
)

func TestConformance(t *testing.T) { algotest.Extractor(t, Extractor) }

func TestGolden(t *testing.T) { algotest.Golden(t, Extractor) }

func TestNoGarbage(t *testing.T) { algotest.NoGarbage(t, Extractor) }

// article is a page whose main content is obvious, with comments.
const article = `<!doctype html><html lang="en"><head><title>The price of grain rises again - The Daily Sheaf</title></head>
<body><nav class="menu"><ul><li><a href="/">Home</a></li><li><a href="/world">World</a></li><li><a href="/sport">Sport</a></li></ul></nav>
<main><article><h1>The price of grain rises again</h1>
<p>The harvest was poor in most parts of the country, and so the price of grain has risen for the third time in as many months, the office of statistics said on Monday.</p>
<p>Farmers had warned in spring that the drought would cost them a third of what they usually bring in; in the end it was nearly half, and the barns are empty before the winter.</p>
<p>Bakers now expect to raise the price of bread before the end of the year, and some of the smaller ones say that they do not know whether they can go on at all.</p>
HERE
</article>
<section id="comments" class="comments"><h3>3 comments</h3>
<div class="comment"><b class="comment-author">Tom says:</b><p>Great post, I love your bread! Thanks for telling us how it is made.</p></div>
<div class="comment"><b class="comment-author">Eve says:</b><p>I think you are all wrong about this, my own garden has never been so good.</p></div>
<div class="comment"><b class="comment-author">Tom says:</b><p>Lucky you! Here in the south we had no drop of rain since the month of May.</p></div></section></main>
<footer><p>Copyright 2020 The Daily Sheaf. All rights reserved.</p></footer></body></html>`

// TestWithModel checks that the answer is that of the model in the file, and that a
// file that is not a model is an error.
func TestWithModel(t *testing.T) {
	if _, err := WithModel(file[:len(file)-1]); err == nil {
		t.Error("a damaged model is taken")
	}
	same := *shipped
	same.Second = model.Forest{Base: 1 << 20}
	e, err := WithModel(same.Encode())
	if err != nil {
		t.Fatal(err)
	}
	f := func(e *algorithms.Extractor) int {
		p := algotest.Pass(article)
		if err := e.Run(p); err != nil {
			t.Fatal(err)
		}
		return len(p.AppendText(nil))
	}
	if some, all := f(Extractor), f(e); some == 0 || all <= some {
		t.Errorf("%d bytes by the program's model, %d by one that holds everything for content", some, all)
	}
}

// TestHiddenTextAndNoscript checks that hidden text and text of noscript may be part of the
// answer, and is then in all its forms.
func TestHiddenTextAndNoscript(t *testing.T) {
	paragraph := "The minister said that she would look into the matter, and that nobody would go hungry in the winter that was to come."
	for _, in := range []string{
		strings.NewReplacer("<article>", "<noscript><article>", "HERE", "<p>"+paragraph+"</p>", "</article>", "</article></noscript>").Replace(article),
		strings.Replace(article, "HERE", `<div style="display:none"><p>`+paragraph+"</p></div>", 1),
	} {
		p := algotest.Pass(in)
		if err := Extractor.Run(p); err != nil {
			t.Fatal(err)
		}
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		if text := string(p.AppendText(nil)); !strings.Contains(text, paragraph) {
			t.Errorf("%.20s: the text is %q", in, text)
		}
		if html := string(p.Page.AppendHTML(nil, &p.Out)); !strings.Contains(html, "<p>"+paragraph+"</p>") {
			t.Errorf("%.20s: the HTML is %q", in, html)
		}
	}
}

func TestComments(t *testing.T) {
	for _, c := range []struct {
		setting string
		want    bool
	}{{"auto", false}, {"exclude", false}, {"include", true}} {
		e, err := Extractor.With(map[string]string{"comments": c.setting})
		if err != nil {
			t.Fatal(err)
		}
		text := algotest.Text(t, e, strings.Replace(article, "HERE", "", 1))
		if !strings.Contains(text, "The harvest was poor") {
			t.Errorf("comments=%s: the article is not in %q", c.setting, text)
		}
		if got := strings.Contains(text, "my own garden"); got != c.want {
			t.Errorf("comments=%s: comments in the answer: %v, want %v", c.setting, got, c.want)
		}
	}
	if _, err := Extractor.With(map[string]string{"comments": "maybe"}); err == nil {
		t.Error("comments=maybe is taken")
	}
}

// TestRepeatedText repeats an article for browsers without scripts, as some sites do.
func TestRepeatedText(t *testing.T) {
	src := strings.Replace(article, "HERE", "", 1)
	from, to := strings.Index(src, "<article>"), strings.Index(src, "</article>")
	again := src[:to] + "</article><noscript><div>" + src[from:to] + "</article></div></noscript>" + src[to+len("</article>"):]
	once, twice := algotest.Text(t, Extractor, src), algotest.Text(t, Extractor, again)
	for _, text := range []string{"The harvest was poor", "Farmers had warned", "Bakers now expect"} {
		if strings.Count(once, text) != 1 || strings.Count(twice, text) != 1 {
			t.Errorf("%q is %d times in the answer, and %d times if the page has it twice", text, strings.Count(once, text), strings.Count(twice, text))
		}
	}
}

func TestNothingIsAnAnswer(t *testing.T) {
	const footer = `<body><footer class=footer><p>© 2024 The Times. All rights reserved.</p>
<ul><li><a href=/imprint>Imprint</a><li><a href=/privacy>Privacy policy</a><li><a href=/cookies>Cookies</a></ul></footer>`
	for _, src := range []string{"", "<p></p>", footer} {
		if text := algotest.Text(t, Extractor, src); text != "" {
			t.Errorf("%q: %q", src, text)
		}
	}
}

func TestConfidence(t *testing.T) {
	p := algotest.Pass(strings.Replace(article, "HERE", "", 1))
	if err := Extractor.Run(p); err != nil {
		t.Fatal(err)
	}
	if p.Confidence < .5 || p.Confidence > 1 {
		t.Errorf("confidence %v in a plain article", p.Confidence)
	}
	if p.Clear(); p.Confidence != 0 {
		t.Error("the confidence of one method is left to the next")
	}
}

func TestExplain(t *testing.T) {
	p := algotest.Pass(strings.Replace(article, "HERE", "", 1))
	if err := Extractor.Run(p); err != nil {
		t.Fatal(err)
	}
	text := string(p.AppendText(nil))
	judged, err := Extractor.Explain(p)
	if err != nil {
		t.Fatal(err)
	}
	var chosen []string
	for _, j := range judged {
		piece := string(p.Body.All.Text[j.Start:j.End])
		if j.Chosen {
			chosen = append(chosen, piece)
		}
		if len(j.Evidence) != reasons || j.Probability < 0 || j.Probability > 1 {
			t.Errorf("%q: probability %v and %d reasons", piece, j.Probability, len(j.Evidence))
		}
	}
	if got := strings.Join(chosen, "\n"); got != text {
		t.Errorf("chosen pieces %q, want %q", got, text)
	}
}

func TestPageOfTooManyBlocks(t *testing.T) {
	p := algotest.Pass(strings.Repeat("<p>x", blocks.MaxBlocks+1))
	if err := Extractor.Run(p); err != algorithms.ErrPageTooLarge {
		t.Errorf("error %v, want ErrPageTooLarge", err)
	}
}

// TestUnclosedTitle runs winnow on a page whose title is never closed, so that a
// browser shows nothing.
func TestUnclosedTitle(t *testing.T) {
	text := algotest.Text(t, Extractor, strings.Replace(strings.Replace(article, "HERE", "", 1), "</title>", "", 1))
	if !strings.Contains(text, "The harvest was poor") {
		t.Errorf("%q", text)
	}
}

// TestShippedModel checks that the model has the features of this program and is small.
func TestShippedModel(t *testing.T) {
	m, err := model.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(file) > 400<<10 {
		t.Errorf("the model has %d bytes", len(file))
	}
	highest := func(f *model.Forest) (feature int) {
		for _, tree := range f.Trees {
			feature = max(feature, int(slices.Max(tree.Nodes[1:])>>8))
		}
		return feature
	}
	first, second := highest(&m.First), highest(&m.Second)
	if first >= blocks.Second || second >= len(blocks.Names) {
		t.Errorf("the trees ask for features %d and %d, which their stage does not have", first, second)
	}
}

func FuzzRun(f *testing.F) {
	f.Add([]byte(article))
	f.Add([]byte("<title>x<p>y"))
	f.Add([]byte("<noscript><p hidden>x</noscript><table><td>y<br><br>z"))
	var used algorithms.Pass
	var reused page.Page
	f.Fuzz(func(t *testing.T, src []byte) {
		src = bytes.ToValidUTF8(src, []byte("?")) // as the steps before an extractor do
		fresh := algotest.Pass(string(src))
		if err := Extractor.Run(fresh); err != nil {
			t.Fatal(err)
		}
		if err := fresh.Validate(); err != nil {
			t.Fatal(err)
		}
		reused.Parse(src, page.Options{})
		used.Reset(&reused, fresh.URL)
		if err := Extractor.Run(&used); err != nil {
			t.Fatal(err)
		}
		if a, b := fresh.AppendText(nil), used.AppendText(nil); !bytes.Equal(a, b) {
			t.Errorf("a used pass answers %q, a fresh one %q", b, a)
		}
	})
}
