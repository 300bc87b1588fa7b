package columnar

import "bytes"

// Differing returns the names of the columns in which two rows differ.
func (t *Table[T]) Differing(a, b *T) (names []string) {
	for i := range t.columns {
		if c := &t.columns[i]; !bytes.Equal(c.pack(nil, a), c.pack(nil, b)) {
			names = append(names, c.name)
		}
	}
	return names
}
