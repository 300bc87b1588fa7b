// Package source is the one way by which pages and their gold come in. A Source reads
// one input, or a byte range of one, and says step by step what it finds:
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
// The caller decides what happens between the steps, so a crash journal, a sample of
// the records or a count of the bytes read needs no callback. Whoever wants nothing but
// the pages ranges over Pages.
//
// # Gold
//
// A page becomes Ready when the record behind it is known, because that may be its
// gold. Gold is attached to a page by one rule, in every program: it is the very next
// record, it names the page in WARC-Concurrent-To if it names any record, it is
// undamaged, and it can be decoded. Gold that breaks the rule is a Failure of its own
// and costs nothing else. If the record behind the end of a range is gold it is read
// together with the page before it; the range that begins with gold passes over it.
//
// # Formats
//
// The ways in which pages are stored are the list formats: a Format tells its files by
// name or by their bytes, and yields their pages. A run reads those with records, wherever
// their files are: Find returns the files that inputs lead to, whether by a name, as parts
// of a WACZ collection, or by an index that chooses records of them; Open opens one of
// them, and a Reader reads ranges of it. The command line also reads a page by itself
// (NewHTML) and gold test packages (Package): FormatOf says of a name which format it is,
// and Inputs yields the pages behind it.
//
// A source belongs to one goroutine. It uses its buffers again: what Record, Page and
// Failure return is valid until the next call of Next.
package source

import (
	"github.com/winnow/winnow/pipeline/payload"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// Step says what Next found.
type Step uint8

const (
	Candidate Step = iota + 1 // a record that may be a page and is not decoded yet
	Ready                     // a page, its gold attached if it has any
	Failed                    // a record that was to be a page or gold and cannot be
)

// Source reads the pages of one input in their order.
type Source interface {
	// Next goes on to the next step. The error is io.EOF at the end of the input, and
	// otherwise one that ends the reading; damage in the input is none.
	Next() (Step, error)

	// Record is the record of the step Candidate. Its URL and id are fit for a row of a
	// table: valid UTF-8 of at most MaxURL bytes. Formats without records fill in what
	// they have.
	Record() *warc.Record

	// Decode decodes the record of the step Candidate. If the outcome is a page, the step
	// Ready follows. A panic of the decoder is returned as an error, and costs the record.
	Decode() (payload.Document, error)

	// Page is the page of the step Ready.
	Page() *Page

	// Ahead is the URL of the next candidate at the step Ready, as far as it is known:
	// what that page needs may be fetched while the present one is worked on.
	Ahead() string

	// Failure is what happened at the step Failed; run, file and attempts are not set. Its
	// offset is -1 in formats that have none.
	Failure() *schemas.Failure

	// Account is final after io.EOF.
	Account() Account
}

// Account is what a source read beside its pages.
type Account struct {
	warc.Summary // of archives; zero for others

	// NotPages counts records that were read and are no pages, by what they are: "gold",
	// or the reason of payload.
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

// Options say how an input is read. They decide which records are pages, so they belong
// to the recipe of a run.
type Options struct {
	Name     string      // of the file, as Page.File gives it
	Format   warc.Format // if it is known
	MaxBlock int64       // bytes of a record; see warc.Options
	MaxUnit  int64       // bytes that a compressed unit may inflate to; see warc.Options
	// Conversions makes pages of conversion records of HTML. They hold what another program
	// made of a page, so without this they are none.
	Conversions bool
	Payload     payload.Options
}

// OptionsOf are the options that a recipe asks for, for one file.
func OptionsOf(r *schemas.Recipe, file string) Options {
	return Options{
		Name: file, MaxBlock: r.Limits.BlockBytes, MaxUnit: r.Limits.UnitBytes, Conversions: r.Conversions,
		Payload: payload.Options{MaxPayload: int(r.Limits.PayloadBytes), Statuses: r.Statuses},
	}
}

// Failure is the error by which Pages reports a record that cannot be a page, or gold
// that cannot be attached. It ends nothing: the next page follows.
type Failure struct {
	Where string // the file, and the offset of the record if the file has several
	schemas.Failure
}

// Why is the reason, with its details if there are any.
func (e *Failure) Why() string {
	if e.Detail == "" {
		return e.Reason
	}
	return e.Reason + ": " + e.Detail
}

func (e *Failure) Error() string { return e.Where + ": " + e.Why() }
