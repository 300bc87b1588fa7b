//go:build !amd64

package lcs

// fourSteps does what four does in the fastest way available.
func fourSteps(v, a, b, c, d []uint64) { four(v, a, b, c, d) }
