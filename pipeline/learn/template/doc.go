// Package template holds what site-level extractors learned: the templates of a site
// (Bundle), the files of an output folder that keep them (Part), and the ways to find
// them again (Library, Cache). It learns nothing (package learn does) and knows no
// method by name.
//
//	package learn   --Bundle--> Part --> templates/ of the output folder, a copy in the broker
//	package extract <--Opened-- Cache <--Bundle-- Library, or the broker's copy
//
// A Bundle is all that was learned about one site, in deterministic bytes: equal
// bundles have equal bytes. It is stored in a part of the output folder, which
// outlives the broker and serves later runs, and as a copy in the broker, where
// workers look first. A copy counts only if it has the digest that the part's index
// gives. A site of which too few pages are eligible has no bundle.
//
// Bundles are not compressed, because they are mostly hashes.
//
// Memory: a Cache is bounded by the size of the bundles it opened, a Library by the
// indexes of the parts that are open.
package template
