package html

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/winnow/winnow/algorithms/internal/testpages"
)

// causes lists changes that remove from a page something that the twin is known to
// treat differently (see divergences). A difference is explained if it disappears with
// such a change.
var causes = []struct {
	name string
	undo func(src []byte) []byte
}{
	{"an end tag without a name", func(src []byte) []byte { return bytes.ReplaceAll(src, emptyEndTag, nil) }},
	// Without the doctype both parsers read the rest in quirks mode.
	{"quirks by the doctype", func(src []byte) []byte {
		return regexp.MustCompile(`(?i)<!doctype[^>]*>`).ReplaceAll(src, nil)
	}},
}

// explain returns the cause of the difference between the tree of src and that of the
// twin.
func explain(src []byte) string {
	var p Document
	for _, c := range causes {
		changed := c.undo(src)
		root, err := twin(changed)
		if err != nil {
			return ""
		}
		p.Parse(changed, unbounded)
		if compareTwin(&p, root) == "" {
			return c.name
		}
	}
	return ""
}

// unbounded has bounds of text and nodes that no page of the corpus exceeds, because
// the twin has no such bounds. One page has 431 MB.
var unbounded = Bounds{MaxNodes: 1 << 28, MaxText: 1 << 29}

// TestTwinCorpus compares pages of every package and crawl file with the twin.
// Element names, attributes, texts, comments and their order must be equal.
func TestTwinCorpus(t *testing.T) {
	var p Document
	var pages, linked, differ int
	check := func(t *testing.T, id string, src []byte) {
		pages++
		root, err := twin(src)
		p.Parse(src, unbounded)
		checkBuilt(t, &p)
		if err != nil {
			if p.Cut&CutDepth == 0 {
				t.Errorf("%s: the twin refuses it: %v", id, err)
			}
			return
		}
		if p.builder.order == orderLinked {
			linked++
		}
		if diff := compareTwin(&p, root); diff != "" {
			differ++
			if why := explain(src); why != "" {
				t.Logf("%s differs by %s", id, why)
			} else {
				t.Errorf("%s: %.400s", id, diff)
			}
		}
	}
	summary := func(t *testing.T) {
		t.Logf("%d pages, %d renumbered, %d differ from the twin", pages, linked, differ)
		pages, linked, differ = 0, 0, 0
	}
	t.Run("packages", func(t *testing.T) {
		testpages.EachOfPackages(t, func(id string, src []byte) { check(t, id, src) })
		summary(t)
	})
	t.Run("crawls", func(t *testing.T) {
		testpages.EachOfCrawls(t, func(id string, src []byte) { check(t, id, src) })
		summary(t)
	})
}
