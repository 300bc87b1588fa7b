package estimate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/extract/process"
	"github.com/winnow/winnow/pipeline/local"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/schemas"
)

// Options describe how an estimate is made. Local.Blobs and Local.Extract are needed.
type Options struct {
	Local   local.Options // how the sample is processed: Local.Worker.Slots at once
	Bytes   int64         // most bytes of input in the sample; default DefaultBytes
	Workers int           // slots that the run will have; default Local.Worker.Slots
}

// DefaultBytes is the size of the sample: some hundred pages, which the default extractors
// take a second or two for.
const DefaultBytes = 8 << 20

// ranges is the number of ranges of a sample.
const ranges = 16

// Estimate is what a run may need. Pages, rows and bytes are rounded.
type Estimate struct {
	Pages       int64   `json:"pages"`
	Tables      []Table `json:"tables"`
	OutputBytes int64   `json:"output_bytes"` // size of all tables
	ReadBytes   int64   `json:"read_bytes"`   // bytes of input that are read, in all phases
	CoreHours   float64 `json:"core_hours"`   // CPU time of all stages
	// MemoryBytes is the largest resident memory of this process, which has the broker, a
	// worker with Sample.Slots slots, and the aggregator.
	MemoryBytes int64 `json:"memory_bytes"`
	// ChildBytes is what the child processes of these slots, which are extractors,
	// may have besides; 0 without such libraries.
	ChildBytes int64 `json:"child_bytes,omitempty"`

	Workers int     `json:"workers"`
	Hours   float64 `json:"hours"` // with these workers, each with a core of its own
	Sample  Sample  `json:"sample"`
}

// Table is the part of an output table that grows with the input.
type Table struct {
	Name  schemas.Table `json:"name"`
	Rows  int64         `json:"rows"`
	Bytes int64         `json:"bytes"`
}

// Sample is what was processed.
type Sample struct {
	Bytes      int64    `json:"bytes"` // bytes of input in the sample
	Share      float64  `json:"share"` // share of the bytes of the whole input
	Ranges     int      `json:"ranges"`
	Pages      int64    `json:"pages"`
	CPUSeconds float64  `json:"cpu_seconds"`
	Slots      int      `json:"slots"`
	Unsampled  []string `json:"unsampled,omitempty"` // files that are read as a whole, and do not fit
}

// Of makes an estimate of a planned run. Selections is where the tables of chosen records
// are (ingest.Options.Store). An error means that the sample cannot be processed. The
// estimate is nil if there is no input.
func Of(ctx context.Context, run *schemas.Run, selections blob.Store, opt Options) (e *Estimate, err error) {
	if opt.Bytes <= 0 {
		opt.Bytes = DefaultBytes
	}
	if run.Sealed.Bytes == 0 {
		return nil, nil
	}
	s := sampler{opt: &opt, run: run, selections: selections}
	if err := s.choose(ctx); err != nil {
		return nil, fmt.Errorf("estimate: %w", err)
	}
	if len(s.files) == 0 {
		return nil, fmt.Errorf("estimate: no record begins in the sample of %d bytes, and files that are read as a whole do not fit in it: choose a larger one", opt.Bytes)
	}
	// What is done once in the life of a process, such as loading models, is not part of
	// the measurement.
	if _, err := s.process(ctx, s.files[:1]); err != nil {
		return nil, fmt.Errorf("estimate: %w", err)
	}
	measured, err := s.process(ctx, s.files)
	if err != nil {
		return nil, fmt.Errorf("estimate: %w", err)
	}
	return s.scale(measured), nil
}

// result holds the costs and the tables of the run of a sample.
type result struct {
	manifest *schemas.Manifest
	cpu      time.Duration
	memory   int64
}

// process carries out a run of some of the sample in a temporary folder.
func (s *sampler) process(ctx context.Context, files []schemas.File) (r result, err error) {
	store, discard, err := s.opt.Local.Blobs.Scratch(ctx)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, discard()) }()
	if err := s.copySelections(ctx, store, files); err != nil {
		return r, err
	}
	run := *s.run
	run.ID, run.Out, run.Files = "sample", store.URL(), slices.Clone(files)
	run.Skipped, run.RetryOf, run.Sealed = nil, nil, schemas.Sealed{Files: len(files)}
	for i := range files {
		run.Sealed.Items += files[i].Items
		run.Sealed.Bytes += files[i].Length()
	}
	before, err := used()
	if err != nil {
		return r, err
	}
	if _, err := local.Execute(ctx, s.opt.Local, &run); err != nil {
		return r, err
	}
	after, err := used()
	if err != nil {
		return r, err
	}
	r.cpu, r.memory = after.cpu-before.cpu, after.memory
	r.manifest, err = manifest.Load(ctx, store)
	return r, err
}

// copySelections copies the tables of chosen records and of captures, which a run reads in its
// own folder.
func (s *sampler) copySelections(ctx context.Context, to blob.Store, files []schemas.File) error {
	var names []string
	if s.run.Captures != nil {
		names = append(names, s.run.Captures.Name)
	}
	for i := range files {
		if name := files[i].Selection.Table; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if err := blob.Transfer(ctx, s.selections, to, name); err != nil {
			return err
		}
	}
	return nil
}

// scale divides what the sample took by the share of the input that it represents.
func (s *sampler) scale(r result) *Estimate {
	opt, m := s.opt, r.manifest
	slots := max(1, opt.Local.Worker.Slots)
	e := &Estimate{Workers: opt.Workers, MemoryBytes: r.memory, ReadBytes: s.run.Sealed.Bytes}
	e.Sample = Sample{Bytes: m.Run.Sealed.Bytes, Ranges: len(m.Run.Files), Pages: m.Totals.Pages, CPUSeconds: r.cpu.Seconds(), Slots: slots, Unsampled: s.unsampled}
	e.Sample.Share = float64(e.Sample.Bytes) / float64(s.run.Sealed.Bytes)
	factor := float64(s.run.Sealed.Bytes) / float64(e.Sample.Bytes)
	times := func(n int64) int64 { return int64(float64(n)*factor + 0.5) }
	e.Pages, e.CoreHours = times(m.Totals.Pages), r.cpu.Hours()*factor
	if e.Workers <= 0 {
		e.Workers = slots
	}
	if s.run.Recipe.Learn != nil {
		e.ReadBytes *= 2 // the phase scan reads everything, too
	}
	programs := map[string]bool{}
	for _, m := range s.run.Recipe.Extractors {
		for name := range m.Commands {
			programs[name] = true
		}
	}
	e.ChildBytes = int64(slots*len(programs)) * process.DefaultMemory
	e.Tables = tablesOf(m)
	for i := range e.Tables {
		t := &e.Tables[i]
		t.Rows, t.Bytes = times(t.Rows), times(t.Bytes)
		e.OutputBytes += t.Bytes
	}
	e.Hours = e.CoreHours / float64(e.Workers)
	return e
}

// tablesOf adds up the files of the parts of a run by their table, in the order of
// schemas.PartTables.
func tablesOf(m *schemas.Manifest) (out []Table) {
	for _, name := range schemas.PartTables {
		t := Table{Name: name}
		for i := range m.Parts {
			for _, f := range m.Parts[i].Files {
				if f.Table == name {
					t.Rows += f.Rows
					t.Bytes += f.Bytes
				}
			}
		}
		if t.Bytes > 0 {
			out = append(out, t)
		}
	}
	return out
}
