// Package forms holds the forms of texts that measures share: the gold's are
// made once a page, an extraction's once for all measures.
//
//	atoms  what ASCII white space separates, numbered over the page
//	items  Words  Chars  Fields …          what atoms become in a form: numbered, counted
//	masks  of a form's gold items, for package lcs
//
// The extractions of a page have most of their words in common, so what an atom
// becomes (normalised, cut, numbered) is found once a page and form. Forms that
// look beyond atoms read whole texts (Stage).
//
// A Form is a way from a text to numbered items. Form.Gold, Form.Trial,
// Form.Masks … compute what is asked for on first use and keep it until the
// next page or extraction, so several measures over one form cost its making
// once. All memory is used again for the next page.
package forms
