package structure

// distance returns the edit distance of two strings: how many characters must be inserted,
// deleted or replaced. A word of 64 bits holds the differences between 64 neighbours of a
// column of the table, so a character of b takes len(a)/64 steps.
func distance(a, b []rune) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return len(b)
	}
	words := (len(a) + 63) / 64
	where := make(map[rune][]uint64, 64) // the positions of each character in a
	for i, r := range a {
		m := where[r]
		if m == nil {
			m = make([]uint64, words)
			where[r] = m
		}
		m[i/64] |= 1 << (i % 64)
	}
	none := make([]uint64, words)
	up, down := make([]uint64, words), make([]uint64, words) // a cell is 1 above, or below, the one before it in its column
	for i := range up {
		up[i] = ^uint64(0)
	}
	last := uint(len(a)-1) % 64
	d := len(a)
	for _, r := range b {
		eq, ok := where[r]
		if !ok {
			eq = none
		}
		rise, fall := uint64(1), uint64(0) // carried down from the row above the word; the first row rises by 1
		for i := range words {
			match, pv, nv := eq[i], up[i], down[i]
			x := match | nv
			match |= fall
			same := (match&pv + pv) ^ pv | match
			higher, lower := nv|^(same|pv), pv&same
			if i == words-1 {
				d += int(higher>>last&1) - int(lower>>last&1)
			}
			nextRise, nextFall := higher>>63, lower>>63
			higher, lower = higher<<1|rise, lower<<1|fall
			rise, fall = nextRise, nextFall
			up[i], down[i] = lower|^(x|higher), higher&x
		}
	}
	return d
}
