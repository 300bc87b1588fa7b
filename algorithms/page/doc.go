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
// Tree and Lex are filled by Parse; Body is filled the first time it is asked
// for. A Page is reused: Parse into the same Page invalidates everything that
// was read from it before. The zero Page is ready to use. A Page is not safe
// for concurrent use.
package page
