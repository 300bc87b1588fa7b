package canon

import (
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
)

// Words are the words of the leaves: runs of letters, digits and the marks on
// them, in lower case; in Han, Kana, Thai, Lao and Khmer, which are written
// without blanks, every two neighbouring characters, or a character that stands
// alone.
type Words struct {
	// Hash has the 64-bit hashes of the words; those of leaf i are
	// Hash[At[i]:At[i+1]]. Length has a word's length in characters.
	Hash   []uint64
	Length []int32
	At     []int32

	word   []byte // the current word
	chars  int32  // characters in word
	paired bool   // it is of a script without blanks: at most two characters
	second int    // where the second of them begins
}

// WordsOf is the words of the page's Tree. There are none if the page is too large.
var WordsOf = algorithms.Feature[Words]{
	Name:    "canonical-words",
	Doc:     "hashes of the words of the content leaves",
	Compute: func(w *Words, p *algorithms.Pass) { w.fill(p) },
}

func (w *Words) fill(p *algorithms.Pass) {
	if cap(w.Hash) > keepWords {
		w.Hash, w.Length = nil, nil
	}
	w.Hash, w.Length, w.At = w.Hash[:0], w.Length[:0], w.At[:0]
	t, err := Of(p)
	if err != nil {
		return
	}
	for i := range t.Leaves {
		w.At = append(w.At, int32(len(w.Hash)))
		w.add(t.Text(i))
	}
	w.At = append(w.At, int32(len(w.Hash)))
}

// Of are the hashes of the words of a leaf.
func (w *Words) Of(leaf int) []uint64 { return w.Hash[w.At[leaf]:w.At[leaf+1]] }

// lower maps ASCII letters to lower case and digits to themselves, and everything else
// to 0.
var lower = func() (t [256]byte) {
	for c := range byte(utf8.RuneSelf) {
		switch {
		case 'A' <= c && c <= 'Z':
			t[c] = c | 0x20
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			t[c] = c
		}
	}
	return t
}()

// unspaced are the scripts that are written without blanks between words.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
}

// add cuts text into words.
func (w *Words) add(text []byte) {
	w.word, w.chars, w.paired = w.word[:0], 0, false
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(text[i:])
			i += size
			w.addWide(r)
			continue
		}
		if lower[c] == 0 {
			w.end()
			i++
			continue
		}
		if w.paired {
			w.end()
		}
		from, upper := i, byte(0)
		for ; i < len(text) && lower[text[i]] != 0; i++ {
			upper |= text[i] ^ lower[text[i]]
		}
		if upper == 0 && w.chars == 0 && (i == len(text) || text[i] < utf8.RuneSelf) {
			w.Hash = append(w.Hash, xxhash.Sum64(text[from:i])) // a whole word as it is
			w.Length = append(w.Length, int32(i-from))
			continue
		}
		for _, c := range text[from:i] {
			w.word = append(w.word, lower[c])
		}
		w.chars += int32(i - from)
	}
	w.end()
}

// addWide adds a character beyond ASCII.
func (w *Words) addWide(r rune) {
	switch {
	case unicode.IsMark(r) && w.chars > 0:
		w.word = utf8.AppendRune(w.word, r)
	case !unicode.IsLetter(r) && !unicode.IsNumber(r):
		w.end()
	case unicode.In(r, unspaced...) || r == prolonged && w.paired:
		if !w.paired {
			w.end()
			w.paired = true
		}
		if w.chars == 2 { // the pair is complete; the next begins with its second half
			w.emit()
			w.word = append(w.word[:0], w.word[w.second:]...)
			w.chars = 1
		}
		w.second = len(w.word)
		w.word = utf8.AppendRune(w.word, r)
		w.chars++
	default:
		if w.paired {
			w.end()
		}
		w.word = utf8.AppendRune(w.word, unicode.ToLower(r))
		w.chars++
	}
}

// prolonged is the mark that lengthens a vowel of Kana. Unicode assigns it to no single
// script.
const prolonged = 'ー'

// end completes the present word, if there is one.
func (w *Words) end() {
	if w.chars > 0 {
		w.emit()
	}
	w.word, w.chars, w.paired = w.word[:0], 0, false
}

func (w *Words) emit() {
	w.Hash = append(w.Hash, xxhash.Sum64(w.word))
	w.Length = append(w.Length, w.chars)
}
