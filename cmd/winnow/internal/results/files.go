package results

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// writeFiles writes how each input file was read.
func writeFiles(out *sheet, m *schemas.Manifest) error {
	if m.Finished.IsZero() {
		return fmt.Errorf("results: run %s is not finished: how its files were read is known at the end", m.Run.ID)
	}
	files, ok := account.Files(m)
	if !ok {
		return fmt.Errorf("results: run %s was made by an earlier version, which kept no account of files", m.Run.ID)
	}
	if err := out.header([]string{"file", "name", "status", "reason", "size", "items", "records", "pages", "refused",
		"bytes_units", "bytes_gaps", "bytes_lost", "by_type", "defects"}); err != nil {
		return err
	}
	number := func(n int64) columnar.Cell { return columnar.Cell{Text: strconv.FormatInt(n, 10), Number: true} }
	text := func(s string) columnar.Cell { return columnar.Cell{Text: s, Null: s == ""} }
	for i := range files {
		f := &files[i]
		if err := out.row([]columnar.Cell{text(f.URL), text(f.Name), text(f.Status), text(f.Reason), number(f.Size), number(int64(f.Items)),
			number(f.Records), number(f.Pages), number(f.Refused), number(f.BytesUnits), number(f.BytesGaps), number(f.BytesLost),
			text(tally(f.ByType)), text(tally(f.Defects))}); err != nil {
			return err
		}
	}
	return nil
}

// tally returns a text such as "request:3,response:4".
func tally(counts map[string]int64) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s:%d", key, counts[key]))
	}
	return strings.Join(parts, ",")
}
