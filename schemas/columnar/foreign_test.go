package columnar

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"

	"github.com/winnow/winnow/schemas"
)

// alien is a row of a table that another program writes: the kinds of columns that are read,
// and some that are not offered.
type alien struct {
	Name   string            `parquet:"name,optional"`
	Code   string            `parquet:"code,dict"`
	Short  int16             `parquet:"short,optional"`
	Whole  int32             `parquet:"whole"`
	Big    uint32            `parquet:"big"`
	Long   *int64            `parquet:"long,optional"`
	Ratio  float32           `parquet:"ratio"`
	Score  float64           `parquet:"score"`
	Fresh  bool              `parquet:"fresh,optional"`
	Taken  time.Time         `parquet:"taken,timestamp(millisecond)"`
	Spark  deprecated.Int96  `parquet:"spark"`
	Many   []int32           `parquet:"many,list"`
	Inner  struct{ X int32 } `parquet:"inner"`
	Amount int64             `parquet:"amount,decimal(2:18)"`
	Bytes  [16]byte          `parquet:"bytes,uuid"`
}

func aliens(n int) []alien {
	var rows []alien
	for i := range n {
		a := alien{Code: fmt.Sprint("c", i/10), Short: int16(i), Whole: int32(i - 5), Big: math.MaxUint32 - uint32(i), Ratio: float32(i) / 2, Score: float64(i) / 4,
			Fresh: i%2 == 0, Taken: time.UnixMilli(int64(i) * 1000), Spark: deprecated.Int96{uint32(i), 0, 2440588 + 365}, Many: []int32{1, 2}}
		if i%3 > 0 {
			a.Name = strings.Repeat("n", i%50)
			long := int64(i) << 33
			a.Long = &long
		}
		rows = append(rows, a)
	}
	return rows
}

func encodeAliens(t testing.TB, rows []alien, codec compress.Codec, group int64, page int) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := parquet.NewGenericWriter[alien](&buf, parquet.Compression(codec), parquet.DataPageVersion(page), parquet.MaxRowsPerRowGroup(group))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// counted counts the bytes that are read.
type counted struct {
	io.ReaderAt
	n int
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	c.n += len(p)
	return c.ReaderAt.ReadAt(p, off)
}

var alienColumns = []string{"name", "code", "short", "whole", "big", "long", "ratio", "score", "fresh", "taken", "spark"}

