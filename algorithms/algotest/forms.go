package algotest

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/page/markdown"
)

// Forms checks that an answer says the same in all its forms: the words of its spans, of
// its HTML and of its Markdown are the words of its text, which is given in reading order.
//
// HTML and Markdown are read by others' parsers: an HTML parser, and a reader of GitHub
// Flavored Markdown. What the forms may add is not text for these: targets of links,
// images, markers of lists. Sources of formulas are left out, because they replace what the
// page shows. Line numbers of code are left out of both (page.Page.Code). Markdown has marks of
// its own for footnotes in place of the links that they are on the page. On a page with code,
// words may be parted where a style sheet breaks the lines of the code: letters are compared
// there. Markdown of a text with formulas between TeX's delimiters is not compared,
// because it has dollars and other white space in their place.
func Forms(t testing.TB, name string, p *page.Page, s *page.Selection, text []byte) {
	t.Helper()
	b := p.Body()
	want := bytes.Fields(text)
	code := false
	check := func(form string, got [][]byte) {
		t.Helper()
		if !slices.EqualFunc(got, want, bytes.Equal) && !(code && bytes.Equal(bytes.Join(got, nil), bytes.Join(want, nil))) {
			t.Errorf("%s: the %s differs from the text %s", name, form, differentWords(got, want))
		}
	}
	check("text of the spans", sortedLike(bytes.Fields(s.AppendText(nil, b)), want))
	areas, numbers := p.Code()
	var shown page.Selection
	shown.Subtract(s, &page.Selection{Spans: numbers})
	code = len(areas) > 0
	want = bytes.Fields(shown.AppendText(nil, b)) // markup is in the order of the page
	markup := p.AppendHTML(nil, s)
	check("HTML", bytes.Fields(textOfHTML(markup)))
	if formula.Match(text) {
		return
	}
	md, whole := markdown.Append(nil, p, s, markdown.Options{})
	if !whole {
		t.Errorf("%s: the Markdown is cut", name)
	}
	if footnoteMark.Match(md) {
		md = footnoteMark.ReplaceAll(md, nil)
		want = bytes.Fields(textOfHTML(withoutFootnotes(p.AppendHTMLWith(nil, s, page.MarkupOptions{Footnotes: true}))))
	}
	var rendered bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify)).Convert(md, &rendered); err != nil {
		t.Fatal(err)
	}
	check("Markdown", sortedLike(bytes.Fields(textOfHTML(rendered.Bytes())), want)) // the caption of a table is in front of it
}

// formula finds what may be a formula in text.
var formula = regexp.MustCompile(`\\\(|\\\[|\$[^ $\n]([^$\n]{0,300}[^ $\n])?\$([^0-9]|$)|\$\$|\\begin\{`)

// footnoteMark finds the mark of a footnote, in the text or before its note.
var footnoteMark = regexp.MustCompile(`\[\^[0-9]+\](: )?`)

// noteLink and noteItem find the links of footnotes and the notes.
var (
	noteLink = regexp.MustCompile(`(?s)<a [^>]*data-note="(-?[0-9]+)"[^>]*>.*?</a>`)
	noteItem = regexp.MustCompile(`<li [^>]*data-note="([0-9]+)"`)
)

// withoutFootnotes removes the marks of footnotes from HTML, and the links back to them. A
// footnote whose mark or note was not chosen stays as it is.
func withoutFootnotes(markup []byte) []byte {
	marked, chosen := map[string]bool{}, map[string]bool{}
	for _, m := range noteLink.FindAllSubmatch(markup, -1) {
		marked[string(m[1])] = true // "-1" is a link back
	}
	for _, m := range noteItem.FindAllSubmatch(markup, -1) {
		chosen[string(m[1])] = marked[string(m[1])]
	}
	return noteLink.ReplaceAllFunc(markup, func(link []byte) []byte {
		if chosen[strings.TrimPrefix(string(noteLink.FindSubmatch(link)[1]), "-")] {
			return nil
		}
		return link
	})
}

// sortedLike returns want if words has the same words in another order, and words if not.
func sortedLike(words, want [][]byte) [][]byte {
	a, b := slices.Clone(words), slices.Clone(want)
	slices.SortFunc(a, bytes.Compare)
	slices.SortFunc(b, bytes.Compare)
	if slices.EqualFunc(a, b, bytes.Equal) {
		return want
	}
	return words
}

// textOfHTML returns the text of a fragment of HTML, with a newline wherever a block
// begins or ends.
func textOfHTML(fragment []byte) (text []byte) {
	z := html.NewTokenizer(bytes.NewReader(fragment))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return text
		case html.TextToken:
			text = append(text, z.Text()...)
		default:
			name, _ := z.TagName()
			switch string(name) {
			case "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "i", "img", "ins", "kbd", "mark", "q", "rp", "rt", "ruby",
				"s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr":
			default:
				text = append(text, '\n')
			}
		}
	}
}

// differentWords describes where two lists of words begin to differ.
func differentWords(got, want [][]byte) string {
	i := 0
	for i < len(got) && i < len(want) && bytes.Equal(got[i], want[i]) {
		i++
	}
	around := func(words [][]byte) []byte {
		return bytes.Join(words[max(0, i-3):min(len(words), i+4)], []byte{' '})
	}
	return fmt.Sprintf("at word %d of %d: %q, not %q (of %d)", i, len(got), around(got), around(want), len(want))
}
