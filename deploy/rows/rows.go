// Package rows compares the tables of two runs row by row, with a reader that is not
// Winnow's own.
//
// This package is internal to Winnow and may change in any release.
package rows

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Tables are the rows of a finished run: how often each row is in each table.
type Tables map[string]map[string]int

// manifest is the part of run.json that is checked.
type manifest struct {
	Finished string
	Parts    []struct {
		Files []struct{ Table, Name, SHA256 string }
	}
}

// Read reads all tables of an output folder and checks the folder against its manifest.
// left are the shards that are still there; what else the manifest does not name is an
// error.
func Read(out string) (all Tables, left []string, err error) {
	data, err := os.ReadFile(filepath.Join(out, "run.json"))
	if err != nil {
		return nil, nil, err
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, nil, fmt.Errorf("run.json: %w", err)
	}
	if left, err = checkFiles(out, &m); err != nil {
		return nil, left, err
	}
	all, err = readTables(out, &m)
	return all, left, err
}

// readTables reads the parts that the manifest names and the tables beside it.
func readTables(out string, m *manifest) (Tables, error) {
	all := Tables{}
	for _, p := range m.Parts {
		for _, f := range p.Files {
			// Each part has its own summary of agreement and failures. Together they are the
			// tables beside the manifest, which do not depend on where parts begin.
			if f.Table == "agreement" || f.Table == "failures" {
				continue
			}
			if err := all.read(f.Table, filepath.Join(out, f.Name)); err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
		}
	}
	whole, err := filepath.Glob(filepath.Join(out, "*.parquet"))
	if err != nil {
		return nil, err
	}
	for _, f := range whole {
		if err := all.read(strings.TrimSuffix(filepath.Base(f), ".parquet"), f); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(f), err)
		}
	}
	return all, nil
}

// checkFiles compares the folders of parts with the manifest.
func checkFiles(out string, m *manifest) (left []string, err error) {
	var faults []error
	if m.Finished == "" {
		faults = append(faults, errors.New("run.json does not say that the run is finished"))
	}
	named := map[string]string{}
	folders := map[string]bool{"shards": true, "commits": true} // nothing is left in these
	for _, p := range m.Parts {
		for _, f := range p.Files {
			named[f.Name] = f.SHA256
			folders[path.Dir(f.Name)] = true
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		err := filepath.WalkDir(filepath.Join(out, folder), func(file string, e fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || e.IsDir() {
				return err
			}
			name, err := filepath.Rel(out, file)
			if err != nil {
				return err
			}
			want, ok := named[filepath.ToSlash(name)]
			delete(named, filepath.ToSlash(name))
			if !ok && folder == "shards" {
				left = append(left, name)
				return nil
			}
			if !ok {
				faults = append(faults, fmt.Errorf("%s is left: the manifest does not name it", name))
				return nil
			}
			data, err := os.ReadFile(file)
			if got := sha256.Sum256(data); err == nil && want != hex.EncodeToString(got[:]) {
				faults = append(faults, fmt.Errorf("%s has another digest than the manifest says", name))
			}
			return err
		})
		faults = append(faults, err)
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		faults = append(faults, fmt.Errorf("%s is missing", name))
	}
	return left, errors.Join(faults...)
}

// read adds the rows of a file.
func (t Tables) read(table, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	p, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		return err
	}
	names := p.Schema().Columns()
	rows := t[table]
	if rows == nil {
		rows = map[string]int{}
		t[table] = rows
	}
	r := parquet.NewReader(p)
	defer r.Close()
	buf := make([]parquet.Row, 64)
	for {
		n, err := r.ReadRows(buf)
		for _, row := range buf[:n] {
			rows[rowText(names, row)]++
		}
		if n == 0 || err != nil {
			if n == 0 && err == nil || err.Error() == "EOF" {
				return nil
			}
			return err
		}
	}
}

// rowText returns the columns of a row that do not depend on the run.
func rowText(names [][]string, row parquet.Row) string {
	var b strings.Builder
	for _, v := range row {
		name := strings.Join(names[v.Column()], ".")
		if ofTheRun(name) || v.IsNull() {
			continue
		}
		s := v.String()
		if name == "file" { // its folder may be another one, or in a bucket with settings in its URL
			s, _, _ = strings.Cut(path.Base(s), "?")
		}
		fmt.Fprintf(&b, "%s=%q ", name, s)
	}
	return b.String()
}

// ofTheRun reports whether a column is of the run and not of the pages: its id, durations
// and speeds, when a template was learned, and how often an item was tried.
func ofTheRun(column string) bool {
	switch column {
	case "run", "attempts", "learned":
		return true
	}
	return slices.ContainsFunc([]string{"_ns", "s_per_kb", "mb_per_s", "pages_per_s"}, func(unit string) bool {
		return strings.HasSuffix(column, unit) || strings.Contains(column, unit+"_")
	})
}

// Difference describes how the tables of a run differ from those of the undisturbed run,
// a line for each table that does.
func (t Tables) Difference(undisturbed Tables) []string {
	names := map[string]bool{}
	for n := range t {
		names[n] = true
	}
	for n := range undisturbed {
		names[n] = true
	}
	var lines []string
	for _, n := range slices.Sorted(maps.Keys(names)) {
		lost, lostRow := missing(undisturbed[n], t[n])
		more, moreRow := missing(t[n], undisturbed[n])
		if lost+more == 0 {
			continue
		}
		line := fmt.Sprintf("table %s: %d rows of the undisturbed run are missing, %d rows are too many", n, lost, more)
		if lost > 0 {
			line += fmt.Sprintf("; missing: %.600s", lostRow)
		}
		if more > 0 {
			line += fmt.Sprintf("; too many: %.600s", moreRow)
		}
		lines = append(lines, line)
	}
	return lines
}

// missing counts the rows of a that b does not have as often, and returns the first one.
func missing(a, b map[string]int) (n int, first string) {
	for row, times := range a {
		if d := times - b[row]; d > 0 {
			n += d
			if first == "" || row < first {
				first = row
			}
		}
	}
	return n, first
}

// Rows counts the rows of all tables.
func (t Tables) Rows() int {
	n := 0
	for _, rows := range t {
		for _, times := range rows {
			n += times
		}
	}
	return n
}

// Without returns the tables without the rows in which a text occurs.
func (t Tables) Without(text string) Tables {
	rest := Tables{}
	for name, rows := range t {
		rest[name] = map[string]int{}
		for row, times := range rows {
			if !strings.Contains(row, text) {
				rest[name][row] = times
			}
		}
	}
	return rest
}
