package columnar

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/winnow/winnow/schemas"
)

// packTrip packs rows and unpacks them one after the other into the same row, as a sort
// does. It verifies that rows that are cut off, or followed by other bytes, are
// refused.
func packTrip[T any](t *testing.T, table *Table[T], rows []T) {
	t.Helper()
	var got T
	for i := range rows {
		b := table.Pack(nil, &rows[i])
		if err := table.Unpack(b, &got); err != nil || !reflect.DeepEqual(got, rows[i]) {
			t.Fatalf("%s, row %d: %v\n got %+v\nwant %+v", table.Name(), i, err, got, rows[i])
		}
		for n := range b {
			var torn T
			if err := table.Unpack(b[:n], &torn); !errors.Is(err, errPacked) {
				t.Fatalf("%s, row %d, %d of %d bytes: %v", table.Name(), i, n, len(b), err)
			}
		}
		if err := table.Unpack(append(b, 0), new(T)); !errors.Is(err, errPacked) {
			t.Fatalf("%s, row %d and a byte: %v", table.Name(), i, err)
		}
	}
}

// Every column of every table is restored. The rows have no field that is zero.
func TestPackedRowsComeBack(t *testing.T) {
	packTrip(t, Documents, append(documents(12), filled[schemas.Document](), schemas.Document{}))
	packTrip(t, Pages, []schemas.Page{filled[schemas.Page](), {}})
	packTrip(t, Scores, []schemas.ScoreRow{filled[schemas.ScoreRow](), {}})
	packTrip(t, Packages, []schemas.PackageRow{filled[schemas.PackageRow](), {}})
	packTrip(t, Speed, []schemas.SpeedRow{filled[schemas.SpeedRow](), {}})
	packTrip(t, Agreement, []schemas.AgreementRow{filled[schemas.AgreementRow](), {}})
	packTrip(t, TextsOf(&schemas.Recipe{}), []schemas.Text{filled[schemas.Text](), {}})
	packTrip(t, Duplicates, []schemas.Duplicate{filled[schemas.Duplicate](), {}})
	packTrip(t, Candidates, []schemas.Candidate{filled[schemas.Candidate](), {}})
	packTrip(t, Templates, []schemas.TemplateRow{filled[schemas.TemplateRow](), {}})
	packTrip(t, Failures, []schemas.Failure{filled[schemas.Failure](), {}})
}

// filled returns a row with a different value in every field.
func filled[T any]() (row T) {
	v := reflect.ValueOf(&row).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(fmt.Sprint("text ", i))
		case reflect.Int64, reflect.Int32:
			f.SetInt(int64(-1000 * (i + 1)))
		case reflect.Pointer: // refers to other rows and is not a column
		case reflect.Struct:
			if f.Type() == reflect.TypeFor[schemas.Percentiles]() {
				f.Set(reflect.ValueOf(schemas.Percentiles{P50: float64(i), P90: float64(i) + .25, P99: float64(i) + .5}))
				continue
			}
			f.Set(reflect.ValueOf(schemas.Stored{URL: "file:///a", Size: 7, Identity: "i", Within: schemas.Within{Offset: 3, Size: 9}}))
		case reflect.Int8: // a schemas.Truth
			f.SetInt(-1)
		case reflect.Uint64:
			f.SetUint(math.MaxUint64 - uint64(i))
		case reflect.Float64:
			f.SetFloat(1 / float64(i+3))
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Slice:
			if f.Type() == reflect.TypeFor[[]schemas.Value]() {
				continue // the columns of facts have a test of their own
			}
			if f.Type() == reflect.TypeFor[[]byte]() {
				f.SetBytes([]byte{0, 0xff, byte(i)})
				continue
			}
			f.Set(reflect.ValueOf([]int32{math.MinInt32, 0, math.MaxInt32}))
		default:
			panic("a field of kind " + f.Kind().String())
		}
	}
	return row
}

func TestPackedFractionsKeepTheirBits(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(-1), math.Copysign(0, -1), math.SmallestNonzeroFloat64} {
		var got schemas.Document
		if err := Documents.Unpack(Documents.Pack(nil, &schemas.Document{Coverage: x}), &got); err != nil || math.Float64bits(got.Coverage) != math.Float64bits(x) {
			t.Errorf("%v, %v; want %v", got.Coverage, err, x)
		}
	}
}

// Unpacked rows of a page share their strings, and their weight is the size of their
// strings and lists.
func TestUnpackLeavesEqualStrings(t *testing.T) {
	rows := documents(2) // documents of one page
	var row schemas.Document
	var urls [2]string
	for i := range rows {
		if err := Documents.Unpack(Documents.Pack(nil, &rows[i]), &row); err != nil {
			t.Fatal(err)
		}
		urls[i] = row.URL
	}
	if unsafe.StringData(urls[0]) != unsafe.StringData(urls[1]) {
		t.Error("an equal string was copied")
	}
	if got := Documents.Weight(&schemas.Document{URL: "12345", Spans: []int32{1, 2, 3}, Offset: 9}); got != 5+12 {
		t.Errorf("weight %d, want 17", got)
	}
}

func FuzzUnpack(f *testing.F) {
	for _, row := range documents(4) {
		f.Add(Documents.Pack(nil, &row))
	}
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		var row, again schemas.Document
		if Documents.Unpack(b, &row) != nil {
			return
		}
		p := Documents.Pack(nil, &row)
		if err := Documents.Unpack(p, &again); err != nil {
			t.Fatal(err)
		}
		if q := Documents.Pack(nil, &again); string(p) != string(q) {
			t.Errorf("%x became %x", p, q)
		}
	})
}
