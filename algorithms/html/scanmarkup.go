package html

import (
	"bytes"
	"strings"
)

// declaration scans what "<!" at i begins.
func (b *builder) declaration(i int) tokenKind {
	src := b.src
	rest := src[i+2:]
	switch {
	case bytes.HasPrefix(rest, []byte("--")):
		return b.scanComment(i, i+4)
	case len(rest) >= 7 && strings.EqualFold(string(rest[:7]), "doctype"):
		return b.scanDoctype(i, i+9)
	case bytes.HasPrefix(rest, []byte("[CDATA[")) && len(b.stack) > 0 && b.adjusted()&propForeign != 0:
		return b.cdata(i, i+9)
	}
	return b.bogusComment(i, i+2)
}

func (b *builder) commentToken(start, from, to, end int) tokenKind {
	b.tok.start, b.tok.from, b.tok.to, b.tok.end = start, from, to, end
	b.pos = end
	return tokComment
}

// bogusComment scans malformed markup, which is a comment up to the next ">".
func (b *builder) bogusComment(start, from int) tokenKind {
	k := bytes.IndexByte(b.src[from:], '>')
	if k < 0 {
		return b.commentToken(start, from, len(b.src), len(b.src))
	}
	return b.commentToken(start, from, from+k, from+k+1)
}

// scanComment scans a comment whose data begins at from. It ends at "-->" or
// "--!>"; "<!-->" and "<!--->" are comments too.
func (b *builder) scanComment(start, from int) tokenKind {
	src := b.src
	switch rest := src[from:]; {
	case bytes.HasPrefix(rest, []byte(">")):
		return b.commentToken(start, from, from, from+1)
	case bytes.HasPrefix(rest, []byte("->")):
		return b.commentToken(start, from, from, from+2)
	}
	to := b.nextArrow(from)
	if k := bytes.Index(src[from:to], []byte("--!>")); k >= 0 {
		return b.commentToken(start, from, from+k, from+k+4)
	}
	if to < len(src) {
		return b.commentToken(start, from, to, to+3)
	}
	// The source ends within the comment. A possible beginning of the comment's end is
	// not data.
	data := src[from:]
	for _, end := range []string{"--!", "--", "-"} {
		if bytes.HasSuffix(data, []byte(end)) {
			data = data[:len(data)-len(end)]
			break
		}
	}
	return b.commentToken(start, from, from+len(data), len(src))
}

// cdata scans a CDATA section in foreign content whose text begins at from.
func (b *builder) cdata(start, from int) tokenKind {
	to, end := len(b.src), len(b.src)
	if k := bytes.Index(b.src[from:], []byte("]]>")); k >= 0 {
		to, end = from+k, from+k+3
	}
	b.tok.start, b.tok.from, b.tok.to, b.tok.end = start, from, to, end
	b.tok.decode = 0
	b.pos = end
	return tokText
}
