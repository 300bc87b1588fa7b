package warc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Format is the container of a file. It is determined by the file's first bytes, never
// by its name.
type Format uint8

const (
	FormatUnknown Format = iota
	FormatEmpty          // no bytes at all: a clean file without records
	FormatPlain          // uncompressed WARC records
	FormatGzip           // gzip members, usually one per record
	FormatZstd           // zstd frames, usually one per record, perhaps with a dictionary
	FormatBzip2          // one bzip2 stream
	FormatLZ4            // LZ4 frames, read as one stream
	FormatARC            // uncompressed ARC records
	FormatARCGzip        // ARC records in gzip members, usually one per record
)

var formatNames = [...]string{"unknown", "empty", "plain", "gzip", "zstd", "bzip2", "lz4", "arc", "arc-gzip"}

// String returns the format's lower-case name.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return fmt.Sprintf("format %d", uint8(f))
}

// ParseFormat returns the format with this name, as String gives it, or FormatUnknown
// if there is none.
func ParseFormat(name string) Format { return Format(max(0, slices.Index(formatNames[:], name))) }

// Splittable reports whether a file of this format may be cut into items. A file that
// is one single gzip member may be cut too; its first item then does all the work.
func (f Format) Splittable() bool {
	c := f.container()
	return c == FormatPlain || c == FormatGzip
}

// isStream reports whether a file of this format is one unit.
func (f Format) isStream() bool { return f == FormatBzip2 || f == FormatLZ4 }

// container returns the format in which the units are compressed, regardless of the
// syntax of their records.
func (f Format) container() Format {
	switch f {
	case FormatARC:
		return FormatPlain
	case FormatARCGzip:
		return FormatGzip
	}
	return f
}

// syntax returns the syntax of the records in a file of this format.
func (f Format) syntax() syntax {
	if f == FormatARC || f == FormatARCGzip {
		return syntaxARC
	}
	return syntaxWARC
}

// with returns the format of a file that holds records of a syntax in this container.
func (f Format) with(s syntax) Format {
	switch {
	case s == syntaxARC && f == FormatPlain:
		return FormatARC
	case s == syntaxARC && f == FormatGzip:
		return FormatARCGzip
	}
	return f
}

// ErrNotWARC means that no WARC or ARC record begins in the first MiB of the file.
var ErrNotWARC = errors.New("warc: not a WARC file, nor an ARC file: no record begins in its first MiB")

// probeLimit is how many bytes of a file of unknown kind are searched for a record.
const probeLimit = 1 << 20

// Probe determines the format of a file from its first bytes. The error is ErrNotWARC
// or an error of the source. The format is valid even if the error is ErrNotWARC.
func Probe(src Source) (Format, error) {
	means := probes.Get().(*probing)
	defer func() {
		means.in.release()
		probes.Put(means)
	}()
	in, p := means.in, means.p
	in.reset(src, 0)
	f, err := probe(in, p)
	if err != nil {
		return f, err
	}
	if f == FormatUnknown {
		return f, ErrNotWARC
	}
	if f.Splittable() {
		ok, err := holdsRecord(in, p, f)
		if err != nil {
			return f, err
		}
		if !ok {
			return f, ErrNotWARC
		}
	}
	return f, nil
}

// probing holds the buffers of one probe.
type probing struct {
	in *input
	p  *prober
}

// probes keeps the buffers of probes, some 300 KiB each, for further ones: a folder may
// have a hundred thousand files, each of which is probed before a run begins.
var probes = sync.Pool{New: func() any {
	return &probing{newInput(bytes.NewReader(nil), 0), newProber()}
}}

// probe determines the format by the file's first bytes, or by the first start within
// probeLimit if the first bytes do not decide.
func probe(in *input, p *prober) (Format, error) {
	if in.size == 0 {
		return FormatEmpty, nil
	}
	head, err := in.peek(max(4<<10, maxARCLine))
	if err != nil {
		return FormatUnknown, err
	}
	content, container := head, FormatPlain
	switch {
	case isLZ4(head):
		return FormatLZ4, nil
	case isSkippable(head):
		return probeSkippable(in, head)
	case isZstdMagic(head):
		return FormatZstd, nil
	case bytes.HasPrefix(head, []byte("BZh")) && len(head) > 3 && head[3] >= '1' && head[3] <= '9':
		return FormatBzip2, nil
	case bytes.HasPrefix(head, gzipMagic):
		container = FormatGzip
		content, _ = p.content(head)
	case len(bytes.Trim(head, "\x00\r\n")) == 0 && int64(len(head)) == in.size:
		return FormatPlain, nil // nothing but padding
	}
	switch {
	case syntaxWARC.begins(content) == yes, container == FormatPlain && syntaxWARC.begins(content) == more:
		return container, nil
	case syntaxARC.begins(content) == yes:
		return container.with(syntaxARC), nil
	}
	found, err := firstRecord(in, p)
	if found == FormatUnknown && container == FormatGzip {
		found = FormatGzip
	}
	return found, err
}

// probeSkippable determines the format of a file that begins with a skippable frame,
// which zstd and LZ4 share, by the bytes that follow the frame. If they do not decide,
// the format is zstd, in which the frame may hold a dictionary.
func probeSkippable(in *input, head []byte) (Format, error) {
	if len(head) < 8 {
		return FormatZstd, nil
	}
	in.seek(min(8+int64(binary.LittleEndian.Uint32(head[4:])), in.size))
	next, err := in.peek(len(lz4Magic) + 2)
	if err == nil && isLZ4(next) {
		return FormatLZ4, nil
	}
	return FormatZstd, err
}

// firstRecord returns the format of the first unit within probeLimit that begins a
// record, or FormatUnknown if there is none.
func firstRecord(in *input, p *prober) (Format, error) {
	first, found := int64(-1), FormatUnknown
	for _, s := range [...]syntax{syntaxWARC, syntaxARC} {
		at, kind, err := scan(in, p, s, 0, min(in.size, probeLimit))
		if err != nil {
			return FormatUnknown, err
		}
		if at >= 0 && (first < 0 || at < first) {
			first, found = at, kind.with(s)
		}
	}
	return found, nil
}

// holdsRecord reports whether a record begins in the first MiB. It also returns true
// if that cannot be decided, because the file's first bytes are empty or damaged.
func holdsRecord(in *input, p *prober, f Format) (bool, error) {
	in.seek(0)
	switch f.container() {
	case FormatGzip:
		head, err := in.peek(maxMemberHeader + probeInput)
		if err != nil {
			return false, err
		}
		content, end := p.content(head)
		if len(content) == 0 || end != proberOK && len(content) < probeOutput {
			return true, nil // an empty or damaged first member does not decide
		}
		if f.syntax().begins(content) == yes {
			return true, nil
		}
	default:
		head, err := in.peek(4 << 10)
		if err != nil {
			return false, err
		}
		if f.syntax().begins(head) != no || len(bytes.Trim(head, "\x00\r\n")) == 0 {
			return true, nil
		}
	}
	at, err := scanFormat(in, p, f, 0, min(in.size, probeLimit))
	return at >= 0, err
}
