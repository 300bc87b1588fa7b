package tokens

import (
	"sync"
	"unicode"
)

// class is a set of properties of a rune.
type class uint8

const (
	letter class = 1 << iota // L
	number                   // N
	mark                     // M
	lone                     // a letter or number of a script written without blanks
	space                    // white space
)

const (
	python = letter | number | lone
	word   = python | mark
)

// alone are the scripts whose characters are words of their own.
var alone = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai,
	unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// basic returns the classes of the Basic Multilingual Plane. A look-up is one
// load where the range tables of package unicode take a binary search each.
var basic = sync.OnceValue(func() *[1 << 16]class {
	t := new([1 << 16]class)
	fill := func(table *unicode.RangeTable, c class) {
		for _, r := range table.R16 {
			for x := uint32(r.Lo); x <= uint32(r.Hi); x += uint32(r.Stride) {
				t[x] |= c
			}
		}
	}
	fill(unicode.L, letter)
	fill(unicode.N, number)
	fill(unicode.M, mark)
	fill(unicode.White_Space, space)
	for x := 0x1C; x <= 0x1F; x++ {
		t[x] |= space
	}
	t['_'] |= letter
	for _, script := range alone {
		for _, r := range script.R16 {
			for x := uint32(r.Lo); x <= uint32(r.Hi); x += uint32(r.Stride) {
				if t[x]&(letter|number) != 0 {
					t[x] = t[x]&^(letter|number) | lone
				}
			}
		}
	}
	return t
})

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

func classOf(t *[1 << 16]class, r rune) class {
	if uint32(r) < 1<<16 {
		return t[r]
	}
	return astral(r)
}
