// Package payload turns the block of a WARC record, or a file, into one HTML
// document in UTF-8, or says why there is none. No network, no HTML parsing.
//
//	block    HTTP/1.1 200 OK ⏎ Content-Type: text/html ⏎ Content-Encoding: gzip ⏎⏎ 1f8b08...
//	  head       status, media type, charset, codings            (head.go)
//	  transfer   chunks joined                                   (chunked.go)
//	  content    gzip, deflate, br, zstd undone                  (coding.go)
//	  media      declared, or sniffed; binaries refused          (charset)
//	  charset    BOM, HTTP, meta, detection, windows-1252        (charset)
//	document <html>...
//
// Stored messages often break the rules of HTTP: headers name codings that the crawler
// has undone, lengths are wrong, line ends are irregular. So the header parser never
// fails, a coding is undone only if the bytes look like it, and Content-Length is not
// used at all. Every guess sets a [Flags] bit.
//
// Every output is bounded by [Options], whatever the input. A [Decoder] keeps its
// buffers and decompressors from one document to the next; a document that is
// UTF-8 already and not compressed is not copied.
//
// Not for: requests, multipart messages, anything but documents held in memory.
//
// This package is internal to Winnow and may change in any release.
package payload
