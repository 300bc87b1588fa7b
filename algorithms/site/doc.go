// Package site is the folder of the site-level extractors. It has one folder for each
// published family, and in internal what several of them share.
//
// Each is a learner and an extractor in one value (see algorithms.Learner). A sketch
// of a page is a pure function of its canonical tree (algorithms/feature/canon), its
// address and the extractor's settings; learning folds the sketches of a sample in the
// order of ranks (algorithms/feature/website).
//
// Where an extractor asks on how many pages something occurs, the page that it is
// applied to does not count, whether or not it is in the sample. Pages inside and
// outside the sample are therefore treated alike.
//
// This package is internal to Winnow and may change in any release.
package site
