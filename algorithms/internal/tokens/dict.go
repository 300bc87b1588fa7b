package tokens

import (
	"bytes"

	"github.com/cespare/xxhash/v2"
)

// Dict numbers the different words of a page from 0, in the order in which
// they are first asked for. The zero Dict is empty and ready. Words are
// compared in full, never by hash alone.
type Dict struct {
	slots []int32 // id+1, 0 for free; a power of two, at most half full
	words []entry
	arena []byte // all words, one after the other
}

type entry struct {
	hash uint32
	end  uint32 // end of the word in arena; it starts where the word before ends
}

// keepSlots is the largest table that is kept for the next page.
const keepSlots = 1 << 16

// Reset forgets all words and keeps the memory, up to a bound.
func (d *Dict) Reset() {
	if len(d.slots) > keepSlots {
		*d = Dict{}
		return
	}
	clear(d.slots)
	d.words, d.arena = d.words[:0], d.arena[:0]
}

// Len is the number of different words.
func (d *Dict) Len() int { return len(d.words) }

// Word is the word with number id, valid until the next word is added.
func (d *Dict) Word(id int32) []byte {
	start := uint32(0)
	if id > 0 {
		start = d.words[id-1].end
	}
	return d.arena[start:d.words[id].end]
}

// ID returns the number of word, giving it the next one if it is new.
func (d *Dict) ID(word []byte) int32 { return d.id(word, hashOf(word)) }

// LongID is ID for dictionaries that hold only pieces of text longer than words,
// because it reads several bytes at once. Do not use both with one Dict.
func (d *Dict) LongID(piece []byte) int32 { return d.id(piece, uint32(xxhash.Sum64(piece))) }

// Size is the number of bytes of all words.
func (d *Dict) Size() int { return len(d.arena) }

func (d *Dict) id(word []byte, hash uint32) int32 {
	if len(d.words)*2 >= len(d.slots) {
		d.grow()
	}
	mask := uint32(len(d.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		id := d.slots[i] - 1
		if id < 0 {
			d.arena = append(d.arena, word...)
			d.words = append(d.words, entry{hash, uint32(len(d.arena))})
			d.slots[i] = int32(len(d.words))
			return int32(len(d.words) - 1)
		}
		if d.words[id].hash == hash && bytes.Equal(d.Word(id), word) {
			return id
		}
	}
}

// AppendIDs appends the numbers of the words at spans of text.
func (d *Dict) AppendIDs(dst []int32, text []byte, spans []Span) []int32 {
	for _, s := range spans {
		dst = append(dst, d.ID(text[s.Start:s.End]))
	}
	return dst
}

func (d *Dict) grow() {
	d.slots = make([]int32, max(256, 2*len(d.slots)))
	mask := uint32(len(d.slots) - 1)
	for id, w := range d.words {
		i := w.hash & mask
		for d.slots[i] != 0 {
			i = (i + 1) & mask
		}
		d.slots[i] = int32(id + 1)
	}
}

// hashOf is FNV-1a with a final mix, since the low bits choose the slot.
func hashOf(word []byte) uint32 {
	h := hashSeed
	for _, c := range word {
		h = hashByte(h, c)
	}
	return hashEnd(h)
}

const hashSeed = uint32(2166136261)

func hashByte(h uint32, c byte) uint32 { return (h ^ uint32(c)) * 16777619 }

func hashEnd(h uint32) uint32 {
	h ^= h >> 15
	h *= 0x2c1b3c6d
	return h ^ h>>13
}

// Alphabet numbers the different characters of a page from 0, in the order in
// which they are first added. The zero Alphabet is empty and ready.
type Alphabet struct {
	blocks [0x110000 >> blockBits]*[1 << blockBits]int32 // id+1, 0 for none
	runes  []rune
}

const blockBits = 8

// Reset forgets all characters and keeps the memory.
func (a *Alphabet) Reset() {
	for _, r := range a.runes {
		a.blocks[r>>blockBits][r&(1<<blockBits-1)] = 0
	}
	a.runes = a.runes[:0]
}

// Len is the number of different characters.
func (a *Alphabet) Len() int { return len(a.runes) }

// add returns the number of r, giving it the next one if it is new.
func (a *Alphabet) add(r rune) int32 {
	b := a.blocks[r>>blockBits]
	if b == nil {
		b = new([1 << blockBits]int32)
		a.blocks[r>>blockBits] = b
	}
	id := &b[r&(1<<blockBits-1)]
	if *id == 0 {
		a.runes = append(a.runes, r)
		*id = int32(len(a.runes))
	}
	return *id - 1
}

// ID is the number of r, -1 if it has none.
func (a *Alphabet) ID(r rune) int32 { return a.find(r) }

// find returns the number of r, -1 if it has none.
func (a *Alphabet) find(r rune) int32 {
	b := a.blocks[r>>blockBits]
	if b == nil {
		return -1
	}
	return b[r&(1<<blockBits-1)] - 1
}
