//go:build !amd64

package lcs

// fourSteps is four by the quickest way that there is.
func fourSteps(v, a, b, c, d []uint64) { four(v, a, b, c, d) }
