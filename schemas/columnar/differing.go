package columnar

import (
	"bytes"
	"slices"
)

// Without returns the table without the named columns, for programs that pack or compare
// rows and leave these columns out.
func (t *Table[T]) Without(names ...string) *Table[T] {
	few := &Table[T]{name: t.name}
	for _, c := range t.columns {
		if !slices.Contains(names, c.name) {
			few.columns = append(few.columns, c)
		}
	}
	return few
}

// Differing returns the names of the columns in which two rows differ.
func (t *Table[T]) Differing(a, b *T) (names []string) {
	for i := range t.columns {
		if c := &t.columns[i]; !bytes.Equal(c.pack(nil, a), c.pack(nil, b)) {
			names = append(names, c.name)
		}
	}
	return names
}
