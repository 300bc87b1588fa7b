package gold

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/ulikunitz/xz"
)

// source gives access to the files of a package in a folder or an archive. Names are
// those of the files alone, without a folder or a separator.
type source interface {
	// read appends the file's bytes to buf. More than limit bytes are an error.
	read(buf []byte, name string, limit int64) ([]byte, error)
	io.Closer
}

// folder is a package in a directory. os.Root prevents symbolic links and names from
// leading out of it.
type folder struct{ root *os.Root }

// openFolder returns the folder and the names of its regular files.
func openFolder(dir string, max int) (*folder, []string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	names, err := listFolder(root, max)
	if err != nil {
		root.Close()
		return nil, nil, err
	}
	return &folder{root}, names, nil
}

func listFolder(root *os.Root, max int) ([]string, error) {
	d, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var names []string
	for {
		entries, err := d.ReadDir(4096)
		for _, e := range entries {
			// Only regular files are listed, because opening a pipe or a device could
			// block for ever.
			if info, err := root.Stat(e.Name()); err == nil && info.Mode().IsRegular() {
				names = append(names, e.Name())
			}
		}
		switch {
		case len(names) > max:
			return nil, fmt.Errorf("more than %d files", max)
		case err == io.EOF:
			return names, nil
		case err != nil:
			return nil, err
		}
	}
}

func (f *folder) read(buf []byte, name string, limit int64) ([]byte, error) {
	file, err := f.root.Open(name)
	if err != nil {
		return buf, err
	}
	defer file.Close()
	return readLimited(buf, file, limit)
}

func (f *folder) Close() error { return f.root.Close() }

// archive is a package in a tar file, inflated if it was compressed.
type archive struct {
	file  *os.File
	spool bool // file is a temporary one that Close removes
	at    map[string]extent
}

type extent struct{ offset, size int64 }

// openArchive indexes the archive. It returns the archive, the name of the folder that
// it holds ("" if its files are in none), and the names of its files.
func openArchive(name string, lim Limits) (*archive, string, []string, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, "", nil, err
	}
	a := &archive{file: file}
	top, names, err := a.open(lim)
	if err != nil {
		a.Close()
		return nil, "", nil, err
	}
	return a, top, names, nil
}

func (a *archive) open(lim Limits) (string, []string, error) {
	if err := a.inflate(lim); err != nil {
		return "", nil, err
	}
	return a.index(lim.Files)
}

// inflate replaces a compressed file by a temporary one with its content. The file's
// first bytes, not its name, decide how it is compressed. Inflating fails before it
// exceeds the limit or fills the temporary folder's volume.
func (a *archive) inflate(lim Limits) error {
	in := bufio.NewReaderSize(a.file, 1<<20)
	magic, err := in.Peek(6)
	if err != nil && err != io.EOF {
		return err
	}
	var r io.Reader
	switch {
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		r, err = gzip.NewReader(in)
	case bytes.HasPrefix(magic, []byte("\xfd7zXZ\x00")):
		// The dictionary that an xz file asks for is only address space. Its memory is
		// used only as far as content is inflated.
		r, err = xz.NewReader(in)
	default:
		return nil
	}
	if err != nil {
		return err
	}
	spool, err := os.CreateTemp("", "winnow-gold-*.tar")
	if err != nil {
		return err
	}
	packed := a.file
	a.file, a.spool = spool, true
	defer packed.Close()
	for n := int64(0); ; {
		if err := room(spool.Name(), lim.FreeBytes); err != nil {
			return fmt.Errorf("inflating, after %d bytes: %w", n, err)
		}
		written, err := io.CopyN(spool, r, min(inflateStep, lim.ArchiveBytes+1-n))
		switch n += written; {
		case n > lim.ArchiveBytes:
			return fmt.Errorf("inflates to more than %d bytes: if you trust it, allow more (pack --archive-limit), or unpack it yourself and give the folder", lim.ArchiveBytes)
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("inflating: %w", err)
		}
	}
}

