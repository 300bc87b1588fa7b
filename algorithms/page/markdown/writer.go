package markdown

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxIndent bounds the columns that lists and quotes take together, since every line
// inside repeats them.
const maxIndent = 32

// writer turns tags and text into Markdown, block by block.
type writer struct {
	out   []byte
	start int // where this text begins in out
	grids []grid
	next  int // table in grids

	boxes  []box // the lists, items and quotes around, outermost first
	over   int   // how many more are around that have no room
	indent int   // columns that boxes take
	prefix []byte

	line     []byte          // inline content of the current block
	heading  int             // level of the block, 0 for a paragraph
	space    bool            // white space is due before the next text
	closing  int             // where in line the delimiters begin that were written last to close emphasis
	closed   int             // where they end; nothing was written since if line ends there
	opened   []mark          // the elements that they close, the innermost first
	inline   []mark          // the inline elements around that have a form, outermost first
	depth    [4]int          // how many elements of each such form are around
	code     int             // how many code elements are around; 1 or more collects into raw
	raw      []byte          // source of the open code or pre element
	codeEnd  int             // where line ends if the last thing in it is code between single backticks
	pre      int             // how many pre elements are around
	lang     string          // programming language of the open pre element
	notes    map[string]bool // the numbers of footnotes that have a mark and a note
	noteEnd  int             // where line ends if the last thing in it is the mark of a footnote
	mute     bool            // a link of a footnote is around, whose text is not written
	formulas bool            // the text may have formulas, so that a dollar in it is escaped
	table    *table          // the data table being written; nil outside of one
	tables   []bool          // for each open table, whether it is one of data
}

// box is a list, an item of it, or a quote.
type box struct {
	tag    atom.Atom
	number int    // for a list, the number of its next item; -1 for bullets
	marker string // for an item, what its first line begins with; "" once it is written
	width  int    // columns that it takes
	note   bool   // it is a footnote
	begun  bool   // something was written in it
	later  bool   // for a list, an item has begun before
}

// form is a kind of inline element that Markdown can say.
type form int

const (
	emphasis form = iota
	strong
	deleted
	link
	formless
)

var delimiters = [...]string{emphasis: "*", strong: "**", deleted: "~~", link: "["}

func formOf(tag atom.Atom) form {
	switch tag {
	case atom.Em, atom.I:
		return emphasis
	case atom.Strong, atom.B:
		return strong
	case atom.Del, atom.S, atom.Strike:
		return deleted
	case atom.A:
		return link
	}
	return formless
}

// mark is an inline element. Its delimiter is written before its first text in each
// block.
type mark struct {
	form    form
	href    string // the address, if it is a link
	written bool
	from    int // where its delimiter is in line, if written
	image   int // for a link, one more than the position in line of its first image in this block; 0 if none
}

func isCode(tag atom.Atom) bool {
	return tag == atom.Code || tag == atom.Kbd || tag == atom.Samp || tag == atom.Tt
}

func (w *writer) open(tag atom.Atom, a attrs) {
	switch tag {
	case atom.Br:
		w.lineBreak()
		return
	case atom.Img:
		w.image(a)
		return
	}
	if !isBlock(tag) {
		w.openInline(tag, a)
		return
	}
	if w.table != nil { // a block in a data table is a part of the table or a line of a cell
		w.openInTable(tag, a)
		return
	}
	w.flush()
	switch tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.heading = int(tag.String()[1] - '0')
	case atom.Ul, atom.Menu, atom.Dir, atom.Dl:
		w.push(box{tag: tag, number: -1})
	case atom.Ol:
		w.push(box{tag: tag, number: ordinal(a.start, 1)})
	case atom.Li, atom.Dd:
		w.item(tag, a)
	case atom.Dt: // CommonMark has no lists of definitions: terms are strong, and definitions items
		w.openInline(atom.Strong, a)
	case atom.Blockquote:
		w.push(box{tag: tag, width: len("> ")})
	case atom.Pre:
		if w.pre++; w.pre == 1 {
			w.raw, w.lang = w.raw[:0], language(a.class)
		}
	case atom.Code:
	case atom.Hr:
		w.begin()
		rule := "---\n"
		if len(w.boxes) > 0 { // "- ---" would be one rule, and no item
			rule = "***\n"
		}
		w.out = append(w.out, rule...)
	case atom.Table:
		g := grid{layout: true}
		if w.next < len(w.grids) {
			g = w.grids[w.next]
			w.next++
		}
		w.tables = append(w.tables, !g.layout)
		if !g.layout {
			w.table = newTable(g)
		}
	}
}

