// Package sheet is the style of every HTML document of Winnow: one palette, one type scale,
// tables, forms, and print. A document embeds it and adds the rules that it alone needs:
//
//	style := sheet.Style + ownRules
//	policy := "default-src 'none'; style-src " + sheet.Hash(style)
//
// This package is internal to Winnow and may change in any release.
package sheet

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
)

// Palette has the colours of Style as custom properties of the root, for light and for dark.
// data-theme of the root chooses one of the two.
//
//go:embed palette.css
var Palette string

//go:embed sheet.css
var rules string

// Style is the style sheet, with Palette.
var Style = Palette + rules

// Hash returns the source expression by which a Content-Security-Policy allows an inline
// script or style sheet (CSP 3, 2.3.1).
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
