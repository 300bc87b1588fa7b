package columnar

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// everyKind is a recipe whose facts have a column of each kind.
func everyKind() *schemas.Recipe {
	var columns []schemas.FactColumn
	for _, kind := range schemas.FactKinds {
		columns = append(columns, schemas.FactColumn{Name: "fact_" + kind, Kind: kind})
	}
	return &schemas.Recipe{Facts: []schemas.Fact{{Name: "a", Pages: columns[:4], Documents: columns[:2]}, {Name: "b", Pages: columns[4:], Documents: columns[2:]}}}
}

// known returns a value of each kind; odd ones have other values.
func known(odd bool) []schemas.Value {
	if odd {
		return []schemas.Value{{Known: true}, {Known: true, Number: math.MaxUint64}, {Known: true, Number: math.Float64bits(-0.25)},
			{Known: true, Text: "Ähre"}, {Known: true, Number: 1 << 63}, {Known: true}}
	}
	return []schemas.Value{{Known: true, Number: 1}, {Known: true, Number: 7}, {Known: true, Number: math.Float64bits(1.5)},
		{Known: true, Text: "grain"}, {Known: true, Number: 9}, {Known: true, Text: "\x01\x00\x00\x00\xff\xff\xff\xff"}}
}

// The columns of facts survive every way that a row takes: with values, with nulls, and
// with both, from row to row.
func TestFactsSurvive(t *testing.T) {
	r := everyKind()
	rows := documents(60)
	for i := range rows {
		switch i % 4 {
		case 0:
			rows[i].Facts = make([]schemas.Value, len(schemas.FactKinds))
		case 1:
			rows[i].Facts = known(false)
			rows[i].Facts[i%len(schemas.FactKinds)] = schemas.Value{}
		default:
			rows[i].Facts = known(i%4 == 2)
		}
	}
	roundTrip(t, DocumentsOf(r), rows)
	packTrip(t, DocumentsOf(r), rows)
	ofPages := pages(20)
	for i := range ofPages {
		ofPages[i].Facts = known(i%2 == 0)
	}
	roundTrip(t, PagesOf(r), ofPages)
	packTrip(t, PagesOf(r), ofPages)
	if got := rows[1].Facts[5].Ints(); !slices.Equal(got, []int32{1, -1}) {
		t.Errorf("a list reads as %v", got)
	}

	// A reader that knows no facts reads the rest.
	plain := decode(t, Documents, encode(t, DocumentsOf(r), rows, Size{}))
	for i := range rows {
		rows[i].Facts = nil
	}
	if !reflect.DeepEqual(plain, rows) {
		t.Error("a reader without facts reads other rows")
	}
	// A row without facts has nulls, and a number that is none is null.
	got := decode(t, DocumentsOf(r), encode(t, DocumentsOf(r), []schemas.Document{{}, {Facts: slices.Repeat([]schemas.Value{{Known: true, Number: math.Float64bits(math.NaN())}}, 6)}}, Size{}))
	if slices.ContainsFunc(got[0].Facts, func(v schemas.Value) bool { return v.Known }) || len(got[0].Facts) != 6 || got[1].Facts[2].Known || !math.IsNaN(got[1].Facts[2].Float()) {
		t.Errorf("%+v", got)
	}
}

// Another implementation of the format reads the columns of facts, and a run without
// facts has the same columns as before there were any.
func TestFactsOutside(t *testing.T) {
	type row struct {
		Bool  *bool    `parquet:"fact_bool"`
		Int   *int64   `parquet:"fact_int"`
		Float *float64 `parquet:"fact_float"`
		Text  *string  `parquet:"fact_text"`
	}
	got := outside[row](t, encode(t, PagesOf(everyKind()), []schemas.Page{{Facts: known(false)}, {}}, PartSize))
	if len(got) != 2 || got[0].Bool == nil || !*got[0].Bool || *got[0].Int != 7 || *got[0].Float != 1.5 || *got[0].Text != "grain" || got[1] != (row{}) {
		t.Errorf("%+v", got)
	}
	if PagesOf(&schemas.Recipe{}) != Pages {
		t.Error("a recipe without facts changes the table")
	}
}

// The cells of facts are shown as those of other columns.
func TestFactsAsCells(t *testing.T) {
	table := PagesOf(everyKind())
	row := table.Cells(&schemas.Page{Facts: known(false)})
	var got []string
	for _, c := range row[len(row)-6:] {
		got = append(got, c.Text+":"+strconv.FormatBool(c.Number))
	}
	if s := strings.Join(got, " "); s != "true:true 7:true 1.5:true grain:false 0000000000000009:false [1,-1]:false" {
		t.Error(s)
	}
}

// A whole number in a column of floating-point numbers is not shown as an integer.
func TestFloatsAsCells(t *testing.T) {
	for x, want := range map[float64]string{1: "1.0", 0: "0.0", -3: "-3.0", 0.25: "0.25", 1e21: "1e+21", 1e-9: "1e-09"} {
		row := Pages.Cells(&schemas.Page{Complexity: x})
		if got := row[slices.Index(Pages.Columns(), "complexity")]; got.Text != want || !got.Number {
			t.Errorf("%v is shown as %s", x, got.Text)
		}
	}
}

// FuzzUnpackFacts unpacks bytes that no row packed.
func FuzzUnpackFacts(f *testing.F) {
	table := DocumentsOf(everyKind())
	rows := documents(2)
	rows[0].Facts, rows[1].Facts = known(false), known(true)
	for i := range rows {
		f.Add(table.Pack(nil, &rows[i]))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var row, again schemas.Document
		if table.Unpack(b, &row) != nil {
			return
		}
		p := table.Pack(nil, &row)
		if err := table.Unpack(p, &again); err != nil || !bytes.Equal(table.Pack(nil, &again), p) {
			t.Errorf("%x: %v", p, err)
		}
	})
}
