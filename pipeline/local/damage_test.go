package local

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// TestPagesOfADamagedMemberAreFlagged checks gzip members whose checksum is wrong. The
// checksum follows the records, so their rows are written before it is read. All of
// these rows must be flagged and those of other members must not, wherever the file is
// split.
func TestPagesOfADamagedMemberAreFlagged(t *testing.T) {
	in := packed(t, sites()[:60], 3, "whole")
	var file []byte
	var begins [3]int64
	for i := range 3 {
		name := filepath.Join(in, fmt.Sprintf("c%d.warc.gz", i))
		member, err := os.ReadFile(name)
		if err == nil {
			err = os.Remove(name)
		}
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			member[len(member)-7] ^= 4
		}
		begins[i] = int64(len(file))
		file = append(file, member...)
	}
	if err := os.WriteFile(filepath.Join(in, "all.warc.gz"), file, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, size := range []int64{1 << 30, begins[1] / 2, 500} {
		out := t.TempDir()
		mustRun(t, learning(t, out, in, func(o *Options) {
			chooseFor(t, o, "plain")
			o.Plan.ItemBytes = size
		}))
		pages := map[int64]int{}
		eachPage(t, out, func(d *schemas.Page) {
			pages[d.Offset]++
			if damaged := d.Offset == begins[1]; (d.Flags == "unverified") != damaged || !damaged && strings.Contains(d.Flags, "unverified") {
				t.Errorf("items of %d bytes: %s in the unit at %d has flags %q", size, d.URL, d.Offset, d.Flags)
			}
		})
		for _, at := range begins {
			if pages[at] != 20 {
				t.Errorf("items of %d bytes: %d pages in the unit at %d, want 20", size, pages[at], at)
			}
		}
	}
}

// TestFileOfOneEmptyMemberIsClean reads a file of one empty gzip member, which is clean
// and has no records.
func TestFileOfOneEmptyMemberIsClean(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	var file bytes.Buffer
	if err := gzip.NewWriter(&file).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(in, "empty.warc.gz"), file.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	sum, err := Run(t.Context(), learning(t, out, in, func(o *Options) { chooseFor(t, o, "plain") }))
	if err != nil {
		t.Fatal(err)
	}
	if sum.Dead != 0 || len(sum.Losses) != 0 {
		t.Errorf("%d items were given up, losses %+v", sum.Dead, sum.Losses)
	}
}
