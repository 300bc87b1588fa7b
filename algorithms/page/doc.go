// Package page holds the content of one parsed HTML document as columns: nodes in,
// text, words, tokens, sums and selections out.
//
// A [Page] is an [html.Document], which has the nodes and the source, and three tables
// that are computed from it when they are first asked for:
//
//	Source  <html><body><p id=x>Grain <b>and</b> chaff</p><script>…</script></body></html>
//
//	Body    the nodes that main-content extraction sees  (script, style and their kind left out)
//	        row     0     1   2       3  4    5
//	        Tag     body  p   #text   b  #text #text
//	        Text    "Grain and chaff": every row's text is one slice of it
//	        Chars TextWords Anchors … prefix sums, so a sum over any subtree is one subtraction
//
// A subtree of the Body is the range [r, End[r]): "is s inside r" is two comparisons, and
// a total over a subtree is P[End[r]]-P[r].
//
// The other two are lists: [Page.Tokens], the tags and words of the source in order, for
// extractors that read lines, characters or tokens; and [Body.Words], the visible words of
// the page text, numbered so that those of row r are
// TextWords[r] to TextWords[End[r]].
//
// Rows that a browser hides have a flag. Rows in noscript elements follow those of the body
// in the same columns ([Body.All]), so that only extractors that want them see them.
//
// An extractor writes its answer into a [Selection]: spans of Body.All.Text and, if it
// chooses nodes, rows. It is the whole answer: [Selection.AppendText], [Page.AppendHTML] and
// package markdown render it, and links, votes, agreement and scores are read from it. No
// other code decides where a line breaks.
//
//	var p page.Page
//	p.Parse(source, page.Options{})
//	var s page.Selection
//	s.AddRow(p.Body(), 0)
//	text := s.AppendText(nil, p.Body())
//
// # Passes
//
// Parse scans the source once. Body takes three passes: over the nodes for rows, flags,
// text and counts; over the rows for the prefix sums; backwards over the rows for what
// parents collect from their children. Tokens and Words take one pass each. All are linear
// in the source, for every input.
//
// # Memory
//
// A Page is reused: Parse into the same Page invalidates everything that was read from it
// before. In the steady state neither parsing nor filling Body, Tokens and Words allocates;
// a row of Body is 104 bytes, a token 24, a word 12. The memory that a page of unusual size
// needed is given back when the next one is parsed. The zero Page is ready to use. A Page
// is not safe for concurrent use.
package page
