// Package gold reads gold test packages (Gottron 2007: pages with the main content that
// experts found on them) and side files, which supply gold by URL for crawls that contain
// none. Package source reads the pages of packages, and package pack writes them into WARC
// files, so that they are processed as every other crawl is.
//
// A package is a folder, or a .tar, .tar.gz or .tar.xz archive of one folder:
//
//	NAME/package.json   name, title, documents, licence, notes …
//	     ID.html        the page's bytes as they were found, in whatever encoding
//	     ID.txt         its main content: UTF-8, blocks separated by newlines; empty if it has none
//	     ID.md          its main content in Markdown, where there is one
//	     ID.json        metadata: url, page_type, language, with and without snippets …
//	     ID.gold.html   the annotated page, where there is one; not a page of its own
//
// Only ID.html must exist. Without ID.txt, or with "gold_missing" in ID.json, the page's
// main content is unknown, which is not the same as empty. With "gold_entities" in
// package.json, character references in ID.txt are decoded. With "held_out" in
// package.json, the package is only for evaluation, and nothing is trained on it.
//
// In the WARC a page's gold directly follows it:
//
//	warcinfo   package.json
//	response   HTTP/1.1 200, text/html      WARC-Target-URI: the page's url, or urn:winnow:NAME/ID
//	metadata   schemas.Gold as JSON         WARC-Concurrent-To: the response
//	response …
//
// No file is written under a name from an archive. A compressed archive is inflated
// into one unnamed temporary file and read from there.
//
// This package is internal to Winnow and may change in any release.
package gold
