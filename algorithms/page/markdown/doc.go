// Package markdown writes the chosen part of a page as Markdown: headings,
// paragraphs, lists, tables, code, block quotes, emphasis, links and images.
//
//	text, whole := markdown.Append(nil, page, &selection, markdown.Options{})
//
// The input is what [page.Page.AppendHTMLWith] writes of the selection, so both
// forms have the same content and the same safe addresses. The output is CommonMark
// with the tables and the strikethrough of GitHub. All text of the page is escaped: a
// page cannot bring raw HTML, links or structure of its own into the output.
//
// A table stays one if it has at least two columns and no cell holds a table, a
// heading or code. A cell of several paragraphs or with a list is allowed in a table that has header
// cells or a caption; paragraphs are joined by blanks, and items by <br>. Any other table is for layout and becomes
// paragraphs. The columns of a table are not aligned with blanks,
// which would cost memory that is quadratic in the table.
//
// A term of a list of definitions is a strong paragraph, and its definitions are items. Notes
// that are set off from the text are quotes, and an element with the role of a heading is one.
// A footnote is [^1] and a note that begins with [^1]: if its mark is a link to an item of a
// list that links back to it; otherwise the mark is a link.
//
// # Formulas
//
// Mathematics is written as its TeX source, between dollars: $x$, and $$x$$ for a formula
// on lines of its own. The source is taken from the annotation or the attribute alttext of
// MathML (Wikipedia, KaTeX, LaTeXML), from scripts of the type math/tex (MathJax 2), from
// the alternative text of images of formulas, and from text between \( and \), \[ and \], in
// environments such as \begin{align}, between $$ and $$ if a backslash, a brace, ^ or _ is in
// it, and between single dollars if it does not read like a price or a name.
// What KaTeX and MathJax show beside a source is left out. MathML without a source is
// converted: identifiers, numbers, operators, scripts, fractions, roots, fences, accents and
// tables. Line breaks of
// a source become blanks, its comments are left out, and a blank parts what a reader of
// Markdown who knows no formulas would take for HTML or links. On a page with formulas, a
// dollar of the text has a backslash before it.
//
// # Code
//
// What shows code is a fence, whatever elements it consists of: pre, tables with a column of
// line numbers, an element for each line, code elements with br between lines. Line numbers are
// left out, the breaks of lines are those that a reader sees, and the language follows the
// fence if the page names it.
//
// # Bounds
//
// Time and memory are linear in the page for any input. Where markup asks for more
// than it has bytes, it is bounded:
//
//   - Lists and quotes indent up to 32 columns; what is nested deeper is written at
//     that depth.
//   - The empty cells that colspan and rowspan ask for are at most 4 for each cell
//     of the table.
//   - A link around several blocks is written at the first of them that has text.
//   - The output ends at Options.MaxBytes; Append then reports that it is not whole.
//
// This package is internal to Winnow and may change in any release.
package markdown
