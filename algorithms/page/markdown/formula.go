package markdown

import "bytes"

// A formula in Markdown is its TeX source between dollars, or between two of them on
// each side if it has lines of its own. In a page, TeX is written between the
// delimiters that MathJax and KaTeX read: \(x\), \[x\] and, where the content shows that
// it is TeX, $$x$$, $x$ and environments such as \begin{align}. Package page writes the sources that are not text of the page in the
// same way.

// tex is a formula found in text.
type tex struct {
	start, end int // its bytes in the text, delimiters included
	source     []byte
	display    bool
}

// texFinder finds the formulas of one text, one after the other.
type texFinder struct {
	none          [len(delimitersOfTeX)]bool // a closing delimiter that is not in the rest of the text
	noEnvironment bool                       // no environment ends in the rest of the text
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
		case kind < 0 && text[i] == '$':
			if end := dollarOf(text[i+1:]); end > 0 {
				return tex{start: i, end: i + 1 + end + 1, source: text[i+1 : i+1+end]}, true
			}
			continue
		case kind < 0 && !t.noEnvironment && bytes.HasPrefix(text[i:], []byte(beginOfTeX)):
			if end := environmentOf(text[i:]); end > 0 {
				return tex{start: i, end: i + end, source: text[i : i+end], display: true}, true
			} else if end < 0 {
				t.noEnvironment = true
			}
			i++
			continue
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

// maxInBraces bounds how far closeOf looks after a delimiter inside braces, so that
// time is linear in the page.
const maxInBraces = 1 << 10

// closeOf returns the position of a closing delimiter that is not inside braces, or if there
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

// maxInDollars bounds a formula between single dollars.
const maxInDollars = 300

// dollarOf returns where the dollar is that ends the formula at the beginning of text, which
// follows a dollar; 0 if there is none. Prices and names of variables are not formulas: what is
// between must have no blank at its edges, and a command, a power, an index of a single letter,
// or no word at all.
func dollarOf(text []byte) int {
	end := bytes.IndexByte(text[:min(len(text), maxInDollars)], '$')
	if end <= 0 || text[0] == ' ' || text[end-1] == ' ' || text[end-1] == '\\' {
		return 0
	}
	if end+1 < len(text) && (text[end+1] == '$' || '0' <= text[end+1] && text[end+1] <= '9') {
		return 0
	}
	letter := func(i int) bool { return i >= 0 && i < end && 'a' <= text[i]|0x20 && text[i]|0x20 <= 'z' }
	letters, run := 0, 0
	for i, c := range text[:end] {
		switch {
		case c == '\n' || c == '/' || c == ':' || c >= 0x80:
			return 0
		case c == '\\' && letter(i+1), c == '^' && i > 0:
			return end
		case c == '_' && letter(i-1) && !letter(i-2):
			return end
		}
		if letter(i) {
			letters++
			if run++; run > 2 {
				return 0
			}
		} else {
			run = 0
		}
	}
	if letters == 0 {
		return 0
	}
	return end
}

const beginOfTeX = `\begin{`

// environmentOf returns where the environment of displayed mathematics ends that text begins
// with: 0 if it is another environment, and -1 if it does not end.
func environmentOf(text []byte) int {
	name := text[len(beginOfTeX):]
	i := bytes.IndexByte(name[:min(len(name), 20)], '}')
	if i < 0 {
		return 0
	}
	switch string(bytes.TrimSuffix(name[:i], []byte("*"))) {
	case "equation", "align", "gather", "multline", "eqnarray", "alignat", "flalign", "displaymath", "math":
	default:
		return 0
	}
	end := append([]byte(`\end{`), name[:i+1]...)
	at := bytes.Index(text, end)
	if at < 0 {
		return -1
	}
	return at + len(end)
}

// hasTeX reports whether markup has a formula in some text.
func hasTeX(markup []byte) bool {
	for _, d := range delimitersOfTeX {
		if bytes.Contains(markup, []byte(d.open)) {
			return true
		}
	}
	for rest := markup; ; {
		i := bytes.IndexByte(rest, '$')
		if i < 0 {
			break
		}
		if rest = rest[i+1:]; dollarOf(rest) > 1 { // one letter between dollars may be anything
			return true
		}
	}
	return bytes.Contains(markup, []byte(beginOfTeX))
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
