// Package wrapped describes the extractors that are today's extraction libraries for Go,
// so that a run can compare or use them beside Winnow's own:
//
//	trafilatura            go-trafilatura with its fallbacks (Barbaresi, ACL 2021)
//	trafilatura-fast       without fallbacks
//	trafilatura-precision  with fallbacks, favouring precision
//	trafilatura-recall     with fallbacks, favouring recall
//	readability            go-readability, the port of Mozilla's Readability.js,
//	                       as Readeck maintains it
//	domdistiller           go-domdistiller, the port of Chromium's DOM Distiller
//
// The values here have names, sources and no code. Package wrapped/library adds the
// libraries, and package suite/linked puts those into the list of all extractors. A program
// that only plans runs or reads their tables imports neither. The folder nodates replaces a
// module that go-trafilatura imports and Winnow never calls.
//
// The libraries are called as they are. Where several run on a page one after the other,
// they share the tree that the first of them parsed. readability and domdistiller change
// the tree they work on, so they get a copy of it; trafilatura makes copies itself. The
// parse is part of the time of each. Each answers with nodes; the text is rendered here, by
// one rule for all (a newline where a block-level element begins or ends and at br, no link
// targets, no image text), because their own text fields glue words together across blocks,
// or cut them at inline elements, in different ways. But for white space the rendered text
// is the library's own text field; where a library's nodes and text field differ
// (trafilatura's text field repeats nested nodes, readability's leaves out svg and video,
// domdistiller's embedded posts) the nodes count.
//
// "No article here", which the libraries report as an error or as no node, is
// the empty answer. A page URL that cannot be parsed is replaced by
// http://invalid.example/.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
package wrapped
