package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

const (
	// DefaultItemBytes is about half a minute of work for a core, so that a lost
	// worker costs little and a million items hold a crawl of 64 TiB.
	DefaultItemBytes = 64 << 20
	// minItemBytes is where the cost of an item itself (a look for the first
	// record, reading past the end, one shard per table) begins to show.
	minItemBytes = 4 << 20
	// itemsPerWorker evens out items that take longer than others.
	itemsPerWorker = 8
	// learnItems bounds the items of the phase learn: each opens what every item
	// of the phase scan has left.
	learnItems = schemas.SiteBuckets / 2
)

// Options say what a run is to be. Inputs and Run are needed.
type Options struct {
	Run    schemas.RunID
	Inputs []string // paths, globs, folders, list files, URLs: see blob.Client.Expand
	Base   string   // what relative names in list files are relative to
	Out    string   // URL of the output folder
	Recipe schemas.Recipe

	// ItemBytes is the size of an item; 0: DefaultItemBytes, or less if Workers
	// is known and would otherwise have nothing to do.
	ItemBytes int64
	Workers   int
	Lease     time.Duration // see queue.DefaultLease

	// KeepGoing leaves files that are missing or cannot be read in the plan as
	// refused, instead of refusing the whole run.
	KeepGoing bool
	// ListMayLeave reads what list files name wherever it is (blob.ExpandOptions).
	ListMayLeave bool
	// Trust plans by name and size alone, without a look at the first bytes: for
	// lists of many thousand remote files from a publisher that is known.
	Trust bool
}

// Validate checks what needs no look at the inputs.
func (o *Options) Validate() error {
	if err := o.Run.Check(); err != nil {
		return err
	}
	switch {
	case len(o.Inputs) == 0:
		return errors.New("ingest: no inputs")
	case o.ItemBytes < 0:
		return fmt.Errorf("ingest: item size %d: must be positive", o.ItemBytes)
	case o.Workers < 0:
		return fmt.Errorf("ingest: %d workers", o.Workers)
	}
	return nil
}

// Plan looks at the inputs and returns the run, not yet known to anyone. Files
// are in the order of their URLs, each once, whatever the order of the inputs.
// The error names every file that is missing or cannot be read, up to a thousand.
func Plan(ctx context.Context, client *blob.Client, opt Options) (*schemas.Run, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	objects, err := client.Expand(ctx, opt.Inputs, blob.ExpandOptions{Base: opt.Base, ListMayLeave: opt.ListMayLeave})
	var missing blob.MissingError
	if lacks := (*blob.MissingError)(nil); errors.As(err, &lacks) {
		missing = *lacks
	} else if err != nil {
		return nil, fmt.Errorf("ingest: %w", err)
	}
	looks, err := lookAll(ctx, client, objects, opt.Trust)
	if err != nil {
		return nil, err
	}
	if !opt.KeepGoing {
		if err := refusal(missing.Missing, looks); err != nil {
			return nil, err
		}
	}
	objects, looks = withMissing(objects, looks, missing.Missing)
	run := &schemas.Run{
		Version: schemas.Version, ID: opt.Run, Created: time.Now().UTC().Truncate(time.Second),
		Recipe: opt.Recipe, Hash: opt.Recipe.Digest(), Out: opt.Out,
		Phases: []schemas.Phase{schemas.PhaseExtract}, State: schemas.RunPlanned, Lease: opt.Lease,
		Files: make([]schemas.File, len(objects)),
	}
	if opt.Recipe.Learn != nil {
		run.Phases = []schemas.Phase{schemas.PhaseScan, schemas.PhaseLearn, schemas.PhaseExtract}
	}
	run.Phase = run.Phases[0]
	run.ItemMax = itemBytes(opt, objects, looks)
	urls := make([]string, len(objects))
	for i, o := range objects {
		urls[i] = o.URL
	}
	for i, name := range names(urls) {
		if name != schemas.FileNames(urls[i])[0] {
			run.Files[i].Name = name
		}
	}
	for i, o := range objects {
		f := schemas.File{Name: run.Files[i].Name, URL: o.URL, Size: o.Size, Identity: o.Identity, Split: looks[i].split && o.Ranges, Items: 1}
		switch {
		case looks[i].refused != "":
			f.Refused, f.Items = looks[i].refused, 0
		case f.Split:
			f.Items = int(max(1, f.Size/run.ItemMax)) // items are between one and two of these long
		}
		if full, ok := client.Granted(o.URL); ok {
			f.Private = true
			grant(run, o.URL, full)
		}
		run.Files[i] = f
		run.Sealed.Files++
		run.Sealed.Items += f.Items
		run.Sealed.Bytes += f.Size
	}
	if full, ok := client.Granted(opt.Recipe.Gold); ok {
		grant(run, opt.Recipe.Gold, full)
	}
	if opt.Recipe.Learn != nil {
		run.LearnItems = min(max(run.Sealed.Items, 1), learnItems)
	}
	return run, nil
}

