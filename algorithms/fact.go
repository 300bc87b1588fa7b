package algorithms

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"

	"github.com/winnow/winnow/algorithms/page"
)

// Fact is something known of a page that no extractor decides: its language, its
// rights, the quality of its text. A fact of the page is found once on each page, and
// its columns are in the table of pages. A fact of the text is found in the text of each
// extractor, and its columns are in the table of documents. A Fact may be both. Like an
// Extractor it is a plain value.
type Fact struct {
	Description

	// Default says that the fact is found unless the user chooses otherwise: keepers of
	// crawls ask for it, and it costs little.
	Default bool

	Page *Finder // of the page; nil if there is nothing to find
	Text *Finder // of the text of an extractor; nil if there is nothing to find
}

// Finder finds the values of columns.
type Finder struct {
	Columns []Column
	// Find reads s and sets s.Out, which has a value for each column, in their order. All
	// of them are null when Find is called. An error is a defect of the fact: the columns
	// are then null, with a reason.
	Find func(s *Subject) error
	// Links says that Find also fills s.Links. Its first column is then the number of
	// links in it. At most one fact does this.
	Links bool
}

// Column describes one value of a fact.
type Column struct {
	Name string // of the column in the table: "noindex", "mean_word_length"
	Kind Kind
	Unit string // of numbers: "words", "share, 0 to 1"; "" for truth values, texts and hashes
	Doc  string // what the value says, in a sentence
	Null string // when the value is null: "the page states none"
}

// Kind is the type of a column's values.
type Kind string

const (
	KindBool  Kind = "bool"
	KindInt   Kind = "int"   // 64 bits, signed
	KindFloat Kind = "float" // NaN and infinities are null
	KindText  Kind = "text"
	KindHash  Kind = "hash" // 64 bits that are no quantity
	KindInts  Kind = "ints" // a list of 32-bit numbers, such as a MinHash signature
)

// Kinds are all kinds of columns.
var Kinds = []Kind{KindBool, KindInt, KindFloat, KindText, KindHash, KindInts}

// Subject is everything that a fact may read, and where it writes.
type Subject struct {
	// Pass holds the page with the features and the working memory that extractors and
	// facts share (Feature, Scratch). A fact does not change it otherwise.
	Pass    *Pass
	Headers []Header // fields of the HTTP response that say something about the page
	// Text is the text of the extractor, for facts of the text; nil for facts of the page.
	Text []byte
	// Main is what the first extractor of the run that selected something of the page
	// chose; nil if there is none, and for facts of the text. Extractors that failed or
	// were skipped are passed over, and so are wrapped libraries, whose text is found on
	// the page afterwards.
	Main *page.Selection

	Out   []Value
	Links *Links // see Finder.Links
}

// Header is a field of an HTTP response.
type Header struct{ Name, Value string } // Name is in lower case

// Value is one value of a fact. The zero Value is null.
type Value struct {
	Known  bool
	Number uint64 // the bits of a number, hash or truth value
	Text   string // the text; the numbers of a list, 4 bytes each, little-endian
}

// SetBool sets a value of KindBool.
func (v *Value) SetBool(b bool) {
	*v = Value{Known: true}
	if b {
		v.Number = 1
	}
}

// SetInt sets a value of KindInt.
func (v *Value) SetInt(n int64) { *v = Value{Known: true, Number: uint64(n)} }

// SetFloat sets a value of KindFloat. NaN and infinities leave it null.
func (v *Value) SetFloat(x float64) {
	*v = Value{Known: !math.IsNaN(x) && !math.IsInf(x, 0), Number: math.Float64bits(x)}
	if !v.Known {
		*v = Value{}
	}
}

// SetHash sets a value of KindHash.
func (v *Value) SetHash(h uint64) { *v = Value{Known: true, Number: h} }

// SetText sets a value of KindText. An empty text leaves it null.
func (v *Value) SetText(s string) { *v = Value{Known: s != "", Text: s} }