// foreignRows returns the values of all columns of all rows as text.
func foreignRows(t testing.TB, data []byte, names ...string) (lines []string, err error) {
	f, err := OpenForeign(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	kinds := map[string]string{}
	for _, c := range f.Columns() {
		kinds[c.Name] = c.Kind
	}
	names = slices.DeleteFunc(names, func(name string) bool { return kinds[name] == "" })
	if err := f.Read(names...); err != nil {
		return nil, err
	}
	for g := range f.Groups() {
		rows := f.Group(g)
		for rows.Next(t.Context()) {
			var line []string
			for i, name := range names {
				v := rows.Value(i)
				switch {
				case !v.Known:
					line = append(line, "null")
				case kinds[name] == schemas.FactText:
					line = append(line, v.Text)
				case kinds[name] == schemas.FactFloat:
					line = append(line, fmt.Sprint(v.Float()))
				case kinds[name] == schemas.FactBool:
					line = append(line, fmt.Sprint(v.Bool()))
				default:
					line = append(line, fmt.Sprint(v.Int()))
				}
			}
			lines = append(lines, strings.Join(line, " "))
		}
		if err := rows.Err(); err != nil {
			return lines, err
		}
	}
	return lines, nil
}

func TestForeignTable(t *testing.T) {
	rows := aliens(10_000)
	var want []string
	for i, a := range rows {
		name, long, short, fresh := a.Name, "null", fmt.Sprint(a.Short), "null"
		if name == "" {
			name = "null"
		}
		if a.Long != nil {
			long = fmt.Sprint(*a.Long)
		}
		if a.Short == 0 {
			short = "null"
		}
		if a.Fresh {
			fresh = "true"
		}
		want = append(want, fmt.Sprint(name, " ", a.Code, " ", short, " ", a.Whole, " ", a.Big, " ", long, " ", a.Ratio, " ", a.Score, " ", fresh, " ",
			time.Unix(int64(i), 0).UTC().Format(time.RFC3339), " 1971-01-01T00:00:00Z"))
	}
	for name, codec := range map[string]compress.Codec{"none": &parquet.Uncompressed, "snappy": &parquet.Snappy, "gzip": &parquet.Gzip, "zstd": &parquet.Zstd} {
		for _, group := range []int64{700, 1 << 20} {
			got, err := foreignRows(t, encodeAliens(t, rows, codec, group, 1), alienColumns...)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, groups of %d: %d rows, %v", name, group, len(got), err)
			}
		}
	}
	for _, c := range []struct {
		data []byte
		want string
	}{
		{encodeAliens(t, rows, &parquet.Brotli, 700, 1), "compressed by BROTLI, which is not read: write it with zstd, snappy or gzip"},
		{encodeAliens(t, rows, &parquet.Gzip, 700, 2), "data pages of version 2 are not read"},
	} {
		if _, err := foreignRows(t, c.data, "name"); !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	f, err := OpenForeign(bytes.NewReader(encodeAliens(t, rows, &parquet.Zstd, 700, 1)), int64(len(encodeAliens(t, rows, &parquet.Zstd, 700, 1))))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range f.Columns() {
		names = append(names, c.Name)
	}
	if !slices.Equal(names, alienColumns) {
		t.Errorf("columns %q", names)
	}
}

// Columns whose values are not asked for are not read, and the bounds of a row group are
// those of its rows.
func TestForeignTableReadsWhatIsAskedFor(t *testing.T) {
	rows := aliens(10_000)
	data := encodeAliens(t, rows, &parquet.Snappy, 1000, 1)
	in := &counted{ReaderAt: bytes.NewReader(data)}
	f, err := OpenForeign(in, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Read("whole", "name", "taken"); err != nil {
		t.Fatal(err)
	}
	in.n = 0
	for g := range f.Groups() {
		b, stated := f.Bounds(g, 0)
		if !stated || b.Nulls || b.Min.Int() != int64(g*1000-5) || b.Max.Int() != int64(g*1000+994) {
			t.Errorf("group %d: %+v, %v", g, b, stated)
		}
		if b, stated := f.Bounds(g, 1); !stated || !b.Nulls || b.Min.Text != "n" || b.Max.Text != strings.Repeat("n", 49) {
			t.Errorf("group %d: %+v, %v", g, b, stated)
		}
		if _, stated := f.Bounds(g, 2); stated {
			t.Error("a time has bounds")
		}
	}
	rowsOf := f.Group(3)
	for rowsOf.Next(t.Context()) {
	}
	if err := rowsOf.Err(); err != nil || in.n != 0 {
		t.Errorf("%d bytes were read, %v", in.n, err)
	}
	rowsOf = f.Group(3)
	for i := 3000; rowsOf.Next(t.Context()); i++ {
		if i == 3500 && rowsOf.Value(0).Int() != 3495 {
			t.Errorf("row %d: %d", i, rowsOf.Value(0).Int())
		}
	}
	if err := rowsOf.Err(); err != nil || in.n == 0 || in.n > len(data)/50 {
		t.Errorf("%d of %d bytes were read, %v", in.n, len(data), err)
	}
}

func TestDamageOfForeignTablesIsAnError(t *testing.T) {
	good := encodeAliens(t, aliens(300), &parquet.Gzip, 100, 1)
	r := rand.New(rand.NewPCG(1, 1))
	refused := 0
	for range 1500 {
		data := bytes.Clone(good)
		for range r.IntN(3) + 1 {
			data[r.IntN(len(data))] = byte(r.Uint32())
		}
		if _, err := foreignRows(t, data, alienColumns...); err != nil {
			if refused++; !errors.Is(err, ErrMalformed) {
				t.Fatalf("error of no class: %v", err)
			}
		}
	}
	if refused < 300 {
		t.Errorf("%d damaged files were refused", refused)
	}
	for n := range len(good) {
		if n%197 == 0 || n > len(good)-40 {
			if _, err := foreignRows(t, good[:n], alienColumns...); !errors.Is(err, ErrMalformed) {
				t.Fatalf("cut to %d of %d bytes: %v", n, len(good), err)
			}
		}
	}
}

func FuzzForeign(f *testing.F) {
	f.Add(encodeAliens(f, aliens(20), &parquet.Gzip, 7, 1))
	f.Fuzz(func(t *testing.T, data []byte) { foreignRows(t, data, alienColumns...) })
}
