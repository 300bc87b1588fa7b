package markdown

import "bytes"

// A formula in Markdown is its TeX source between dollars, or between two of them on
// each side if it stands on lines of its own. The TeX of a page stands between the
// delimiters that MathJax and KaTeX read: \(x\), \[x\] and, where the content shows that
// it is TeX, $$x$$. Package page writes the sources that are no text of the page in the
// same way.

// tex is a formula found in text.
type tex struct {
	start, end int // of it with its delimiters
	source     []byte
	display    bool
}

// texFinder finds the formulas of one text, one after the other.
type texFinder struct {
	none [len(delimitersOfTeX)]bool // a closing delimiter that does not stand in the rest of the text
}

// delimitersOfTeX are what opens and closes formulas.
var delimitersOfTeX = [...]struct {
	open, close string
	display     bool
}{{`\(`, `\)`, false}, {`\[`, `\]`, true}, {"$$", "$$", true}}

// next finds the first formula in the rest of the text.
func (t *texFinder) next(text []byte) (f tex, ok bool) {
	for i := 0; i+1 < len(text); i++ {
		kind := -1
		for k, d := range delimitersOfTeX {
			if text[i] == d.open[0] && text[i+1] == d.open[1] {
				kind = k
			}
		}
		switch {
		case kind < 0 && text[i] == '\\':
			i++ // what it escapes begins nothing
			continue
		case kind < 0:
			continue
		case t.none[kind]:
			i++
			continue
		}
		d := &delimitersOfTeX[kind]
		end := closeOf(text[i+2:], d.close)
		if end < 0 {
			t.none[kind] = true
			i++
			continue
		}
		f = tex{start: i, end: i + 2 + end + 2, source: bytes.TrimSpace(text[i+2 : i+2+end]), display: d.display}
		if len(f.source) > 0 && (d.open != "$$" || bytes.ContainsAny(f.source, `\^_{`)) {
			return f, true
		}
		i = f.end - 1
	}
	return tex{}, false
}

// maxInBraces bounds how far closeOf looks behind a delimiter inside braces, so that
// time is linear in the page.
const maxInBraces = 1 << 10

// closeOf returns where a closing delimiter stands that is not inside braces, or if there
// is none near it the first that is; -1 if there is none at all.
func closeOf(text []byte, delimiter string) int {
	first, depth := -1, 0
	for i := 0; i+1 < len(text) && (first < 0 || i < first+maxInBraces); i++ {
		switch {
		case text[i] == delimiter[0] && text[i+1] == delimiter[1]:
			if depth <= 0 {
				return i
			}
			if first < 0 {
				first = i
			}
			i++
		case text[i] == '\\':
			i++
		case text[i] == '{':
			depth++
		case text[i] == '}':
			depth--
		}
	}
	return first
}

// hasTeX reports whether markup has a formula in some text.
func hasTeX(markup []byte) bool {
	for _, d := range delimitersOfTeX {
		if bytes.Contains(markup, []byte(d.open)) {
			return true
		}
	}
	return false
}

// formula writes a formula. Its line breaks become blanks, which TeX reads alike.
func (w *writer) formula(f *tex) {
	w.beforeText('$')
	if n := len(w.line); n > 0 && w.line[n-1] == '$' {
		w.line = append(w.line, ' ') // the delimiters would be taken for one
	}
	mark := "$"
	if f.display {
		mark = "$$"
	}
	w.line = append(w.line, mark...)
	w.line = appendTeX(w.line, f.source, w.table != nil)
	w.line = append(w.line, mark...)
}

// appendTeX appends a source in one line so that a reader of Markdown who does not know
// formulas finds neither HTML nor links in it, and one who does finds its end.
func appendTeX(dst, source []byte, cell bool) []byte {
	source = bytes.Join(bytes.Fields(source), []byte{' '})
	inner := false // between dollars inside, as in \text{if $x$}
	for i := 0; i < len(source); i++ {
		c := source[i]
		next := byte(' ')
		if i+1 < len(source) {
			next = source[i+1]
		}
		switch {
		case c == '\\' && next == '|' && cell:
			dst = append(dst, `\Vert `...)
			i++
		case c == '\\' && i+1 < len(source) && next != '<' && next != '`' && next < 0x80:
			dst = append(dst, c, next)
			i++
		case c == '|' && cell:
			dst = append(dst, `\vert `...)
		case c == '$':
			inner = !inner
			if inner {
				dst = append(dst, `\(`...)
			} else {
				dst = append(dst, `\)`...)
			}
		case c == '<' && next != ' ':
			dst = append(dst, "< "...)
		case c == ']' && (next == '(' || next == '[' || next == ':'):
			dst = append(dst, "] "...)
		case c == '`':
			dst = append(dst, "‘"...)
		default:
			dst = append(dst, c)
		}
	}
	dst = bytes.TrimRight(dst, " ") // no closing dollar follows a blank
	if n := len(dst); dst[n-1] == '\\' && (n < 2 || dst[n-2] != '\\') {
		dst = append(dst, ' ')
	}
	return dst
}
