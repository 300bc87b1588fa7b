package page

import (
	"bytes"
	"strings"

	"github.com/winnow/winnow/algorithms/html"
)

// maxMathDepth is how deep MathML may be nested. A formula that is deeper is written as its
// characters.
const maxMathDepth = 100

// texOfMathML returns presentation MathML as TeX; nil if there is nothing in it. The result is
// linear in the source.
func (p *Page) texOfMathML(math html.Node) []byte {
	m := mathml{p: p}
	if m.row(math, 0); m.deep {
		m.tex = m.tex[:0]
		for _, r := range string(p.textBelow(math)) {
			m.add(texOfRune(r))
		}
	}
	return lineOfTeX(m.tex)
}

// mathml writes MathML as TeX.
type mathml struct {
	p    *Page
	tex  []byte
	deep bool
}

// add adds a piece of TeX, parted from a command before it if letters follow.
func (m *mathml) add(s string) {
	if s == "" {
		return
	}
	if c := s[0] | 0x20; 'a' <= c && c <= 'z' {
		i := len(m.tex)
		for i > 0 && (m.tex[i-1]|0x20 >= 'a' && m.tex[i-1]|0x20 <= 'z') {
			i--
		}
		if i < len(m.tex) && i > 0 && m.tex[i-1] == '\\' {
			m.tex = append(m.tex, ' ')
		}
	}
	m.tex = append(m.tex, s...)
}

// children returns the elements directly below n.
func (m *mathml) children(n html.Node) (all []html.Node) {
	t := &m.p.Tree
	for c := n + 1; c < t.End[n]; c = t.End[c] {
		if t.Kind[c] == html.KindElement {
			all = append(all, c)
		}
	}
	return all
}

// row writes all that is below n.
func (m *mathml) row(n html.Node, depth int) {
	t := &m.p.Tree
	for c := n + 1; c < t.End[n]; c = t.End[c] {
		switch t.Kind[c] {
		case html.KindText:
			for _, r := range string(bytes.TrimSpace(t.Text[t.Data[c].Start:t.Data[c].End])) {
				m.add(texOfRune(r))
			}
		case html.KindElement:
			m.element(c, depth+1)
		}
	}
}

// group writes the element n between braces, unless it is a single character.
func (m *mathml) group(n html.Node, depth int) {
	from := len(m.tex)
	m.tex = append(m.tex, '{')
	m.element(n, depth)
	if len(m.tex) == from+2 {
		m.tex = append(m.tex[:from], m.tex[from+1])
		return
	}
	m.tex = append(m.tex, '}')
}

// command writes a command with elements as its arguments.
func (m *mathml) command(name string, depth int, arguments ...html.Node) {
	m.add(name)
	for _, a := range arguments {
		m.tex = append(m.tex, '{')
		m.element(a, depth)
		m.tex = append(m.tex, '}')
	}
}

// scripts writes what is below and above a base.
func (m *mathml) scripts(base html.Node, depth int, below, above html.Node) {
	if m.isOperator(base) {
		m.element(base, depth)
	} else {
		m.group(base, depth)
	}
	if below != 0 {
		m.tex = append(m.tex, '_')
		m.group(below, depth)
	}
	if above != 0 {
		m.tex = append(m.tex, '^')
		m.group(above, depth)
	}
}

// isOperator reports whether an element is a command that takes limits itself, such as a sum.
func (m *mathml) isOperator(n html.Node) bool {
	switch strings.TrimSpace(string(m.p.textBelow(n))) {
	case "∑", "∏", "∐", "∫", "∬", "∭", "∮", "⋃", "⋂", "⋁", "⋀", "⨁", "⨂", "lim", "max", "min", "sup", "inf", "limsup", "liminf", "det", "gcd", "Pr", "log", "sin", "cos", "tan", "ln", "exp":
		return true
	}
	return false
}

