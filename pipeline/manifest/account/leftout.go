package account

import (
	"fmt"
	"strings"

	"github.com/winnow/winnow/schemas"
)

// leftOutShown is the number of files that LeftOut names.
const leftOutShown = 5

// LeftOut returns a line about the inputs that a run does not read because earlier runs
// have done them: how many there are, and the names of the first. It returns "" if there
// are none.
func LeftOut(files []schemas.SkippedFile) string {
	if len(files) == 0 {
		return ""
	}
	shown := min(len(files), leftOutShown)
	names := make([]string, shown)
	for i := range names {
		names[i] = fmt.Sprintf("%s (run %s)", schemas.FileNames(files[i].URL)[0], files[i].Run)
	}
	rest := ""
	if more := len(files) - shown; more > 0 {
		rest = fmt.Sprintf(" and %d more, see skipped in %s", more, schemas.ManifestFile)
	}
	return fmt.Sprintf("left out: %s that earlier runs have done: %s%s", Count(len(files), "file"), strings.Join(names, ", "), rest)
}
