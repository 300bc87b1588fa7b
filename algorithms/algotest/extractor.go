package algotest

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// Text runs e on html with new memory and returns the text that it selects.
func Text(t testing.TB, e *algorithms.Extractor, html string) string {
	t.Helper()
	var b bench
	return string(b.run(t, e, html))
}

// bench is one worker's page and pass.
type bench struct {
	page page.Page
	pass algorithms.Pass
}

func (b *bench) run(t testing.TB, e *algorithms.Extractor, html string) []byte {
	t.Helper()
	b.page.Parse([]byte(html), page.Options{})
	b.pass.Reset(&b.page, "http://example.org/")
	return b.again(t, e)
}

func (b *bench) again(t testing.TB, e *algorithms.Extractor) []byte {
	t.Helper()
	Answers(t, &b.pass, e)
	if err := e.Run(&b.pass); err != nil {
		t.Fatalf("%s: %v", e.Name, err)
	}
	if err := b.pass.Validate(); err != nil {
		t.Fatalf("%s: %v", e.Name, err)
	}
	return b.pass.AppendText(nil)
}

// Extractor checks what holds for every page-level extractor of our own, on
// all Pages: it returns without error; its selection is valid; the same page
// gives the same answer again, on a reused page, and whatever ran before; and
// it changes nothing that others read.
func Extractor(t *testing.T, e *algorithms.Extractor) {
	t.Helper()
	if err := algorithms.Validate([]*algorithms.Extractor{e}, nil); err != nil {
		t.Fatal(err)
	}
	var reused bench
	answers := map[string][]byte{}
	for _, p := range Pages() {
		var fresh bench
		want := fresh.run(t, e, p.HTML)
		answers[p.Name] = want
		sum := columns(fresh.pass.Body)
		if got := fresh.again(t, e); !bytes.Equal(got, want) {
			t.Errorf("%s on %s: a second run answers differently: %s", e.Name, p.Name, diff(got, want))
		}
		if columns(fresh.pass.Body) != sum {
			t.Errorf("%s on %s: it changed the page", e.Name, p.Name)
		}
		if got := reused.run(t, e, p.HTML); !bytes.Equal(got, want) {
			t.Errorf("%s on %s: a reused page answers differently: %s", e.Name, p.Name, diff(got, want))
		}
	}
	// The pages are run again in the opposite order, because what an earlier page left
	// in memory must not matter.
	pages := Pages()
	for i := len(pages) - 1; i >= 0; i-- {
		if got := reused.run(t, e, pages[i].HTML); !bytes.Equal(got, answers[pages[i].Name]) {
			t.Errorf("%s on %s: the answer depends on the page before: %s", e.Name, pages[i].Name, diff(got, answers[pages[i].Name]))
		}
	}
}

// NoGarbage checks that e allocates nothing on a page that is no larger than earlier
// ones, with text in ASCII and beyond.
func NoGarbage(t *testing.T, e *algorithms.Extractor) {
	t.Helper()
	noGarbage(t, e, generated())
	noGarbage(t, e, strings.NewReplacer("grain", "Körner", "chaff", "плевелы", "harvest", "收成").Replace(generated()))
}

func noGarbage(t *testing.T, e *algorithms.Extractor, html string) {
	t.Helper()
	var b bench
	b.run(t, e, html)
	b.run(t, e, html)
	answers := slices.Clone(b.pass.Answers)
	n := testing.AllocsPerRun(20, func() {
		b.pass.Reset(&b.page, "http://example.org/") // features are computed again, in their old memory
		b.pass.Answers = append(b.pass.Answers, answers...)
		if err := e.Run(&b.pass); err != nil {
			t.Fatal(err)
		}
	})
	if n > 0 {
		t.Errorf("%s: %v allocations on a page of known size, want 0", e.Name, n)
	}
}

// columns returns a checksum of everything that extractors share.
func columns(b *page.Body) uint64 {
	h := fnv.New64a()
	t := &b.All
	h.Write(t.Text)
	fmt.Fprint(h, t.Node, t.Tag, t.Parent, t.End, t.Depth, b.Kids, b.EKids, t.TextStart, t.TextEnd,
		t.Flags, t.Block, b.FBlock, b.LinkTags, b.Scripts, b.Chars, b.TextWords, b.AnchorChars, b.AnchorWords, b.HrefChars, b.LinkChars, b.Elements, b.Anchors, b.Hrefs, b.Leaves, b.Images, b.Lists, b.HiddenTexts)
	return h.Sum64()
}

// diff shows where two answers begin to differ.
func diff(got, want []byte) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	clip := func(s []byte) []byte { return s[max(0, i-20):min(len(s), i+40)] }
	return fmt.Sprintf("%d bytes against %d, at byte %d %q against %q", len(got), len(want), i, clip(got), clip(want))
}
