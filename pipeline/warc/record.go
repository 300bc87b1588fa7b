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

	TypeNone  = "none"  // no WARC-Type, and none to be guessed
	TypeOther = "other" // a type that no standard knows
)

// Address says where a record is. It identifies the record; WARC-Record-ID does
// not, because writers forget and repeat it.
type Address struct {
	// Offset in the file of the unit that holds the record's version line. In
	// ordinary files the offset that a CDX index gives.
	Offset int64
	// Length in the file of the units the record fills; 0 if it shares a unit
	// with other records or the unit's end is not known yet.
	Length int64
	// Ordinal of the record within that unit, from 0.
	Ordinal int32
}

// String is the offset, followed by "#ordinal" where several records share a unit.
func (a Address) String() string {
	if a.Ordinal == 0 {
		return fmt.Sprintf("%d", a.Offset)
	}
	return fmt.Sprintf("%d#%d", a.Offset, a.Ordinal)
}

// Flags say what is special about a record.
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

// Names of the flags that are set, in a fixed order.
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
	TargetURI   string // as found, less one pair of angle brackets
	RecordID    string
	ContentType string
	Date        time.Time // zero if WARC-Date is missing or impossible; UTC
	Flags       Flags

	// Block is the record's block, at most Options.MaxBlock bytes of it.
	Block []byte
	// BlockSize is the size of the whole block in bytes, as far as it is present.
	BlockSize int64

	// Header holds all fields as they were found.
	Header *Header
}

// Kind is the type as it is counted: one of the types of the standard, TypeNone or
// TypeOther.
func (r *Record) Kind() string { return countedType(r.Type) }

// Field returns the first value of a field by its lower-case name, trimmed and
// unfolded, "" if there is none. A target URI comes without the angle brackets that
// some writers put around it.
func (r *Record) Field(name string) string {
	value := bytes.TrimSpace(r.Header.Get(name))
	if name == "warc-target-uri" {
		value, _ = bareURI(value)
		value = bytes.TrimSpace(value)
	}
	return string(value)
}

// Date forms of WARC/1.0 and 1.1: RFC 3339, and prefixes of it. Fractions of a
// second are accepted wherever there are seconds.
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

// parseDate returns the zero time for what is not a date.
func parseDate(s string) time.Time {
	for _, form := range dateForms {
		if t, err := time.Parse(form, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