func (w *writer) close(tag atom.Atom) {
	if !isBlock(tag) {
		w.closeInline(tag)
		return
	}
	if w.table != nil {
		w.closeInTable(tag)
		return
	}
	switch tag {
	case atom.Pre:
		if w.pre > 0 {
			if w.pre--; w.pre == 0 {
				w.fence()
			}
		}
		return
	case atom.Table:
		if n := len(w.tables); n > 0 {
			w.tables = w.tables[:n-1]
		}
	}
	if tag == atom.Dt {
		w.closeInline(atom.Strong)
	}
	w.flush()
	w.heading = 0
	switch tag {
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir, atom.Dl, atom.Li, atom.Dd, atom.Blockquote:
		w.pop(tag)
	}
}

// end writes what is still open.
func (w *writer) end() {
	if w.pre > 0 {
		w.fence()
	}
	if w.table != nil {
		w.finishTable()
	}
	w.flush()
}

// text adds text of the page.
func (w *writer) text(s []byte) {
	if w.mute {
		return
	}
	if w.pre > 0 || w.code > 0 {
		w.raw = append(w.raw, s...)
		return
	}
	var finder texFinder
	for w.formulas {
		f, ok := finder.next(s)
		if !ok {
			break
		}
		w.words(s[:f.start])
		w.formula(&f)
		s = s[f.end:]
	}
	w.words(s)
}

// words adds text without formulas.
func (w *writer) words(s []byte) {
	for len(s) > 0 {
		if n := wordEnd(s); n > 0 {
			first, _ := utf8.DecodeRune(s)
			w.beforeText(first)
			if w.noteEnd > 0 && w.noteEnd == len(w.line) && (first == '(' || first == ':') { // else the mark begins a link or a note
				w.line = append(w.line, '\\')
			}
			w.line = appendText(w.line, s[:n], w.table != nil, w.formulas)
			s = s[n:]
			continue
		}
		_, size := utf8.DecodeRune(s)
		w.space, s = true, s[size:]
	}
}

// wordEnd returns the position of the first white space in s, or its length.
func wordEnd(s []byte) int {
	i := 0
	for i < len(s) && s[i] > ' ' && s[i] < utf8.RuneSelf {
		i++
	}
	if n := bytes.IndexFunc(s[i:], unicode.IsSpace); n >= 0 {
		return i + n
	}
	return len(s)
}

// beforeText writes the white space and the delimiters that are due before text, of
// which next is the first character.
func (w *writer) beforeText(next rune) {
	if !w.blank() && inWord(next) {
		w.closeBeforePunctuation()
	}
	last, _ := utf8.DecodeLastRune(w.line)
	afterText := len(w.line) > 0 && !unicode.IsSpace(last)
	for i := 0; i < len(w.inline); i++ {
		m := &w.inline[i]
		if m.written {
			continue
		}
		if m.form != link && w.closed > 0 && w.closed == len(w.line) { // Markdown would read both delimiters as one
			if string(w.line[w.closing:]) == delimiters[m.form] {
				w.line, w.closed = w.line[:w.closing], 0
				m.written, m.from = true, w.opened[0].from
			} else {
				w.inline = append(w.inline[:i], w.inline[i+1:]...)
				i--
			}
			continue
		}
		// Markdown would read the delimiter as text, or as one that closes.
		if afterText && m.form != link && !(inWord(next) && !w.linkFrom(i+1)) {
			w.inline = append(w.inline[:i], w.inline[i+1:]...)
			i--
			continue
		}
		if m.form == link && w.afterAddress() {
			w.inline = append(w.inline[:i], w.inline[i+1:]...)
			i--
			continue
		}
		if n := len(w.line); m.form == link && n > 0 && w.line[n-1] == '!' {
			w.line = append(w.line[:n-1], `\!`...) // a link after it would be an image
		}
		m.from = len(w.line)
		w.line = append(w.line, delimiters[m.form]...)
		m.written = true
	}
}

// blank writes the blank that is due, and reports whether it did.
func (w *writer) blank() bool {
	due := w.space && len(w.line) > 0 && w.line[len(w.line)-1] != '\n'
	if due {
		w.line = append(w.line, ' ')
	}
	w.space = false
	return due
}

// afterAddress reports whether the line ends with an address of the web that is text. Many
// readers make it a link, with all that follows it up to the next blank.
func (w *writer) afterAddress() bool {
	line := w.line[max(0, len(w.line)-1000):] // a longer text is not an address
	word := line[bytes.LastIndexAny(line, " \n")+1:]
	return bytes.Contains(word, []byte("://")) || bytes.HasPrefix(word, []byte("www."))
}

