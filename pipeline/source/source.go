// Package source reads pages and their gold from inputs of all formats; every program
// reads its input with it. A Source reads one input, or a byte range of one, and reports
// step by step what it finds:
//
//	for {
//		step, err := src.Next() // io.EOF at the end
//		switch step {
//		case source.Candidate: // src.Record may be a page: Decode it, or leave it out
//		case source.Ready:     // src.Page is a page, with its gold if it has any
//		case source.Failed:    // src.Failure costs one record, and reading goes on
//		}
//	}
//
// The caller decides what happens between the steps, so a crash journal, a sample of the
// records or a count of the bytes read needs no callback. Only copies of the records that an
// index names do (Options.Named), because most of these records do not become steps. A caller that wants only the
// pages ranges over Pages.
//
// # Gold
//
// A page becomes Ready when the record after it is known, because that may be its gold.
// Every program attaches gold to a page by the same rule: the gold is the very next
// record, it names the page in WARC-Concurrent-To if it names any record, it is
// undamaged, and it can be decoded. Gold that breaks the rule is a Failure and has no
// other effect. If the first record after the end of a range is gold, it is read together
// with the page before it, and the range that begins with that gold skips it.
//
// # Formats
//
// The list formats holds all formats in which pages may be stored. A Format recognises
// its files by their names or by their bytes, and yields their pages. A run reads the
// formats that have records. Find returns the files to which inputs lead: files that are
// named, archives in a WACZ collection, or files of which an index chooses records. Open
// opens one of these files, and a WARC reads ranges of it. Single pages (NewHTML) and
// gold test packages (Package) have no ranges: a run packs them first (package pack), and
// the command line reads them directly. ReadTree says what a folder on a disk holds. FormatOf returns the format of
// an input, and Inputs yields the input's pages.
//
// A source belongs to one goroutine. It uses its buffers again: what Record, Page and
// Failure return is valid until the next call of Next.
//
// This package is internal to Winnow and may change in any release.
package source

import (
	"io"

	"github.com/winnow/winnow/pipeline/source/payload"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// Step is the kind of thing that Next found.
type Step uint8

const (
	Candidate Step = iota + 1 // a record that may be a page and is not decoded yet
	Ready                     // a page, its gold attached if it has any
	Failed                    // a record that should be a page or gold but cannot be used as one
)

// Source reads the pages of one input in their order.
type Source interface {
	// Next moves to the next step. The error is io.EOF at the end of the input. Any other
	// error ends the reading as well. Damage in the input is not an error.
	Next() (Step, error)

	// Record returns the record of the step Candidate. Its URL and id are valid for a row
	// of a table: UTF-8 of at most MaxURL characters. Formats without records set only the
	// fields that they have values for.
	Record() *warc.Record

	// Decode decodes the record of the step Candidate. If the outcome is a page, the step
	// Ready follows. A panic of the decoder is returned as an error, and costs the record.
	Decode() (payload.Document, error)

	// Page returns the page of the step Ready.
	Page() *Page

	// Ahead returns, at the step Ready, the URL of the next candidate if it is known. The
	// caller may fetch what that page needs while it processes the current one.
	Ahead() string

	// Failure returns the failure of the step Failed. Its run and attempts are not set, and
	// its offset is -1 in formats that have none. Its file is set only if the input consists
	// of several files, to the name of one of them.
	Failure() *schemas.Failure

	// Account returns the counts of the input. It is final after io.EOF.
	Account() Account
}

// Account holds counts and defects of what a source has read.
type Account struct {
	warc.Summary // counts of archives; zero for other formats

	// NotPages counts records that were read and are not pages, by their kind: "gold", or
	// the reason that package payload gives.
	NotPages map[string]int64

	// DamagedLate holds, in ascending order, the offsets of compressed units whose checksum
	// failed after pages in them had been Ready without warc.FlagUnverified. It has at
	// most schemas.MaxUnverified entries.
	DamagedLate []int64
}

func (a *Account) notPage(reason string) {
	if a.NotPages == nil {
		a.NotPages = make(map[string]int64)
	}
	a.NotPages[reason]++
}

// Options describe how an input is read. They decide which records are pages, so they belong
// to the recipe of a run.
type Options struct {
	Name     string      // name of the file, as in Page.File
	Format   warc.Format // format of the file, if it is known
	MaxBlock int64       // bytes of a record; see warc.Options
	MaxUnit  int64       // bytes that a compressed unit may inflate to; see warc.Options
	// Conversions means that conversion records of HTML are pages. By default they are not,
	// because they hold what another program made of a page.
	Conversions bool
	// Named, if it is set, is called for each record that an index names and that is where it
	// says. An error ends the reading.
	Named   func(*NamedRecord) error
	Payload payload.Options
}

// NamedRecord is a record that an index names. It is valid during the call of Options.Named.
type NamedRecord struct {
	*warc.Record
	Raw   io.Reader       // its bytes in the file
	Index []payload.Field // see Page.Index
}

// OptionsOf returns the options of a recipe for one file.
func OptionsOf(r *schemas.Recipe, file string) Options {
	return Options{
		Name: file, MaxBlock: r.Limits.BlockBytes, MaxUnit: r.Limits.UnitBytes, Conversions: r.Conversions,
		Payload: payload.Options{MaxPayload: int(r.Limits.PayloadBytes), Statuses: r.Statuses},
	}
}

// Failure is the error by which Pages reports a record that cannot be a page, or gold that
// cannot be attached. It does not end the sequence; the next page follows.
type Failure struct {
	Where string // the file, and the offset of the record if the file has several
	schemas.Failure
}

// Why returns the reason, with its details if there are any.
func (e *Failure) Why() string {
	if e.Detail == "" {
		return e.Reason
	}
	return e.Reason + ": " + e.Detail
}

func (e *Failure) Error() string { return e.Where + ": " + e.Why() }
