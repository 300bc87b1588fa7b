package warc

import "bytes"

// finding is what a finder found at an offset.
type finding uint8

const (
	nothing   finding = iota
	member            // gzip member whose content begins a record
	orphan            // gzip member that begins within a record, or is empty
	plainText         // plain record header
	frame             // zstd frame
)

// finder looks for the next place where a unit begins. Two patterns are looked
// for side by side, each over every byte once.
type finder struct {
	in     *input
	prober *prober
	syntax syntax
	// orphans: accept gzip members that do not begin a record too.
	orphans bool
	// sized: a plain header needs a usable Content-Length.
	sized bool

	magic, line pattern
}

// pattern is the state of one search: the next match, or -1 for none before upto.
type pattern struct{ at, upto int64 }

// plainLookahead is how much of a plain header is read to find it plausible.
// (Within a record boundary the limit is Options.MaxHeader; here, where every
// line of noise may be a candidate, it is short.)
const plainLookahead = 64 << 10

// find returns the smallest offset in [from, to) where a unit begins, and leaves
// the input there; nothing if there is none.
func (f *finder) find(from, to int64) (int64, finding, error) {
	f.magic = pattern{-1, from}
	f.line = pattern{-1, from - 1} // the LF before the first candidate
	if from == 0 {
		f.line = pattern{0, 0} // the file begins a line, too
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

// search finds the next match in b, which stands at offset pos; the last keep
// bytes are looked at again when more follows.
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

// test decides about the candidate at the input's position.
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
	if f == FormatLZ4 {
		return findLZ4(in, from, to, true)
	}
	at, _, err := scan(in, p, f.syntax(), from, to)
	return at, err
}

// scan guesses the first start of an item: the smallest offset in [from, to) at
// which a gzip member or a plain header begins a record, -1 for none. It may be
// wrong, in a file that contains WARC files verbatim; Chain finds out.
func scan(in *input, p *prober, s syntax, from, to int64) (int64, Format, error) {
	f := finder{in: in, prober: p, syntax: s, sized: true}
	at, what, err := f.find(from, to)
	if what == plainText {
		return at, FormatPlain, err
	}
	return at, FormatGzip, err
}
