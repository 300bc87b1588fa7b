package schemas

import (
	"fmt"
	"strings"
)

// Within says where an input file lies if it is a part of another one, such as a WARC
// file in a WACZ collection. URLs of such files name the other file and, behind a "#",
// the part. The zero Within is that of a file that is stored by itself.
type Within struct {
	Offset int64 `json:"offset"` // of the first byte of the part
	Size   int64 `json:"size"`   // of the file that holds the part, in bytes
}

// check verifies that a part of size bytes can lie there.
func (w Within) check(size int64) error {
	if w != (Within{}) && (w.Offset < 0 || size < 0 || w.Offset > w.Size-size) {
		return fmt.Errorf("%d bytes at offset %d of a file of %d bytes", size, w.Offset, w.Size)
	}
	return nil
}

// Selection names the records that a run reads of an input file, if an index chose them.
// They are read as if the file consisted of nothing else: Size of the file is the bytes
// of these records together, and items are ranges of them. Only the offsets in tables are
// those that the records have in the file. The zero Selection is that of a file that is
// read from its beginning to its end.
type Selection struct {
	Table  string `json:"table"`  // file of the output folder that names the records
	Offset int64  `json:"offset"` // of this file's records in the table
	Bytes  int64  `json:"bytes"`  // of the table that name them
	Whole  int64  `json:"whole"`  // size of the input file itself
	Format string `json:"format"` // of the input file, as warc.Format calls it
}

// SelectionFolder is the folder of an output folder that holds the tables of Selections.
const SelectionFolder = "selection"

// whole is the size of a file of which size bytes are read.
func (s Selection) whole(size int64) int64 {
	if s != (Selection{}) {
		return s.Whole
	}
	return size
}

// check verifies that a selection can have size bytes.
func (s Selection) check(size int64) error {
	if s == (Selection{}) {
		return nil
	}
	name, ok := strings.CutPrefix(s.Table, SelectionFolder+"/")
	if !ok || name == "" || len(name) > maxKey || len(s.Format) > maxKey || strings.ContainsAny(name, `/\`) {
		return fmt.Errorf("%.200q is no table of selected records", s.Table)
	}
	if s.Offset < 0 || s.Bytes <= 0 || s.Offset > maxCount || s.Bytes > maxCount || size < 0 || size > s.Whole || s.Whole > maxCount {
		return fmt.Errorf("%d selected bytes of %d, named by %d bytes at %d", size, s.Whole, s.Bytes, s.Offset)
	}
	return nil
}

// Stored is how the bytes of an input file are found: all of them, also of a file of
// which a run reads a selection.
type Stored struct {
	URL      string `json:"url"`
	Size     int64  `json:"size"` // in bytes
	Identity string `json:"identity"`
	Within   Within `json:"within,omitzero"`
}

// Stored says how the file is found.
func (f *File) Stored() Stored { return Stored{f.URL, f.Selection.whole(f.Size), f.Identity, f.Within} }
