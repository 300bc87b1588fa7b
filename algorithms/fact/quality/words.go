package quality

import (
	"math/bits"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/internal/eight"
)

// line holds the totals of the words of a line.
type line struct {
	from, to     int    // from the first word to the end of the last; equal if there is none
	words        int    // number of words
	longest      int    // bytes of the longest
	key          uint64 // a hash of all
	cased, upper int    // letters with case, and those in upper case
	more         int    // bytes that are not characters: the second to fourth bytes of one
	suspicious   bool   // there may be a text that the sources name
}

// small is the bit in which a small letter differs from its capital.
const small = 0x20 * eight.Each

// stops returns the mask of the bytes that are not visible characters of ASCII: white
// space, control characters, and bytes of other characters.
func stops(x uint64) uint64 { return eight.Blanks(x) | x&eight.Highest }

// lettersOf returns the mask of the letters among characters of ASCII.
func lettersOf(x uint64) uint64 {
	x = (x | small) & eight.Lowest7
	return (x + (0x80-'a')*eight.Each) &^ (x + (0x7f-'z')*eight.Each) & eight.Highest
}

// capitalsOf returns the mask of those letters of x that are capitals.
func capitalsOf(letters, x uint64) uint64 { return letters &^ (x << 2) }

// first returns the first n bytes of x, at most seven.
func first(x uint64, n int) uint64 { return x & (1<<(8*n&63) - 1) }

// tail returns the first n bytes of x, at most seven, with their number after them.
func tail(x uint64, n int) uint64 { return first(x, n) | uint64(n)<<56 }

// padding follows the text, so that eight bytes can be read from each position of the text.
const padding = "\n\n\n\n\n\n\n\n"

// read reads the words of a line, m.text[start:end].
//
// Words of visible characters of ASCII, which most words of the web are, are read eight
// bytes at a time and with few branches that depend on them: a processor that guesses a
// branch wrongly loses more time than it takes to read a word.
func (m *Meter) read(t *totals, start, end int) (l line) {
	text := m.text
	// What is counted is kept out of memory, that is out of l, t and m, until the line is
	// read. There is room for the hashes and lengths of all words.
	before, key, longest := len(m.hashes), uint64(0), 0
	hashes, length := m.hashes[:cap(m.hashes)], m.length[:cap(m.length)]
	words, characters := before, length[before]
	allCased, allUpper, allStops := 0, 0, uint64(0)
	for at := start; at < end; {
		if text[at] == ' ' {
			at++
			continue
		}
		from := at
		x := eight.Load(text[at:])
		head, hash := x, m.secret[0]
		letters, cased, upper := uint64(0), 0, 0
		stop := stops(x)
		for ; stop == 0; stop = stops(x) {
			found := lettersOf(x)
			letters |= found
			cased += bits.OnesCount64(found)
			upper += bits.OnesCount64(capitalsOf(found, x))
			hash = m.mix(hash ^ x)
			at += 8
			x = eight.Load(text[at:])
		}
		n := eight.First(stop)
		at += n
		size := at - from
		if size == 0 || !whiteByte[text[at]] {
			if at, size = m.other(t, &l, from); size == 0 {
				continue
			}
			hash = m.hash(from, at)
		} else {
			x = tail(x, n)
			found := first(lettersOf(x), n)
			letters |= found
			allCased += cased + bits.OnesCount64(found)
			allUpper += upper + bits.OnesCount64(capitalsOf(found, x))
			hash = m.mix(hash ^ x)
			unlike := stopWords.slot(x) ^ x | uint64(size-n)
			allStops += (unlike|-unlike)>>63 ^ 1 // one more if unlike is 0
			if letters == 0 {
				t.addWithoutLetter(isSymbol(text[from:at]), size)
			}
		}
		if s := first(head|small, 3); starts.slot(s) == s {
			l.suspicious = l.suspicious || suspicious(text, from)
		}
		if words == before {
			l.from = from
		}
		l.to = at
		longest = max(longest, at-from)
		key = key*factor + hash
		characters += int32(size)
		hashes[words] = hash
		words++
		length[words] = characters
	}
	m.hashes, m.length = hashes[:words], length[:words+1]
	l.words, l.key, l.longest = words-before, key, longest
	l.cased += allCased
	l.upper += allUpper
	t.stopWords += int64(allStops)
	return l
}

// other reads the word that begins at m.text[from], whatever its characters are, and
// returns its end and its size in characters. If white space is in its place, it returns
// the end of one character of it, and 0.
func (m *Meter) other(t *totals, l *line, from int) (end, size int) {
	has := class(0)
	for end = from; ; size++ {
		r, n := utf8.DecodeRune(m.text[end:])
		c := m.classOf(r)
		if c == white && size > 0 {
			break
		}
		end += n
		l.more += n - 1
		if c == white {
			return end, 0
		}
		has |= c
		switch c {
		case letter | upper:
			l.upper++
			l.cased++
		case letter | lower:
			l.cased++
		}
	}
	if n := end - from; n < 8 {
		if x := tail(eight.Load(m.text[from:]), n); stopWords.slot(x) == x {
			t.stopWords++
		}
	}
	if has&letter == 0 {
		t.addWithoutLetter(has == mark, size)
	}
	return end, size
}

// hash returns the hash of the word m.text[from:end].
func (m *Meter) hash(from, end int) uint64 {
	h := m.secret[0]
	for ; end-from >= 8; from += 8 {
		h = m.mix(h ^ eight.Load(m.text[from:]))
	}
	return m.mix(h ^ tail(eight.Load(m.text[from:]), end-from))
}

// mix is a hash function. m.secret is random, so that no one can write a
// text whose words have the same hash.
func (m *Meter) mix(x uint64) uint64 {
	high, low := bits.Mul64(x, m.secret[1])
	return high ^ low
}

// set is a set of texts of at most seven bytes, as tail or first returns them. Each has a
// slot of its own, so that it is asked without a branch.
type set [128]uint64

func setOf(texts ...uint64) (s set) {
	for _, x := range texts {
		if s.slot(x) != 0 {
			panic("quality: two texts of a set have the same slot")
		}
		s[x*factor>>57] = x
	}
	return s
}

// slot returns the only text of the set that x can be equal to.
func (s *set) slot(x uint64) uint64 { return s[x*factor>>57] }

// factor is odd and without a pattern: 2⁶⁴ divided by the golden ratio.
const factor uint64 = 0x9E3779B97F4A7C15

// stopWords are those of Gopher.
var stopWords = setOf(stopWord("the"), stopWord("be"), stopWord("to"), stopWord("of"), stopWord("and"), stopWord("that"), stopWord("have"), stopWord("with"))

func stopWord(word string) uint64 {
	return tail(eight.Load([]byte(word+padding)), len(word))
}
