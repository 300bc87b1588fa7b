// Package algorithms is the contract between the published algorithms and the
// programs that run them: what an Extractor and a Scorer are, what they may read, and
// how their answers are named. It knows nothing of archives, queues, files, clocks or
// goroutines.
//
//	                    Feature.Of: once a page, shared by extractors
//	                                    |
//	page.Page --> Pass --> Extractor.Run --> Pass.Out: spans of the page's text
//	                ^                               |
//	            Template                            v
//	                               Gold --> Trial --> Scorer.Score --> Score
//	                                 |        |
//	           GoldFeature.Of: once a gold    TrialFeature.Of: once an answer
//
// Extractors and scorers are plain values. Package suite lists them, package driver
// runs them, and package algotest tests that they keep the contract:
//
//   - An extractor or scorer reads what it is given and changes none of it. From one
//     page to the next it keeps nothing but memory (Scratch, Zeros).
//   - The same page has the same answer, whatever ran before.
//   - "Found nothing" is an answer: the empty selection. An error is a defect.
//   - Time grows with the page as Cost says.
//
// # Learning
//
// An extractor of scope site has a Learner. It sees a bounded sample of a site's pages,
// one at a time and perhaps in different processes; what it learns reaches the workers as
// bytes:
//
//	pages of the sample --Sketch--> bytes, each --Finish--> Learned.Body --Open--> Template.Value
//
// # Around it
//
// Package setting makes the parameters of a family public and changeable. Package choose
// finds extractors, scorers and facts by the names that a user writes. Package fact is the
// contract of what is known about a page without an extractor.
//
// # When not to use it
//
// To run extractors over pages use package driver, which gives each its turn, contains
// panics, limits programs of other projects, and names every Outcome. This package only says what
// they promise each other.
package algorithms
