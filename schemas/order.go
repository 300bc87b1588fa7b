package schemas

import "cmp"

// The functions below define the order of rows in the files of parts and of the whole
// run. Rows that compare equal (a document that was archived twice under one id) keep
// the order of the plan in all tables, so that documents and scores can be read side by
// side.

// ComparePages orders rows by package and document.
func ComparePages(a, b *Page) int {
	return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.DocID, b.DocID))
}

// CompareDocuments orders rows by package, document and extractor.
func CompareDocuments(a, b *Document) int {
	return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.DocID, b.DocID), cmp.Compare(a.Extractor, b.Extractor))
}

// CompareScores orders rows like CompareDocuments, and then by scorer.
func CompareScores(a, b *ScoreRow) int {
	return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.DocID, b.DocID),
		cmp.Compare(a.Extractor, b.Extractor), cmp.Compare(a.Scorer, b.Scorer))
}

// CompareLinks orders rows by package and document. The links of a page keep their order,
// and so do pages with one id, as those of ComparePages do.
func CompareLinks(a, b *LinkRow) int {
	return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.DocID, b.DocID))
}

// CompareFailures orders rows by location, stage and reason.
func CompareFailures(a, b *Failure) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Reason, b.Reason))
}

// CompareAgreement orders rows by package and pair of extractors.
func CompareAgreement(a, b *AgreementRow) int {
	return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.ExtractorA, b.ExtractorA), cmp.Compare(a.ExtractorB, b.ExtractorB))
}

// CompareTemplates orders rows by site and method.
func CompareTemplates(a, b *TemplateRow) int {
	return cmp.Or(cmp.Compare(a.Site, b.Site), cmp.Compare(a.Method, b.Method))
}