// SetInts sets a value of KindInts to a copy of list.
func (v *Value) SetInts(list []int32) {
	b := make([]byte, 0, 4*len(list))
	for _, n := range list {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	*v = Value{Known: true, Text: string(b)}
}

// Bool returns a value of KindBool, false if it is null.
func (v Value) Bool() bool { return v.Number != 0 }

// Int returns a value of KindInt, 0 if it is null.
func (v Value) Int() int64 { return int64(v.Number) }

// Float returns a value of KindFloat, NaN if it is null.
func (v Value) Float() float64 {
	if !v.Known {
		return math.NaN()
	}
	return math.Float64frombits(v.Number)
}

// Ints returns a value of KindInts, nil if it is null.
func (v Value) Ints() []int32 {
	if !v.Known {
		return nil
	}
	list := make([]int32, len(v.Text)/4)
	for i := range list {
		list[i] = int32(binary.LittleEndian.Uint32([]byte(v.Text[4*i : 4*i+4])))
	}
	return list
}

// Show returns a value of the given kind as text, "" if it is null.
func (v Value) Show(kind Kind) string {
	switch {
	case !v.Known:
		return ""
	case kind == KindBool:
		return strconv.FormatBool(v.Bool())
	case kind == KindInt:
		return strconv.FormatInt(v.Int(), 10)
	case kind == KindFloat:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case kind == KindHash:
		return fmt.Sprintf("%016x", v.Number)
	case kind == KindInts:
		return fmt.Sprint(v.Ints())
	}
	return v.Text
}

// columnName is what a column may be called, so that it needs no quotes in a query.
var columnName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// ValidateFacts checks that a list of facts is well formed, as Validate does for
// extractors and scorers. Two facts must not fill the same column of a table.
func ValidateFacts(facts []*Fact) error {
	var errs []error
	names, ofPage, ofText := map[string]bool{}, map[string]bool{}, map[string]bool{}
	linked := "" // the fact that fills the links
	for _, f := range facts {
		errs = append(errs, validateDescription("fact", &f.Description, names))
		if f.Page == nil && f.Text == nil {
			errs = append(errs, fmt.Errorf("algorithms: fact %s finds nothing", f.Name))
		}
		errs = append(errs, validateFinder(f.Name, f.Page, ofPage), validateFinder(f.Name, f.Text, ofText))
		if f.Text != nil && f.Text.Links {
			errs = append(errs, fmt.Errorf("algorithms: fact %s fills links from a text: links are of the page", f.Name))
		}
		if f.Page != nil && f.Page.Links {
			if linked != "" || f.Page.Columns[0].Kind != KindInt {
				errs = append(errs, fmt.Errorf("algorithms: fact %s fills links: no other fact may (%s), and its first column must count them", f.Name, linked))
			}
			linked = f.Name
		}
	}
	return errors.Join(errs...)
}

func validateFinder(fact string, f *Finder, seen map[string]bool) error {
	if f == nil {
		return nil
	}
	var errs []error
	bad := func(column, what string) {
		errs = append(errs, fmt.Errorf("algorithms: fact %s: column %q %s", fact, column, what))
	}
	if f.Find == nil || len(f.Columns) == 0 {
		errs = append(errs, fmt.Errorf("algorithms: fact %s has columns without a function that finds them, or none", fact))
	}
	for _, c := range f.Columns {
		if !columnName.MatchString(c.Name) {
			bad(c.Name, "is not a proper name")
		}
		if seen[c.Name] {
			bad(c.Name, "is filled twice")
		}
		seen[c.Name] = true
		number := false
		switch c.Kind {
		case KindInt, KindFloat, KindInts:
			number = true
		case KindBool, KindText, KindHash:
		default:
			bad(c.Name, fmt.Sprintf("has the unknown kind %q", c.Kind))
		}
		if number != (c.Unit != "") {
			bad(c.Name, "must have a unit if it holds numbers, and none otherwise")
		}
		if c.Doc == "" || c.Null == "" {
			bad(c.Name, "does not say what it means, or when it is null")
		}
	}
	return errors.Join(errs...)
}

// ChooseFacts picks from list by expr: names separated by commas, or "all", "none" and
// "default" for groups, as ChooseExtractors does. Facts have no settings.
func ChooseFacts(list []*Fact, expr string) ([]*Fact, error) {
	return choose(list, expr, "fact",
		func(f *Fact) string { return f.Name },
		map[string]func(*Fact) bool{
			"all":     func(*Fact) bool { return true },
			"none":    func(*Fact) bool { return false },
			"default": func(f *Fact) bool { return f.Default },
		},
		func(f *Fact, _ map[string]string) (*Fact, error) {
			return nil, fmt.Errorf("algorithms: fact %s has no settings", f.Name)
		})
}
