// Package inspector shows a page with what extractors chose on it, beside its gold: as a
// text, for a program, and as an HTML page by itself, in which nothing of the inspected
// page can run. The page comes from an input, or from a run, which Run finds again in the
// run's inputs.
package inspector
