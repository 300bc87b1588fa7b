// Package signature computes two signatures of a text by which near-duplicates are found
// without comparing texts:
//
//   - MinHash (Broder, On the resemblance and containment of documents, 1997): 128 values of
//     the text's set of shingles. The share of equal values of two texts estimates the
//     Jaccard similarity of their sets without bias, with a standard error of at most 4.4 %.
//     The values are found by Fast Similarity Sketching (Dahlgaard, Knudsen and Thorup,
//     FOCS 2017).
//   - SimHash (Charikar, Similarity estimation techniques from rounding algorithms, 2002):
//     64 bits, each the sign of a sum over the shingles. The Hamming distance of two texts
//     grows with the angle between their vectors of shingle counts.
//
// A Signer signs one text after the other:
//
//	var s signature.Signer
//	if sig, ok := s.Sign(text); ok { similarity := sig.MinHash.Jaccard(&other.MinHash) }
//
// # Definitions
//
// The values are part of the tables and do not change: signatures of different runs are
// compared with each other.
//
//   - A word is a run of letters, marks and numbers, in lower case (Unicode's simple case
//     mapping). Each character of a script that is written without spaces (Han, Hiragana,
//     Katakana, Thai, Lao, Khmer, Myanmar) is a word.
//   - A shingle is five words in a row; a text of one to four words is one shingle. A text
//     without words has no signature.
//   - The hash of a word begins as the number of bytes of its UTF-8 and takes in 16 of
//     these at a time, with zeros after the last: of the first eight as a number a and the
//     others as a number b, the lowest byte first, the hash h becomes
//     fold((a xor h xor 0x243F6A8885A308D3) · (b xor 0xC0AC29B7C97C50DD)), where fold is the
//     upper 64 bits of a product xor the lower ones, as in wyhash. The constants are the
//     first and the seventh 64 bits of the fraction of π.
//   - The hash of a shingle of words with the hashes w1 to wn is mix(w1·Bⁿ⁻¹ + ... + wn)
//     modulo 2⁶⁴, where B is 0x9E3779B97F4A7C15 and mix is the output function of SplitMix64
//     (Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014).
//   - The 128 values of MinHash are the smallest that fall into 128 bins. In round 0 the
//     upper 7 bits of a shingle's hash are its bin and the next 32 bits its value. Bins
//     that no shingle fell into are filled in further rounds: round i does the same with
//     mix(hash + i·B), which is output i of SplitMix64 seeded with the hash. From
//     round 128 on, the bin is that of the number i - 128, for all shingles.
//   - Bit i of SimHash is 1 if more shingles, each as often as it occurs, have a 1 than a 0
//     in bit i of their hash.
//
// # Bands
//
// A pair of texts is a candidate if all values of at least one band are equal: of B bands
// of R values each, a pair of similarity s is found with probability 1 - (1 - sᴿ)ᴮ.
// BandsFor chooses them for a threshold: 21 bands of 6 values for .8, which find pairs of
// that similarity with probability .998.
//
// # Cost
//
// Linear in the text: one hash for each word and each shingle, and about 700 more for a text
// with few shingles. Nothing is allocated once the Signer's memory has grown to the texts.
//
// The textbook MinHash takes the smallest value of each of 128 hash functions, so 128
// multiplications for each shingle; with these, signing took longer than half of the parse
// of a page. Fast Similarity Sketching keeps what MinHash promises (every value is equal
// with a probability that is the Jaccard similarity, and the share of equal values is as
// close to it as that of 128 independent functions, for sets of any size), which
// one-permutation hashing with its copied values does not for small sets.
//
// This package is internal to Winnow and may change in any release.
package signature
