package driver

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// union returns an ensemble that selects what at least one member selected, and that
// notes which members answered.
func union(name string, members ...*algorithms.Extractor) *algorithms.Extractor {
	e := extractor(name, func(p *algorithms.Pass) error {
		var sum, next page.Selection
		for _, a := range p.Answers {
			if !a.OK || a.Selection == nil {
				continue
			}
			p.Notes = append(p.Notes, a.Extractor.Name+"="+string(a.Text))
			next.Union(&sum, a.Selection)
			sum, next = next, sum
		}
		p.Out.Spans = append(p.Out.Spans, sum.Spans...)
		return nil
	})
	e.Members = members
	return e
}

// TestMembers checks that a member runs once for each page, before the extractors that
// read its answer, and that it has a row only if it was chosen.
func TestMembers(t *testing.T) {
	ran := map[string]int{}
	words := func(name string, s page.Span) *algorithms.Extractor {
		return extractor(name, func(p *algorithms.Pass) error {
			ran[name]++
			p.Out.Spans = append(p.Out.Spans, s)
			return nil
		})
	}
	grain, chaff := words("grain", page.Span{Start: 0, End: 5}), words("chaff", page.Span{Start: 10, End: 15})
	failing := extractor("failing", func(*algorithms.Pass) error { return errors.New("no") })
	inner := union("inner", grain, failing)
	outer := union("outer", inner, chaff, command("wrapped"))
	d := newDriver(t, Config{
		Extractors: []*algorithms.Extractor{outer, chaff, union("again", grain, chaff)},
		Isolate: func(context.Context, *algorithms.Extractor, Input, time.Duration) (Answer, error) {
			return Answer{Text: "Wind."}, nil
		},
		Align: func(dst *page.Selection, b *page.Body, text string) {
			dst.Reset()
			at := int32(strings.Index(string(b.Text), text))
			dst.AddSpan(b, page.Span{Start: at, End: at + int32(len(text))})
		},
	})
	for range 2 { // the second time with used memory
		r, err := d.Page(context.Background(), Input{HTML: []byte(html)})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range r.Extractions {
			got = append(got, x.Extractor.Name+" "+string(x.Outcome)+" "+string(x.Text)+" "+strings.Join(x.Notes, ","))
		}
		want := []string{
			"outer ok Grain chaff\nWind. inner=Grain,chaff=chaff,wrapped=Wind.",
			"chaff ok chaff ",
			"again ok Grain chaff grain=Grain,chaff=chaff",
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n%q\nwant\n%q", got, want)
		}
	}
	if ran["grain"] != 2 || ran["chaff"] != 2 {
		t.Errorf("on two pages members ran %v times", ran)
	}
}

// TestMembersThatAreNotNeeded checks that a member runs only on pages on which an ensemble
// needs it, unless it was chosen, and that the time of the ensemble does not depend on that.
func TestMembersThatAreNotNeeded(t *testing.T) {
	clock, ran := int64(0), 0
	sure := float32(0.9)
	first := extractor("first", func(p *algorithms.Pass) error {
		clock, p.Confidence = clock+1, sure
		return everything(p)
	})
	then := extractor("then", func(p *algorithms.Pass) error {
		clock, ran = clock+100, ran+1
		return nil
	})
	cascade := union("cascade", first, then)
	cascade.Needs = func(before []algorithms.Answer) bool { return len(before) == 0 || before[0].Confidence < 0.6 }
	for _, c := range []struct {
		chosen []*algorithms.Extractor
		sure   float32
		ran    int
		notes  string
		ns     int64
	}{
		{[]*algorithms.Extractor{cascade}, 0.9, 0, "first", 1},
		{[]*algorithms.Extractor{cascade}, 0.5, 1, "first then", 101},
		{[]*algorithms.Extractor{cascade, then}, 0.9, 1, "first then", 1},
		{[]*algorithms.Extractor{cascade, union("all", first, then)}, 0.9, 1, "first then", 1},
	} {
		d := newDriver(t, Config{Extractors: c.chosen})
		d.now = func() int64 { return clock }
		sure, ran = c.sure, 0
		for range 2 { // the second time with used memory
			r, err := d.Page(t.Context(), Input{HTML: []byte(html)})
			if err != nil {
				t.Fatal(err)
			}
			var answered []string
			for _, note := range r.Extractions[0].Notes {
				name, _, _ := strings.Cut(note, "=")
				answered = append(answered, name)
			}
			if x := r.Extractions[0]; strings.Join(answered, " ") != c.notes || x.ExtractNS != c.ns {
				t.Errorf("%d chosen, confidence %v: answers of %v after %d ns, want %s after %d", len(c.chosen), c.sure, answered, x.ExtractNS, c.notes, c.ns)
			}
		}
		if ran != 2*c.ran {
			t.Errorf("%d chosen, confidence %v: ran %d times on two pages, want %d each", len(c.chosen), c.sure, ran, c.ran)
		}
	}
}

