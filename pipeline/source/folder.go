package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/schemas"
)

// folder is the format of a folder on a disk, with all that is below it.
type folder struct{}

func (folder) Name() string { return "folder" }
func (folder) Alone() bool  { return false }

// Tree lists what a folder on a disk holds that can be read, each list in the order of a
// walk through the folder. Paths begin with the folder's.
type Tree struct {
	Archives []string // files of records
	Packages []string // gold packages: folders, and archives of them
	Pages    []string // HTML files that belong to no gold package

	packages map[string]bool // the folders among Packages
	left     aside
}

// Empty reports whether the folder holds nothing that can be read.
func (t *Tree) Empty() bool { return len(t.Archives)+len(t.Packages)+len(t.Pages) == 0 }

// Tell calls note with a sentence for each kind of file that is not read.
func (t *Tree) Tell(note func(string)) { t.left.tell(leftAside, note) }

// ReadTree searches a folder and all folders below it. Hidden files and folders, the
// folder out, and output folders of other runs are left out. A folder is a gold package if
// it has a package.json, or an HTML file beside its gold or its metadata (see package
// gold). A folder that cannot be read is listed among the archives, so that the code which opens
// it reports the error.
func ReadTree(ctx context.Context, dir, out string) (*Tree, error) {
	if isOutput(dir) {
		return nil, fmt.Errorf("%s is the output folder of a run, and not an input: give what that run has read, or go on with the run by --run and --out", dir)
	}
	t := &Tree{packages: map[string]bool{}}
	if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		dir += string(filepath.Separator) // without it, a link to the folder would not be followed
	}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			t.Archives = append(t.Archives, name)
			return nil
		case strings.HasPrefix(d.Name(), ".") && name != dir:
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return t.folder(name, dir, out)
		}
		t.file(name)
		return nil
	})
	return t, err
}

// folder adds a folder. The files in it follow, unless the result is fs.SkipDir.
func (t *Tree) folder(name, top, out string) error {
	switch {
	case name != top && (sameFolder(name, out) || isOutput(name)):
		t.left.because("output folders of runs", name)
		return fs.SkipDir
	case isPackage(name):
		t.Packages = append(t.Packages, name)
		t.packages[filepath.Clean(name)] = true
	}
	return nil
}

// file adds a file by its name. The folders that hold it were added before.
func (t *Tree) file(name string) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return // opening a pipe or a device could block for ever
	}
	inPackage := t.packages[filepath.Dir(name)]
	switch f := formatByName(name).(type) {
	case recordFormat:
		t.Archives = append(t.Archives, name)
	case goldPackage:
		t.Packages = append(t.Packages, name)
	case htmlPage:
		if !inPackage || filepath.Ext(name) != ".html" {
			t.Pages = append(t.Pages, name)
		}
	default:
		if f != nil || !inPackage || !isPartOfPackage(name) {
			t.left.add(name)
		}
	}
}

// isPartOfPackage reports whether a file of a gold package belongs to one of its pages.
func isPartOfPackage(name string) bool {
	end := filepath.Ext(name)
	return end == ".txt" || end == ".json"
}

// isPackage reports whether a folder is a gold package and not a folder of pages. The
// files of a large folder are looked at only as far as is needed.
func isPackage(dir string) bool {
	if exists(dir, "package.json") {
		return true
	}
	d, err := os.Open(dir)
	if err != nil {
		return false // the walk reports the error
	}
	defer d.Close()
	for {
		entries, err := d.ReadDir(1024)
		for _, e := range entries {
			if id, ok := strings.CutSuffix(e.Name(), ".html"); ok && (exists(dir, id+".txt") || exists(dir, id+".json")) {
				return true
			}
		}
		if err != nil {
			return false
		}
	}
}

// isOutput reports whether a folder is the output folder of a run. Its manifest may not be
// taken for the metadata of a page.
func isOutput(dir string) bool {
	return exists(dir, schemas.ManifestFile) && !exists(dir, strings.TrimSuffix(schemas.ManifestFile, ".json")+".html")
}

func exists(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

func sameFolder(a, b string) bool {
	one, err1 := os.Stat(a)
	other, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, other)
}

// OpenPages opens HTML files, given by their paths, as a package of pages without gold. It
// is called like the folder dir that contains them all.
func OpenPages(dir string, files []string, lim gold.Limits) (*gold.Package, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	below := make([]string, len(files))
	for i, file := range files {
		abs, err := filepath.Abs(file)
		if err == nil {
			below[i], err = filepath.Rel(dir, abs)
		}
		if err != nil {
			return nil, err
		}
		below[i] = filepath.ToSlash(below[i])
	}
	return gold.OpenPages(dir, packageName(dir), below, lim)
}

// CommonFolder returns the lowest folder, as an absolute path, that all files are below.
func CommonFolder(files []string) (string, error) {
	dir := ""
	for i, file := range files {
		abs, err := filepath.Abs(file)
		if err != nil {
			return "", err
		}
		if i == 0 {
			dir = filepath.Dir(abs)
		}
		for !strings.HasPrefix(abs, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator)) {
			dir = filepath.Dir(dir)
		}
	}
	return dir, nil
}

// packageName makes a valid name of a package from that of a folder.
func packageName(dir string) string {
	name := strings.Map(func(r rune) rune {
		if gold.ValidName("x" + string(r)) {
			return r
		}
		return '-'
	}, strings.TrimLeft(filepath.Base(dir), "."))
	if len(name) > 100 {
		name = name[:100]
	}
	if !gold.ValidName(name) {
		return "pages"
	}
	return name
}

func (folder) pages(ctx context.Context, in *Inputs, name string) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) {
		tree, err := ReadTree(ctx, name, "")
		if err != nil {
			yield(nil, err)
			return
		}
		if tree.Empty() {
			tree.Archives = []string{name} // the error says what is missing
		} else if in.Note != nil {
			tree.Tell(in.Note)
		}
		var parts []iter.Seq2[*Page, error]
		for _, file := range tree.Archives {
			parts = append(parts, in.archives(ctx, file))
		}
		for _, p := range tree.Packages {
			parts = append(parts, in.packageBelow(ctx, p))
		}
		if len(tree.Pages) > 0 {
			parts = append(parts, packagePages(ctx, name, func() (*gold.Package, error) { return OpenPages(name, tree.Pages, gold.Limits{}) }))
		}
		for _, part := range parts {
			for p, err := range part {
				if !yield(p, err) {
					return
				}
			}
		}
	}
}

// packageBelow yields the pages of what looks like a gold package in a folder.
func (in *Inputs) packageBelow(ctx context.Context, name string) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) {
		for p, err := range (goldPackage{}).pages(ctx, in, name) {
			switch {
			case !errors.Is(err, gold.ErrNoPages):
				if !yield(p, err) {
					return
				}
			case in.Note != nil:
				in.Note(NoPackage(name))
			}
		}
	}
}
