// Package value has the values and the columns of facts: what a program that finds facts
// shares with those that write them. It imports nothing of Winnow, so that a program that
// only extracts text links no table.
//
// This package is internal to Winnow and may change in any release.
package value

import (
	"encoding/binary"
	"math"
)

// Value is a value of a fact in a row. The zero Value is null. A row has a value for
// every column of the recipe's facts, in their order.
type Value struct {
	Known  bool
	Number uint64 // the bits of a number, hash or truth value
	Text   string // the text; the numbers of a list, 4 bytes each, little-endian
}

// SetBool sets a truth value.
func (v *Value) SetBool(b bool) {
	*v = Value{Known: true}
	if b {
		v.Number = 1
	}
}

// SetInt sets a whole number.
func (v *Value) SetInt(n int64) { *v = Value{Known: true, Number: uint64(n)} }

// SetFloat sets a number. NaN and infinities make v null.
func (v *Value) SetFloat(x float64) {
	*v = Value{}
	if !math.IsNaN(x) && !math.IsInf(x, 0) {
		*v = Value{Known: true, Number: math.Float64bits(x)}
	}
}

// SetHash sets a hash of 64 bits.
func (v *Value) SetHash(h uint64) { *v = Value{Known: true, Number: h} }

// SetText sets a text. An empty text makes v null.
func (v *Value) SetText(s string) { *v = Value{Known: s != "", Text: s} }

// Bool returns a truth value, false if it is null.
func (v Value) Bool() bool { return v.Number != 0 }

// Int returns a whole number, 0 if it is null.
func (v Value) Int() int64 { return int64(v.Number) }

// Float returns a number, NaN if it is null.
func (v Value) Float() float64 {
	if !v.Known {
		return math.NaN()
	}
	return math.Float64frombits(v.Number)
}

// Ints returns a list of numbers, nil if it is null.
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

// Column is a column of a fact.
type Column struct {
	Name string `json:"name"` // name of the column in the table: "noindex", "mean_word_length"
	Kind string `json:"kind"` // one of those below

	// The description of the column in the reference of the tables. It decides nothing.
	Unit string `json:"-"` // unit of numbers: "words", "share, 0 to 1"; "" for truth values, texts and hashes
	Doc  string `json:"-"` // what the value means, in a sentence
	Null string `json:"-"` // when the value is null: "the page states none"
}

// The kinds of a column's values.
const (
	Bool  = "bool"
	Int   = "int"   // 64 bits, signed
	Float = "float" // NaN and infinities are null
	Text  = "text"
	Hash  = "hash" // 64 bits that are not a quantity
	Ints  = "ints" // a list of 32-bit numbers, such as a MinHash signature
)
