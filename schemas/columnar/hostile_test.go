package columnar

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// read takes all rows of data; the number and the error are for whoever wants them.
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
	// Values may change unnoticed, which is why shards have checksums; the
	// structure may not.
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

// A page that announces far more than it holds must not be believed.
func TestAnnouncedSizesAreBounded(t *testing.T) {
	a := &boundedAllocator{inner: nil, left: 100}
	defer func() {
		if recover() == nil {
			t.Error("101 of 100 bytes were given")
		}
	}()
	a.take(101)
}

func TestRowsOfEveryVersionAreRead(t *testing.T) {
	for version := schemas.MinVersion; version <= schemas.Version; version++ {
		rowsOfVersion(t, version)
	}
}

func rowsOfVersion(t *testing.T, version int) {
	path := filepath.Join("testdata", fmt.Sprintf("documents-v%d.parquet", version))
	want := documents(12)
	if version < 2 {
		for i := range want {
			d := &want[i]
			d.TemplateID, d.TemplatePages, d.InSample, d.Coverage, d.Notes = "", 0, false, 0, ""
		}
	}
	if version < 8 {
		for i := range want {
			want[i].HTTPStatus, want[i].Replaced = 0, 0
		}
	}
	if version < 5 {
		for i := range want {
			d := &want[i]
			d.ConfigHash, d.SiteBy, d.TemplateMethod, d.TemplateStatus, d.LOO, d.Cluster = "", "", "", "", false, 0
		}
	}
	for i := range want {
		d := &want[i]
		if d.Consensus, d.ConsensusF1 = float64(i)/12, 0.5; version < 3 {
			// What did not exist is null, not 0.
			d.Consensus, d.ConsensusF1, d.PageConsensus = math.NaN(), math.NaN(), math.NaN()
		}
	}
	for i := range want {
		if want[i].Complexity = 0.25; version < 4 {
			want[i].Complexity = math.NaN()
		}
	}
	if os.Getenv("WINNOW_UPDATE") == "1" && version == schemas.Version {
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
	if r.Meta().Version != version || len(got) != len(want) {
		t.Fatalf("%d rows of version %d, want %d", len(got), r.Meta().Version, len(want))
	}
	for i := range want {
		if got[i].DocID != want[i].DocID || got[i].ExtractNS != want[i].ExtractNS || got[i].TextHash != want[i].TextHash || len(got[i].Spans) != len(want[i].Spans) ||
			got[i].TemplateID != want[i].TemplateID || got[i].InSample != want[i].InSample || got[i].Notes != want[i].Notes ||
			got[i].ConfigHash != want[i].ConfigHash || got[i].SiteBy != want[i].SiteBy || got[i].TemplateMethod != want[i].TemplateMethod ||
			got[i].TemplateStatus != want[i].TemplateStatus || got[i].LOO != want[i].LOO || got[i].Cluster != want[i].Cluster ||
			fmt.Sprint(got[i].Coverage, got[i].Consensus, got[i].ConsensusF1, got[i].PageConsensus, got[i].Complexity) != fmt.Sprint(want[i].Coverage, want[i].Consensus, want[i].ConsensusF1, want[i].PageConsensus, want[i].Complexity) {
			t.Errorf("row %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

// A column may be missing only where it could not be known of.
func TestLaterColumnsAreMissingInOlderFilesOnly(t *testing.T) {
	old := &Table[schemas.ScoreRow]{name: schemas.TableScores}
	for _, c := range Scores.columns {
		if c.since == 0 {
			old.columns = append(old.columns, c)
		}
	}
	data := encode(t, old, []schemas.ScoreRow{{DocID: "d", F1: 1}}, Size{})
	if _, err := read(t, Scores, data); !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), "no column common_high") {
		t.Errorf("a file of today's version without today's columns: %v", err)
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
