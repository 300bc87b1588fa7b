// Package winnow is Winnow's own learned extractor: every block of a page gets the
// probability of being content, and the blocks with the best expected word F1 are
// the answer.
//
//	page ──cut──> blocks ──features, learned names──> a row of bytes each
//	rows ──first forest──> probabilities ──features of these──> second forest
//	     ──alike blocks, comments, copies──> probabilities ──expected F1──> answer
//
// Blocks and features are in internal/blocks, the forests and their file in
// internal/model, the command that learns them in train. What the model was
// trained on, how well it does and what each part adds is in
// docs/models/winnow.md.
//
// # Blocks
//
// A block is a run of texts with the same nearest block element, divided at block
// elements and at doubled line breaks. Hidden text and the content of noscript form
// blocks too (page.Body.All), with features that describe them: many sites hide the rest
// of an article until a button is pressed, and some forums have all their text in noscript.
//
// # Features
//
// A feature is a byte: a count on a logarithmic scale, a share in 200ths, or a distance
// in words. Features describe the block's text and markup, the elements and class names
// above it, its location, the containers and repeated groups that it is in, its
// neighbours, the section that its heading opens, and the page. No feature is a word of a
// language, and lengths mean the same in every script: five characters of Chinese count as
// three words. What words say (function words, headings of comments and of related
// articles, prices, credits) comes from lists in ten languages; the function words are
// those of the language that fits the page best, and unknown where none fits. A table of the names that authors give to elements (tokens of class and id) says
// how much likelier text below each is content than text elsewhere. That table was
// learned, and holds no words of the text.
//
// # Model
//
// The model has a few hundred decision trees of depth 5, grown by gradient boosting.
// The first forest uses the features of the block and its page; the second also uses
// the probabilities of the first around the block. Each of the two is the mean of
// forests that were grown from different random samples. Seven small forests predict
// the type of the page. One more predicts whether a block is part of readers' comments:
// such blocks are left out, except on pages that are a discussion (setting comments).
//
// Blocks that are alike, such as the titles of all items of a list, are mostly content
// together, so their log-odds are moved towards the mean of them (blocks.Page.EvenOut).
// Pages repeat text: for another size of screen, for browsers without scripts. Only one of
// the blocks with the same text can be in the answer (blocks.Page.DropCopies).
//
// The answer is all blocks of at least some probability, the one that promises the best
// word F1 if blocks that are equally likely are content or not together
// (blocks.Page.Choose). A page with almost no words in paragraphs gets an empty
// answer if nothing on it is likely to be content (model.EmptyBelow). Code, headings and
// tables of data are added to the text that they belong to.
//
// # Cost
//
// All work is a fixed number of passes over rows and blocks, so the time is linear in
// the page. The features of 32 blocks are stored together as columns, and a node of a
// tree compares all 32 at once where the processor has AVX2: all trees together then
// take 0.15 µs for each block, otherwise 2 µs. A page of more than 65,536 blocks is too
// large. Memory is reused, so a page that is no larger than earlier ones allocates
// nothing.
//
// This package is internal to Winnow and may change in any release.
package winnow