// grant notes what a URL of the run is fetched with.
func grant(run *schemas.Run, public, full string) {
	if run.Access == nil {
		run.Access = map[string]string{}
	}
	run.Access[public] = full
}

// withMissing adds the inputs that are missing to those that are there, so that
// they are in the plan as refused. A name that was found by another input is there.
func withMissing(objects []blob.Object, looks []look, missing []blob.Missing) ([]blob.Object, []look) {
	if len(missing) == 0 {
		return objects, looks
	}
	byURL := make(map[string]look, len(objects))
	for i, o := range objects {
		byURL[o.URL] = looks[i]
	}
	for _, m := range missing {
		if _, there := byURL[m.URL]; there {
			continue
		}
		l := look{refused: "unreadable", err: m.Err}
		if errors.Is(m.Err, blob.ErrNotFound) {
			l.refused = "missing"
		}
		objects = append(objects, blob.Object{URL: m.URL})
		byURL[m.URL] = l
	}
	slices.SortFunc(objects, func(a, b blob.Object) int { return cmp.Compare(a.URL, b.URL) })
	looks = make([]look, len(objects))
	for i, o := range objects {
		looks[i] = byURL[o.URL]
	}
	return objects, looks
}

// itemBytes is the size of the run's items.
func itemBytes(opt Options, objects []blob.Object, looks []look) int64 {
	if opt.ItemBytes > 0 {
		return opt.ItemBytes
	}
	if opt.Workers == 0 {
		return DefaultItemBytes
	}
	var total int64
	for i, o := range objects {
		if looks[i].refused == "" {
			total += o.Size
		}
	}
	return min(max(total/int64(opt.Workers*itemsPerWorker), minItemBytes), DefaultItemBytes)
}

// look is what the first bytes of a file say.
type look struct {
	split   bool
	refused string // reason, for the table
	err     error  // the same for people
}

func lookAll(ctx context.Context, client *blob.Client, objects []blob.Object, trust bool) ([]look, error) {
	looks := make([]look, len(objects))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(16, 2*runtime.GOMAXPROCS(0))) // it is the network that is waited for
	for i, o := range objects {
		if trust {
			looks[i].split = splitByName(o.URL)
			continue
		}
		g.Go(func() error {
			looks[i] = lookAt(ctx, client, o)
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("ingest: %w", err)
	}
	return looks, nil
}

func lookAt(ctx context.Context, client *blob.Client, o blob.Object) look {
	src, err := client.Open(ctx, o)
	if err != nil {
		return look{refused: "unreadable", err: err}
	}
	defer src.Close()
	format, err := warc.Probe(src)
	switch {
	case errors.Is(err, warc.ErrNotWARC):
		return look{refused: "not-warc", err: fmt.Errorf("%s: %w", o.URL, err)}
	case err != nil:
		return look{refused: "unreadable", err: fmt.Errorf("%s: %w", o.URL, err)}
	}
	return look{split: format.Splittable()}
}

// splitByName guesses what lookAt would have seen. Cutting what cannot be cut
// costs time, never a record: the first item then does all the work.
func splitByName(url string) bool {
	for _, end := range []string{".zst", ".zstd", ".bz2"} {
		if strings.HasSuffix(url, end) {
			return false
		}
	}
	return true
}

// refusal is one error for all files that are missing, in the order of the inputs,
// and that cannot be read, in the order of their URLs; nil if there is none.
func refusal(missing []blob.Missing, looks []look) error {
	const show = 1000
	var bad []error
	for _, m := range missing {
		bad = append(bad, m.Err)
	}
	for i := range looks {
		if looks[i].err != nil {
			bad = append(bad, looks[i].err)
		}
	}
	n := len(bad)
	if n == 0 {
		return nil
	}
	if n > show {
		bad = append(bad[:show], fmt.Errorf("and %d more", n-show))
	}
	return &RefusedError{Files: n, Of: len(missing) + len(looks), err: errors.Join(bad...)}
}

// RefusedError says that some inputs cannot be read, and which.
type RefusedError struct {
	Files, Of int
	err       error
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("ingest: %d of %d input files are missing or cannot be read:\n%v", e.Files, e.Of, e.err)
}

func (e *RefusedError) Unwrap() error { return e.err }
