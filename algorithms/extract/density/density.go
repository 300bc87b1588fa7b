package density

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// Params are the settings of the extractor.
type Params struct {
	C1         float64 // share of the longest string's length that a member exceeds
	C2         int     // positions within which a member must have another
	Close      bool    // elements cut where they end, too
	MergeEmpty bool    // consecutive empty strings are one
}

// Default has the values of the paper.
var Default = Params{C1: 0.333, C2: 4}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Float("c1", &p.C1, 0, 1, "share of the longest string that a member's length exceeds"),
		setting.Int("c2", &p.C2, 1, 1<<20, "a member has another one closer than this many strings"),
		setting.Bool("close", &p.Close, "structural elements cut at their end as well"),
		setting.Bool("merge_empty", &p.MergeEmpty, "consecutive empty strings count as one"),
	}
}

// Extractor is the published extractor.
var Extractor = New(Default)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "density",
			Family: "density",
			Doc:    "selects the region around the longest text string in which long strings are dense",
			Cite: algorithms.Cite{
				Authors: "Arias, Deschacht, Moens",
				Title:   "Language independent content extraction from web pages",
				Venue:   "DIR",
				Year:    2009,
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"The structural tags are HTML's block elements and br; the paper names p, table, br, div, h1, h2 and li and leaves its list open.",
				"An element divides the text at its start tag only, not at its end tag (close=true does both): distances count empty strings, and closing cuts lose 12 to 18 points of recall.",
				"Consecutive empty strings count one position each; merge_empty=true makes them one.",
				"A hidden element divides like any other; hidden text has no length and joins no string.",
			},
			Cost: algorithms.Linear,
		},
		Run:    p.run,
		Curves: p.curves,
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

// text is one string of the list that is not empty.
type text struct {
	index       int32 // position in the list, empty strings counted
	length      int32 // characters, pieces joined with one blank
	first, last page.Row
}

type scratch struct{ list []text }

func (p Params) run(pass *algorithms.Pass) error {
	b := pass.Body
	s := algorithms.Scratch[scratch](pass)
	s.list = p.strings(s.list[:0], b)
	if len(s.list) == 0 {
		return nil
	}
	from, to, _ := p.region(s.list)
	pass.Out.AddTexts(b, page.Rows{Start: s.list[from].first, End: s.list[to].last + 1})
	return nil
}

// curves returns the lengths of the strings (figure 2 of the paper). Empty strings have
// the length 0.
func (p Params) curves(pass *algorithms.Pass) []algorithms.Curve {
	list := p.strings(nil, pass.Body)
	if len(list) == 0 {
		return nil
	}
	from, to, cutoff := p.region(list)
	c := algorithms.Curve{Name: "text density", X: "strings of the page", Y: "length (characters)", Threshold: cutoff}
	c.Values = make([]float64, list[len(list)-1].index+1)
	for i := range list {
		c.Values[list[i].index] = float64(list[i].length)
	}
	c.Choose(int(list[from].index), int(list[to].index)+1)
	return []algorithms.Curve{c}
}

// strings appends the non-empty strings of the page to list.
func (p Params) strings(list []text, b *page.Body) []text {
	n := b.Len()
	tag, flags, end, parent, c := b.Tag[:n], b.Flags[:n], b.End[:n], b.Parent[:n], b.Chars[:n+1]
	index, open := int32(0), false // open: the last string has text
	cut := func() {
		if open || !p.MergeEmpty {
			index++
		}
		open = false
	}
	for i, t := range tag {
		switch {
		case t == html.TagText:
			length := c[i+1] - c[i]
			if length == 0 { // hidden
				break
			}
			row := page.Row(i)
			if open {
				l := &list[len(list)-1]
				l.length += 1 + length
				l.last = row
			} else {
				list = append(list, text{index, length, row, row})
				open = true
			}
		case flags[i]&page.IsBlock != 0 || t == html.TagBr:
			cut()
		}
		if p.Close {
			for a, next := page.Row(i), page.Row(i+1); end[a] == next; a = parent[a] {
				if flags[a]&page.IsBlock != 0 || tag[a] == html.TagBr {
					cut()
				}
				if a == 0 {
					break
				}
			}
		}
	}
	return list
}

// region returns the indexes in list of the leftmost and the rightmost member of the
// high density region, and the length that a member exceeds. The list must not be empty.
func (p Params) region(list []text) (from, to int, cutoff float64) {
	m := 0
	for i := range list {
		if list[i].length > list[m].length {
			m = i
		}
	}
	cutoff = p.C1 * float64(list[m].length)
	c2 := int32(p.C2)
	from, to = m, m
	for i := m + 1; i < len(list) && list[i].index-list[to].index < c2; i++ {
		if float64(list[i].length) > cutoff {
			to = i
		}
	}
	for i := m - 1; i >= 0 && list[from].index-list[i].index < c2; i-- {
		if float64(list[i].length) > cutoff {
			from = i
		}
	}
	return from, to, cutoff
}
