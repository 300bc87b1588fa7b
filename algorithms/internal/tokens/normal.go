package tokens

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	utf "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/unicode/norm"
)

// invisible are the characters that step Z drops.
var invisible = [...]rune{0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF}

// Normaliser holds the memory of normalised texts. The zero Normaliser is
// ready. What a method returns is valid until its next call.
type Normaliser struct {
	decoded, normal, lower []byte
	at                     []int32
}

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

// Normal applies steps D, N and Z. It returns src itself if that is normal already.
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
	// If text is our own copy it is rewritten in place: writing never overtakes
	// reading.
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

// NormalAt is Normal for valid UTF-8. It also returns the position in src of each byte
// of the result, followed by the length of src, or nil if the result is src itself.
// Where several characters were composed the position is that of the first.
func (n *Normaliser) NormalAt(src []byte) (text []byte, at []int32) {
	if quiet := quietSpan(src); quiet == len(src) || norm.NFC.IsNormal(src[quiet:]) && firstInvisible(src) < 0 {
		return src, nil
	}
	n.normal, n.at = n.normal[:0], n.at[:0]
	var it norm.Iter
	it.Init(norm.NFC, src)
	for !it.Done() {
		place := int32(it.Pos())
		segment := it.Next()
		for i := 0; i < len(segment); {
			r, size := utf8.DecodeRune(segment[i:])
			if !isInvisible(r) {
				n.normal = append(n.normal, segment[i:i+size]...)
				for range size {
					n.at = append(n.at, place)
				}
			}
			i += size
		}
	}
	n.at = append(n.at, int32(len(src)))
	return n.normal, n.at
}

// quietSpan returns the length of a prefix of src that Normal leaves unchanged, up to a
// position where form C can be checked independently. It is much quicker than
// norm.NFC.QuickSpan, which decides the rest.
func quietSpan(src []byte) int {
	last := 0 // start of the last character: a mark after it may change it
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
		from := i
		for i < len(src) && src[i] < utf8.RuneSelf {
			i++
		}
		at := len(out)
		out = append(out, src[from:i]...)
		for k, c := range out[at:] {
			out[at+k] = lowerByte[c&(utf8.RuneSelf-1)]
		}
		if i == len(src) {
			break
		}
		r, size := utf8.DecodeRune(src[i:])
		switch r {
		case 'İ': // the one rune whose lower case is two
			out = append(out, "i\u0307"...)
		case 'Σ':
			if finalSigma(src, i, i+size) {
				out = append(out, "ς"...)
			} else {
				out = append(out, "σ"...)
			}
		default:
			out = utf8.AppendRune(out, lowerOf(r))
		}
		i += size
	}
	n.lower = out
	return out
}

// lowerByte has the lower case of every ASCII character.
var lowerByte = func() (t [utf8.RuneSelf]byte) {
	for c := range t {
		t[c] = byte(unicode.ToLower(rune(c)))
	}
	return t
}()

// finalSigma reports whether the capital sigma src[start:end] ends a word: a cased
// letter precedes it and none follows, not counting characters that are case-ignorable.
// This is Python's reading of the Unicode rule, which differs from others only where a
// character is both cased and case-ignorable.
func finalSigma(src []byte, start, end int) bool {
	before := utf8.RuneError // which is neither cased nor ignorable
	for start > 0 {
		r, n := utf8.DecodeLastRune(src[:start])
		start -= n
		if !caseIgnorable(r) {
			before = r
			break
		}
	}
	if !isCased(before) {
		return false
	}
	for end < len(src) {
		r, n := utf8.DecodeRune(src[end:])
		end += n
		if !caseIgnorable(r) {
			return !isCased(r)
		}
	}
	return true
}

func isCased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// caseIgnorable is Unicode's Case_Ignorable: marks, format characters, modifiers, and
// the punctuation that occurs within words.
func caseIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', 0xB7, 0x387, 0x55F, 0x5F4, 0x2018, 0x2019, 0x2024, 0x2027, 0xFE13, 0xFE52, 0xFE55, 0xFF07, 0xFF0E, 0xFF1A:
		return true
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
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

// firstInvisible returns the position of the first character that step Z drops, or -1.
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

// AppendFolded is step W: it appends text to dst with each run of white space
// as one blank, and none at the ends.
func AppendFolded(dst, text []byte) []byte {
	start := len(dst)
	for i := skip(text, 0, space, false); i < len(text); {
		from := i
		i = foldedSpan(text, i)
		dst = append(dst, text[from:i]...)
		if i < len(text) {
			i = skip(text, i, space, false)
			dst = append(dst, ' ')
		}
	}
	if len(dst) > start && dst[len(dst)-1] == ' ' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// foldedSpan returns the end of the longest part of text from i on that folding leaves
// as it is: no white space but single blanks. A blank before other white space is not
// part of it. text[i] is not white space.
func foldedSpan(text []byte, i int) int {
	blank := uint8(0) // oneBlank if there is one before i
	for i < len(text) {
		b := folding[text[i]]
		if b&(unsure|blank) == 0 {
			blank = b
			i++
			continue
		}
		n, white := SpaceAt(text, i)
		if white {
			return i - int(blank)
		}
		blank = 0
		i += n
	}
	return i
}

// These are the classes of bytes that folding distinguishes.
const (
	oneBlank = 1 // a blank, which stays if no white space is beside it
	unsure   = 2 // other white space, or part of a character that may be some
)

var folding = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c == ' ':
			t[c] = oneBlank
		case c >= utf8.RuneSelf || basic[c]&space != 0:
			t[c] = unsure
		}
	}
	return t
}()
