package driver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

const html = "<body><p>Grain and <b>chaff</b>.</p><p>Wind.</p></body>"

func everything(p *algorithms.Pass) error {
	p.Out.Spans = append(p.Out.Spans, page.Span{Start: 0, End: int32(len(p.Body.Text))})
	return nil
}

func extractor(name string, run func(*algorithms.Pass) error) *algorithms.Extractor {
	return &algorithms.Extractor{Description: algorithms.Description{Name: name, Cost: algorithms.Linear}, Run: run}
}

func newDriver(t *testing.T, c Config) *Driver {
	t.Helper()
	d, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestOrder checks that an extractor may return the order in which its answer is read,
// that this order must cover all that it selects, and that its cluster is passed on.
func TestOrder(t *testing.T) {
	order := func(spans ...page.Span) func(*algorithms.Pass) error {
		return func(p *algorithms.Pass) error {
			p.Order = append(p.Order, spans...)
			if p.Template != nil {
				p.Template.Cluster = 3
			}
			return everything(p)
		}
	}
	site := extractor("site", order(page.Span{Start: 17, End: 22}, page.Span{Start: 0, End: 5}, page.Span{Start: 6, End: 16}))
	site.Learn = &algorithms.Learner{}
	d := newDriver(t, Config{Extractors: []*algorithms.Extractor{
		site,
		extractor("plain", everything),
		extractor("half", order(page.Span{Start: 0, End: 5})),
		extractor("twice", order(page.Span{Start: 0, End: 16}, page.Span{Start: 0, End: 22})),
		extractor("outside", order(page.Span{Start: 0, End: 23})),
	}})
	r, err := d.Page(context.Background(), Input{HTML: []byte(html), Template: func(*algorithms.Extractor) (*algorithms.Template, algorithms.Reason) {
		return new(algorithms.Template), algorithms.NoReason
	}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"Wind.\nGrain and chaff.", "Grain and chaff.\nWind.", "", "", ""} {
		x := &r.Extractions[i]
		if string(x.Text) != want || (want == "") != (x.Reason == algorithms.ReasonInvalid) {
			t.Errorf("%s: %q %s %s, want %q", x.Extractor.Name, x.Text, x.Reason, x.Detail, want)
		}
	}
	if a, b := &r.Extractions[0], &r.Extractions[1]; !slices.Equal(a.Selection.Spans, b.Selection.Spans) || a.Cluster != 3 || b.Cluster != 0 {
		t.Errorf("%v in cluster %d, %v in cluster %d", a.Selection.Spans, a.Cluster, b.Selection.Spans, b.Cluster)
	}
}

func TestOutcomes(t *testing.T) {
	calls := 0
	big := extractor("big", everything)
	big.Cost = algorithms.Superlinear
	site := extractor("site", everything)
	site.Learn = &algorithms.Learner{}
	d := newDriver(t, Config{
		SuperlinearBytes: 10,
		Extractors: []*algorithms.Extractor{
			extractor("all", everything),
			extractor("none", func(*algorithms.Pass) error { return nil }),
			extractor("error", func(*algorithms.Pass) error { return errors.New("own defect") }),
			extractor("panic", func(p *algorithms.Pass) error { calls++; panic("hostile page") }),
			extractor("invalid", func(p *algorithms.Pass) error {
				p.Out.Spans = append(p.Out.Spans, page.Span{Start: 4, End: 1 << 20})
				return nil
			}),
			big, site,
			extractor("after", everything), // a panic before it must not affect it
		},
	})
	for range 2 { // the second page runs with used buffers
		r, err := d.Page(context.Background(), Input{HTML: []byte(html)})
		if err != nil {
			t.Fatal(err)
		}
		want := []struct {
			outcome algorithms.Outcome
			reason  algorithms.Reason
			text    string
		}{
			{algorithms.OK, "", "Grain and chaff.\nWind."},
			{algorithms.Empty, "", ""},
			{algorithms.Failed, algorithms.ReasonError, ""},
			{algorithms.Failed, algorithms.ReasonPanic, ""},
			{algorithms.Failed, algorithms.ReasonInvalid, ""},
			{algorithms.Skipped, algorithms.ReasonTooLarge, ""},
			{algorithms.Skipped, algorithms.ReasonNoTemplate, ""},
			{algorithms.OK, "", "Grain and chaff.\nWind."},
		}
		for i, x := range r.Extractions {
			if x.Outcome != want[i].outcome || x.Reason != want[i].reason || strings.TrimSpace(string(x.Text)) != want[i].text {
				t.Errorf("%s: %s %s %q, want %+v", x.Extractor.Name, x.Outcome, x.Reason, x.Text, want[i])
			}
		}
		if !strings.Contains(r.Extractions[3].Detail, "hostile page") {
			t.Errorf("the panic's message is lost: %q", r.Extractions[3].Detail)
		}
	}
	if calls != 2 {
		t.Errorf("the panicking extractor ran %d times", calls)
	}
}

func TestFeatureTimeIsNotTheExtractors(t *testing.T) {
	var clock int64
	slow := &algorithms.Feature[int]{Name: "slow", Compute: func(dst *int, p *algorithms.Pass) { clock += 1000 }}
	user := func(p *algorithms.Pass) error {
		slow.Of(p)
		clock += 7
		return everything(p)
	}
	d := newDriver(t, Config{Extractors: []*algorithms.Extractor{extractor("first", user), extractor("second", user)}})
	d.now = func() int64 { return clock }
	r, err := d.Page(context.Background(), Input{HTML: []byte(html)})
	if err != nil {
		t.Fatal(err)
	}
	if r.FeatureNS != 1000 || r.Extractions[0].ExtractNS != 7 || r.Extractions[1].ExtractNS != 7 {
		t.Errorf("feature %d, extractors %d and %d; want 1000, 7, 7", r.FeatureNS, r.Extractions[0].ExtractNS, r.Extractions[1].ExtractNS)
	}
}

// command is an extractor that is a program.
func command(name string) *algorithms.Extractor {
	return &algorithms.Extractor{Description: algorithms.Description{Name: name, Cost: algorithms.Linear, Fidelity: algorithms.Wrapped}, Command: []string{name}}
}

func TestCommands(t *testing.T) {
	ends := map[string]struct {
		err     error
		outcome algorithms.Outcome
		reason  algorithms.Reason
	}{
		"good":   {nil, algorithms.OK, ""},
		"hangs":  {ErrTime, algorithms.Failed, algorithms.ReasonTimeout},
		"grows":  {ErrMemory, algorithms.Failed, algorithms.ReasonMemory},
		"exits":  {fmt.Errorf("%w: exit status 1", ErrCrash), algorithms.Failed, algorithms.ReasonCrash},
		"babble": {ErrAnswer, algorithms.Failed, algorithms.ReasonInvalid},
		"fails":  {errors.New("no article"), algorithms.Failed, algorithms.ReasonError},
		"omits":  {fmt.Errorf("%w: a language", ErrDeclined), algorithms.Skipped, algorithms.ReasonDeclined},
	}
	config := Config{
		TextTime: 17 * time.Second,
		Isolate: func(_ context.Context, e *algorithms.Extractor, in Input, limit time.Duration) (Answer, error) {
			if limit != 17*time.Second || string(in.HTML) != html || in.Document != "17" {
				t.Errorf("limit %v, page %+v", limit, in)
			}
			return Answer{Text: "text of " + in.URL, Took: 990}, ends[e.Name].err
		},
	}
	for name := range ends {
		config.Extractors = append(config.Extractors, command(name))
	}
	d := newDriver(t, config)
	r, err := d.Page(context.Background(), Input{HTML: []byte(html), URL: "http://example.org/", Document: "17"})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Extractions {
		want := ends[x.Extractor.Name]
		if x.Outcome != want.outcome || x.Reason != want.reason || x.ExtractNS != 990 {
			t.Errorf("%s: %s %s after %d ns, want %+v", x.Extractor.Name, x.Outcome, x.Reason, x.ExtractNS, want)
		}
		if text := string(x.Text); x.Outcome == algorithms.OK && text != "text of http://example.org/" || x.Outcome != algorithms.OK && text != "" {
			t.Errorf("%s: text %q", x.Extractor.Name, text)
		}
	}
}

// TestNoProcess checks that a page for which no process can be started has no result,
// and that the next page has its own.
func TestNoProcess(t *testing.T) {
	none := true
	d := newDriver(t, Config{
		Extractors: []*algorithms.Extractor{command("w")},
		Isolate: func(context.Context, *algorithms.Extractor, Input, time.Duration) (Answer, error) {
			if none {
				return Answer{}, ErrNoProcess
			}
			return Answer{Text: "text"}, nil
		},
	})
	if _, err := d.Page(t.Context(), Input{HTML: []byte(html)}); !errors.Is(err, ErrNoProcess) {
		t.Errorf("%v", err)
	}
	none = false
	if r, err := d.Page(t.Context(), Input{HTML: []byte(html)}); err != nil || r.Extractions[0].Outcome != algorithms.OK {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAlign(t *testing.T) {
	texts := map[string]string{"good": "Grain", "bad": "panics", "wrong": strings.Repeat("x", 1000)}
	d := newDriver(t, Config{
		Isolate: func(_ context.Context, e *algorithms.Extractor, _ Input, _ time.Duration) (Answer, error) {
			return Answer{Text: texts[e.Name]}, nil
		},
		Align: func(dst *page.Selection, b *page.Body, text string) {
			if text == "panics" {
				panic("aligner bug")
			}
			dst.Spans = append(dst.Spans, page.Span{Start: 0, End: int32(len(text))})
		},
		Extractors: []*algorithms.Extractor{command("good"), command("bad"), command("wrong")},
	})
	r, err := d.Page(context.Background(), Input{HTML: []byte(html)})
	if err != nil {
		t.Fatal(err)
	}
	if x := r.Extractions[0]; !x.HasSelection || !x.Aligned || x.Selection.Len() != 5 {
		t.Errorf("%+v", x)
	}
	for _, x := range r.Extractions[1:] {
		if x.HasSelection || x.Outcome != algorithms.OK || len(x.Selection.Spans) != 0 {
			t.Errorf("%s: a failed alignment must leave the text and no spans: %+v", x.Extractor.Name, x)
		}
	}
}

func TestScores(t *testing.T) {
	calls := 0
	scorer := func(name string, f func(*algorithms.Trial) algorithms.Score) *algorithms.Scorer {
		return &algorithms.Scorer{Description: algorithms.Description{Name: name}, Score: f}
	}
	prepared := 0
	length := &algorithms.GoldFeature[int]{Name: "length", Compute: func(dst *int, g *algorithms.Gold) { prepared++; *dst = len(g.Text) }}
	d := newDriver(t, Config{
		Extractors: []*algorithms.Extractor{
			extractor("all", everything),
			extractor("panic", func(*algorithms.Pass) error { panic("x") }),
			extractor("none", func(*algorithms.Pass) error { return nil }),
		},
		Scorers: []*algorithms.Scorer{
			scorer("length", func(t *algorithms.Trial) algorithms.Score {
				calls++
				return algorithms.FromCounts(0, int64(len(t.Text)), int64(*length.Of(t.Gold)))
			}),
			scorer("nan", func(*algorithms.Trial) algorithms.Score { return algorithms.Score{F1: math.NaN()} }),
			scorer("panics", func(*algorithms.Trial) algorithms.Score { panic("scorer bug") }),
		},
	})
	r, err := d.Page(context.Background(), Input{HTML: []byte(html), Gold: &Gold{Text: "Grain and chaff."}})
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Extractions[0].Scores[0].Score; s.Gold != 16 || s.Extracted == 0 {
		t.Errorf("score %+v", s)
	}
	if s := r.Extractions[1].Scores[0].Score; s.Reason != algorithms.ReasonNoAnswer {
		t.Errorf("a failed extraction was scored: %+v", s)
	}
	if s := r.Extractions[2].Scores[0].Score; s.Reason != "" || !s.PUndefined {
		t.Errorf("an empty extraction scores %+v", s)
	}
	if s := r.Extractions[0].Scores[1]; s.Err == "" || s.Score.Reason != algorithms.ReasonInvalid {
		t.Errorf("NaN left the scorer: %+v", s)
	}
	if s := r.Extractions[0].Scores[2]; !strings.Contains(s.Err, "scorer bug") || s.Score.Reason != algorithms.ReasonPanic {
		t.Errorf("scorer panic: %+v", s)
	}
	r, err = d.Page(context.Background(), Input{HTML: []byte(html)})
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Extractions[0].Scores[0].Score; s.Reason != algorithms.ReasonNoGold {
		t.Errorf("a page without gold was scored: %+v", s)
	}
	if calls != 2 {
		t.Errorf("the scorer ran %d times, want 2", calls)
	}
}

// TestSnippetsOnly has a gold of snippets without a text. Scorers that compare texts
// must report that there is no gold, also for failed extractions, which would otherwise
// count as 0.
func TestSnippetsOnly(t *testing.T) {
	score := func(*algorithms.Trial) algorithms.Score { return algorithms.FromCounts(1, 1, 1) }
	d := newDriver(t, Config{
		Extractors: []*algorithms.Extractor{
			extractor("all", everything),
			extractor("again", everything),
			extractor("panic", func(*algorithms.Pass) error { panic("x") }),
		},
		Scorers: []*algorithms.Scorer{{Description: algorithms.Description{Name: "text"}, Score: score}, {Description: algorithms.Description{Name: "snippets"}, Score: score, Snippets: true}},
	})
	for _, c := range []struct {
		gold *Gold
		want []algorithms.Reason // two for each extractor: those of text and of snippets
	}{
		{&Gold{SnippetsOnly: true, With: []string{"Grain"}}, []algorithms.Reason{"no_gold", "", "no_gold", "", "no_gold", "no_answer"}},
		{&Gold{With: []string{"Grain"}}, []algorithms.Reason{"", "", "", "", "no_answer", "no_answer"}},
		{nil, []algorithms.Reason{"no_gold", "no_gold", "no_gold", "no_gold", "no_gold", "no_gold"}},
	} {
		r, err := d.Page(context.Background(), Input{HTML: []byte(html), Gold: c.gold})
		if err != nil {
			t.Fatal(err)
		}
		var got []algorithms.Reason
		for _, x := range r.Extractions {
			for _, s := range x.Scores {
				got = append(got, s.Score.Reason)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("gold %+v: reasons %q, want %q", c.gold, got, c.want)
		}
	}
}

func TestContextEndsBetweenMethods(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	ran := false
	d := newDriver(t, Config{Extractors: []*algorithms.Extractor{
		extractor("cancels", func(*algorithms.Pass) error { cancel(); return nil }),
		extractor("after", func(*algorithms.Pass) error { ran = true; return nil }),
	}})
	if _, err := d.Page(ctx, Input{HTML: []byte(html)}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if ran {
		t.Error("an extractor ran after the context ended")
	}
}

func TestSameNameTwice(t *testing.T) {
	if _, err := New(Config{Extractors: []*algorithms.Extractor{extractor("a", everything), extractor("a", everything)}}); err == nil {
		t.Error("two extractors of one name were accepted")
	}
}

// TestScoresOfTheSameExtraction checks that an extraction is not scored again if a
// scorer would see the same as before.
func TestScoresOfTheSameExtraction(t *testing.T) {
	part := func(end int32) func(*algorithms.Pass) error {
		return func(p *algorithms.Pass) error {
			p.Out.Spans = append(p.Out.Spans, page.Span{Start: 0, End: end})
			return nil
		}
	}
	rows := func(p *algorithms.Pass) error {
		p.Out.AddRow(p.Body, 0)
		return nil
	}
	calls := 0
	d := newDriver(t, Config{
		Extractors: []*algorithms.Extractor{
			extractor("all", everything), extractor("panic", func(*algorithms.Pass) error { panic("x") }),
			extractor("none", func(*algorithms.Pass) error { return nil }),
			extractor("part", part(5)), extractor("again", everything), extractor("part-again", part(5)), extractor("by-rows", rows),
		},
		Scorers: []*algorithms.Scorer{{Description: algorithms.Description{Name: "count"}, Score: func(t *algorithms.Trial) algorithms.Score {
			calls++
			return algorithms.Score{Extracted: int64(len(t.Text)), Common: int64(len(t.Selection.Rows))}
		}}},
	})
	for range 2 { // the second page must not find the scores of the first
		calls = 0
		r, err := d.Page(context.Background(), Input{HTML: []byte(html), Gold: &Gold{Text: "Grain"}})
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, x := range r.Extractions {
			got = append(got, x.Scores[0].Score.Extracted, x.Scores[0].Score.Common)
		}
		// As rows it is the same text but not the same selection.
		if want := []int64{22, 0, 0, 0, 0, 0, 5, 0, 22, 0, 5, 0, 22, 1}; !slices.Equal(got, want) || calls != 4 {
			t.Errorf("%v in %d calls, want %v in 4", got, calls, want)
		}
	}
}

// TestLargePagesLeaveNothing checks that memory of extractors on a large page is
// released before the next extractor and the next page, and that memory of other pages
// is kept.
func TestLargePagesLeaveNothing(t *testing.T) {
	type work struct{ pages int }
	found := 0
	count := func(p *algorithms.Pass) error {
		w := algorithms.Scratch[work](p)
		found = w.pages
		w.pages++
		return everything(p)
	}
	d := newDriver(t, Config{Extractors: []*algorithms.Extractor{extractor("first", count), extractor("second", count)}})
	f := func(html string, want int) {
		t.Helper()
		r, err := d.Page(context.Background(), Input{HTML: []byte(html)})
		if err != nil {
			t.Fatal(err)
		}
		if found != want {
			t.Errorf("after %d bytes of HTML: the second extractor finds what %d left, want %d", len(html), found, want)
		}
		if text := r.Extractions[1].Text; len(html) < 1000 && cap(text) > largePage {
			t.Errorf("a text of %d bytes is in a buffer of %d", len(text), cap(text))
		}
	}
	size := func(n int) string { return "<p>" + strings.Repeat("grain ", n/6+1) }
	f(html, 1)
	f(html, 3)
	f(size(largeWork/2), 0)
	f(html, 1)
	f(size(largePage), 3) // two extractors keep the memory of a page that is not larger
	f(size(largeWork/2), 0)
	f(html, 1)
}

// TestConfidence checks that what an extractor reports besides its selection is passed on
// and is not left for the next extractor.
func TestConfidence(t *testing.T) {
	d := newDriver(t, Config{Extractors: []*algorithms.Extractor{
		extractor("more", func(p *algorithms.Pass) error {
			p.Confidence = .75
			return everything(p)
		}),
		extractor("plain", everything),
	}})
	r, err := d.Page(context.Background(), Input{HTML: []byte(html)})
	if err != nil {
		t.Fatal(err)
	}
	more, plain := &r.Extractions[0], &r.Extractions[1]
	if more.Confidence != .75 || plain.Confidence != 0 {
		t.Errorf("confidence %v, and %v of the next extractor; want .75 and 0", more.Confidence, plain.Confidence)
	}
}
