// Package figure draws what extractors measured along a page as SVG.
//
//	f := figure.Curve{X: "token", Y: ..., Values: values}.Draw()
//
// A drawing has no colours, fonts or scripts of its own: its elements have classes,
// which the style sheet of the page gives colours, in light and in dark. Style holds the
// rules. The palette is that of Okabe and Ito, whose colours people with any kind of
// colour vision can tell apart, and no figure tells something by colour alone.
//
// Every text is escaped and cleaned of control characters. The same data give the same
// bytes. Sizes are in CSS pixels; a drawing scales with its width.
//
// This package is internal to Winnow and may change in any release.
package figure
