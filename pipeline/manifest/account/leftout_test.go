package account

import (
	"fmt"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// The line about the inputs that earlier runs have done counts all, and names the first.
func TestLeftOut(t *testing.T) {
	var files []schemas.SkippedFile
	for i := range 7 {
		files = append(files, schemas.SkippedFile{URL: fmt.Sprintf("s3://inbox/2025/%d.warc.gz?region=r", i), Run: schemas.RunID(fmt.Sprintf("night-%d", i/2))})
	}
	for n, want := range map[int]string{
		0: "",
		1: "left out: 1 file that earlier runs have done: 0 (run night-0)",
		2: "left out: 2 files that earlier runs have done: 0 (run night-0), 1 (run night-0)",
		7: "left out: 7 files that earlier runs have done: 0 (run night-0), 1 (run night-0), 2 (run night-1), 3 (run night-1), 4 (run night-2) and 2 more, see skipped in run.json",
	} {
		if got := LeftOut(files[:n]); got != want {
			t.Errorf("%d files:\n%s\nwant\n%s", n, got, want)
		}
	}
}
