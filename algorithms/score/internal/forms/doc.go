// Package forms holds the forms of texts that scorers share. Those of the gold are
// computed once per page, those of an extraction once for all scorers.
//
//	atoms  what ASCII white space separates, numbered over the page
//	items  Words  Chars  Fields …          what atoms become in a form: numbered, counted
//	masks  of a form's gold items, for package lcs
//
// The extractions of a page have most of their words in common, so what an atom becomes
// (normalised, cut, numbered) is computed once per page and form. Forms that look
// beyond atoms read whole texts (Stage).
//
// A Form turns a text into numbered items. Form.Gold, Form.Trial, Form.Masks … compute
// their result on first use and keep it until the next page or extraction, so several
// scorers over one form pay for it once. All memory is reused for the next page.
package forms
