// Package cetr is content extraction via tag ratios of Weninger, Hsu and Han 2010. It
// selects lines of the source that have much text for their number of tags.
//
//	id        lines that are content
//	cetr      not in the cluster at the origin of (ratio, change of ratio)
//	cetr-km   not in the cluster at 0 of the ratio
//	cetr-tm   ratio above its standard deviation
//
// # Steps
//
//  1. Lines: see package feature/lines.
//  2. The tag ratio of a line is its characters of text divided by its tags, or
//     by 1 without tags.
//  3. Ratios are smoothed over neighbouring lines with a Gauss kernel, s = 2,
//     radius 2, of sum 1 over the lines there are: T'.
//  4. cetr-tm keeps lines with T' > λ·sd(T'), λ = 1, population standard
//     deviation.
//  5. cetr-km clusters T' by k-means, k = 3, with one centroid fixed at 0, and
//     keeps the lines of the other clusters.
//  6. cetr clusters the points (T', D'): D(i) is the absolute difference of T'(i)
//     and the mean of the next α = 3 ratios, of fewer at the end, 0 for the last
//     line; D' is D smoothed like the ratio.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// Cost: linear in the source, because k, kernel and rounds are constants. The
// extractors do not suit source whose lines carry no meaning (minified, hand-wrapped),
// short paragraphs, or long lists of links on one line.
//
// This package is internal to Winnow and may change in any release.
package cetr
