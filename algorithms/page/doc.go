// Package page holds one parsed HTML document as columns.
//
// A page is parsed once and then only read. It has two tables and one stream,
// each a struct of equally long slices:
//
//	Source  <html><body><p id=x>Grain <b>and</b> chaff</p><script>…</script></body></html>
//
//	Tree    every node of the document, in preorder      (what the standard builds)
//	        n       0         1     2     3     4   5       6  7    8       9       10
//	        Kind    document  elem  elem  elem  e   text    e  text text    elem    text
//	        Tag               html  head  body  p           b               script
//	        End     11        11    3     11    9   6       8  8    9       11      11
//
//	Lex     what the scanner saw, in source order: tags and runs of characters
//	        <html> <body> <p> "Grain " <b> "and" </b> " chaff" </p> <script> </script> …
//
//	Body    the nodes that main-content extraction sees  (script, style and their kind left out)
//	        row     0     1   2       3  4    5
//	        Tag     body  p   #text   b  #text #text
//	        Text    "Grain and chaff": every row's text is one slice of it
//	        C W A … prefix sums, so a sum over any subtree is one subtraction
//
// A subtree is the range [n, End[n]): "is m inside n" is two comparisons, and a
// total over a subtree is P[End[n]]-P[n].
//
// Two lists are made of these when a method asks for them: [Page.Tokens], the
// tags and words of the source in order, for methods that read lines, characters
// or tokens; and [Body.Words], the visible words of the page text, numbered so
// that those of row r are W[r] to W[End[r]].
//
// What a method chose is a [Selection]: spans of Body.Text and, of methods that
// choose nodes, rows. It is rendered by [Selection.AppendText] and
// [Page.AppendHTML]; nothing else decides where a line breaks.
//
// # Parsing
//
// Parse is the HTML standard's algorithm (section 13.2, scripting off), with all
// its repairs: implied and misnested tags, foster parenting, foreign content,
// character references. It makes one pass over the source and writes straight
// into the columns of Tree and Lex, without an object for a node. Each element
// knows the source of its start and end tag, each text that of its runs, so
// nothing has to find its way back into the source later.
//
//	Source ──scanner──> token ──tree builder──> row of Tree and item of Lex
//	        (scan*.go)   one    (build*.go)
//
// Rows are numbered as they are made. That is preorder while every new node
// goes to the end of the document, as on most pages. Where a misnested tag moves
// nodes (renumber.go tells which do), the children of each node are kept as a
// list from then on, and one pass at the end gives the rows their places:
//
//	<table><tr>x      made       html head body table tbody tr "x"
//	                  numbered   html head body "x" table tbody tr
//
// A parse costs time linear in the source for any input; walks up the tree are
// look-ups (stack.go) or bounded by Options. A bound that was met is noted in
// Page.Cut. A used Page parses without allocating.
//
// # Passes
//
// Parse scans the source once. Body takes three passes: over the nodes for rows,
// flags, text and counts; over the rows for the prefix sums; back over the rows
// for what children hand to their parents. Tokens and Words take one each. All
// are linear in the source, for every input.
//
// # Memory
//
// Tree and Lex are filled by Parse; Body is filled the first time it is asked
// for. A Page is reused: Parse into the same Page invalidates everything that
// was read from it before. In the steady state filling Body, Tokens and Words
// allocates nothing; a row of Body is 104 bytes, a token 24, a word 12. What a
// page of unusual size needed is given back when the next one is parsed. The
// zero Page is ready to use. A Page is not safe for concurrent use.
//
// # When not to use it
//
// A page cannot be changed, and has no pointers to walk: to edit a document, or
// to run CSS selectors over it, use golang.org/x/net/html.
package page
