// Package template holds what site-level extractors learned about sites (Template), and the
// ways to find it again (Library, Cache). It learns nothing (package learn does) and knows
// no method by name.
//
//	package learn   --Template.Row--> table of templates
//	package extract <--Opened-- Cache <--Template-- Library <-- row groups of the table
//
// A template is a row of the table of templates. Its parts have the sites in order, and
// the index (schemas.TemplateIndex) says which part a site is in. The file says which
// sites are in which row group, so one row group is read for a site, and kept for a
// while, because the sites of the next pages may be in it. A site that has no row has
// no page that could be sampled.
//
// A row names itself by a hash of its content (Template.ID), by which damage and forgery
// are seen.
//
// Memory: a Cache is bounded by the size of the templates it opened, a Library by the row
// groups that it keeps (heldBytes).
//
// This package is internal to Winnow and may change in any release.
package template
