// Package cpu reports which instructions the processor and its operating system allow, of
// those that Winnow has code for. The module golang.org/x/sys knows more of them; it would be
// one more module in every program that imports Winnow.
//
// This package is internal to Winnow and may change in any release.
package cpu
