package website

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/winnow/winnow/algorithms/feature/address"
)

// salt distinguishes the ranks of Winnow from other uses of the hash. It does not
// depend on the run, so that all runs over one crawl draw the same sample.
const salt = "winnow-sample-v1\n"

// rank is the rank of a page whose address has the given canonical form: the first
// 8 bytes of SHA-256 of salt and address, big-endian. It also names the page where
// pages link to each other.
func rank(canonical []byte) uint64 {
	var short [512]byte // longer addresses are rare
	sum := sha256.Sum256(append(append(short[:0], salt...), canonical...))
	return binary.BigEndian.Uint64(sum[:])
}

// RankOf is the rank of the page at an absolute address.
func RankOf(pageURL string) uint64 { return rank([]byte(address.Canonical(pageURL))) }
