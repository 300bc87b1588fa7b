package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// figures are the results of all trials, one of each kind and size.
type figures []*result

// load reads figures. A file that does not exist has none.
func load(file string) (f figures, err error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		return nil, fmt.Errorf("read figures: %w", err)
	}
	return f, nil
}

// add adds a result to a file of figures, in place of an earlier one of its kind and size.
func add(file string, r *result) error {
	f, err := load(file)
	if err != nil {
		return err
	}
	f = slices.DeleteFunc(f, func(old *result) bool { return old.Kind == r.Kind && (old.Pages == r.Pages || r.Kind == crawlKind) })
	f = append(f, r)
	slices.SortFunc(f, func(a, b *result) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Pages, b.Pages)) })
	data, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o666)
}

// of returns the results of a kind, by size.
func (f figures) of(k kind) (out []*result) {
	for _, r := range f {
		if r.Kind == k {
			out = append(out, r)
		}
	}
	return out
}
