// Package canon is the canonical tree of a page, which is what extractors that compare
// the pages of one website read.
//
//	<body class="p7">  Hello <!-- x -->you <img src=a.png><script>…</script><p><b></b>
//
//	node  0 body    scripts 1        leaf 0  "Hello you"   nodes 1, body rows [1,3)
//	      1 #text   leaf 0           leaf 1  img           node 2
//	      2 img     leaf 1
//	      3 p
//	      4 b
//
// Nodes are in preorder, and the subtree of n is [n, End[n]). Comments, script, style,
// noscript, template, link and meta are left out; texts that become neighbours because
// of that are joined. A content leaf is a text that is not blank, or one of the media
// elements img, svg, video, audio, canvas, iframe, object and embed, whose content is
// cut off. Other childless elements are structure and are never selected for their own
// sake. The text of a leaf is decoded, in NFC, with white space folded and trimmed.
//
// # Hashes
//
// All are 64-bit xxHash, seed 0. With H the hash, ‖ the joining of
// bytes and numbers of 8 bytes, little-endian:
//
//	Path[0] = H(H("body") ‖ 0), Path[n] = H(Path[Parent[n]] ‖ H(name of n)), name "#text" for texts
//	Label[n] = H(name) for an element of which the policy sees no more than its name,
//	           H(H(name) ‖ H(attributes)) for others, H("#text" NUL text) for a text
//	Sub[n] = H(Label[n] ‖ Sub of its children, in order)
//
// Equal Path therefore means the same names from body down, and equal Sub the same
// subtree, except for collisions: 30 pages of 10⁴ nodes have one with a probability of
// about 10⁻⁹.
//
//	policy  sees of an element                                       of a text
//	Tags    name                                                     that it is one
//	IDC     name, id, classes sorted; of media leaves also src       what it says
//	Full    name and attributes sorted, without on*, data-*, nonce   what it says
//	        and integrity; href and src in canonical form
//	Looks   name, classes sorted, align, width, color and their kind that it is one
//
// In IDC, Full and Looks, runs of three or more digits in id and class read 0.
//
// # Choices
//
//   - The tree is made of page.Body, so what that table leaves out (the insides of
//     select, datalist and math, a title element in the body) is not in it.
//   - The hidden attribute and styles are not looked at: hidden nodes are nodes. A
//     hidden leaf that is kept adds nothing to a selection.
//   - Path is a chain of hashes, not the hash of a joined string: it costs the same
//     at any depth.
//   - A page with more than MaxNodes nodes, one deeper than MaxDepth, or one that the
//     parser had to cut is too large: algorithms.ErrPageTooLarge.
//   - In words, marks belong to the letter before them, so that scripts whose vowels
//     are marks have whole words.
//   - Words of Han, Kana and Thai are pairs of characters, and not single characters
//     as in the scorers: single characters are on every page of a site.
//
// The tree takes two passes over the rows of page.Body, each policy takes two over the
// nodes, and words take one over the text.
//
// This package is internal to Winnow and may change in any release.
package canon
