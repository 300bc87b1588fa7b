package warc

import (
	"bytes"
	"errors"
	"fmt"
)

// Format is the container of a file, told by its first bytes and never by its
// name.
type Format uint8

const (
	FormatUnknown Format = iota
	FormatEmpty          // no bytes at all: a clean file without records
	FormatPlain          // records as they are
	FormatGzip           // gzip members, usually one per record
	FormatZstd           // zstd frames, usually one per record, perhaps with a dictionary
	FormatBzip2          // one bzip2 stream
	FormatARC            // the predecessor of WARC, plain or gzip; refused
)

var formatNames = [...]string{"unknown", "empty", "plain", "gzip", "zstd", "bzip2", "arc"}

// String is the format's lower-case name.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return fmt.Sprintf("format %d", uint8(f))
}

// Splittable reports whether a file of this format may be cut into items.
// Whole-file gzip may be: its first item then does all the work.
func (f Format) Splittable() bool { return f == FormatPlain || f == FormatGzip }

var (
	// ErrARC refuses a file in the ARC format.
	ErrARC = errors.New("warc: ARC files are not supported")
	// ErrNotWARC refuses a file in whose first MiB no WARC record begins.
	ErrNotWARC = errors.New("warc: not a WARC file")
)

// probeLimit is how far into a file of unknown kind a first record is looked for.
const probeLimit = 1 << 20

// Probe tells the container of a file from its first bytes. The error is
// ErrARC, ErrNotWARC or that of the source; the format is right in any case.
func Probe(src Source) (Format, error) {
	in := newInput(src, 0)
	p := newProber()
	f, err := probe(in, p)
	if err != nil {
		return f, err
	}
	switch f {
	case FormatARC:
		return f, ErrARC
	case FormatUnknown:
		return f, ErrNotWARC
	}
	if f == FormatPlain || f == FormatGzip {
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

// probe classifies the file by its first bytes, or by the first start within
// probeLimit if these say nothing.
func probe(in *input, p *prober) (Format, error) {
	if in.size == 0 {
		return FormatEmpty, nil
	}
	head, err := in.peek(4 << 10)
	if err != nil {
		return FormatUnknown, err
	}
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		if content, _ := p.content(head); looksLikeARC(content) {
			return FormatARC, nil
		}
		return FormatGzip, nil
	case isZstdMagic(head):
		return FormatZstd, nil
	case bytes.HasPrefix(head, []byte("BZh")) && len(head) > 3 && head[3] >= '1' && head[3] <= '9':
		return FormatBzip2, nil
	case looksLikeARC(head):
		return FormatARC, nil
	case beginsRecord(head) != no:
		return FormatPlain, nil
	case len(bytes.Trim(head, "\x00\r\n")) == 0 && int64(len(head)) == in.size:
		return FormatPlain, nil // nothing but padding
	}
	at, kind, err := scan(in, p, 0, min(in.size, probeLimit))
	switch {
	case err != nil:
		return FormatUnknown, err
	case at < 0:
		return FormatUnknown, nil
	}
	return kind, nil
}

// holdsRecord reports whether a record begins in the first MiB, or whether the
// file is too empty or too damaged there to tell.
func holdsRecord(in *input, p *prober, f Format) (bool, error) {
	in.seek(0)
	if f == FormatGzip {
		head, err := in.peek(maxMemberHeader + probeInput)
		if err != nil {
			return false, err
		}
		content, end := p.content(head)
		if len(content) == 0 || end != proberOK && len(content) < probeOutput {
			return true, nil // an empty or damaged first member is no verdict
		}
		if beginsRecord(content) == yes {
			return true, nil
		}
	} else if head, err := in.peek(4 << 10); err != nil {
		return false, err
	} else if beginsRecord(head) != no || len(bytes.Trim(head, "\x00\r\n")) == 0 {
		return true, nil
	}
	at, _, err := scan(in, p, 0, min(in.size, probeLimit))
	return at >= 0, err
}

// looksLikeARC knows the two ways in which ARC content begins: the version
// block, and, in files cut at the front, a URL record line of five fields.
func looksLikeARC(b []byte) bool {
	b = bytes.TrimLeft(b, "\r\n")
	if bytes.HasPrefix(b, []byte("filedesc:")) {
		return true
	}
	line, _, ok := bytes.Cut(b, []byte("\n"))
	if !ok {
		return false
	}
	f := bytes.Fields(line)
	return len(f) == 5 && bytes.Contains(f[0], []byte(":")) &&
		bytes.Count(f[1], []byte(".")) == 3 && digits(f[1], ".") &&
		len(f[2]) >= 8 && len(f[2]) <= 14 && digits(f[2], "") && digits(f[4], "")
}

// digits reports whether b is made of digits and the characters of extra only.
func digits(b []byte, extra string) bool {
	return len(bytes.Trim(b, "0123456789"+extra)) == 0
}
