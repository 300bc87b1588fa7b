package blocks

// filter recognises most hashes that are not in a set without a search in the set: it has
// a bit for each value of the upper 14 bits of a hash, which is set if a member has that
// value.
type filter [1 << 8]uint64

func (f *filter) add(h uint32) { f[h>>24] |= 1 << (h >> 18 & 63) }

// may reports whether h may be in the set.
func (f *filter) may(h uint32) bool { return f[h>>24]>>(h>>18&63)&1 != 0 }
