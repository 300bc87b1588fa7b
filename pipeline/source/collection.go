package source

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
)

// The records of a WACZ collection are those that the indexes in it name, just as if each
// of these indexes were an input. What lies between them is not read: requests, metadata,
// and records that the maker of the collection left out. An archive is read
// completely if no line names a record of it, and so are all archives of a collection with
// an index that cannot be used. This cannot happen if the user chooses lines: then the
// lines decide alone.

// part is an archive in a collection of which an index may choose records.
type part struct {
	File
	lines    int64 // lines that name a record of it
	complete bool  // it is read completely
}

// withIndexes removes from found the files of the collections that have indexes, and returns
// them, collection by collection. It returns none if collections are read completely.
func withIndexes(found [][]File, s Selector) (collections [][]File) {
	if s.Whole {
		return nil
	}
	for i, files := range found {
		if len(files) > 0 && len(files[0].lists) > 0 {
			collections, found[i] = append(collections, files), nil
		}
	}
	return collections
}

// collection reads the indexes in a collection that holds the given files.
func (x *indexes) collection(ctx context.Context, files []File) error {
	numbers := make(map[string]int32, len(files)) // indexes give the names of files without their folders
	for _, f := range files {
		if f.Refused != "" {
			x.refused = append(x.refused, f)
			continue
		}
		number, err := x.number(f.URL)
		if err != nil {
			return err
		}
		if x.parts[number] != nil {
			return fmt.Errorf("%s is an input twice", f.URL)
		}
		x.parts[number] = &part{File: f}
		numbers[path.Base(f.URL)] = number
	}
	locate := func(name string) (int32, error) {
		number, ok := numbers[path.Base(name)]
		if !ok {
			return 0, fmt.Errorf("it names the archive %.200q, which is not in the collection or cannot be read", name)
		}
		x.parts[number].lines++
		return number, nil
	}
	usable := true
	for _, l := range files[0].lists {
		bad, err := x.read(ctx, l, locate)
		switch {
		case err != nil:
			return err
		case bad == nil:
		case !x.opt.Select.All():
			x.refused = append(x.refused, *bad)
		default:
			usable = false
			x.unusable.because("an index cannot be used, so that the collection is read completely", bad.Err.Error())
		}
	}
	for _, number := range numbers {
		p := x.parts[number]
		p.complete = x.opt.Select.All() && (!usable || p.lines == 0)
	}
	return nil
}

// complete reports whether the file with a number is read completely.
func (x *indexes) complete(number int32) bool {
	p := x.parts[number]
	return p != nil && p.complete
}

// completely returns the archives in collections that are read completely.
func (x *indexes) completely() (files []File) {
	for _, number := range slices.Sorted(maps.Keys(x.parts)) {
		if p := x.parts[number]; p.complete {
			files = append(files, p.File)
		}
	}
	return files
}

// tell notes how much of the archives in collections the indexes choose.
func (x *indexes) tell(chosen []File) {
	var archives int
	var read, whole int64
	for _, f := range chosen {
		if f.Selection.Collection {
			archives, read, whole = archives+1, read+f.Size, whole+f.Selection.Whole
		}
	}
	x.unusable.tell("WACZ collections", x.note)
	if archives > 0 {
		x.note(fmt.Sprintf("WACZ collections are read by their indexes, which name %d of %d bytes of their archives; --whole-collections reads all", read, whole))
	}
}

func (x *indexes) note(what string) {
	if x.opt.Note != nil {
		x.opt.Note(what)
	}
}
