// Package algorithms is the contract between the published methods and the
// machine that runs them: what an Extractor and a Scorer are, what they may
// read, and how their answers are named. It knows nothing of archives, queues,
// files, clocks or goroutines.
//
//	                    Feature.Of: once a page, shared by methods
//	                                    |
//	page.Page --> Pass --> Extractor.Run --> Pass.Out: spans of the page's text
//	                ^                               |
//	            Template                            v
//	                               Gold --> Trial --> Scorer.Score --> Score
//	                                 |        |
//	              Prepared.Of: once a gold    Measured.Of: once an answer
//
// Methods are plain values. Package suite lists them, package driver runs them,
// package algotest holds them to the contract:
//
//   - A method reads what it is handed and changes none of it. It keeps nothing
//     from one page to the next but memory (Scratch, Zeros).
//   - The same page has the same answer, whatever ran before.
//   - "Found nothing" is an answer: the empty selection. An error is a defect.
//   - Time grows with the page as Cost says.
//
// # Learning
//
// A method of scope site has a Learner. It sees a bounded sample of a site's
// pages, each for itself and maybe in different processes, and what it finds out
// crosses to the workers as bytes:
//
//	pages of the sample --Sketch--> bytes, each --Finish--> Learned.Body --Open--> Template.Value
//
// # Settings
//
// Every number that a source states or leaves open is a Setting of the method. A
// family lists its settings once, and Tune makes of the list what a user sees
// (Params) and what he may change (With).
//
// # When not to use it
//
// To run methods over pages use package driver, which gives each its turn,
// contains panics, bounds wrapped libraries, and names every Outcome. This
// package only says what they promise each other.
package algorithms
