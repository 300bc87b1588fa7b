package dedup

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"

	"github.com/winnow/winnow/algorithms/fact/signature"
	"github.com/winnow/winnow/pipeline/extsort"
	"github.com/winnow/winnow/schemas"
)

// Text is one text with its provenance.
type Text struct {
	Run, Package, DocID, URL, Extractor string

	// MinHash is the signature, if the run has computed it; otherwise Content is signed.
	MinHash *signature.MinHash
	Content string
}

// Options are the settings of Find. Zero values are the defaults.
type Options struct {
	// Threshold is the Jaccard similarity from which on two texts are near-duplicates,
	// above 0 and at most 1. The default is .8.
	Threshold float64
	// Exact compares the shingles of candidates instead of their signatures. It needs
	// the Content of the texts, and reads them twice.
	Exact bool
	// TempDir is where temporary files go. The default is the system's.
	TempDir string
	// Progress is called regularly with the current stage and the number of texts processed in it.
	Progress func(stage string, texts int64)
}

// DefaultThreshold is the threshold that most publications use.
const DefaultThreshold = .8

// Summary counts what Find did.
type Summary struct {
	Threshold   float64 `json:"threshold"`
	Exact       bool    `json:"exact"`
	Bands       int     `json:"bands"`
	Rows        int     `json:"rows"`
	Texts       int64   `json:"texts"`
	Wordless    int64   `json:"wordless"`   // texts without words, which are never duplicates
	Identical   int64   `json:"identical"`  // texts with the signature of an earlier text
	Candidates  int64   `json:"candidates"` // pairs that were compared
	LeftOut     int64   `json:"left_out"`   // pairs in crowded bands that were not compared
	Clusters    int64   `json:"clusters"`   // clusters of at least two texts
	Duplicates  int64   `json:"duplicates"` // texts in clusters that are not the one kept
	LargestSize int64   `json:"largest_cluster"`
}

// Find clusters texts and calls emit with a row for each text of a cluster, in the order of
// texts. It calls texts once, with Exact twice; both times it must yield the same.
func Find(ctx context.Context, texts func() iter.Seq2[*Text, error], o Options, emit func(*schemas.Duplicate) error) (s *Summary, err error) {
	if o.Threshold == 0 {
		o.Threshold = DefaultThreshold
	}
	if !(o.Threshold > 0 && o.Threshold <= 1) {
		return nil, fmt.Errorf("dedup: threshold %v: must be above 0 and at most 1", o.Threshold)
	}
	if o.Progress == nil {
		o.Progress = func(string, int64) {}
	}
	dir, err := os.MkdirTemp(o.TempDir, "winnow-dedup-*")
	if err != nil {
		return nil, fmt.Errorf("dedup: make a folder for temporary files: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	bands := signature.BandsFor(o.Threshold)
	f := &finder{o: o, dir: dir, bands: bands,
		Summary: Summary{Threshold: o.Threshold, Exact: o.Exact, Bands: bands.Bands, Rows: bands.Rows}}
	defer f.close()
	for _, step := range []func(context.Context) error{
		func(ctx context.Context) error { return f.read(ctx, texts()) },
		f.joinIdentical,
		f.joinCandidates,
		func(ctx context.Context) error { return f.compareShingles(ctx, texts) },
		func(ctx context.Context) error { return f.write(ctx, emit) },
	} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("dedup: %w", err)
		}
	}
	return &f.Summary, nil
}

// finder holds the state of Find.
type finder struct {
	Summary
	o     Options
	dir   string
	bands signature.Bands

	signatures *spool // a record for each text
	names      *spool // names of the texts, one after the other
	identical  *extsort.Sorter[entry]
	pairs      *extsort.Sorter[entry] // candidates that are to be compared exactly
	sets       *spool                 // with Exact, the shingles of candidates
	setAt      []int64                // where the shingles of a text begin in sets; -1 if they are not stored

	cluster union
}

func (f *finder) close() {
	for _, s := range []*spool{f.signatures, f.names, f.sets} {
		if s != nil {
			s.close()
		}
	}
	for _, s := range []*extsort.Sorter[entry]{f.identical, f.pairs} {
		if s != nil {
			s.Close()
		}
	}
}

// report calls Progress for every 4,096th text and reports whether work should stop.
func (f *finder) report(ctx context.Context, stage string, n int64) error {
	if n%4096 != 0 {
		return nil
	}
	f.o.Progress(stage, n)
	return ctx.Err()
}
