// Package winnow is Winnow's own learned extractor: every block of a page gets the
// probability of being content, and the blocks with the best expected word F1 are
// the answer.
//
//	page ──cut──> blocks ──features, learned names──> a row of bytes each
//	rows ──first forest──> probabilities ──features of these──> second forest
//	     ──comments──> probabilities ──expected F1──> answer
//
// Blocks and features are in internal/blocks, the forests and their file in
// internal/model, the command that learns them in train. What the model was
// trained on, how well it does and what each part adds is in
// docs/models/winnow.md.
//
// # Blocks
//
// A block is a run of texts with the same nearest block element, cut at block
// elements and at doubled line breaks. Hidden text and the content of noscript are
// blocks too (page.Page.Whole), with features that say so: many sites hide the
// rest of an article behind a button, and some forums have all their text in
// noscript. The answer may therefore hold text that Pass.Out cannot; Pass.Text has
// it. So it is where a title that is never closed has swallowed the page, which is
// then read from there.
//
// # Features
//
// A feature is a byte: a count on a logarithmic scale, a share in 200ths, a
// distance in words. They are of the block's text and markup, the elements and
// class names above it, its place, the containers and repeated groups that it is
// in, its neighbours, the section that its heading opens, and the page. None is a
// word of a language: what words say (function words, headings of comments and of
// related articles, prices, credits) comes from lists in ten languages, and the
// function words are those of the language that fits the page best. A table of the
// names that authors give to elements (tokens of class and id) says how much likelier
// text is content below each than elsewhere; it was learned, and holds no words of
// the text.
//
// # Model
//
// A few hundred decision trees of depth 5, grown by gradient boosting. The first
// forest sees the block and its page; the second also the first one's probabilities
// around it. Seven small forests tell the type of the page, one more whether a
// block is of readers' comments: these are left out, but on pages that are a
// discussion (setting comments). An answer below .3 of expected F1 is empty.
//
// # Cost
//
// Everything is a fixed number of passes over rows and blocks, so time is linear in
// the page. The features of 32 blocks stand together as columns, and a node of a tree
// compares all 32 at once where the processor has AVX2: all trees together then cost
// 0.15 µs for each block, else 2 µs. A page of more than 65,536 blocks is too large.
// Memory is used again, so a page like those before it allocates nothing.
package winnow
