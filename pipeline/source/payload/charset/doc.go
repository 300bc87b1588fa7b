// Package charset decodes the bytes of an HTML document to UTF-8, whatever charset they are
// in, and recognises bytes that are not a document.
//
// The charset is decided by the byte order mark, the label that the server sent, the
// document's own declaration, detection by statistics, and the default windows-1252, in this
// order (WHATWG Encoding and HTML, 13.2.3). Bytes that are invalid in the charset become
// replacement characters, so the result is always valid UTF-8.
//
// This package is internal to Winnow and may change in any release.
package charset
