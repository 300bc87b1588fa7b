// Package doctor examines archives for damage, and saves the records that are whole.
//
//	found, err := doctor.Examine(ctx, file, "crawl.warc.gz")
//	n, err := doctor.Salvage(ctx, file, "crawl.warc.gz", found, out)
//
// Both read the whole file with the reader that runs use, so what it says is what a run
// would find. They need two passes, because the checksum of a compressed unit comes after
// its records.
package doctor

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/winnow/winnow/pipeline/source/pack"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/pipeline/warc/write"
)

// Finding is what is known about an archive after all of it was read.
type Finding struct {
	Name    string           `json:"name"`
	Format  string           `json:"format"`
	Bytes   int64            `json:"bytes"`
	Records int64            `json:"records"`
	ByType  map[string]int64 `json:"by_type,omitempty"`
	Whole   int64            `json:"whole"` // records that can be saved
	Lost    int64            `json:"lost"`  // bytes that no record was read from
	Damage  []Damage         `json:"damage,omitempty"`
	Further int64            `json:"further,omitempty"` // defects beyond those in Damage

	unverified []int64 // offsets of units whose checksum is wrong
}

// Damage is one defect of an archive.
type Damage struct {
	Offset   int64  `json:"offset"`
	Length   int64  `json:"length"` // bytes of the file; 0 for a defect inside of a compressed unit
	Code     string `json:"code"`
	Severity string `json:"severity"` // note, damaged or lost
	Detail   string `json:"detail,omitempty"`
}

// Sound reports whether nothing is damaged or lost.
func (f *Finding) Sound() bool {
	return f.Further == 0 && !slices.ContainsFunc(f.Damage, func(d Damage) bool { return d.Severity != warc.Note.String() })
}

// maxDefects bounds the defects that are listed.
const maxDefects = 10_000

// Examine reads an archive. The error is that of ctx or of the source, or warc.ErrNotWARC.
func Examine(ctx context.Context, src warc.Source, name string) (*Finding, error) {
	format, err := warc.Probe(src)
	if err != nil {
		return nil, fmt.Errorf("doctor: examine %s: %w", name, err)
	}
	f := &Finding{Name: name, Format: format.String(), Bytes: src.Size()}
	whole := map[int64]int64{} // records that seem to be whole, by the offset of their unit
	sum, err := each(ctx, src, name, func(rec *warc.Record) error {
		if isWhole(rec) {
			whole[rec.Offset]++
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("doctor: examine %s: %w", name, err)
	}
	f.Records, f.ByType, f.unverified = sum.Records, sum.ByType, slices.Clone(sum.Unverified)
	for _, at := range f.unverified {
		delete(whole, at)
	}
	for _, n := range whole {
		f.Whole += n
	}
	for _, n := range sum.Defects {
		f.Further += n
	}
	for _, d := range sum.Ledger {
		f.Further--
		if d.Code.Loses() {
			f.Lost += d.Length
		}
		f.Damage = append(f.Damage, Damage{d.Offset, d.Length, string(d.Code), d.Code.Severity().String(), d.Detail})
	}
	return f, nil
}

// isWhole reports whether all of a record was read, and nothing contradicts it.
func isWhole(rec *warc.Record) bool {
	const partial = warc.FlagTruncated | warc.FlagOverLimit | warc.FlagUnverified | warc.FlagLength
	return rec.Type != "" && rec.Flags&partial == 0
}

// each calls do for every record of an archive.
func each(ctx context.Context, src warc.Source, name string, do func(*warc.Record) error) (warc.Summary, error) {
	r, err := warc.Open(src, 0, src.Size(), -1, warc.Options{Name: name, MaxDefects: maxDefects})
	if err != nil {
		return warc.Summary{}, err
	}
	for {
		var rec warc.Record
		err := r.Next(&rec)
		if err == io.EOF {
			return r.Summary(), nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = do(&rec)
		}
		if err != nil {
			return warc.Summary{}, err
		}
	}
}

// Salvage writes the whole records of an archive that was examined, as WARC records with a
// gzip member each, and returns their number. Of the fields of a record, those of the WARC
// standard and all others whose names begin with WARC- are kept, except for values that
// cannot be written, such as one with control characters. An id that is missing is made
// from the location, and a missing date is the beginning of 1970. A second reader
// must find every record.
func Salvage(ctx context.Context, src warc.Source, name string, f *Finding, out io.Writer) (int64, error) {
	second := pack.NewCheck()
	defer second.Stop()
	w := write.NewWriter(io.MultiWriter(out, second))
	byType := map[string]int64{}
	var n int64
	_, err := each(ctx, src, name, func(rec *warc.Record) error {
		if !isWhole(rec) || slices.Contains(f.unverified, rec.Offset) {
			return nil
		}
		n++
		byType[rec.Type]++
		return w.Write(recordOf(rec, name))
	})
	if err == nil {
		err = second.Confirm(byType[warc.TypeResponse])
	}
	if err != nil {
		return 0, fmt.Errorf("doctor: salvage %s: %w", name, err)
	}
	return n, nil
}

// own are the fields that the writer writes itself.
var own = []string{"warc-type", "warc-record-id", "warc-date", "warc-target-uri", "content-type", "content-length", "warc-block-digest"}

func recordOf(rec *warc.Record, name string) *write.Record {
	out := &write.Record{Type: rec.Type, ID: strings.Trim(rec.RecordID, "<> "), Date: rec.Date, TargetURI: write.EscapeURI(rec.TargetURI), Block: rec.Block}
	if !printable(out.ID) || out.ID == "" {
		out.ID = write.ID("salvaged", name, rec.Address.String())
	}
	if out.Date.IsZero() {
		out.Date = time.Unix(0, 0)
	}
	if printable(rec.ContentType) {
		out.ContentType = rec.ContentType
	}
	for _, field := range rec.Header.Fields {
		name, value := string(field.Name), string(field.Value)
		if !slices.Contains(own, strings.ToLower(name)) && isToken(name) && printable(value) && strings.HasPrefix(strings.ToLower(name), "warc-") {
			out.Fields = append(out.Fields, write.Field{Name: name, Value: value})
		}
	}
	return out
}

// printable reports whether a text has no control characters, which a header cannot hold.
func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// isToken reports whether a text may be the name of a field.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}
