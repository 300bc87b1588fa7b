package pack

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
)

// Packer packs the inputs of a run that are pages in files of their own, because workers
// read ranges of archives. An archive is written to Store under a name that is made from
// the paths, sizes and modification times of what it holds, and is used again if it is
// there.
type Packer struct {
	Blobs *blob.Client
	Store blob.Store   // where archives are written, normally the output folder
	Out   string       // output folder of the run; it is not searched for inputs
	Note  func(string) // called with a sentence about what is not read; may be nil
}

// Replace returns the inputs of a run, with all that lie on this machine and are not
// archives replaced by archives:
//
//   - a folder is replaced by the archives in it and below it, and by one archive for each
//     gold package and one for all other HTML files in it;
//   - a gold package, by an archive;
//   - HTML files that are inputs by themselves, all together by one archive.
//
// Other inputs are returned unchanged. Documents and packages that cannot be read are in
// refused. If a package as a whole cannot be read, its File has an error.
func (p *Packer) Replace(ctx context.Context, inputs []string) (replaced []string, refused []source.File, err error) {
	r := replacement{Packer: p, out: p.Out}
	if u, err := url.Parse(p.Out); err == nil && u.Scheme == "file" {
		r.out = filepath.FromSlash(u.Path)
	}
	for _, name := range inputs {
		if err := r.input(ctx, name); err != nil {
			return nil, nil, err
		}
	}
	if len(r.pages) > 0 {
		dir, err := source.CommonFolder(r.pages)
		if err == nil {
			err = r.packPages(ctx, dir, r.pages)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return r.inputs, r.refused, nil
}

// replacement is one call of Replace.
type replacement struct {
	*Packer
	out     string // path of the output folder, if it is on this machine
	inputs  []string
	pages   []string // HTML files that are inputs by themselves
	refused []source.File
}

// input adds one input, or what it is replaced by.
func (r *replacement) input(ctx context.Context, name string) error {
	info, err := os.Stat(name)
	switch {
	case strings.Contains(name, "://"), blob.IsList(name):
	case blob.IsPattern(name):
		return r.pattern(ctx, name)
	case err == nil && info.IsDir():
		return r.folder(ctx, name)
	case err == nil:
		return r.file(ctx, name)
	}
	r.inputs = append(r.inputs, name)
	return nil
}

// pattern adds what a pattern leads to, if that is files which must be packed.
func (r *replacement) pattern(ctx context.Context, pattern string) error {
	found, err := r.Blobs.Expand(ctx, []string{pattern}, blob.ExpandOptions{})
	if err != nil {
		r.inputs = append(r.inputs, pattern) // the error is reported when the inputs are read
		return nil
	}
	for i := range found {
		u, err := url.Parse(found[i].URL)
		if err != nil {
			return fmt.Errorf("pack: input %s: %w", pattern, err)
		}
		if err := r.file(ctx, filepath.FromSlash(u.Path)); err != nil {
			return err
		}
	}
	return nil
}

// file adds a file, which its name says to be a page, a package or something else.
func (r *replacement) file(ctx context.Context, name string) error {
	switch {
	case source.IsPage(name):
		r.pages = append(r.pages, name)
		return nil
	case gold.IsArchive(strings.ToLower(name)):
		err := r.packageAt(ctx, name)
		if errors.Is(err, gold.ErrNoPages) { // it was asked for by its name
			r.refuse(name, err)
			return nil
		}
		return err
	}
	r.inputs = append(r.inputs, name)
	return nil
}

func (r *replacement) folder(ctx context.Context, dir string) error {
	tree, err := source.ReadTree(ctx, dir, r.out)
	if err != nil {
		return fmt.Errorf("pack: input %s: %w", dir, err)
	}
	if tree.Empty() {
		r.inputs = append(r.inputs, dir) // the reader of the inputs reports that it is empty
		return nil
	}
	if r.Note != nil {
		tree.Tell(r.Note)
	}
	r.inputs = append(r.inputs, tree.Archives...)
	for _, name := range tree.Packages {
		switch err := r.packageAt(ctx, name); {
		case errors.Is(err, gold.ErrNoPages):
			if r.Note != nil {
				r.Note(source.NoPackage(name))
			}
		case err != nil:
			return err
		}
	}
	if len(tree.Pages) == 0 {
		return nil
	}
	return r.packPages(ctx, dir, tree.Pages)
}

// packPages packs HTML files that have no gold and are all below a folder.
func (r *replacement) packPages(ctx context.Context, dir string, files []string) error {
	return r.pack(ctx, job{name: dir, files: files, open: func() (*gold.Package, error) { return source.OpenPages(dir, files, gold.Limits{}) }})
}

// packageAt packs a gold package: a folder, or an archive of one.
func (r *replacement) packageAt(ctx context.Context, name string) error {
	files := []string{name}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		entries, err := os.ReadDir(name)
		if err != nil {
			return fmt.Errorf("pack: input %s: %w", name, err)
		}
		for _, e := range entries {
			if !e.IsDir() { // folders in a package are not part of it
				files = append(files, filepath.Join(name, e.Name()))
			}
		}
	}
	return r.pack(ctx, job{name: name, files: files, open: func() (*gold.Package, error) { return gold.Open(name, gold.Limits{}) }})
}

// job is a package that is to be packed.
type job struct {
	name  string   // path of the package, or of the folder of the pages
	files []string // all files that belong to it
	open  func() (*gold.Package, error)
}

// result describes an archive that was written. It is published after the archive, and so
// means that the archive is complete.
type result struct {
	Archive string    `json:"archive"` // its name in the store
	Refused []refusal `json:"refused,omitempty"`
	Orphans []string  `json:"orphans,omitempty"` // gold without a page
}

// refusal is a document that could not be packed.
type refusal struct {
	File   string `json:"file"` // its page, below the package
	Size   int64  `json:"size"` // size of the page; 0 if it is not known
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

// maxResult bounds the bytes of a result that is read.
const maxResult = 1 << 30

// pack adds the archive of a package, which is written unless it is there.
func (r *replacement) pack(ctx context.Context, j job) error {
	if r.Store == nil {
		return fmt.Errorf("pack: input %s: there is no folder for its archive", j.name)
	}
	abs, err := filepath.Abs(j.name)
	if err != nil {
		return fmt.Errorf("pack: input %s: %w", j.name, err)
	}
	folder := schemas.InputsFolder + "/" + digestOf(abs, j.files)
	var done result
	data, err := blob.ReadAll(ctx, r.Store, folder+".json", maxResult)
	switch {
	case err == nil:
		if err := json.Unmarshal(data, &done); err != nil {
			return fmt.Errorf("pack: %s.json in %s: %w", folder, r.Store.URL(), err)
		}
	case errors.Is(err, blob.ErrNotFound):
		if done, err = r.write(ctx, j, abs, folder); err != nil {
			if ctx.Err() != nil || !errors.As(err, new(*unreadableError)) {
				return err
			}
			if errors.Is(err, gold.ErrNoPages) {
				return err
			}
			r.refuse(abs, err)
			return nil
		}
	default:
		return fmt.Errorf("pack: input %s: %w", j.name, err)
	}
	r.inputs = append(r.inputs, blob.Below(r.Store.URL(), done.Archive))
	for _, f := range done.Refused {
		r.refused = append(r.refused, source.File{Object: blob.Object{URL: fileURL(abs, f.File), Size: f.Size}, Refused: f.Reason, Detail: f.Detail})
	}
	if n := len(done.Orphans); n > 0 && r.Note != nil {
		r.Note(fmt.Sprintf("%s: files of gold or metadata without a page: %d (the first is %s)", j.name, n, done.Orphans[0]))
	}
	return nil
}

// refuse adds a package that as a whole cannot be read.
func (r *replacement) refuse(name string, err error) {
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	r.refused = append(r.refused, source.File{Object: blob.Object{URL: fileURL(name, "")}, Refused: "unreadable", Err: err})
}

// unreadableError means that a package as a whole cannot be read.
type unreadableError struct{ error }

func (e *unreadableError) Unwrap() error { return e.error }

// write packs a package into the folder of the store, and publishes the result.
func (r *replacement) write(ctx context.Context, j job, abs, folder string) (result, error) {
	p, err := j.open()
	if err != nil {
		return result{}, &unreadableError{err}
	}
	defer p.Close() // it was only read
	done := result{Archive: path.Join(folder, parents(abs), p.Info.Name+".warc.gz"), Orphans: p.Orphans}
	packed, err := r.archive(ctx, p, done.Archive)
	if err != nil {
		return result{}, err
	}
	for i := range packed.Refused {
		f := &packed.Refused[i]
		var size int64
		if info, err := os.Stat(filepath.Join(abs, filepath.FromSlash(f.File))); err == nil {
			size = info.Size()
		}
		done.Refused = append(done.Refused, refusal{f.File, size, f.Reason, f.Detail})
	}
	data, err := json.Marshal(&done)
	if err == nil {
		_, err = blob.WriteAll(ctx, r.Store, folder+".json", data)
	}
	if err != nil {
		return result{}, fmt.Errorf("pack: input %s: %w", j.name, err)
	}
	return done, nil
}

// archive writes one archive, which is kept only if a second reader finds every page.
func (r *replacement) archive(ctx context.Context, p *gold.Package, name string) (Packed, error) {
	file, err := r.Store.Create(ctx, name)
	if err != nil {
		return Packed{}, fmt.Errorf("pack: package %s: %w", p.Info.Name, err)
	}
	defer file.Close() // discards the file, unless it was committed before
	second := NewCheck()
	defer second.Stop()
	buffered := bufio.NewWriterSize(io.MultiWriter(file, second), 1<<20)
	packed, err := Write(ctx, write.NewWriter(buffered), p, Options{})
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = second.Confirm(int64(packed.Documents))
	}
	if err == nil {
		_, err = file.Commit()
	}
	if err != nil {
		return Packed{}, fmt.Errorf("pack: package %s: %w", p.Info.Name, err)
	}
	return packed, nil
}

// digestOf returns a name for a version of files: it depends on their paths, sizes and
// modification times. A file that cannot be looked at counts by its path alone.
func digestOf(abs string, files []string) string {
	h := sha256.New()
	fmt.Fprintf(h, "1 %q\n", abs)
	for _, name := range slices.Sorted(slices.Values(files)) {
		addFile(h, name)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func addFile(h hash.Hash, name string) {
	if full, err := filepath.Abs(name); err == nil {
		name = full
	}
	fmt.Fprintf(h, "%q", name)
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		fmt.Fprintf(h, " %d %d", info.Size(), info.ModTime().UnixNano())
	}
	fmt.Fprintln(h)
}

// parents returns the last two folders above a path, as far as a store can have folders of
// such names. They distinguish packages of one name in the tables of a run.
func parents(abs string) string {
	var names []string
	for dir := filepath.Dir(abs); len(names) < 2 && filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		name := filepath.Base(dir)
		if blob.ValidName(name) != nil {
			break
		}
		names = append(names, name)
	}
	slices.Reverse(names)
	return strings.Join(names, "/")
}

// fileURL returns the URL of a file of a package: below a folder, or as a part of an
// archive.
func fileURL(abs, file string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}
	switch {
	case file == "":
	case gold.IsArchive(abs):
		u.Fragment = file
	default:
		u.Path = path.Join(u.Path, file)
	}
	return u.String()
}
