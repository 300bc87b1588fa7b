// Package vector has the feature vectors of atomic blocks, and finds those whose
// cosine is above a threshold (Debnath, Mitra and Giles 2005; spec site-level, 3).
//
//	<div>news <a href=/>home</a> <img> news</div>
//
//	feature   #img  #script  #a  news  home
//	count       1      0      1    2     1        |v|² = 1+1+4+1 = 7
//
// A feature is the number of images, scripts or hyperlinks of the block, or of one
// of its words; counts end at 255, so one byte holds them. Words are known by
// 32-bit hashes. Features are sorted by number, those that are 0 left out.
//
// # Similar vectors
//
// v and w are similar if and only if cos(v, w) > ε. Everything is integer, and the
// products have 128 bits:
//
//	cos > ε%   ⟺   10000·(v·w)² > ε²·|v|²·|w|²
//
// Comparing all pairs costs the product of the numbers of blocks. An Index finds
// the same pairs by looking at few: features have one order, those that few
// vectors have first. Let the prefix of v be its first features, so many that the
// rest s has |s| ≤ ε·|v|. If v and w share no feature of v's prefix, then
// v·w = s·w ≤ |s|·|w| ≤ ε·|v|·|w| by Cauchy and Schwarz, and they are not similar.
// The first feature that two similar vectors share thus lies in both prefixes:
// only prefixes are indexed, only prefixes are looked up, and what is found is
// verified by its exact cosine. A vector whose unknown words weigh enough is done
// before anything is looked up.
//
// Vectors of few features from outside can still make every pair a candidate, so
// work is counted and ends at a budget that the caller gives.
package vector
