// Package shingle holds shingle-4, the measure of the article extraction
// benchmark of Scrapinghub (2020), as its evaluate.py computes it: the bag of
// all four words in a row, words being Python's \w+ in their case. A text of one
// to three words is one shingle, a text without words has none.
//
// With tp = Σ of the smaller count, fp and fn what only the extraction and only
// the gold have, P = tp/(tp+fp) and R = tp/(tp+fn); P and R are 1 when both texts
// are alike, two empty ones included. The program divides the three numbers by
// their sum, which changes neither P nor R.
//
// The figure of a package is the harmonic mean of mean precision and mean
// recall, each over the documents that define it: documents with an empty
// extraction have no precision, those with an empty gold no recall. The packages
// table has its deviation and interval over 1000 resamples of the documents, as
// the program prints them (headline_sd, headline_low, headline_high). Score.Value
// is the program's accuracy: 1 if the two lists of words are equal.
//
// This package is internal to Winnow and may change in any release.
package shingle