// linkFrom reports whether a link among the elements from i on is to be opened.
func (w *writer) linkFrom(i int) bool {
	for _, m := range w.inline[i:] {
		if m.form == link && !m.written {
			return true
		}
	}
	return false
}

// inWord reports whether Markdown takes r for a character of a word: it is neither white
// space nor punctuation.
func inWord(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsPunct(r) && !unicode.IsSymbol(r) }

// closeBeforePunctuation moves the delimiters at the end of the line before the
// punctuation that they follow. Between punctuation and a word, as in **note:**this,
// Markdown would read them as text. Where they cannot be moved, as after a link or an
// image, they are removed with those that they close.
func (w *writer) closeBeforePunctuation() {
	if w.closed == 0 || w.closed != len(w.line) {
		return
	}
	at := w.closing
	for at > 0 {
		r, n := utf8.DecodeLastRune(w.line[:at])
		if inWord(r) || unicode.IsSpace(r) || strings.ContainsRune(special+")|", r) || at > n && w.line[at-n-1] == '\\' {
			break
		}
		at -= n
	}
	switch r, _ := utf8.DecodeLastRune(w.line[:at]); {
	case at == w.closing && inWord(r):
		return
	case at == w.closing || at == 0 || !inWord(r):
		w.removeEmphasis()
		return
	}
	moved := append(bytes.Clone(w.line[w.closing:]), w.line[at:w.closing]...)
	w.line = append(w.line[:at], moved...)
	w.closed = 0
}

// removeEmphasis removes the delimiters at the end of the line, and those that they close.
func (w *writer) removeEmphasis() {
	w.line = w.line[:w.closing]
	for _, m := range w.opened {
		w.line = slices.Delete(w.line, m.from, m.from+len(delimiters[m.form]))
	}
	w.closed = 0
}

func (w *writer) lineBreak() {
	switch {
	case w.pre > 0:
		w.raw = append(w.raw, '\n')
	case w.code > 0:
		w.raw = append(w.raw, ' ')
	case w.table != nil || w.heading > 0:
		w.space = true
	case len(w.line) > 0 && w.line[len(w.line)-1] != '\n':
		w.line = append(w.line, "  \n"...)
		w.space = false
	}
}

func (w *writer) image(a attrs) {
	if w.pre > 0 || w.code > 0 || w.mute || a.src == "" {
		return
	}
	w.blank()
	for i := range w.inline {
		if m := &w.inline[i]; m.form == link && !m.written && m.image == 0 {
			m.image = len(w.line) + 1
		}
	}
	w.line = append(w.line, "!["...)
	w.line = appendText(w.line, bytes.Join(bytes.Fields([]byte(a.alt)), []byte{' '}), w.table != nil, w.formulas)
	w.line = append(w.line, "]("...)
	w.line = appendAddress(w.line, a.src)
	w.line = append(w.line, ')')
}

func (w *writer) openInline(tag atom.Atom, a attrs) {
	if isCode(tag) {
		if w.pre > 0 {
			if w.lang == "" {
				w.lang = language(a.class)
			}
			return
		}
		if w.code++; w.code == 1 {
			w.raw = w.raw[:0]
		}
		return
	}
	f := formOf(tag)
	if f == formless {
		return
	}
	if f == link && w.notes[strings.TrimPrefix(a.note, "-")] && w.pre == 0 && w.code == 0 {
		w.noteLink(a.note)
		return
	}
	if w.depth[f]++; w.depth[f] == 1 && w.pre == 0 && w.code == 0 && (f != link || a.href != "") {
		w.inline = append(w.inline, mark{form: f, href: a.href})
	}
}

func (w *writer) closeInline(tag atom.Atom) {
	if isCode(tag) {
		if w.code > 0 && w.pre == 0 {
			if w.code--; w.code == 0 {
				w.codeSpan()
			}
		}
		return
	}
	f := formOf(tag)
	if f == link && w.mute {
		w.mute = false
		return
	}
	if f == formless || w.depth[f] == 0 {
		return
	}
	if w.depth[f]--; w.depth[f] > 0 {
		return
	}
	for i := range w.inline {
		if w.inline[i].form == f {
			w.linkImages(&w.inline[i])
			w.endMark(&w.inline[i])
			w.inline = append(w.inline[:i], w.inline[i+1:]...)
			return
		}
	}
}

