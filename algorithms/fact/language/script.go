package language

import "unicode/utf8"

// script is a script of Unicode, or a group of scripts that are written together.
type script uint8

const (
	other script = iota
	latin
	cyrillic
	arabic
	devanagari
	hebrew
	ethiopic
	// The library decides between the languages of the scripts up to here.
	han
	kana
	hangul
	greek
	armenian
	thaana
	bengali
	gurmukhi
	gujarati
	oriya
	tamil
	telugu
	kannada
	malayalam
	sinhala
	thai
	lao
	tibetan
	myanmar
	georgian
	khmer
	mongolian
	scripts
)

// of is the only language that a script is common for, "" for those of several.
var of = [scripts]string{
	han: "zh", kana: "ja", hangul: "ko", greek: "el", armenian: "hy", thaana: "dv", bengali: "bn", gurmukhi: "pa",
	gujarati: "gu", oriya: "or", tamil: "ta", telugu: "te", kannada: "kn", malayalam: "ml", sinhala: "si", thai: "th",
	lao: "lo", tibetan: "bo", myanmar: "my", georgian: "ka", khmer: "km", mongolian: "mn",
}

// block is a range of characters that are letters of one script, but for some signs.
type block struct {
	first, last rune
	script      script
}

// blocks are in order. Signs and digits at their borders are left out where they are common
// in texts of other scripts.
var blocks = []block{
	{'A', 'Z', latin}, {'a', 'z', latin}, {0xC0, 0xD6, latin}, {0xD8, 0xF6, latin}, {0xF8, 0x2AF, latin},
	{0x370, 0x3FF, greek}, {0x400, 0x52F, cyrillic}, {0x531, 0x58F, armenian}, {0x591, 0x5F4, hebrew},
	{0x620, 0x65F, arabic}, {0x66E, 0x6D3, arabic}, {0x6D5, 0x6DC, arabic}, {0x6FA, 0x6FF, arabic}, {0x750, 0x77F, arabic},
	{0x780, 0x7BF, thaana}, {0x8A0, 0x8FF, arabic}, {0x900, 0x963, devanagari}, {0x971, 0x97F, devanagari},
	{0x980, 0x9FF, bengali}, {0xA00, 0xA7F, gurmukhi}, {0xA80, 0xAFF, gujarati}, {0xB00, 0xB7F, oriya},
	{0xB80, 0xBFF, tamil}, {0xC00, 0xC7F, telugu}, {0xC80, 0xCFF, kannada}, {0xD00, 0xD7F, malayalam},
	{0xD80, 0xDFF, sinhala}, {0xE01, 0xE3A, thai}, {0xE40, 0xE4E, thai}, {0xE80, 0xEFF, lao}, {0xF00, 0xFFF, tibetan},
	{0x1000, 0x109F, myanmar}, {0x10A0, 0x10FF, georgian}, {0x1100, 0x11FF, hangul}, {0x1200, 0x135A, ethiopic},
	{0x1380, 0x139F, ethiopic}, {0x1780, 0x17D3, khmer}, {0x1820, 0x18AA, mongolian}, {0x1C90, 0x1CBF, georgian},
	{0x1E00, 0x1EFF, latin}, {0x1F00, 0x1FFF, greek}, {0x2D00, 0x2D2F, georgian}, {0x3041, 0x309F, kana}, {0x30A1, 0x30FA, kana},
	{0x30FC, 0x30FF, kana}, {0x3105, 0x312F, han}, {0x3131, 0x318E, hangul}, {0x31F0, 0x31FF, kana}, {0x3400, 0x4DBF, han},
	{0x4E00, 0x9FFF, han}, {0xAC00, 0xD7A3, hangul}, {0xF900, 0xFAFF, han}, {0xFB1D, 0xFB4F, hebrew}, {0xFB50, 0xFDFF, arabic},
	{0xFE70, 0xFEFC, arabic}, {0xFF66, 0xFF9D, kana}, {0x20000, 0x3FFFF, han},
}

// reader finds the scripts of characters. Most have that of the one before.
type reader struct{ last block }

func (r *reader) script(c rune) script {
	if c < utf8.RuneSelf {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			return latin
		}
		return other
	}
	if r.last.first <= c && c <= r.last.last {
		return r.last.script
	}
	from, to := 0, len(blocks)
	for from < to {
		switch mid := (from + to) / 2; {
		case c > blocks[mid].last:
			from = mid + 1
		case c < blocks[mid].first:
			to = mid
		default:
			r.last = blocks[mid]
			return r.last.script
		}
	}
	return other
}

// tally says which scripts a text is written in.
type tally struct {
	first, second               script
	letters, secondLetters, all int // numbers of letters: in first, in second, and in all scripts
}

// tallyOf counts the letters of a text by script. Chinese, Japanese and Korean share Han,
// and are counted together.
func tallyOf(text []byte) (t tally) {
	var counts [scripts]int
	var r reader
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			counts[ascii[c]]++
			i++
			continue
		}
		c, size := utf8.DecodeRune(text[i:])
		counts[r.script(c)]++
		i += size
	}
	counts[other] = 0
	east := counts[han] + counts[kana] + counts[hangul]
	koreans, japanese := 10*counts[hangul], 10*counts[kana]
	counts[han], counts[kana], counts[hangul] = 2*east, 0, 0
	for s, n := range counts {
		t.all += n
		switch {
		case n > t.letters:
			t.second, t.secondLetters = t.first, t.letters
			t.first, t.letters = script(s), n
		case n > t.secondLetters:
			t.second, t.secondLetters = script(s), n
		}
	}
	for _, s := range []*script{&t.first, &t.second} {
		if *s == han { // a tenth of kana or Hangul tells Japanese and Korean from Chinese
			switch {
			case koreans >= east && koreans >= japanese:
				*s = hangul
			case japanese >= east:
				*s = kana
			}
		}
	}
	return t
}

// ascii has the scripts of ASCII characters.
var ascii = func() (of [utf8.RuneSelf]script) {
	var r reader
	for c := range of {
		of[c] = r.script(rune(c))
	}
	return of
}()
