package blocks

import (
	"bytes"
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// told has the pairs of neighbouring words of texts that the page's JSON-LD repeats for
// search engines: articles, postings, answers and descriptions of products. What stands
// there is seldom boilerplate.
type told struct {
	slots []uint32 // a hash table: hashes of pairs, with their kinds in the lowest bits
	pairs []uint32
	kinds toldKind // of all pairs
	text  []byte
}

type toldKind uint32

const (
	toldText toldKind = 1 << iota
	toldDescription
	anyTold = toldText | toldDescription
)

// Texts with fewer words say what every page of a site says. What is beyond the largest
// numbers is left out, which bounds the time and the memory.
const (
	leastTold     = 10
	mostTold      = 1 << 15 // pairs on a page
	mostToldBytes = 1 << 18 // of one text
)

func toldKindOf(key []byte) toldKind {
	switch string(key) {
	case "articleBody", "text":
		return toldText
	case "description":
		return toldDescription
	}
	return 0
}

func (t *told) reset() {
	t.pairs, t.kinds = t.pairs[:0], 0
}

// read adds the texts of one JSON-LD script. It looks for strings instead of parsing,
// because on many pages the script is not valid JSON.
func (t *told) read(src []byte) {
	for {
		name, rest, ok := cutString(src)
		if !ok {
			return
		}
		src = rest
		kind := toldKindOf(name)
		if kind == 0 {
			continue
		}
		if rest, ok = bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(":")); !ok {
			continue
		}
		if rest = bytes.TrimLeft(rest, " \t\r\n"); len(rest) == 0 || rest[0] != '"' {
			continue
		}
		value, rest, ok := cutString(rest)
		if !ok {
			return
		}
		src = rest
		t.add(value, kind)
	}
}

// cutString returns what is between the quotation marks of the first JSON string in
// src, and what follows it.
func cutString(src []byte) (s, rest []byte, ok bool) {
	from := bytes.IndexByte(src, '"') + 1
	if from == 0 {
		return nil, nil, false
	}
	for i := from; ; i++ {
		at := bytes.IndexByte(src[i:], '"')
		if at < 0 {
			return nil, nil, false
		}
		i += at
		escaped := false
		for j := i; j > from && src[j-1] == '\\'; j-- {
			escaped = !escaped
		}
		if !escaped {
			return src[from:i], src[i+1:], true
		}
	}
}

// add adds the pairs of words of one text.
func (t *told) add(value []byte, kind toldKind) {
	t.text = appendPlain(t.text[:0], value[:min(len(value), mostToldBytes)])
	before, words, last := len(t.pairs), 0, uint32(0)
	for i := 0; i < len(t.text) && len(t.pairs) < mostTold; {
		h, size := hashWord(t.text[i:])
		if h != 0 {
			if words > 0 {
				t.pairs = append(t.pairs, pair(last, h)|uint32(kind))
			}
			last = h
			words++
		}
		i += size
	}
	if words < leastTold {
		t.pairs = t.pairs[:before]
		return
	}
	t.kinds |= kind
}

// pair returns the hash of two neighbouring words. It is not 0, and the bits of the kind
// are free.
func pair(a, b uint32) uint32 {
	h := (bits.RotateLeft32(a, 16) ^ b) * hashPrime
	return h&^uint32(anyTold) | uint32(anyTold+1)
}

// appendPlain appends a JSON string without its escapes, tags and character references.
func appendPlain(to, s []byte) []byte {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			to = append(to, s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n', 't', 'r', 'b', 'f':
			to = append(to, ' ')
		case 'u':
			r, err := strconv.ParseUint(string(s[i+1:min(len(s), i+5)]), 16, 32)
			if err != nil {
				to = append(to, ' ')
				continue
			}
			to = utf8.AppendRune(to, rune(r))
			i += 4
		default:
			to = append(to, c)
		}
	}
	closed := bytes.LastIndexByte(to, '>')
	for i := 0; i < len(to); i++ {
		end := -1
		switch {
		case to[i] == '<' && i < closed:
			end = bytes.IndexByte(to[i:], '>')
		case to[i] == '&':
			end = bytes.IndexByte(to[i:min(len(to), i+10)], ';')
		}
		for ; end >= 0; end-- {
			to[i+end] = ' '
		}
	}
	return to
}

// index makes the hash table, once all texts have been read.
func (t *told) index() {
	if t.kinds == 0 {
		return
	}
	t.slots = zeros(t.slots, 1<<bits.Len(uint(2*len(t.pairs))))
	for _, h := range t.pairs {
		slot := t.slot(h)
		*slot |= h
	}
}

// slot returns the place of a pair in the table, which is 0 if the pair is not in it.
func (t *told) slot(h uint32) *uint32 {
	mask := uint32(len(t.slots) - 1)
	for at := (h >> 4) & mask; ; at = (at + 1) & mask {
		if s := &t.slots[at]; *s == 0 || (*s^h)&^uint32(anyTold) == 0 {
			return s
		}
	}
}

// shares returns, for text and for description, how many of the pairs of neighbouring
// words are told: 200 stands for all, and 1 for none of them. 0 stands for a page that
// tells nothing, and for a block of one word.
func (t *told) shares(hashes []uint32) (text, description uint8) {
	if t.kinds == 0 || len(hashes) < 2 {
		return 0, 0
	}
	var found [anyTold + 1]int // by kind
	for i, h := range hashes[1:] {
		found[toldKind(*t.slot(pair(hashes[i], h)))&anyTold]++
	}
	of := func(kind toldKind) uint8 {
		if t.kinds&kind == 0 {
			return 0
		}
		return max(1, share(found[kind]+found[anyTold], len(hashes)-1))
	}
	return of(toldText), of(toldDescription)
}
