package doctor

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/warc"
)

// salvaged examines and salvages an archive. What was salvaged must be sound, and hold the
// blocks of the whole records in their order.
func salvaged(t *testing.T, name string, data []byte) (*Finding, []byte) {
	t.Helper()
	src := bytes.NewReader(data)
	f, err := Examine(t.Context(), src, name)
	if errors.Is(err, warc.ErrNotWARC) {
		return nil, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	n, err := Salvage(t.Context(), src, name, f, &out)
	if err != nil || n != f.Whole {
		t.Fatalf("%s: %d records of %d: %v", name, n, f.Whole, err)
	}
	if n == 0 {
		return f, nil
	}
	again, err := Examine(t.Context(), bytes.NewReader(out.Bytes()), "salvaged.warc.gz")
	if err != nil || !again.Sound() || again.Records != n || again.Whole != n || again.Lost != 0 {
		t.Errorf("%s: salvaged %+v, %v, want %d records", name, again, err, n)
	}
	blocks := func(data []byte, skip []int64) (all []string) {
		_, err := each(t.Context(), bytes.NewReader(data), name, func(rec *warc.Record) error {
			if isWhole(rec) && !slices.Contains(skip, rec.Offset) {
				all = append(all, rec.Type+" "+string(rec.Block))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if !slices.Equal(blocks(data, f.unverified), blocks(out.Bytes(), nil)) {
		t.Errorf("%s: the salvaged blocks are others", name)
	}
	return f, out.Bytes()
}

// Damage is listed with its bytes, and every record outside of it is saved.
func TestDamageAndSalvage(t *testing.T) {
	data, err := os.ReadFile("../../../examples/crawl.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	f, _ := salvaged(t, "crawl.warc.gz", data)
	if !f.Sound() || f.Whole != f.Records || f.Lost != 0 {
		t.Fatalf("an undamaged archive: %+v", f)
	}
	all := f.Records
	bad := slices.Clone(data)
	middle := len(bad) / 2
	for i := range 1000 {
		bad[middle+i] = 0
	}
	f, _ = salvaged(t, "crawl.warc.gz", bad)
	covered := slices.ContainsFunc(f.Damage, func(d Damage) bool {
		return d.Severity != "note" && d.Offset <= int64(middle) && d.Offset+max(d.Length, 1) > int64(middle)-20_000
	})
	if f.Sound() || !covered || f.Whole >= all || f.Whole < all-20 {
		t.Errorf("%d of %d records are whole, damage %+v", f.Whole, all, f.Damage)
	}
	f, _ = salvaged(t, "crawl.warc.gz", data[:len(data)-10])
	if f.Sound() || f.Whole != all-1 {
		t.Errorf("a cut archive: %d of %d records are whole, damage %+v", f.Whole, all, f.Damage)
	}
}

// Real archives, damaged in many ways, are examined, and what is whole in them is saved.
func TestRealArchives(t *testing.T) {
	shared := os.Getenv("WINNOW_SHARED")
	if shared == "" {
		t.Skip("WINNOW_SHARED is not set: no real archives")
	}
	files, unsound, saved := 0, 0, int64(0)
	for _, folder := range []string{"malformed", "odd", "derived"} {
		err := filepath.WalkDir(filepath.Join(shared, "warcs", folder), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.Contains(name, "arc") {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if f, _ := salvaged(t, name, data); f != nil {
				files++
				saved += f.Whole
				if !f.Sound() {
					unsound++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 50 || unsound < 10 || saved < 500 {
		t.Errorf("%d files, %d of them unsound, %d records saved", files, unsound, saved)
	}
	t.Logf("%d files, %d of them unsound, %d records saved", files, unsound, saved)
}