func (m *mathml) element(n html.Node, depth int) {
	if depth > maxMathDepth {
		m.deep = true
	}
	if m.deep {
		return
	}
	kids := func(least int) []html.Node {
		if all := m.children(n); len(all) >= least {
			return all
		}
		return nil
	}
	switch m.p.TagName(m.p.Tree.Tag[n]) {
	case "annotation", "annotation-xml", "mphantom", "mprescripts", "none":
		return
	case "mi":
		m.identifier(n)
		return
	case "mtext", "ms":
		if text := bytes.Join(bytes.Fields(m.p.textBelow(n)), []byte{' '}); len(text) > 0 {
			m.add(`\text{` + textInTeX.Replace(string(text)) + "}")
		}
		return
	case "mspace":
		m.tex = append(m.tex, ' ')
		return
	case "msup":
		if k := kids(2); k != nil {
			m.scripts(k[0], depth+1, 0, k[1])
			return
		}
	case "msub":
		if k := kids(2); k != nil {
			m.scripts(k[0], depth+1, k[1], 0)
			return
		}
	case "msubsup":
		if k := kids(3); k != nil {
			m.scripts(k[0], depth+1, k[1], k[2])
			return
		}
	case "munder", "mover":
		if k := kids(2); k != nil {
			m.limits(n, k[0], k[1], depth+1)
			return
		}
	case "munderover":
		if k := kids(3); k != nil {
			m.scripts(k[0], depth+1, k[1], k[2])
			return
		}
	case "mmultiscripts":
		if k := kids(1); k != nil {
			m.multiscripts(k, depth+1)
			return
		}
	case "mfrac":
		if k := kids(2); k != nil {
			if thick, ok := m.p.Attr(n, "linethickness"); ok && bytes.HasPrefix(bytes.TrimSpace(thick), []byte{'0'}) {
				m.command(`\genfrac{}{}{0pt}{}`, depth+1, k[0], k[1])
			} else {
				m.command(`\frac`, depth+1, k[0], k[1])
			}
			return
		}
	case "msqrt":
		m.add(`\sqrt{`)
		m.row(n, depth)
		m.tex = append(m.tex, '}')
		return
	case "mroot":
		if k := kids(2); k != nil {
			m.add(`\sqrt[`)
			m.element(k[1], depth+1)
			m.tex = append(m.tex, ']')
			m.command("", depth+1, k[0])
			return
		}
	case "mfenced":
		m.fenced(n, depth)
		return
	case "mtable":
		m.table(n, depth)
		return
	}
	m.row(n, depth)
}

