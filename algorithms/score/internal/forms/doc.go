// Package forms holds the forms of texts that measures share: the gold's are
// made once a page, an extraction's once for all measures.
//
//	text   Normal (D, N, Z)   Raw (as it is)   …       steps of package tokens
//	items  Words  Chars  Fields …                      numbered, counted
//	masks  of a form's gold items, for package lcs
//
// A Form is a way from a text to numbered items. Form.Gold, Form.Trial,
// Form.Masks … compute what is asked for on first use and keep it until the
// next page or extraction, so several measures over one form cost its making
// once. All memory is used again for the next page.
package forms
