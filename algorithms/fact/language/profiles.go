package language

import (
	"bytes"
	_ "embed"
	"strconv"
	"unicode/utf8"
)

// profileData has a row for each language of the scripts that several languages share:
// number of the script, code of the language, and its trigrams, the commonest first. They
// are those of the library whatlanggo (MIT licence, profiles.LICENSE), in which each
// language keeps them as a list: there, every text is compared with every list.
//
//go:embed profiles.tsv
var profileData []byte

// profiles are the trigrams of all languages of a script.
type profiles struct {
	codes   []string // language codes
	slots   []gram   // hash table with open addressing
	weights []weight // one for each pair of a trigram and a language that has it
}

// gram is a trigram: a slot of the table. The key is 0 if the slot is free.
type gram struct {
	key      uint64
	from, to int32 // its weights
}

type weight struct{ language, weight int16 }

// heaviest is the weight of the commonest trigram of a language. Each further one has one
// less.
const heaviest = 300

// maxLanguages is the number of languages that a script may have.
const maxLanguages = 64

// newProfiles reads the profiles of a script. It takes a few milliseconds, so each buffer
// does it when it first meets the script.
func newProfiles(s script) *profiles {
	p := new(profiles)
	grams := map[uint64][]weight{}
	number := []byte(strconv.Itoa(int(s)))
	for row := range bytes.Lines(profileData) {
		fields := bytes.Split(bytes.TrimSuffix(row, []byte{'\n'}), []byte{'\t'})
		if !bytes.Equal(fields[0], number) {
			continue
		}
		for i, trigram := range fields[2:] {
			if r := []rune(string(trigram)); len(r) == 3 {
				key := keyOf(r[0], r[1], r[2])
				grams[key] = append(grams[key], weight{int16(len(p.codes)), int16(heaviest - i)})
			}
		}
		p.codes = append(p.codes, string(fields[1]))
	}
	p.slots = make([]gram, tableSize(len(grams)))
	for key, weights := range grams {
		p.slots[p.find(key)] = gram{key, int32(len(p.weights)), int32(len(p.weights) + len(weights))}
		p.weights = append(p.weights, weights...)
	}
	return p
}

// tableSize is a power of two that leaves more than half of the slots free.
func tableSize(grams int) int {
	size := 16
	for size < 2*grams {
		size *= 2
	}
	return size
}

// find returns the slot of a trigram, a free one if no language has it.
func (p *profiles) find(key uint64) int {
	mask := uint64(len(p.slots) - 1)
	for i := key * 0x9E3779B97F4A7C15 >> 40 & mask; ; i = (i + 1) & mask {
		if k := p.slots[i].key; k == key || k == 0 {
			return int(i)
		}
	}
}

// keyOf puts three characters into one number.
func keyOf(a, b, c rune) uint64 {
	const bits = 21 // utf8.MaxRune
	return uint64(a)<<(2*bits) | uint64(b)<<bits | uint64(c)
}

var _ = [1]struct{}{}[utf8.MaxRune>>21] // a character fits into its bits
