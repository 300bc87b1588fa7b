package tokens

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// class is a set of properties of a rune.
type class uint8

const (
	letter  class = 1 << iota // L
	number                    // N
	mark                      // M
	lone                      // a letter or number of a script written without blanks
	space                     // white space
	unquiet                   // steps N or Z may change it or its neighbour
)

const (
	python = letter | number | lone
	word   = python | mark
)

// alone lists the scripts in which each character is a word of its own.
var alone = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai,
	unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// basic has the classes of the Basic Multilingual Plane. A look-up is one load, where
// the range tables of package unicode each take a binary search.
var basic = classes()

func classes() *[1 << 16]class {
	t := new([1 << 16]class)
	add(t, unicode.L, letter)
	add(t, unicode.N, number)
	add(t, unicode.M, mark|unquiet)
	add(t, unicode.White_Space, space)
	for x := 0x1C; x <= 0x1F; x++ {
		t[x] |= space
	}
	t['_'] |= letter
	for _, script := range alone {
		add(t, script, lone)
	}
	for x, c := range t {
		switch {
		case c&lone == 0:
		case c&(letter|number) != 0:
			t[x] &^= letter | number
		default: // a mark or sign of the script
			t[x] &^= lone
		}
	}
	// Most characters are in form C as they are unless a mark follows. In blocks where
	// a character may itself be replaced, or composed with the one before, each
	// character is checked.
	var buf [utf8.UTFMax]byte
	for _, block := range [][2]rune{{0x300, 0x3FF}, {0x900, 0x11FF}, {0x1700, 0x1FFF}, {0x2000, 0x206F}, {0x2100, 0x214F},
		{0x2200, 0x22FF}, {0x2300, 0x232F}, {0x2AD0, 0x2AFF}, {0x3000, 0x30FF}, {0xF900, 0xFB4F}} {
		for r := block[0]; r <= block[1]; r++ {
			c := buf[:utf8.EncodeRune(buf[:], r)]
			p := norm.NFC.Properties(c)
			if !p.BoundaryBefore() || p.Decomposition() != nil && !norm.NFC.IsNormal(c) {
				t[r] |= unquiet
			}
		}
	}
	for _, r := range invisible {
		t[r] |= unquiet
	}
	t[unicode.ReplacementChar] |= unquiet // may represent invalid bytes
	return t
}

func add(t *[1 << 16]class, table *unicode.RangeTable, c class) {
	for _, r := range table.R16 {
		for x := uint32(r.Lo); x <= uint32(r.Hi); x += uint32(r.Stride) {
			t[x] |= c
		}
	}
}

// astral is the class of a rune beyond the Basic Multilingual Plane.
func astral(r rune) class {
	switch {
	case unicode.IsLetter(r), unicode.IsNumber(r):
		if unicode.In(r, alone...) {
			return lone
		}
		return letter
	case unicode.IsMark(r):
		return mark
	}
	return 0
}

func classOf(r rune) class {
	if uint32(r) < 1<<16 {
		return basic[r]
	}
	return astral(r)
}

// IsSpace reports whether r is white space.
func IsSpace(r rune) bool { return classOf(r)&space != 0 }
