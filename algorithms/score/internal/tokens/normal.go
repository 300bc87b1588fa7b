package tokens

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	utf "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// invisible are the characters that step Z drops.
var invisible = [...]rune{0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF}

// Normaliser holds the memory of normalised texts. The zero Normaliser is
// ready. What a method returns is valid until its next call.
type Normaliser struct{ decoded, normal, lower []byte }

// Decode is step D. It returns src itself if that is valid UTF-8.
func (n *Normaliser) Decode(src []byte) []byte {
	if utf8.Valid(src) {
		return src
	}
	// The decoder of x/text replaces maximal subparts, as the Unicode standard
	// recommends and Python does; package bytes replaces whole runs.
	n.decoded, _ = utf.UTF8.NewDecoder().Bytes(src)
	return n.decoded
}

// Normal is steps D, N and Z. It returns src itself if that is normal already.
func (n *Normaliser) Normal(src []byte) []byte {
	quiet := quietSpan(src)
	if quiet == len(src) {
		return src
	}
	text := n.Decode(src)
	if end := quiet + norm.NFC.QuickSpan(text[quiet:]); end < len(text) {
		n.normal = append(n.normal[:0], text[:end]...)
		n.normal = norm.NFC.Append(n.normal, text[end:]...)
		text = n.normal
	}
	first := firstInvisible(text)
	if first < 0 {
		return text
	}
	// In place if text is our own copy: what is written never overtakes what is read.
	n.normal = append(n.normal[:0], text[:first]...)
	for i := first; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if !isInvisible(r) {
			n.normal = append(n.normal, text[i:i+size]...)
		}
		i += size
	}
	return n.normal
}

// quietSpan is the length of a prefix of src that Normal leaves as it is, up to
// a place where form C may be looked at anew. It is much quicker than
// norm.NFC.QuickSpan, which decides the rest.
func quietSpan(src []byte) int {
	last := 0 // start of the last character: a mark behind it may change it
	for i := 0; i < len(src); {
		if src[i] < utf8.RuneSelf {
			last = i
			i++
			continue
		}
		r, size := utf8.DecodeRune(src[i:])
		if uint32(r) >= 1<<16 || basic[r]&unquiet != 0 {
			return last
		}
		last = i
		i += size
	}
	return len(src)
}

// Lower is step L. It returns src itself if nothing changes.
func (n *Normaliser) Lower(src []byte) []byte {
	i := 0
	for i < len(src) && src[i] < utf8.RuneSelf && (src[i] < 'A' || src[i] > 'Z') {
		i++
	}
	if i == len(src) {
		return src
	}
	out := append(n.lower[:0], src[:i]...)
	for i < len(src) {
		c := src[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			out = append(out, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(src[i:])
		if r == 'Σ' || r == 'İ' || r == utf8.RuneError {
			// The lower case of a sigma depends on its neighbours; x/text knows how.
			n.lower = append(out[:0], cases.Lower(language.Und).Bytes(src)...)
			return n.lower
		}
		out = utf8.AppendRune(out, lowerOf(r))
		i += size
	}
	n.lower = out
	return out
}

// lowerCase has the lower case of every rune of the Basic Multilingual Plane.
var lowerCase = func() *[1 << 16]uint16 {
	t := new([1 << 16]uint16)
	for r := range t {
		t[r] = uint16(r)
	}
	for _, c := range unicode.CaseRanges {
		for r := c.Lo; r <= c.Hi && r < 1<<16; r++ {
			t[r] = uint16(unicode.ToLower(rune(r)))
		}
	}
	return t
}()

func lowerOf(r rune) rune {
	if uint32(r) < 1<<16 {
		return rune(lowerCase[r])
	}
	return unicode.ToLower(r)
}

// firstInvisible is the place of the first character that step Z drops, or -1.
func firstInvisible(s []byte) int {
	for i, c := range s {
		switch c {
		case 0xC2, 0xE2, 0xEF: // their only lead bytes
			if r, _ := utf8.DecodeRune(s[i:]); isInvisible(r) {
				return i
			}
		}
	}
	return -1
}

func isInvisible(r rune) bool {
	for _, x := range invisible {
		if r == x {
			return true
		}
	}
	return false
}

// IsBlank reports whether text is white space only.
func IsBlank(text []byte) bool {
	return bytes.IndexFunc(text, func(r rune) bool { return classOf(r)&space == 0 }) < 0
}
