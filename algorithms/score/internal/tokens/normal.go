package tokens

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// Normaliser holds the memory of normalised texts. The zero Normaliser is
// ready. What its methods return is valid until the next call of the same
// method, or of any if the text came from another.
type Normaliser struct{ decoded, normal, lower []byte }

// Decode is step D. It returns src itself if that is valid UTF-8.
func (n *Normaliser) Decode(src []byte) []byte {
	if utf8.Valid(src) {
		return src
	}
	// The decoder of x/text replaces maximal subparts, as the Unicode standard
	// recommends and Python does; package bytes replaces whole runs.
	n.decoded, _ = unicode.UTF8.NewDecoder().Bytes(src)
	return n.decoded
}

// Normal is steps D, N and Z. It returns src itself if that is normal already.
func (n *Normaliser) Normal(src []byte) []byte {
	if ascii(src) {
		return src
	}
	text := n.Decode(src)
	if end := norm.NFC.QuickSpan(text); end < len(text) {
		n.normal = append(n.normal[:0], text[:end]...)
		n.normal = norm.NFC.Append(n.normal, text[end:]...)
		text = n.normal
	}
	first := ignored(text)
	if first < 0 {
		return text
	}
	// In place if text is our own copy: what is written never overtakes what is read.
	n.normal = append(n.normal[:0], text[:first]...)
	for i := first; i < len(text); {
		_, size := utf8.DecodeRune(text[i:])
		if !zero(text[i : i+size]) {
			n.normal = append(n.normal, text[i:i+size]...)
		}
		i += size
	}
	return n.normal
}

// Lower is step L. It returns src itself if nothing changes.
func (n *Normaliser) Lower(src []byte) []byte {
	if ascii(src) {
		i := bytes.IndexFunc(src, func(r rune) bool { return 'A' <= r && r <= 'Z' })
		if i < 0 {
			return src
		}
		n.lower = append(n.lower[:0], src...)
		for i, c := range n.lower {
			if 'A' <= c && c <= 'Z' {
				n.lower[i] = c + 'a' - 'A'
			}
		}
		return n.lower
	}
	n.lower = append(n.lower[:0], cases.Lower(language.Und).Bytes(src)...)
	return n.lower
}

func ascii(s []byte) bool {
	for _, c := range s {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// ignored is the place of the first character that step Z drops, or -1.
func ignored(s []byte) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case 0xC2, 0xE2, 0xEF: // their only lead bytes
			if _, size := utf8.DecodeRune(s[i:]); zero(s[i : i+size]) {
				return i
			}
		}
	}
	return -1
}

// zero reports whether the encoded rune c is dropped by step Z.
func zero(c []byte) bool {
	switch string(c) {
	case "\u00AD", "\u200B", "\u200C", "\u200D", "\u2060", "\uFEFF":
		return true
	}
	return false
}
