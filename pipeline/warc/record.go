package warc

import (
	"bytes"
	"fmt"
	"time"
)

// Record types of the standard, and the two keys under which all else is counted.
const (
	TypeWarcinfo     = "warcinfo"
	TypeResponse     = "response"
	TypeResource     = "resource"
	TypeRequest      = "request"
	TypeMetadata     = "metadata"
	TypeRevisit      = "revisit"
	TypeConversion   = "conversion"
	TypeContinuation = "continuation"

	TypeNone  = "none"  // WARC-Type is missing and cannot be guessed
	TypeOther = "other" // a type that is in no version of the standard
)

// Address is the location of a record in its file. It identifies the record.
// WARC-Record-ID does not, because some writers omit it or use it twice.
type Address struct {
	// Offset is the file offset of the unit that holds the record's version line. In
	// ordinary files it is the offset that a CDX index gives.
	Offset int64
	// Length is the length in the file of the units that the record fills. It is 0 if
	// the record shares a unit with other records or if the unit's end is not known yet.
	Length int64
	// Ordinal is the number of the record within that unit, from 0.
	Ordinal int32
}

// String returns the offset, followed by "#ordinal" if the ordinal is not 0.
func (a Address) String() string {
	if a.Ordinal == 0 {
		return fmt.Sprintf("%d", a.Offset)
	}
	return fmt.Sprintf("%d#%d", a.Offset, a.Ordinal)
}

// Flags are a set of the peculiarities of a record.
type Flags uint16

const (
	FlagTruncated    Flags = 1 << iota // the block ends early: damage, or the end of the file
	FlagDeclaredCut                    // WARC-Truncated: the crawler stopped early
	FlagLength                         // Content-Length was missing or wrong; the block was found otherwise
	FlagHeaderCut                      // the header does not end; there is no block
	FlagHeaderTooBig                   // the header is beyond its limit; there is no block
	FlagOverLimit                      // the block is beyond its limit; Block is its beginning
	FlagUnverified                     // the unit is damaged or its checksum is wrong
	FlagAfterResync                    // found within the extent of a damaged unit: perhaps a record within a record
	FlagSegmented                      // one segment of a record; segments are not joined
)

var flagNames = [...]string{"truncated", "declared-cut", "length", "header-cut", "header-too-big",
	"over-limit", "unverified", "after-resync", "segmented"}

// Names returns the names of the flags that are set, in a fixed order.
func (f Flags) Names() []string {
	var names []string
	for i, name := range flagNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Record is one wanted record. Everything in it is valid until the next call of
// the reader's Next or Follow.
type Record struct {
	Address
	// Seq counts all records of the item from 0, wanted or not. The record that
	// follows another directly has the next number.
	Seq int64

	Type        string // lower case; guessed from the content type if missing; "" if unknown
	TargetURI   string // as found, without one pair of angle brackets around it
	RecordID    string
	ContentType string
	Date        time.Time // zero if WARC-Date is missing or impossible; UTC
	Flags       Flags

	// Block is the record's block, at most Options.MaxBlock bytes of it.
	Block []byte
	// BlockSize is the size in bytes of the part of the block that the file holds.
	BlockSize int64

	// Header holds all fields as they were found.
	Header *Header
}

// Kind returns the type under which the record is counted: one of the types of the
// standard, TypeNone or TypeOther.
func (r *Record) Kind() string { return countedType(r.Type) }

// Field returns the first value of the field with this lower-case name, trimmed and
// unfolded, or "" if there is none. A target URI is returned without the angle
// brackets that some writers put around it.
func (r *Record) Field(name string) string {
	value := bytes.TrimSpace(r.Header.Get(name))
	if name == "warc-target-uri" {
		value, _ = bareURI(value)
		value = bytes.TrimSpace(value)
	}
	return string(value)
}

// These are the date forms of WARC/1.0 and 1.1: RFC 3339 and its prefixes. Fractions
// of a second are accepted wherever there are seconds.
var dateForms = [...]string{
	time.RFC3339,
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15Z07:00",
	"2006-01-02T15:04:05", // without zone: taken as UTC
	"2006-01-02T15:04",
	"2006-01-02T15",
	"2006-01-02",
	"2006-01",
	"2006",
}

// parseDate returns the zero time if the value is not a date.
func parseDate(s string) time.Time {
	for _, form := range dateForms {
		if t, err := time.Parse(form, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
