// Package html parses HTML documents into columns: bytes in, nodes out.
//
// A [Document] has two tables, each a struct of slices of equal length:
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
// A subtree is the range [n, End[n]), so "is m inside n" is two comparisons. Each
// element knows the source of its start tag and of its end tag, and each lexical item
// knows the node that it made or was appended to. Nothing has to find its way back into
// the source later; [Document.SourceCursor] does so for the characters of one text.
//
//	var d html.Document
//	d.Parse(source, html.Bounds{})
//	for n, tag := range d.Tree.Tag {
//		if tag == html.TagA {
//			href, ok := d.Attr(html.Node(n), "href")
//			…
//		}
//	}
//
// The package knows nothing of main content: which elements hold text for readers,
// what a word is and where a line breaks is the subject of package page.
//
// # The algorithm
//
// Parse is the HTML standard's algorithm (section 13.2, scripting off) with all its
// repairs: implied and misnested tags, foster parenting, foreign content, character
// references. It makes one pass over the source and writes straight into the columns,
// without an object for a node.
//
//	Source ──scanner──> token ──tree builder──> row of Tree and item of Lex
//	        (scan*.go)   one    (build*.go)
//
// Rows are numbered in the order in which they are made. That is preorder while every
// new node goes to the end of the document, as on most pages. Where a misnested tag
// moves nodes (renumber.go describes when), the children of each node are kept as a
// linked list from then on, and one pass at the end renumbers the rows:
//
//	<table><tr>x      made       html head body table tbody tr "x"
//	                  numbered   html head body "x" table tbody tr
//
// # Limits
//
// Parsing never fails and takes time linear in the source for every input: walks up the
// tree are look-ups (stack.go) or limited by [Bounds]. Document.Cut names the bounds that
// were met. A Document is reused: Parse invalidates everything that was read from it
// before, does not allocate in the steady state, and gives back the memory that an
// unusually large document needed. The zero Document is ready to use. A Document is not
// safe for concurrent use, and it cannot be changed: to edit a document, or to select
// with CSS, use golang.org/x/net/html.
package html