// inflateStep is how many bytes are inflated between two checks of the free space.
const inflateStep = 16 << 20

// room returns an error if the volume of a file has less than keep bytes left.
func room(file string, keep int64) error {
	free, known := freeBytes(filepath.Dir(file))
	if known && free < keep {
		return fmt.Errorf("%s has %d bytes left, and %d are to stay free: set TMPDIR to a larger volume", filepath.Dir(file), free, keep)
	}
	return nil
}

// index records where the regular files lie in the archive. They must all be in one
// folder.
func (a *archive) index(max int) (top string, names []string, err error) {
	if _, err := a.file.Seek(0, io.SeekStart); err != nil {
		return "", nil, err
	}
	a.at = make(map[string]extent)
	seen := false
	for r := tar.NewReader(a.file); ; {
		h, err := r.Next()
		switch {
		case err == io.EOF:
			return top, names, nil
		case err != nil && !errors.Is(err, tar.ErrInsecurePath):
			return "", nil, err
		case h.Typeflag == tar.TypeDir || h.Typeflag == tar.TypeXGlobalHeader:
			continue
		}
		dir, name := path.Split(strings.TrimPrefix(h.Name, "./"))
		dir = strings.TrimSuffix(dir, "/")
		switch {
		case h.Typeflag != tar.TypeReg || sparse(h):
			return "", nil, fmt.Errorf("%q is not a regular file", h.Name)
		case !ValidName(name) || dir != "" && !ValidName(dir):
			return "", nil, fmt.Errorf("%q is not a file of one folder", h.Name)
		case seen && dir != top:
			return "", nil, fmt.Errorf("%q is not in the folder %q of the files before", h.Name, top)
		case len(names) == max:
			return "", nil, fmt.Errorf("more than %d files", max)
		}
		if _, twice := a.at[name]; twice {
			return "", nil, fmt.Errorf("%q is there twice", h.Name)
		}
		at, err := a.file.Seek(0, io.SeekCurrent) // exact, because tar reads headers by blocks and does not read ahead
		if err != nil {
			return "", nil, err
		}
		seen, top = true, dir
		names = append(names, name)
		a.at[name] = extent{at, h.Size}
	}
}

// sparse reports whether a file is stored in the archive in sparse form, so that its
// bytes cannot be read from there directly.
func sparse(h *tar.Header) bool {
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return h.Typeflag == tar.TypeGNUSparse
}

func (a *archive) read(buf []byte, name string, limit int64) ([]byte, error) {
	e, ok := a.at[name]
	if !ok {
		return buf, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	buf, err := readLimited(buf, io.NewSectionReader(a.file, e.offset, e.size), limit)
	if err == nil && int64(len(buf)) < e.size {
		return buf, fmt.Errorf("%s: %w", name, io.ErrUnexpectedEOF)
	}
	return buf, err
}

func (a *archive) Close() error {
	err := a.file.Close()
	if a.spool {
		err = errors.Join(err, os.Remove(a.file.Name()))
	}
	return err
}

// readLimited reads r into buf[:0]. More than limit bytes are an error.
func readLimited(buf []byte, r io.Reader, limit int64) ([]byte, error) {
	b := bytes.NewBuffer(buf[:0])
	n, err := b.ReadFrom(io.LimitReader(r, limit+1))
	if err == nil && n > limit {
		err = fmt.Errorf("more than %d bytes", limit)
	}
	return b.Bytes(), err
}

// ValidName reports whether s may name a file, a document or a package. A name consists
// of letters, digits and ". _ -", and does not begin with a dot.
func ValidName(s string) bool {
	if s == "" || len(s) > 200 || s[0] == '.' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// stem returns the last element of a path without the suffixes of archives.
func stem(name string) string {
	name = filepath.Base(filepath.Clean(name))
	for _, end := range []string{".xz", ".gz", ".tgz", ".txz", ".tar"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}
