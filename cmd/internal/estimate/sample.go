package estimate

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/schemas"
)

// sampler cuts a sample out of the input of a run.
type sampler struct {
	opt        *Options
	run        *schemas.Run
	selections blob.Store

	files     []schemas.File // the sample: ranges of files of the run
	unsampled []string
}

// choose sets files: the whole input if it is not larger than the sample, and otherwise
// ranges with the same number of bytes between them.
func (s *sampler) choose(ctx context.Context) error {
	if s.run.Sealed.Bytes <= s.opt.Bytes {
		for _, f := range s.run.Files {
			if f.Refused == "" && f.Length() > 0 {
				s.files = append(s.files, f)
			}
		}
		return nil
	}
	length := max(1, s.opt.Bytes/ranges)
	for _, at := range locations(s.run, ranges) {
		f := *at.file
		if !f.Split {
			if f.Length() > s.opt.Bytes {
				s.unsampled = append(s.unsampled, f.URL)
				continue
			}
			s.files = append(s.files, f)
			continue
		}
		r, err := s.records(ctx, &f, at.offset, length)
		if err != nil {
			return fmt.Errorf("%s: %w", f.URL, err)
		}
		if r.End > r.Start {
			f.Range, f.Items = r, 1
			s.files = append(s.files, f)
		}
	}
	return nil
}

// records returns the range of the records that begin in the given bytes of a file. It is
// empty if none does.
func (s *sampler) records(ctx context.Context, f *schemas.File, offset, length int64) (r schemas.Range, err error) {
	file, err := source.Open(ctx, s.opt.Local.Blobs, s.selections, f.Stored(), f.Selection)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	file.Expect(f.Size)
	_, end := f.Bounds()
	in := new(source.WARC)
	within := source.Range{Start: offset, End: min(offset+length, end), First: -1}
	if err := in.Reset(file, within, source.OptionsOf(&s.run.Recipe, f.URL)); err != nil {
		return r, err
	}
	for {
		_, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return r, err
		}
	}
	a := in.Account()
	return schemas.Range{Start: a.Summary.First, End: min(a.Summary.Next, end)}, nil
}

// location is where a range of the sample begins.
type location struct {
	file   *schemas.File
	offset int64
}

// locations returns n locations with the same number of bytes between them. A file that
// cannot be split has one location at most, at its beginning.
func locations(run *schemas.Run, n int) []location {
	var out []location
	var before int64 // bytes of the files before this one
	step := float64(run.Sealed.Bytes) / float64(n)
	next := 0 // number of the next location
	for i := range run.Files {
		f := &run.Files[i]
		if f.Refused != "" || f.Length() == 0 {
			continue
		}
		once := false
		start, _ := f.Bounds()
		for ; next < n; next++ {
			at := int64((float64(next) + 0.5) * step)
			if at >= before+f.Length() {
				break
			}
			switch {
			case f.Split:
				out = append(out, location{f, start + at - before})
			case !once:
				out = append(out, location{f, start})
				once = true
			}
		}
		before += f.Length()
	}
	return out
}
