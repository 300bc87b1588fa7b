package warc

import "bytes"

// LZ4 WARC files are sequences of frames. They are rare, so the library reads a file from its
// start to its end and verifies its checksums, and it is not divided into items.
const lz4Magic = "\x04\x22\x4d\x18"

// isLZ4 reports whether b begins with an LZ4 frame: the magic number, the version with the
// reserved bits, and the size of blocks (LZ4 Frame Format Description 1.6).
func isLZ4(b []byte) bool {
	return bytes.HasPrefix(b, []byte(lz4Magic)) && len(b) >= 6 && b[4]>>6 == 1 && b[4]&2 == 0 && b[5]&0x8f == 0 && b[5]>>4 >= 4
}
