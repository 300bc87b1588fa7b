// Package paired tells whether two methods that were scored on the same
// documents really differ: paired bootstrap, Wilcoxon's signed-rank test with
// Pratt's treatment of zeros, effect size, and Holm's correction for many
// pairs. Pure: numbers in, numbers out, the same on every machine.
//
// Not for unpaired samples, and not for more than a few dozen methods: pairs
// grow with their square.
package paired
