package bevendorff

import (
	"math/bits"

	"github.com/winnow/winnow/algorithms/internal/lcs"
)

// union is the set of positions of one gold sentence that lie on a longest
// common subsequence with one of the sentences added.
type union struct {
	ref   []int32
	words int // number of machine words of a set: ⌈len(ref)/64⌉
	set   []uint64
	own   []uint64 // positions that the sentence being added has

	masked bool     // whether the following fields belong to ref
	mask   []uint64 // by symbol of a short ref: its positions
	symbol []int32  // by word: symbol plus one; 0 for words that ref lacks
	listed []int32  // the words that have a symbol
	items  []int32  // words of the sentence being added, as symbols; -1 for words that ref lacks
	rows   []uint64
	long   []int32 // a ref of more than 64 words, as symbols
	masks  lcs.Masks
	table  lcs.Table

	left int // number of cells that may still be compared
	over bool
}

// pairCells is the cost of a pair of sentences besides its cells, expressed in cells.
const pairCells = 4096

// reset makes u ready for the sentences of another page.
func (u *union) reset(cells int) { u.left, u.over = cells, false }

// begin empties u for the gold sentence ref, whose words are below words.
func (u *union) begin(ref []int32, words int) {
	u.ref, u.words, u.masked = ref, (len(ref)+63)/64, false
	if len(u.symbol) < words {
		u.symbol = append(u.symbol, make([]int32, words-len(u.symbol))...)
	}
	u.set, u.own = grown(u.set, u.words), grown(u.own, u.words)
	clear(u.set)
}

// makeMasks numbers the words of ref and makes their masks.
func (u *union) makeMasks() {
	u.masked = true
	for _, w := range u.listed {
		u.symbol[w] = 0
	}
	u.listed, u.mask, u.long = u.listed[:0], u.mask[:0], u.long[:0]
	for i, w := range u.ref {
		if u.symbol[w] == 0 {
			u.listed = append(u.listed, w)
			u.symbol[w] = int32(len(u.listed))
			u.mask = append(u.mask, 0)
		}
		if u.words == 1 {
			u.mask[u.symbol[w]-1] |= 1 << i
		} else {
			u.long = append(u.long, u.symbol[w]-1)
		}
	}
	if u.words > 1 {
		u.masks.Build(u.long, len(u.listed))
	}
}

// found reports whether position i is in u.
func (u *union) found(i int) bool { return u.set[i>>6]>>(i&63)&1 != 0 }

// all adds every position.
func (u *union) all() {
	for w := range u.set {
		u.set[w] = ^uint64(0)
	}
}

// addKnown adds the positions that ref has in common with other. It looks the pair up
// among those that were compared for another extraction before it compares them.
func (u *union) addKnown(known *pairs, p pair, other []int32) {
	if u.left -= max(len(u.ref), 64)*len(other) + pairCells; u.left < 0 {
		u.over = true
		return
	}
	own, found := known.find(p, u.words)
	if !found {
		own = u.own
		u.compare(other)
		known.keep(p, own)
	}
	for w, x := range own {
		u.set[w] |= x
	}
}

// compare sets own to the positions of a longest subsequence that ref has in common
// with other. Of several longest ones it is the one that rouge-score finds going back
// from the end: rouge-score takes equal words as it meets them, and otherwise leaves
// out a word of other if the rest of ref has more in common without it than without a
// word of ref.
func (u *union) compare(other []int32) {
	if !u.masked {
		u.makeMasks()
	}
	clear(u.own)
	u.items = u.items[:0]
	for _, w := range other {
		u.items = append(u.items, u.symbol[w]-1)
	}
	if u.words == 1 {
		u.compareShort()
	} else {
		u.compareLong()
	}
}

// compareShort is compare for a ref of up to 64 words.
func (u *union) compareShort() {
	u.rows = grown(u.rows, len(u.items)+1)
	rows := u.rows
	v := ^uint64(0)
	rows[0] = v
	for j, c := range u.items {
		if c >= 0 {
			x := v & u.mask[c]
			v = (v + x) | (v - x)
		}
		rows[j+1] = v
	}
	set := uint64(0)
	i, j := len(u.ref), len(u.items)
	for i > 0 && j > 0 {
		bit := uint64(1) << (i - 1)
		switch c := u.items[j-1]; {
		case c >= 0 && u.mask[c]&bit != 0:
			set |= bit
			i, j = i-1, j-1
		// Compares the zeros among the first i bits before item j with those among the
		// first i-1 bits after it.
		case bits.OnesCount64(^rows[j-1]&(bit|(bit-1))) > bits.OnesCount64(^rows[j]&(bit-1)):
			j--
		default:
			i--
		}
	}
	u.own[0] = set
}

// compareLong is compare for a longer ref.
func (u *union) compareLong() {
	u.table.Fill(&u.masks, u.items, len(u.long)) // all of it
	for i, j := len(u.long), len(u.items); i > 0 && j > 0; {
		switch {
		case u.long[i-1] == u.items[j-1]:
			i, j = i-1, j-1
			u.own[i>>6] |= 1 << (i & 63)
		// Without the word of other, more is in common than without the word of ref.
		case u.table.Gain(i, j-1) > u.table.Rise(i-1, j):
			j--
		default:
			i--
		}
	}
}

func grown(s []uint64, n int) []uint64 {
	if cap(s) < n {
		return make([]uint64, n, n+n/4)
	}
	return s[:n]
}
