// Package menupages learns the template that temex and conex apply: the common part of
// a few pages that link to each other (Alarte, Insa, Silva, Tamarit 2015). The pages
// that a menu leads to all have the menu, so they form a complete subdigraph of the
// site's links and very likely share its template.
//
//	sample pages   r0 ─→ A B C        A, B, C: linked from two pages or more
//	               r1 ─→ A B D        A ⇄ B, A ⇄ C, B ⇄ C: the clique {A, B, C}
//	               r2 ─→ B C
//	template       what A has in common with B and then C
//
// # Which pages
//
//  1. Candidates are the captured pages that at least two sample pages link to,
//     the 16 with most such links; of equals those with the smaller rank.
//  2. Two candidates are tied if each links to the other. The largest set of at
//     most n candidates that are all tied to each other is chosen; of equally
//     large ones that with the foremost candidates.
//  3. Without a tie the first n pages of the sample are taken (note
//     "cs_fallback").
//
// The papers start from the links of the page to be cleaned, and load pages as they go.
// Here the choice is made once for the site, among captured pages. With cs=page it is
// made for each page, among the candidates that it links to and that link to it; the
// template then holds the candidates whole, with their links (whole.go).
//
// # The common part
//
// The equal top-down mapping (package equaltopdown) pairs nodes of the first page with
// nodes of the second. The paired nodes form a tree again, which is mapped to the third
// page, and so on. The papers do the same from the page to be cleaned, mapped to each
// chosen page in turn. The two agree on more than 99 % of content leaves of the sites
// they were compared on, and one small tree is stored in place of up to four pages.
//
// # Bytes
//
//	sketch     links (sorted ranks), tree (labels canon.IDC)
//	template   chosen pages (ranks), whether they are tied, tree
//
// A tree has at most canon.MaxNodes nodes, so a template fits its bound.
package menupages
