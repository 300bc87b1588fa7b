// Package paired tests whether two methods that were scored on the same documents
// differ. It has the paired bootstrap, Wilcoxon's signed-rank test with Pratt's
// treatment of zeros, the effect size, and Holm's correction for many pairs. Its
// functions compute numbers from numbers, with equal results on every machine.
//
// The package is not made for unpaired samples, nor for more than a few dozen methods,
// because the number of pairs grows with the square of their number.
//
// This package is internal to Winnow and may change in any release.
package paired
