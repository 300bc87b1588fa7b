// Package fe has the FeatureExtractor and the K-FeatureExtractor of Debnath, Mitra and
// Giles 2005, with text as the wanted feature. A page is cut into blocks, and the
// blocks in which text outweighs every other feature are candidates for content.
//
// Reconstructed: block partition, features, the basket of winners, the single
// winner and the k-means step are known from descriptions; numbers are not.
//
// # Steps
//
//  1. Atomic blocks: a node belongs to its nearest ancestor among body, table,
//     tr, p, hr, ul, div, span (page.Body's FBlock), so that a block keeps what
//     its inner blocks leave over. text(b) = characters of b. The competing
//     features are the numbers of: a; embedded media; list items; form fields;
//     table cells in b.
//  2. Each feature is divided by its maximum over all blocks.
//  3. The basket holds the blocks whose text share is larger than the sum of
//     the shares of the competing features.
//  4. fe takes the block of the basket with the most text, the first on ties.
//  5. k-fe clusters the text shares of the basket by k-means with k = 3, seeded
//     at equidistant ranks of the sorted values, and takes the two clusters
//     with the highest centroids. Ties of distance go to the higher centroid,
//     an empty cluster keeps its centroid, at most 100 rounds.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Cost: two passes over the node table and a sort of the b blocks in the basket.
// k-means runs over distinct character counts, of which a page with n characters
// has less than √(2n). fe is one paragraph on most pages; k-fe loses short
// paragraphs, and neither sees through layouts made with br.
//
// This package is internal to Winnow and may change in any release.
package fe
