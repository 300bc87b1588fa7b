//go:build !amd64

package lcs

// steps does the steps of the items e, whose rows are dense, over the words v of V from
// word from on.
func (m *Masks) steps(v []uint64, from int, e []int32) { m.stepsByWord(v, from, e) }
