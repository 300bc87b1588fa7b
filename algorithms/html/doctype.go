package html

import (
	"bytes"
	"strings"
)

// doctype is the content of a doctype token, as ranges of Tree.Text.
type doctype struct {
	name           Range
	public, system identifier
	forceQuirks    bool
}

// identifier is a public or system identifier; an empty one can be present.
type identifier struct {
	text    Range
	present bool
}

// scanDoctype scans a doctype from i, after the word (standard, 13.2.5.53 to
// 13.2.5.68).
func (b *builder) scanDoctype(start, i int) tokenKind {
	src := b.src
	t := &b.tree
	d := &b.tok.doctype
	*d = doctype{}

	i = b.skipSpace(i)
	from := i
	for i < len(src) && src[i] != '>' && !isSpace(src[i]) {
		i++
	}
	at := uint32(len(t.Text))
	t.Text = appendName(t.Text, src[from:i])
	d.name = Range{at, uint32(len(t.Text))}

	i = b.skipSpace(i)
	switch {
	case i == len(src):
		d.forceQuirks = true
	case src[i] != '>':
		i = b.identifiers(i, d)
	}
	d.forceQuirks = d.forceQuirks || d.name.Len() == 0
	// The rest of the doctype has no meaning.
	end := len(src)
	if k := bytes.IndexByte(src[i:], '>'); k >= 0 {
		end = i + k + 1
	}
	b.tok.start, b.tok.end = start, end
	b.pos = end
	return tokDoctype
}

// identifiers scans from the word at i on, PUBLIC or SYSTEM, and returns where it
// stopped. Any irregularity forces quirks mode, except stray text after a system
// identifier.
func (b *builder) identifiers(i int, d *doctype) int {
	src := b.src
	closed := false
	word := string(src[i:min(i+6, len(src))])
	switch {
	case strings.EqualFold(word, "public"):
		i, closed = b.identifier(b.skipSpace(i+6), &d.public)
		if !closed {
			break
		}
		i = b.skipSpace(i)
		if i == len(src) || src[i] != '"' && src[i] != '\'' {
			d.forceQuirks = i == len(src) || src[i] != '>'
			return i
		}
		i, closed = b.identifier(i, &d.system)
	case strings.EqualFold(word, "system"):
		i, closed = b.identifier(b.skipSpace(i+6), &d.system)
	}
	i = b.skipSpace(i)
	d.forceQuirks = !closed || i == len(src)
	return i
}

// identifier scans a quoted identifier at i; closed reports whether it is there
// and ends with its quote.
func (b *builder) identifier(i int, id *identifier) (next int, closed bool) {
	src := b.src
	if i == len(src) || src[i] != '"' && src[i] != '\'' {
		return i, false
	}
	quote := src[i]
	i++
	from := i
	for i < len(src) && src[i] != quote && src[i] != '>' {
		i++
	}
	t := &b.tree
	at := uint32(len(t.Text))
	t.Text = appendDecoded(t.Text, src[from:i], nulReplaced)
	*id = identifier{Range{at, uint32(len(t.Text))}, true}
	if i == len(src) || src[i] == '>' {
		return i, false
	}
	return i + 1, true
}

func (b *builder) skipSpace(i int) int {
	for i < len(b.src) && isSpace(b.src[i]) {
		i++
	}
	return i
}

// inQuirks reports whether d puts the document in quirks mode (standard,
// 13.2.6.4.1). Limited quirks mode makes no difference to the tree.
func (b *builder) inQuirks(d *doctype) bool {
	text := b.tree.Text
	if d.forceQuirks || string(text[d.name.Start:d.name.End]) != "html" {
		return true
	}
	b.name = appendName(b.name[:0], text[d.system.text.Start:d.system.text.End])
	if string(b.name) == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd" {
		return true
	}
	b.name = appendName(b.name[:0], text[d.public.text.Start:d.public.text.End])
	public := b.name
	switch string(public) {
	case "-//w3o//dtd w3 html strict 3.0//en//", "-/w3d/dtd html 4.0 transitional/en", "html":
		return true
	}
	if !d.system.present && (hasPrefix(public, "-//w3c//dtd html 4.01 frameset//") ||
		hasPrefix(public, "-//w3c//dtd html 4.01 transitional//")) {
		return true
	}
	for _, prefix := range quirksPrefixes {
		if hasPrefix(public, prefix) {
			return true
		}
	}
	return false
}

func hasPrefix(s []byte, prefix string) bool {
	return len(s) >= len(prefix) && string(s[:len(prefix)]) == prefix
}

// quirksPrefixes begin the public identifiers of old document types.
var quirksPrefixes = [...]string{
	"+//silmaril//dtd html pro v0r11 19970101//",
	"-//as//dtd html 3.0 aswedit + extensions//",
	"-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
	"-//ietf//dtd html 2.0 level 1//",
	"-//ietf//dtd html 2.0 level 2//",
	"-//ietf//dtd html 2.0 strict level 1//",
	"-//ietf//dtd html 2.0 strict level 2//",
	"-//ietf//dtd html 2.0 strict//",
	"-//ietf//dtd html 2.0//",
	"-//ietf//dtd html 2.1e//",
	"-//ietf//dtd html 3.0//",
	"-//ietf//dtd html 3.2 final//",
	"-//ietf//dtd html 3.2//",
	"-//ietf//dtd html 3//",
	"-//ietf//dtd html level 0//",
	"-//ietf//dtd html level 1//",
	"-//ietf//dtd html level 2//",
	"-//ietf//dtd html level 3//",
	"-//ietf//dtd html strict level 0//",
	"-//ietf//dtd html strict level 1//",
	"-//ietf//dtd html strict level 2//",
	"-//ietf//dtd html strict level 3//",
	"-//ietf//dtd html strict//",
	"-//ietf//dtd html//",
	"-//metrius//dtd metrius presentational//",
	"-//microsoft//dtd internet explorer 2.0 html strict//",
	"-//microsoft//dtd internet explorer 2.0 html//",
	"-//microsoft//dtd internet explorer 2.0 tables//",
	"-//microsoft//dtd internet explorer 3.0 html strict//",
	"-//microsoft//dtd internet explorer 3.0 html//",
	"-//microsoft//dtd internet explorer 3.0 tables//",
	"-//netscape comm. corp.//dtd html//",
	"-//netscape comm. corp.//dtd strict html//",
	"-//o'reilly and associates//dtd html 2.0//",
	"-//o'reilly and associates//dtd html extended 1.0//",
	"-//o'reilly and associates//dtd html extended relaxed 1.0//",
	"-//sq//dtd html 2.0 hotmetal + extensions//",
	"-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
	"-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
	"-//spyglass//dtd html 2.0 extended//",
	"-//sun microsystems corp.//dtd hotjava html//",
	"-//sun microsystems corp.//dtd hotjava strict html//",
	"-//w3c//dtd html 3 1995-03-24//",
	"-//w3c//dtd html 3.2 draft//",
	"-//w3c//dtd html 3.2 final//",
	"-//w3c//dtd html 3.2//",
	"-//w3c//dtd html 3.2s draft//",
	"-//w3c//dtd html 4.0 frameset//",
	"-//w3c//dtd html 4.0 transitional//",
	"-//w3c//dtd html experimental 19960712//",
	"-//w3c//dtd html experimental 970421//",
	"-//w3c//dtd w3 html//",
	"-//w3o//dtd w3 html 3.0//",
	"-//webtechs//dtd mozilla html 2.0//",
	"-//webtechs//dtd mozilla html//",
}
