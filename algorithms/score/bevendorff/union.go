package bevendorff

import (
	"math/bits"

	"github.com/winnow/winnow/algorithms/score/internal/lcs"
)

// union is the set of positions of one gold sentence that lie on a longest
// common subsequence with one of the sentences added.
type union struct {
	ref   []int32
	words int // ⌈len(ref)/64⌉
	set   []uint64
	own   []uint64 // positions that the sentence being added has

	masked bool     // the fields that follow are those of ref
	mask   []uint64 // by symbol of ref: its positions, words apart
	symbol []int32  // by word: symbol plus one; 0 for words that ref lacks
	listed []int32  // the words that have a symbol
	items  []int32  // of the sentence that is being added, as symbols
	rows   []uint64
	pairs  []lcs.Pair

	left   int // cells that may still be compared
	over   bool
	method string
}

// maxRows is the most words of the table of one pair that are kept: 256 MB.
const maxRows = 32 << 20

// reset makes u ready for the sentences of another page.
func (u *union) reset(cells int) {
	u.left, u.over, u.method = cells, false, string(lcs.Exact)
}

// begin empties u for the gold sentence ref, whose words are below words.
func (u *union) begin(ref []int32, words int) {
	u.ref, u.words, u.masked = ref, (len(ref)+63)/64, false
	if len(u.symbol) < words {
		u.symbol = append(u.symbol, make([]int32, words-len(u.symbol))...)
	}
	u.set, u.own = grown(u.set, u.words), grown(u.own, u.words)
	clear(u.set)
}

// makeMasks makes the masks of ref.
func (u *union) makeMasks() {
	u.masked = true
	for _, w := range u.listed {
		u.symbol[w] = 0
	}
	u.listed = u.listed[:0]
	u.mask = u.mask[:0]
	for i, w := range u.ref {
		if u.symbol[w] == 0 {
			u.listed = append(u.listed, w)
			u.symbol[w] = int32(len(u.listed))
			for range u.words {
				u.mask = append(u.mask, 0)
			}
		}
		u.mask[int(u.symbol[w]-1)*u.words+i>>6] |= 1 << (i & 63)
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

// addKnown adds the positions that ref has in common with other. Pairs of
// sentences that were compared for another extraction are known.
func (u *union) addKnown(known *pairs, p pair, other []int32) {
	if u.left -= len(u.ref) * len(other); u.left < 0 {
		u.over = true
		return
	}
	own, found := known.find(p, u.words)
	if !found {
		own = u.own
		if exact := u.compare(other); exact {
			known.keep(p, own)
		} else {
			u.method = "other-subsequence"
		}
	}
	for w, x := range own {
		u.set[w] |= x
	}
}

// compare sets own to the positions of the subsequence that ref has in common
// with other: of several longest ones that which rouge-score finds going back from
// the end, where it takes equal words as they come, and otherwise leaves out a
// word of other if the rest of ref has more in common without it than without a
// word of ref. Where that would take too much memory it takes another one and
// reports so.
func (u *union) compare(other []int32) (exact bool) {
	if !u.masked {
		u.makeMasks()
	}
	clear(u.own)
	u.items = u.items[:0]
	for _, w := range other {
		u.items = append(u.items, u.symbol[w]-1)
	}
	switch {
	case u.words == 1:
		u.compareShort()
	case u.words*(len(u.items)+1) <= maxRows:
		u.compareLong()
	default:
		u.pairs = lcs.Trace(u.pairs[:0], u.ref, other, len(u.symbol))
		for _, p := range u.pairs {
			u.own[p.G>>6] |= 1 << (p.G & 63)
		}
		return false
	}
	return true
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
		// Zeros among the first i bits before item j against the first i-1 after it.
		case bits.OnesCount64(^rows[j-1]&(bit|(bit-1))) > bits.OnesCount64(^rows[j]&(bit-1)):
			j--
		default:
			i--
		}
	}
	u.own[0] = set
}

// compareLong is compare for any ref.
func (u *union) compareLong() {
	words := u.words
	u.rows = grown(u.rows, words*(len(u.items)+1))
	row := u.rows[:words]
	for w := range row {
		row[w] = ^uint64(0)
	}
	for j, c := range u.items {
		next := u.rows[(j+1)*words : (j+2)*words]
		if c < 0 {
			copy(next, row)
			row = next
			continue
		}
		mask := u.mask[int(c)*words:][:words]
		var carry uint64
		for w, v := range row {
			x := v & mask[w]
			var sum uint64
			sum, carry = bits.Add64(v, x, carry)
			next[w] = sum | (v - x)
		}
		row = next
	}
	// up and back are the lengths in the cells (i-1, j) and (i, j-1), kept along
	// the walk: a step up needs two bits, a step back a count of the row.
	i, j := len(u.ref), len(u.items)
	bit := func(j, i int) int { return int(^u.rows[j*words+i>>6] >> (i & 63) & 1) }
	count := func(j, i int) int { // zeros among the first i bits of row j
		n := 0
		row := u.rows[j*words:]
		for w := range i >> 6 {
			n += bits.OnesCount64(^row[w])
		}
		if i&63 != 0 {
			n += bits.OnesCount64(^row[i>>6] & (1<<(i&63) - 1))
		}
		return n
	}
	if j == 0 {
		return
	}
	up, back := count(j, i-1), count(j-1, i)
	for {
		c := u.items[j-1]
		w, b := (i-1)>>6, uint64(1)<<((i-1)&63)
		switch {
		case c >= 0 && u.mask[int(c)*words+w]&b != 0:
			u.own[w] |= b
			i, j = i-1, j-1
			if i == 0 || j == 0 {
				return
			}
			up, back = back-bit(j, i)-bit(j, i-1), count(j-1, i)
		case back > up:
			if j--; j == 0 {
				return
			}
			up, back = back-bit(j, i-1), count(j-1, i)
		default:
			if i--; i == 0 {
				return
			}
			up, back = up-bit(j, i-1), back-bit(j-1, i)
		}
	}
}

func grown(s []uint64, n int) []uint64 {
	if cap(s) < n {
		return make([]uint64, n, n+n/4)
	}
	return s[:n]
}
