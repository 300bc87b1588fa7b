package warc

import "strconv"

// Severity is the loss that a defect caused.
type Severity uint8

const (
	Note    Severity = iota // an oddity; all data used
	Damaged                 // the record is used, but it is cut or guessed
	Lost                    // bytes skipped
)

var severityNames = [...]string{"note", "damaged", "lost"}

// String returns the severity's lower-case name.
func (s Severity) String() string { return severityNames[min(int(s), len(severityNames)-1)] }

// Code is the stable name of a kind of defect.
type Code string

// The codes of the defects of containers and records.
const (
	NameMismatch       Code = "name-mismatch"       // the file name promises another container
	UnknownContainer   Code = "unknown-container"   // no record begins in the first MiB
	SingleMember       Code = "single-member"       // the whole file is one gzip member
	MemberMisaligned   Code = "member-misaligned"   // unit and record boundaries disagree
	Padding            Code = "padding"             // zero bytes or line ends between units
	Gap                Code = "gap"                 // bytes that belong to no unit, or content to no record
	MixedContainer     Code = "mixed-container"     // plain and compressed units in one file
	UnitTruncated      Code = "unit-truncated"      // the file ends within a unit
	UnitCorrupt        Code = "unit-corrupt"        // the unit does not decode, or its checksum is wrong
	UnitOverLimit      Code = "unit-over-limit"     // the unit inflates beyond Options.MaxUnit
	ZstdNonconforming  Code = "zstd-nonconforming"  // an oddity of a zstd file
	ZstdLimit          Code = "zstd-limit"          // window or dictionary beyond what is allowed
	HeaderTooBig       Code = "header-too-big"      // WARC header beyond Options.MaxHeader
	BlockOverLimit     Code = "block-over-limit"    // block beyond Options.MaxBlock; its beginning is kept
	VersionUnknown     Code = "version-unknown"     // a version other than 0.17, 0.18, 1.0, 1.1
	VersionCase        Code = "version-case"        // "warc/1.0"
	EOLOdd             Code = "eol-odd"             // line ends other than CR LF
	LeadingBytes       Code = "leading-bytes"       // BOM or line ends before the first record
	TrailerOdd         Code = "trailer-odd"         // not two line ends after a block
	LengthLong         Code = "length-long"         // Content-Length reaches into the next record
	LengthShort        Code = "length-short"        // Content-Length ends before the block does
	LengthBad          Code = "length-bad"          // Content-Length missing or not a number
	Truncated          Code = "truncated"           // the block ends before its Content-Length
	HeaderCut          Code = "header-cut"          // no blank line ends the header
	Folded             Code = "folded"              // a header field continues in the next line
	FieldRepeated      Code = "field-repeated"      // a second value of a single field; the first counts
	FieldsOverLimit    Code = "fields-over-limit"   // more than Options.MaxFields fields
	HeaderLineBad      Code = "header-line-bad"     // a header line without a name or colon
	TypeMissing        Code = "type-missing"        // no WARC-Type
	URIBrackets        Code = "uri-brackets"        // WARC-Target-URI in angle brackets
	URIBad             Code = "uri-bad"             // WARC-Target-URI missing, relative or not a URI
	DateBad            Code = "date-bad"            // WARC-Date missing or not a date
	IDBad              Code = "id-bad"              // WARC-Record-ID missing
	TruncationDeclared Code = "truncation-declared" // WARC-Truncated
)

// Severity returns the severity of every defect with this code.
func (c Code) Severity() Severity {
	switch c {
	case UnknownContainer, Gap, ZstdLimit:
		return Lost
	case UnitTruncated, UnitCorrupt, UnitOverLimit, HeaderTooBig, BlockOverLimit,
		LengthLong, LengthShort, LengthBad, Truncated, HeaderCut:
		return Damaged
	}
	return Note
}

// Loses reports whether a defect means that data of the file are lost: bytes that belong to
// no record, or a record that the file ends in. A record that was cut at a limit of the
// reader is not lost data.
func (c Code) Loses() bool {
	switch c {
	case UnitTruncated, UnitCorrupt, UnitOverLimit, HeaderTooBig, HeaderCut, Truncated:
		return true
	}
	return c.Severity() == Lost
}

// Defect is one entry of the ledger.
type Defect struct {
	Code   Code
	Offset int64 // file offset; for a defect within a compressed unit, the offset of the unit
	Length int64 // number of bytes of the file concerned; 0 for a defect within a unit
	// Record is the address of the record concerned, if there is one.
	Record *Address
	Detail string // at most 200 bytes
}

const maxDetail = 200

// ledger holds the account of an item: bytes, records and defects.
type ledger struct {
	sum      Summary
	max      int   // defects kept
	counted  int64 // bytes before this offset have been counted
	reported int64 // defects of units before this offset are in the ledger
}

// bytes counts the bytes of the file up to an offset. Bytes that are read again after
// the reader has gone back are not counted twice.
func (l *ledger) bytes(to int64, gap bool) {
	n := to - l.counted
	if n <= 0 {
		return
	}
	l.counted = to
	if gap {
		l.sum.BytesGaps += n
	} else {
		l.sum.BytesUnits += n
	}
}

// unitDefect records a defect of a unit, unless the unit's defects were recorded
// before.
func (l *ledger) unitDefect(c Code, off, length int64, detail string) {
	if off < l.reported {
		return
	}
	l.defect(c, off, length, nil, detail)
}

// unverified lists a unit whose records were delivered before it turned out to
// be damaged.
func (l *ledger) unverified(offset int64) {
	if n := len(l.sum.Unverified); n == 0 || l.sum.Unverified[n-1] < offset {
		l.sum.Unverified = append(l.sum.Unverified, offset)
	}
}

func (l *ledger) defect(c Code, off, length int64, rec *Address, detail string) {
	l.sum.Defects[c]++
	if len(l.sum.Ledger) >= l.max {
		return
	}
	if len(detail) > maxDetail {
		detail = detail[:maxDetail]
	}
	d := Defect{Code: c, Offset: off, Length: length, Detail: detail}
	if rec != nil {
		a := *rec
		d.Record = &a
	}
	l.sum.Ledger = append(l.sum.Ledger, d)
}

// record counts a record and mixes it into the digest of the record list.
func (l *ledger) record(a Address, typ string, block int64, wanted bool) {
	l.sum.Records++
	key := countedType(typ)
	l.sum.ByType[key]++
	if !wanted {
		l.sum.Skipped[key]++
	}
	// FNV-1a gives the same result in every process. The digest need not resist attacks.
	h := l.sum.Digest
	for _, v := range [...]uint64{uint64(a.Offset), uint64(a.Ordinal), uint64(block)} {
		for range 8 {
			h = (h ^ v&0xff) * 1099511628211
			v >>= 8
		}
	}
	for i := 0; i < len(key); i++ {
		h = (h ^ uint64(key[i])) * 1099511628211
	}
	l.sum.Digest = h
}

const digestSeed = 14695981039346656037

// countedType returns the key under which a type is counted. The set of keys is
// closed, so that a file cannot fill the counters with arbitrary names.
func countedType(typ string) string {
	switch typ {
	case "":
		return TypeNone
	case TypeWarcinfo, TypeResponse, TypeResource, TypeRequest, TypeMetadata, TypeRevisit, TypeConversion, TypeContinuation:
		return typ
	}
	return TypeOther
}

func quote(b []byte) string { return strconv.QuoteToASCII(string(b[:min(len(b), 60)])) }
