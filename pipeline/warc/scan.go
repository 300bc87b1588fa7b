package warc

import "bytes"

// finding is the kind of unit that a finder found at an offset.
type finding uint8

const (
	nothing   finding = iota
	member            // gzip member whose content begins a record
	orphan            // gzip member that begins within a record, or is empty
	plainText         // plain record header
	frame             // zstd frame
)

// finder looks for the next offset at which a unit begins. It searches for two
// patterns side by side, and examines every byte once for each pattern.
type finder struct {
	in     *input
	prober *prober
	syntax syntax
	// orphans makes the finder accept gzip members that do not begin a record.
	orphans bool
	// sized makes the finder accept a plain header only if its Content-Length is usable.
	sized bool

	magic, line pattern
}

// pattern is the state of one search. at is the offset of the next match, or -1 if
// there is no match before the offset upto.
type pattern struct{ at, upto int64 }

// plainLookahead is how many bytes of a plain header are read to decide whether it
// is plausible. It is shorter than Options.MaxHeader, the limit for the header of a
// record at a known offset, because every line of noise may be a candidate.
const plainLookahead = 64 << 10

// find returns the smallest offset in [from, to) at which a unit begins, and leaves
// the input there. If there is none, it returns -1 and the finding nothing.
func (f *finder) find(from, to int64) (int64, finding, error) {
	f.magic = pattern{-1, from}
	f.line = pattern{-1, from - 1} // the LF before the first candidate
	if from == 0 {
		f.line = pattern{0, 0} // the beginning of the file is also the beginning of a line
	}
	f.in.seek(max(from-1, 0))
	for {
		pos := f.in.offset()
		ahead := f.in.br.Buffered()
		if ahead < 8<<10 {
			ahead = window
		}
		b, err := f.in.peek(ahead)
		if err != nil {
			return -1, nothing, err
		}
		end := pos + int64(len(b))
		if f.magic.at < 0 {
			f.magic.search(b, pos, 2, func(b []byte) int { return bytes.Index(b, gzipMagic) })
		}
		if f.line.at < 0 {
			f.line.search(b, pos, 0, func(b []byte) int { return f.syntax.lineStart(b, 0) })
		}
		at, p := f.magic.at, &f.magic
		if at < 0 || f.line.at >= 0 && f.line.at < at {
			at, p = f.line.at, &f.line
		}
		if at >= to {
			return -1, nothing, nil
		}
		if at < 0 {
			next := min(f.magic.upto, f.line.upto)
			if end >= f.in.size || next >= to {
				return -1, nothing, nil
			}
			f.in.seek(max(next, pos+1))
			continue
		}
		f.in.seek(at)
		what, err := f.test(p == &f.magic)
		if err != nil || what != nothing {
			return at, what, err
		}
		p.at, p.upto = -1, at
		if p == &f.magic {
			p.upto++
		}
	}
}

// search finds the next match in b, which begins at the file offset pos. If there is
// none, the last keep bytes of b are searched again with the bytes that follow,
// because a match may span both.
func (p *pattern) search(b []byte, pos int64, keep int, index func([]byte) int) {
	skip := max(p.upto-pos, 0)
	if skip >= int64(len(b)) {
		return
	}
	if i := index(b[skip:]); i >= 0 {
		p.at = pos + skip + int64(i)
		return
	}
	p.upto = pos + max(skip, int64(len(b)-keep))
}

// test decides whether a unit begins at the input's position. gzip says which
// pattern matched there.
func (f *finder) test(gzip bool) (finding, error) {
	if !gzip {
		return f.testPlain()
	}
	b, err := f.in.peek(4 << 10)
	if err != nil {
		return nothing, err
	}
	n, a := memberHeader(b)
	if a == more || a == yes && n+probeInput > len(b) {
		if b, err = f.in.peek(maxMemberHeader + probeInput); err != nil {
			return nothing, err
		}
		_, a = memberHeader(b)
	}
	if a != yes {
		return nothing, nil
	}
	content, end := f.prober.content(b)
	switch {
	case f.syntax.begins(content) == yes:
		return member, nil
	case f.orphans && (end == proberOK || end == proberShort && len(content) >= probeOutput):
		return orphan, nil
	}
	return nothing, nil
}

func (f *finder) testPlain() (finding, error) {
	for _, n := range [...]int{2 << 10, plainLookahead} {
		b, err := f.in.peek(n)
		if err != nil {
			return nothing, err
		}
		switch f.syntax.plausible(b, f.sized) {
		case yes:
			return plainText, nil
		case no:
			return nothing, nil
		}
	}
	return nothing, nil
}

// scanFormat guesses the first start of an item of a file whose format is known.
func scanFormat(in *input, p *prober, f Format, from, to int64) (int64, error) {
	at, _, err := scan(in, p, f.syntax(), from, to)
	return at, err
}

// scan guesses the first start of an item: the smallest offset in [from, to) at
// which a gzip member or a plain header begins a record, or -1 if there is none. The
// guess may be wrong in a file that contains WARC files verbatim; Chain detects that.
func scan(in *input, p *prober, s syntax, from, to int64) (int64, Format, error) {
	f := finder{in: in, prober: p, syntax: s, sized: true}
	at, what, err := f.find(from, to)
	if what == plainText {
		return at, FormatPlain, err
	}
	return at, FormatGzip, err
}
