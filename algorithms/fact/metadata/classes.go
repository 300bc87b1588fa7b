package metadata

import (
	"encoding/binary"
	"slices"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// bylines are classes of elements that name the author.
var bylines = []string{"author", "author-name", "byline", "byline-name", "post-author", "entry-author", "article-author", "author_name", "p-author"}

// dates are classes of elements that hold the date on which the page was published.
var dates = []string{"published", "entry-date", "post-date", "dt-published", "article-date", "publish-date", "date-published", "posted-on"}

// The shortest and the longest of bylines and dates.
const (
	shortestClass = len("author")
	longestClass  = len("article-author")
)

// classes reports whether one of the words of a class is that of a byline or a date.
func classes(class []byte) (byline, date bool) {
	for i := 0; i < len(class); i++ {
		from := i
		for i < len(class) && class[i] > ' ' {
			i++
		}
		if i-from < shortestClass || i-from > longestClass {
			continue
		}
		word := class[from:i]
		byline = byline || slices.Contains(bylines, string(word))
		date = date || slices.Contains(dates, string(word))
	}
	return byline, date
}

// classHits is the working memory of a search for classes.
type classHits struct{ attrs []uint32 }

// find returns the numbers of the attributes of p, ascending, that may have one of bylines or
// dates among their classes. A page has thousands of attributes and few or none of these,
// so attributes are read in the order in which they are stored, without their elements.
func (h *classHits) find(p *page.Page) []uint32 {
	t := &p.Tree
	h.attrs = h.attrs[:0]
	for k := range t.Attrs {
		a := &t.Attrs[k]
		if a.Flags&html.AttrClass == 0 || a.Value.Len() < shortestClass {
			continue
		}
		text := p.Source
		if a.Flags&html.AttrValueInText != 0 {
			text = t.Text
		}
		if likely(text, int(a.Value.Start), int(a.Value.End)) {
			h.attrs = append(h.attrs, uint32(k))
		}
	}
	return h.attrs
}

// likely reports whether one of the words of text[from:to] begins with the first four
// bytes of one of bylines or dates.
func likely(text []byte, from, to int) bool {
	for from+4 <= to {
		if start := binary.LittleEndian.Uint32(text[from:]); starts[slotOf(start)] == start {
			return true
		}
		for from < to && text[from] > ' ' {
			from++
		}
		from++
	}
	return false
}

// starts are the first four bytes of bylines and dates, each in a slot of its own.
var starts = func() (starts [32]uint32) {
	for _, word := range slices.Concat(bylines, dates) {
		start := binary.LittleEndian.Uint32([]byte(word))
		slot := &starts[slotOf(start)]
		if *slot != 0 && *slot != start {
			panic("metadata: two beginnings of classes have the same slot")
		}
		*slot = start
	}
	return starts
}()

func slotOf(start uint32) uint32 { return start * 0x9E3779B1 >> 27 }
