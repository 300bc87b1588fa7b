package payload

import "bytes"

// transfer undoes the chunked coding, if it is announced and still present.
func (d *Decoder) transfer(doc *Document, payload []byte) []byte {
	if !d.head.chunked {
		return payload
	}
	joined, flags := dechunk(d.joined[:0], payload)
	doc.Flags |= flags
	if flags&FlagTransferUndone != 0 {
		return payload
	}
	d.joined = joined
	return joined
}

// dechunk appends the data of the chunks to dst. The flags are FlagTransferUndone if
// payload does not begin with a whole chunk. The payload is then plain already, because
// many crawlers undo the coding and keep the header field.
//
// A size consists of hexadecimal digits. Zeros may precede them, and white space or an
// extension may follow them. Lines end with LF, which any number of CR may precede.
// After a broken chunk the rest of the payload is appended unchanged.
func dechunk(dst, payload []byte) ([]byte, Flags) {
	size, rest, ok := chunkSize(payload)
	if !ok {
		return dst, FlagTransferUndone
	}
	for first := true; ; first = false {
		if size == 0 {
			return dst, 0 // trailers, if any, are ignored
		}
		if size > int64(len(rest)) {
			return append(dst, rest...), FlagChunkCut
		}
		data := rest[:size]
		after, ended := endOfLine(rest[size:])
		if !ended && len(rest) > int(size) {
			if first {
				return dst, FlagTransferUndone
			}
			return append(dst, rest...), FlagChunkBad
		}
		dst = append(dst, data...)
		if len(after) == 0 {
			return dst, FlagChunkCut
		}
		payload = after
		if size, rest, ok = chunkSize(payload); !ok {
			return append(dst, payload...), FlagChunkBad
		}
	}
}

// chunkSize reads the size line that b begins with. A line is at most 1 KiB long.
func chunkSize(b []byte) (size int64, rest []byte, ok bool) {
	end := bytes.IndexByte(b[:min(len(b), 1<<10)], '\n')
	if end < 0 {
		return 0, nil, false
	}
	line := bytes.TrimRight(b[:end], "\r")
	n := 0
	for n < len(line) {
		v := unhex(line[n])
		if v < 0 {
			break
		}
		if size > 1<<58 {
			return 0, nil, false
		}
		size = size<<4 | int64(v)
		n++
	}
	tail := bytes.TrimLeft(line[n:], " \t")
	if n == 0 || len(tail) > 0 && tail[0] != ';' {
		return 0, nil, false
	}
	return size, b[end+1:], true
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// endOfLine skips one line end.
func endOfLine(b []byte) ([]byte, bool) {
	n := 0
	for n < len(b) && b[n] == '\r' {
		n++
	}
	if n < len(b) && b[n] == '\n' {
		return b[n+1:], true
	}
	return b, false
}
