package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"reflect"

	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// readers bounds the files that are read at once.
const readers = 4

// marker checks that the marks in the folder agree with the manifest: that the run is
// finished or not, and that its recipe is the one that its files were made by.
func (v *verifier) marker(ctx context.Context) error {
	m := v.manifest
	if digest := m.Run.Recipe.Digest(); digest != m.Run.Hash {
		v.find(Manifest, schemas.ManifestFile, "the digest of its recipe is %s, and it says %s: the recipe was changed", digest, m.Run.Hash)
	}
	there, err := blob.Exists(ctx, v.store, schemas.SuccessFile)
	switch {
	case err != nil:
		return err
	case there && m.Finished.IsZero():
		v.find(Manifest, schemas.SuccessFile, "it says that the run is finished, and the manifest says that it is not")
	case !there && !m.Finished.IsZero():
		v.find(Manifest, schemas.SuccessFile, "it is missing, and the run is finished")
	}
	return nil
}

// sums checks the account of every part and of the run.
func (v *verifier) sums(context.Context) error {
	m := v.manifest
	type key struct{ file, seq int }
	in := map[key]int{}
	for i := range m.Parts {
		p := &m.Parts[i]
		if err := account.CheckCounts(&p.Counts, &m.Run.Recipe, p.Counts.Bytes); err != nil {
			v.find(Conservation, partName(i), "%v", err)
		}
		for _, c := range p.Items {
			if first, twice := in[key{c.File, c.Seq}]; twice {
				v.find(Conservation, string(c.ID), "it is in part %d and in part %d", first, i)
			}
			in[key{c.File, c.Seq}] = i
		}
	}
	if m.Finished.IsZero() {
		return nil
	}
	totals, err := account.Totals(m)
	switch {
	case err != nil:
		v.find(Conservation, schemas.ManifestFile, "%v", err)
	case !reflect.DeepEqual(totals, m.Totals):
		v.find(Conservation, schemas.ManifestFile, "its totals are not the sums of its parts: %d records and %d pages, and the parts have %d and %d",
			m.Totals.Records, m.Totals.Pages, totals.Records, totals.Pages)
	}
	return nil
}

// files checks size and digest of every file that the manifest names.
func (v *verifier) files(ctx context.Context) error {
	var files []schemas.Shard
	for i := range v.manifest.Parts {
		files = append(files, v.manifest.Parts[i].Files...)
	}
	if c := v.manifest.Run.Captures; c != nil {
		files = append(files, *c)
	}
	if t := v.manifest.Templates; t != nil {
		for _, r := range t.Ranges {
			if r.File.Name != "" {
				files = append(files, r.File)
			}
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(readers)
	for i := range files {
		g.Go(func() error { return v.file(ctx, &files[i]) })
	}
	return g.Wait()
}

// file checks one file.
func (v *verifier) file(ctx context.Context, f *schemas.Shard) error {
	broken := func(format string, args ...any) {
		v.find(Part, f.Name, format, args...)
		v.mu.Lock()
		v.damaged = true
		v.mu.Unlock()
	}
	file, err := v.store.Open(ctx, f.Name)
	if errors.Is(err, blob.ErrNotFound) {
		broken("it is missing: the manifest names it, with %d rows", f.Rows)
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if file.Size() != f.Bytes {
		broken("it has %d bytes, and was committed with %d", file.Size(), f.Bytes)
		return nil
	}
	hash := sha256.New()
	if _, err := io.CopyBuffer(hash, io.NewSectionReader(file, 0, file.Size()), make([]byte, 1<<20)); err != nil {
		return err
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); sum != f.SHA256 {
		broken("its bytes were changed: its SHA-256 is %s, and it was committed with %s", sum, f.SHA256)
	}
	v.mu.Lock()
	v.result.Files++
	v.result.Bytes += f.Bytes
	v.mu.Unlock()
	return nil
}

// strays looks for files that a reader of a table's folder would take for parts. While a
// run goes on, there may be files that are not committed yet.
func (v *verifier) strays(ctx context.Context) error {
	if v.manifest.Finished.IsZero() {
		return nil
	}
	for _, table := range schemas.PartTables {
		named := map[string]bool{}
		for _, name := range v.manifest.FilesOf(table) {
			named[name] = true
		}
		files, err := v.store.List(ctx, string(table)+"/")
		if err != nil {
			return err
		}
		for _, f := range files {
			if !named[f.Name] {
				v.find(Stray, f.Name, "no part of the run names it: programs that read all files of the folder read it too")
			}
		}
	}
	return nil
}