// noteLink writes the mark of a footnote in place of a link. Of a link back to a mark,
// whose number begins with a minus, nothing is written.
func (w *writer) noteLink(note string) {
	w.mute = true
	if note[0] == '-' {
		return
	}
	w.beforeText('[')
	if n := len(w.line); n > 0 && w.line[n-1] == '!' {
		w.line = append(w.line[:n-1], `\!`...)
	}
	w.line = append(append(append(w.line, "[^"...), note...), ']')
	w.noteEnd = len(w.line)
}

// notes returns the numbers of the footnotes whose mark and note are both in markup.
func notes(markup []byte) map[string]bool {
	if !bytes.Contains(markup, []byte("data-note=")) {
		return nil
	}
	marked, both := map[string]bool{}, map[string]bool{}
	z := html.NewTokenizer(bytes.NewReader(markup))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind != html.StartTagToken {
			continue
		}
		if note := attributes(z).note; note != "" && tagOf(z) == atom.A {
			marked[note] = true
		} else if marked[note] {
			both[note] = true
		}
	}
	return both
}

// linkImages makes the images of a link that has no text its content.
func (w *writer) linkImages(m *mark) {
	at := m.image - 1
	if at < 0 || m.written || at > 0 && w.line[at-1] == '!' {
		return
	}
	images := bytes.Clone(bytes.TrimRight(w.line[at:], " \n"))
	w.line = append(append(append(w.line[:at], '['), images...), "]("...)
	w.line = append(appendAddress(w.line, m.href), ')')
}

// endMark writes the closing delimiter of an element that has text.
func (w *writer) endMark(m *mark) {
	m.image = 0
	if !m.written {
		return
	}
	m.written = false
	hard := bytes.HasSuffix(w.line, []byte("  \n"))
	if hard { // a delimiter does not close at the beginning of a line
		w.line = w.line[:len(w.line)-3]
	}
	if m.form == link {
		w.line = append(w.line, "]("...)
		w.line = appendAddress(w.line, m.href)
		w.line = append(w.line, ')')
	} else {
		if w.closed == 0 || w.closed != len(w.line) {
			w.closing, w.opened = len(w.line), w.opened[:0]
		}
		w.opened = append(w.opened, *m)
		w.line = append(w.line, delimiters[m.form]...)
		w.closed = len(w.line)
	}
	if hard {
		w.line = append(w.line, "  \n"...)
	}
}

// codeSpan writes the code that was collected between more backticks than it has in
// a row.
func (w *writer) codeSpan() {
	code := bytes.Join(bytes.Fields(w.raw), []byte{' '})
	if len(code) == 0 {
		w.space = w.space || len(w.raw) > 0
		return
	}
	if r, _ := utf8.DecodeRune(w.raw); unicode.IsSpace(r) {
		w.space = true
	}
	w.beforeText('`')
	fence := bytes.Repeat([]byte{'`'}, longestRun(code)+1)
	edge := code[0] == '`' || code[len(code)-1] == '`'
	switch joined := w.codeEnd > 0 && w.codeEnd == len(w.line); { // the backticks of both would be read as one delimiter
	case joined && len(fence) == 1:
		w.line = w.line[:w.codeEnd-1]
	case joined: // it cannot be one code span with the one before, so it is text
		fence, edge = nil, false
	default:
		w.line = append(w.line, fence...)
	}
	if edge {
		w.line = append(w.line, ' ')
	}
	switch {
	case fence == nil:
		w.line = appendText(w.line, code, w.table != nil, w.formulas)
	case w.table != nil: // GitHub ends a cell even in code
		w.line = append(w.line, bytes.ReplaceAll(code, []byte("|"), []byte(`\|`))...)
	default:
		w.line = append(w.line, code...)
	}
	if edge {
		w.line = append(w.line, ' ')
	}
	w.line = append(w.line, fence...)
	if w.codeEnd = 0; len(fence) == 1 {
		w.codeEnd = len(w.line)
	}
	if r, _ := utf8.DecodeLastRune(w.raw); unicode.IsSpace(r) {
		w.space = true
	}
}

// longestRun returns the length of the longest run of backticks in s.
func longestRun(s []byte) int {
	most, run := 0, 0
	for _, c := range s {
		if c != '`' {
			run = 0
			continue
		}
		run++
		most = max(most, run)
	}
	return most
}

// language is what follows a fence: the word of a class that names a language.
func language(class string) string {
	for _, word := range strings.Fields(class) {
		if name, ok := strings.CutPrefix(word, "language-"); ok {
			for _, c := range []byte(name) {
				if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("+#.-_", c) >= 0) {
					return ""
				}
			}
			return name
		}
	}
	return ""
}

// ordinal is a number that Markdown allows for an item of a list.
func ordinal(s string, otherwise int) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 999_999_999 {
		return otherwise
	}
	return n
}