// TestTimeOfMembers checks that the time of an ensemble includes that of all its members,
// each once, whichever of them have rows of their own.
func TestTimeOfMembers(t *testing.T) {
	clock := int64(0)
	takes := func(name string, ns int64, members ...*algorithms.Extractor) *algorithms.Extractor {
		e := extractor(name, func(*algorithms.Pass) error { clock += ns; return nil })
		e.Members = members
		return e
	}
	a, b := takes("a", 100), takes("b", 1000)
	inner := takes("inner", 10, a, b)
	outer := takes("outer", 1, inner, a)
	for _, c := range []struct {
		chosen []*algorithms.Extractor
		want   []int64
	}{
		{[]*algorithms.Extractor{inner}, []int64{1110}},
		{[]*algorithms.Extractor{a, inner}, []int64{100, 1110}},
		{[]*algorithms.Extractor{inner, b, a}, []int64{1110, 1000, 100}},
		{[]*algorithms.Extractor{outer}, []int64{1111}},
		{[]*algorithms.Extractor{outer, a, b, inner}, []int64{1111, 100, 1000, 1110}},
	} {
		d := newDriver(t, Config{Extractors: c.chosen})
		d.now = func() int64 { return clock }
		for range 2 { // the second page must not add to the first one's times
			r, err := d.Page(context.Background(), Input{HTML: []byte(html)})
			if err != nil {
				t.Fatal(err)
			}
			var got []int64
			for _, x := range r.Extractions {
				got = append(got, x.ExtractNS)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v took %d, want %d", r.Extractions[0].Extractor.Name, got, c.want)
			}
		}
	}
}

func TestWithoutAnyMember(t *testing.T) {
	failing := extractor("failing", func(*algorithms.Pass) error { panic("no") })
	d := newDriver(t, Config{Extractors: []*algorithms.Extractor{union("ensemble", failing)}})
	r, err := d.Page(context.Background(), Input{HTML: []byte(html)})
	if err != nil {
		t.Fatal(err)
	}
	if x := r.Extractions[0]; x.Outcome != algorithms.Skipped || x.Reason != algorithms.ReasonNoMembers {
		t.Errorf("%s %s", x.Outcome, x.Reason)
	}
}

func TestMembersInACircle(t *testing.T) {
	a, b := union("a"), union("b")
	a.Members, b.Members = []*algorithms.Extractor{b}, []*algorithms.Extractor{a}
	if _, err := New(Config{Extractors: []*algorithms.Extractor{a}}); err == nil || !strings.Contains(err.Error(), "its own answer") {
		t.Error(err)
	}
}

// TestOracle checks that only an oracle can read the gold, and that it is skipped
// without a gold text.
func TestOracle(t *testing.T) {
	oracle := extractor("oracle", func(p *algorithms.Pass) error {
		p.Out.Spans = append(p.Out.Spans, p.Gold.Spans...)
		return nil
	})
	oracle.Oracle = true
	blind := extractor("blind", func(p *algorithms.Pass) error {
		if p.Gold != nil {
			t.Error("an extractor that is no oracle sees the gold")
		}
		return nil
	})
	align := func(dst *page.Selection, b *page.Body, text string) {
		dst.Reset()
		if text == "defect" {
			panic(text)
		}
		dst.AddSpan(b, page.Span{Start: 0, End: int32(len(text))})
	}
	for _, c := range []struct {
		gold  *Gold
		align func(*page.Selection, *page.Body, string)
		want  string
	}{
		{&Gold{Text: "Grain"}, align, "ok Grain"},
		{&Gold{Text: ""}, align, "empty "},
		{&Gold{Text: "defect"}, align, "skipped no_gold"},
		{&Gold{SnippetsOnly: true, With: []string{"Grain"}}, align, "skipped no_gold"},
		{&Gold{Text: "Grain"}, nil, "skipped no_gold"},
		{nil, align, "skipped no_gold"},
	} {
		d := newDriver(t, Config{Extractors: []*algorithms.Extractor{oracle, blind}, Align: c.align})
		r, err := d.Page(context.Background(), Input{HTML: []byte(html), Gold: c.gold})
		if err != nil {
			t.Fatal(err)
		}
		x := r.Extractions[0]
		if got := string(x.Outcome) + " " + string(x.Reason) + string(x.Text); got != c.want {
			t.Errorf("gold %+v: %q, want %q", c.gold, got, c.want)
		}
	}
}

// TestEndlessMember checks that an ensemble runs without a member that never returns,
// and with the answers that other members gave before that one was abandoned.
func TestEndlessMember(t *testing.T) {
	e := newEndless(t)
	grain := extractor("grain", func(p *algorithms.Pass) error {
		p.Out.Spans = append(p.Out.Spans, page.Span{Start: 0, End: 5})
		return nil
	})
	spins := extractor("spins", func(*algorithms.Pass) error {
		e.run(func() {})
		return nil
	})
	d := newDriver(t, Config{Extractors: []*algorithms.Extractor{union("ensemble", grain, spins)}, MethodTime: time.Hour})
	r := driveWith(t, d, e)(Input{HTML: []byte(html)})
	if x := r.Extractions[0]; len(r.Extractions) != 1 || string(x.Text) != "Grain" || !r.Stuck {
		t.Errorf("%s %s %q", x.Outcome, x.Reason, x.Text)
	}
}