// textInTeX escapes what means something in text.
var textInTeX = strings.NewReplacer(`\`, `\backslash `, "{", `\{`, "}", `\}`, "$", `\$`, "%", `\%`, "#", `\#`, "&", `\&`, "_", `\_`, "^", `\^{}`, "~", `\~{}`)

// identifier writes a name: a letter, a function that TeX knows, or a word in upright letters.
func (m *mathml) identifier(n html.Node) {
	text := strings.Join(strings.Fields(string(m.p.textBelow(n))), " ")
	runes := []rune(text)
	switch text {
	case "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "log", "ln", "lg", "exp", "lim", "limsup",
		"liminf", "max", "min", "sup", "inf", "det", "dim", "ker", "deg", "arg", "gcd", "hom", "Pr":
		m.add(`\` + text)
		return
	}
	var tex strings.Builder
	for _, r := range runes {
		tex.WriteString(texOfRune(r))
	}
	variant, _ := m.p.Attr(n, "mathvariant")
	command := ""
	switch string(variant) {
	case "bold":
		command = `\mathbf`
	case "bold-italic":
		command = `\boldsymbol`
	case "double-struck":
		command = `\mathbb`
	case "script":
		command = `\mathcal`
	case "fraktur":
		command = `\mathfrak`
	case "sans-serif":
		command = `\mathsf`
	case "monospace":
		command = `\mathtt`
	default:
		if len(runes) > 1 {
			command = `\mathrm`
		}
	}
	if command == "" || tex.Len() == 0 {
		m.add(tex.String())
		return
	}
	m.add(command + "{" + tex.String() + "}")
}

// limits writes munder or mover: an accent, a limit of an operator, or something set above
// or below.
func (m *mathml) limits(n, base, limit html.Node, depth int) {
	under := m.p.TagName(m.p.Tree.Tag[n]) == "munder"
	accent := ""
	switch mark := strings.TrimSpace(string(m.p.textBelow(limit))); {
	case under && (mark == "_" || mark == "¯" || mark == "‾" || mark == "\u0332" || mark == "―"):
		accent = `\underline`
	case under && mark == "⏟":
		accent = `\underbrace`
	case under:
	case mark == "¯" || mark == "‾" || mark == "\u0305" || mark == "―" || mark == "\u0304":
		accent = `\overline`
	case mark == "^" || mark == "ˆ" || mark == "\u0302":
		accent = `\hat`
	case mark == "~" || mark == "˜" || mark == "∼" || mark == "\u0303":
		accent = `\tilde`
	case mark == "→" || mark == "⃗":
		accent = `\vec`
	case mark == "˙" || mark == ".":
		accent = `\dot`
	case mark == "¨":
		accent = `\ddot`
	case mark == "ˇ":
		accent = `\check`
	case mark == "⏞":
		accent = `\overbrace`
	}
	switch {
	case accent != "":
		m.command(accent, depth, base)
	case m.isOperator(base) && under:
		m.scripts(base, depth, limit, 0)
	case m.isOperator(base):
		m.scripts(base, depth, 0, limit)
	case under:
		m.command(`\underset`, depth, limit, base)
	default:
		m.command(`\overset`, depth, limit, base)
	}
}

// multiscripts writes a base with scripts on both sides.
func (m *mathml) multiscripts(k []html.Node, depth int) {
	name := func(n html.Node) string { return m.p.TagName(m.p.Tree.Tag[n]) }
	before := len(k)
	for i := range k {
		if name(k[i]) == "mprescripts" {
			before = i
		}
	}
	pairs := func(list []html.Node) {
		for i, n := range list {
			if name(n) != "none" && len(m.children(n))+len(m.p.textBelow(n)) > 0 {
				m.tex = append(m.tex, "_^"[i%2])
				m.group(n, depth)
			}
		}
	}
	if before+1 < len(k) {
		m.tex = append(m.tex, "{}"...)
		pairs(k[before+1:])
	}
	m.group(k[0], depth)
	if before > 1 {
		pairs(k[1:before])
	}
}

// fenced writes mfenced.
func (m *mathml) fenced(n html.Node, depth int) {
	fence := func(name, otherwise string) string {
		value, ok := m.p.Attr(n, name)
		if !ok {
			return otherwise
		}
		var tex strings.Builder
		for _, r := range strings.TrimSpace(string(value[:min(len(value), 16)])) {
			tex.WriteString(texOfRune(r))
		}
		return tex.String()
	}
	open, shut := fence("open", "("), fence("close", ")")
	separators := []rune(",")
	if value, ok := m.p.Attr(n, "separators"); ok {
		separators = []rune(strings.Join(strings.Fields(string(value)), ""))
	}
	or := func(s string) string {
		if s == "" {
			return "."
		}
		return s
	}
	m.add(`\left` + or(open))
	for i, c := range m.children(n) {
		if i > 0 && len(separators) > 0 {
			m.add(texOfRune(separators[min(i-1, len(separators)-1)]))
		}
		m.element(c, depth+1)
	}
	m.add(`\right` + or(shut))
}

// table writes mtable as a matrix.
func (m *mathml) table(n html.Node, depth int) {
	m.add(`\begin{matrix}`)
	first := true
	for _, row := range m.children(n) {
		if !first {
			m.tex = append(m.tex, `\\`...)
		}
		first = false
		cells := m.children(row)
		if m.p.TagName(m.p.Tree.Tag[row]) == "mlabeledtr" && len(cells) > 0 {
			cells = cells[1:]
		}
		for i, c := range cells {
			if i > 0 {
				m.tex = append(m.tex, '&')
			}
			m.tex = append(m.tex, ' ')
			m.element(c, depth+2)
			m.tex = append(m.tex, ' ')
		}
	}
	m.add(`\end{matrix}`)
}
