package schemas

import "fmt"

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

// Stored is how the bytes of an input file are found.
type Stored struct {
	URL      string
	Size     int64
	Identity string
	Within   Within
}

// Stored says how the file is found.
func (f *File) Stored() Stored { return Stored{f.URL, f.Size, f.Identity, f.Within} }

// Stored says how the file of the item is found.
func (i *Item) Stored() Stored { return Stored{i.URL, i.Size, i.Ident, i.Within} }

// Stored says how the file of the item is found.
func (s *ScanItem) Stored() Stored { return Stored{s.URL, s.Size, s.Identity, s.Within} }
