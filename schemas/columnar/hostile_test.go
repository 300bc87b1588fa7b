package columnar

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// read reads all rows of data, and returns their number and the error.
func read[T any](t testing.TB, table *Table[T], data []byte) (int, error) {
	r, err := NewReader(table, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return 0, err
	}
	n := 0
	for _, err := range r.All(t.Context()) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func TestDamageIsAnErrorNeverAPanic(t *testing.T) {
	good := encode(t, Documents, documents(60), Size{Rows: 20, Fast: true})
	r := rand.New(rand.NewPCG(1, 1))
	refused := 0
	const rounds = 1500
	for range rounds {
		data := bytes.Clone(good)
		for range r.IntN(3) + 1 {
			data[r.IntN(len(data))] = byte(r.Uint32())
		}
		if _, err := read(t, Documents, data); err != nil {
			refused++
			if !errors.Is(err, ErrMalformed) {
				t.Fatalf("error of no class: %v", err)
			}
		}
	}
	// Changed values may go unnoticed, which is why shards have checksums, but changes
	// of the structure may not.
	if refused < rounds/4 {
		t.Errorf("%d of %d damaged files were refused", refused, rounds)
	}
	for n := range len(good) {
		if n%97 == 0 || n > len(good)-40 {
			if _, err := read(t, Documents, good[:n]); !errors.Is(err, ErrMalformed) {
				t.Fatalf("cut to %d of %d bytes: %v", n, len(good), err)
			}
		}
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	documents := encode(t, Documents, documents(8), Size{})
	texts := encode(t, Texts, []schemas.Text{{Text: "x"}}, Size{})
	footer := func(n uint32) []byte {
		data := bytes.Clone(documents)
		binary.LittleEndian.PutUint32(data[len(data)-8:], n)
		return data
	}
	for name, test := range map[string]struct {
		data []byte
		says string
	}{
		"empty":                  {nil, "0 bytes"},
		"text":                   {[]byte("<html><body>not a table</body></html>"), "does not end"},
		"another table":          {texts, `a table of "texts"`},
		"footer over the file":   {footer(uint32(len(documents))), "does not end"},
		"footer over all":        {footer(1<<32 - 1), "does not end"},
		"footer of another kind": {append(bytes.Clone(documents[:len(documents)-4]), "PARE"...), "does not end"},
	} {
		if _, err := read(t, Documents, test.data); !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %q", name, err, test.says)
		}
	}
}

// A page that states a much larger size than it has is refused.
func TestAnnouncedSizesAreBounded(t *testing.T) {
	a := &boundedAllocator{inner: nil, left: 100}
	defer func() {
		if recover() == nil {
			t.Error("101 of 100 bytes were given")
		}
	}()
	a.take(101)
}

// The file in testdata was written when version 1 began. If a reader cannot read it any
// more, the format was changed without a new version.
func TestRowsOfVersionOneAreRead(t *testing.T) {
	path := filepath.Join("testdata", "documents-v1.parquet")
	want := documents(12)
	for i := range want {
		want[i].Consensus, want[i].ConsensusF1 = float64(i)/12, 0.5
	}
	if *update {
		if err := os.WriteFile(path, encode(t, Documents, want, ShardSize), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(Documents, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var got []schemas.Document
	for row, err := range r.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, *row)
	}
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i := range want {
		// Rows are compared as text, because NaN is not equal to itself.
		if g, w := fmt.Sprintf("%+v", got[i]), fmt.Sprintf("%+v", want[i]); g != w {
			t.Errorf("row %d: %s, want %s", i, g, w)
		}
	}
}

func TestFilesWithoutAColumnAreRefused(t *testing.T) {
	short := &Table[schemas.ScoreRow]{name: schemas.TableScores}
	for _, c := range Scores.columns {
		if c.name != "common_high" {
			short.columns = append(short.columns, c)
		}
	}
	data := encode(t, short, []schemas.ScoreRow{{DocID: "d", F1: 1}}, Size{})
	if _, err := read(t, Scores, data); !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), "no column common_high") {
		t.Errorf("a file without a column: %v", err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(encode(f, Documents, documents(3), Size{Fast: true}))
	f.Add(encode(f, Scores, []schemas.ScoreRow{{F1: 1}, {Reason: "no_gold"}}, Size{Fast: true}))
	f.Add(encode(f, Texts, []schemas.Text{{Text: strings.Repeat("long ", 100)}}, Size{Fast: true}))
	f.Fuzz(func(t *testing.T, data []byte) {
		read(t, Documents, data)
		read(t, Scores, data)
		read(t, Texts, data)
	})
}
