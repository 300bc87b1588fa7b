package mask

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/site/internal/codec"
)

// Table is the template of an extractor that asks on which pages keys occur. It holds
// the keys that enough pages of the sample have, and these pages.
type Table struct {
	Pages int // pages in the sample
	*Map
}

// Sketch encodes the distinct keys of a page, sorted. It sorts keys in place. If there
// are too many for a sketch the error is algorithms.ErrPageTooLarge.
func Sketch(keys []uint64) ([]byte, error) {
	var w codec.Writer
	WriteKeys(&w, Keys(keys))
	if len(w.Out) > algorithms.MaxSketch {
		return nil, algorithms.ErrPageTooLarge
	}
	return w.Out, nil
}

// headSize is an upper bound of the bytes of a table before its entries.
const headSize = 16

// Learn makes a table of the keys that are on at least Threshold(percent, N) pages of a
// sample of N. Leaving out the others loses nothing, because the threshold without one
// page is lower by one at most. If the table exceeds its bound, keys on the fewest
// pages go first (note algorithms.NoteTruncated).
func Learn(s *algorithms.Sample, percent int) (algorithms.Learned, error) {
	return learn(s, func(entries []Entry) []Entry { return Common(entries, Threshold(percent, len(s.Pages))) })
}

// LearnStream is Learn for an extractor that compares a page with the pages before it
// (Before): it keeps the keys that, for some n, were on enough of the first n pages.
func LearnStream(s *algorithms.Sample, percent int) (algorithms.Learned, error) {
	return learn(s, func(entries []Entry) []Entry {
		return slices.DeleteFunc(entries, func(e Entry) bool {
			for n := range len(s.Pages) + 1 {
				if Before(n).Count(e.Mask) >= Threshold(percent, n) {
					return false
				}
			}
			return true
		})
	})
}

func learn(s *algorithms.Sample, keep func([]Entry) []Entry) (algorithms.Learned, error) {
	pages := make([][]uint64, len(s.Pages))
	for i, page := range s.Pages {
		r := codec.NewReader(page.Data)
		pages[i] = ReadKeys(r)
		if err := r.Close(); err != nil {
			return algorithms.Learned{}, err
		}
	}
	entries := keep(Fold(pages))
	learned := algorithms.Learned{Nothing: !slices.ContainsFunc(entries, Entry.Repeated)}
	entries, cut := fit(entries, algorithms.MaxTemplate-headSize)
	if cut {
		learned.Notes = []string{algorithms.NoteTruncated}
	}
	var w codec.Writer
	w.Int(len(pages))
	Write(&w, entries)
	learned.Body = w.Out
	return learned, nil
}

// Open reads a table that Learn made.
func Open(body []byte) (*Table, error) {
	r := codec.NewReader(body)
	t := &Table{Pages: r.Int(algorithms.MaxSample)}
	t.Map = Read(r, t.Pages)
	if err := r.Close(); err != nil {
		return nil, err
	}
	return t, nil
}
