package schemas

import (
	"fmt"
	"strings"
)

// Within says where an input file lies if it is a part of another file, such as a WARC
// file in a WACZ collection. The URL of such a part consists of the URL of the other
// file, "#", and the name of the part. The zero Within belongs to a file that is stored
// by itself.
type Within struct {
	Offset int64 `json:"offset"` // position of the first byte of the part
	Size   int64 `json:"size"`   // size of the file that holds the part, in bytes
}

// check verifies that a part of size bytes can lie at that offset.
func (w Within) check(size int64) error {
	if w != (Within{}) && (w.Offset < 0 || size < 0 || w.Offset > w.Size-size) {
		return fmt.Errorf("%d bytes at offset %d of a file of %d bytes", size, w.Offset, w.Size)
	}
	return nil
}

// Selection names the records that a run reads of an input file, if an index chose
// them. They are read as if the file consisted of these records only: File.Size is
// their total number of bytes, and items are ranges of them. Only the offsets in tables
// are the offsets of the records in the file itself. The zero Selection belongs to a
// file that is read completely.
type Selection struct {
	Table  string `json:"table"`  // the file of the output folder that names the records
	Offset int64  `json:"offset"` // position of this file's records in the table
	Bytes  int64  `json:"bytes"`  // size of the part of the table that names the records of this file
	Whole  int64  `json:"whole"`  // size of the input file itself
	Format string `json:"format"` // format of the input file, as warc.Format calls it

	// Collection means that the index is part of the WACZ collection that holds the file,
	// and that all records that it names are read.
	Collection bool `json:"collection,omitempty"`
}

// SelectionFolder is the folder of an output folder that holds the tables of Selections, and
// that of Run.Captures.
const SelectionFolder = "selection"

// whole returns the size of the input file, of which size bytes are read.
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
		return fmt.Errorf("%.200q is not a table of selected records", s.Table)
	}
	if s.Offset < 0 || s.Bytes <= 0 || s.Offset > maxCount || s.Bytes > maxCount || size < 0 || size > s.Whole || s.Whole > maxCount {
		return fmt.Errorf("%d selected bytes of %d, named by %d bytes at %d", size, s.Whole, s.Bytes, s.Offset)
	}
	return nil
}

// Stored says where all bytes of an input file are, even if a run reads a selection of
// them.
type Stored struct {
	URL      string `json:"url"`
	Size     int64  `json:"size"` // bytes
	Identity string `json:"identity"`
	Within   Within `json:"within,omitzero"`
}

// Stored returns where the bytes of the file are.
func (f *File) Stored() Stored { return Stored{f.URL, f.Selection.whole(f.Size), f.Identity, f.Within} }
