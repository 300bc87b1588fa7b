// Package vector computes the feature vectors of atomic blocks, and finds those whose
// cosine is above a threshold (Debnath, Mitra and Giles 2005).
//
//	<div>news <a href=/>home</a> <img> news</div>
//
//	feature   #img  #script  #a  news  home
//	count       1      0      1    2     1        |v|² = 1+1+4+1 = 7
//
// A feature is the number of images, scripts or hyperlinks of the block, or the count
// of one of its words. Counts saturate at 255, so one byte holds them. Words are
// represented by 32-bit hashes. Features are sorted by number, and those with count 0
// are left out.
//
// # Similar vectors
//
// v and w are similar if and only if cos(v, w) > ε. Everything is integer, and the
// products have 128 bits:
//
//	cos > ε%   ⟺   10000·(v·w)² > ε²·|v|²·|w|²
//
// Comparing all pairs costs the product of the numbers of blocks. An Index finds the
// same pairs with few comparisons. Features have one order, in which those that few
// vectors have come first. Let the prefix of v be so many of its first features that
// the rest s has |s| ≤ ε·|v|. If v and w share no feature of v's prefix, then v·w = s·w
// ≤ |s|·|w| ≤ ε·|v|·|w| by Cauchy and Schwarz, and they are not similar. The first
// feature that two similar vectors share is therefore in both prefixes: only prefixes
// are indexed and looked up, and each vector found is verified by its exact cosine. If
// the words of a vector that the index does not know weigh enough, nothing is looked
// up.
//
// Vectors of few features from outside can still make every pair a candidate, so work
// is counted and ends at the caller's budget.
package vector
