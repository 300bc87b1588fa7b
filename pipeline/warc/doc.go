// Package warc turns the bytes of a WARC or ARC file, or of any byte range of it,
// into records, however damaged the file is. No network, no HTML.
//
//	file    | member | member | empty | member~~damaged | 0000 | member | ...
//	units   |--------|--------|-------|--------~~~~~~~~~|      |--------|
//	gaps                                                |------|
//	starts  ^        ^                ^                        ^
//	groups  [--------)[----------------)[---------------------)[--------
//
// A unit is a gzip member, a zstd frame, a file of LZ4 or bzip2, or a plain record; a gap is what lies
// between units. A start is the offset of a unit whose content begins with the
// first line of a record ("WARC/1.0"). A group is a start and everything up to the next
// one; the units of a group hold one stream of content, in which records are
// framed. In ordinary files unit, group and record are the same thing.
//
// # Three rules
//
// No sequence of bytes makes the reader panic, hang or exhaust memory. Damage
// costs at most the unit it lies in. Nothing is skipped, cut or guessed in
// silence: every byte is counted as part of a unit or of a gap, and everything
// odd is a [Defect]. Bad bytes are never an error: an error from [Reader.Next]
// means that the source could not be read.
//
// # Items
//
// A file is split into items, byte ranges that partition it. The reader of an
// item delivers the records of every group that starts in its range, and reads
// past the end to finish the last. Its first start is given by the caller or found
// by a scan, which can be wrong in an archive that contains archives. So each item
// reports where it began and where it stopped, and [Chain] accepts an item only
// if it began where its predecessor stopped: any partition of a file yields exactly
// the records of reading it from front to back.
//
// # ARC
//
// ARC files, versions 1, 1.1 and 2, plain or in gzip members, give the records that
// a WARC file would: the version block is a warcinfo record, an http or https URL a
// response whose block is the HTTP message, every other URL (dns, ftp) a resource.
// They have no WARC-Record-ID. The first record of a file decides which of the two
// formats it is in; all that is said here holds for both.
//
// # Layers
//
//	input    bytes of the Source, buffered, with the file offset
//	walker   units and gaps                          (unit.go)
//	stream   content of one group, in a buffer       (stream.go)
//	framer   first line, header, block               (frame.go, block.go)
//	syntax   what a record looks like: WARC or ARC    (syntax.go)
//	header   fields, types, dates, addresses          (header.go, arc.go, record.go, uri.go)
//
// Package check reads archives with github.com/slyrz/warc, an independent reader.
//
// Not for: reading one record at a known offset again and again (open an item
// that begins there instead), writing WARC files.
//
// This package is internal to Winnow and may change in any release.
package warc
