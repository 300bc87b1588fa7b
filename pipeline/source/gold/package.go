package gold

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/winnow/winnow/schemas"
)

// DefaultArchiveBytes is the default of Limits.ArchiveBytes.
const DefaultArchiveBytes = 16 << 30

// Limits bound the cost of a package. Zero fields mean the defaults.
type Limits struct {
	Files        int   // files in the package; default 4 Mi
	ArchiveBytes int64 // bytes of an inflated archive in the temporary folder; default DefaultArchiveBytes
	FreeBytes    int64 // bytes that stay free on the volume of the temporary folder; default 1 GiB
	PageBytes    int64 // bytes of one page or annotated page; default 64 MiB
	GoldBytes    int64 // bytes of one gold text or metadata file; default 16 MiB
}

func (l Limits) orDefault() Limits {
	return Limits{
		Files:        cmp.Or(l.Files, 4<<20),
		ArchiveBytes: cmp.Or(l.ArchiveBytes, DefaultArchiveBytes),
		FreeBytes:    cmp.Or(l.FreeBytes, 1<<30),
		PageBytes:    cmp.Or(l.PageBytes, 64<<20),
		GoldBytes:    cmp.Or(l.GoldBytes, 16<<20),
	}
}

// Info holds the fields of package.json that Winnow reads.
type Info struct {
	Name      string   `json:"name"`
	Title     string   `json:"title"`
	Documents int      `json:"documents"`
	Source    string   `json:"source"`
	License   string   `json:"license"`
	Gold      string   `json:"gold"` // how the gold is defined
	Notes     []string `json:"notes"`
	Origin    string   `json:"origin"`
	HTMLBytes int64    `json:"html_bytes"`
	// Date is when the pages were fetched, in the form of RFC 3339. It is empty if
	// that is not known.
	Date string `json:"date"`
	// Charset is the charset that the server's Content-Type names for all pages. If it
	// is empty, Content-Type names none.
	Charset string `json:"http_charset"`
	// Entities means that gold texts are written with character references, as in HTML.
	// They are decoded once. The texts of other packages are not decoded.
	Entities bool `json:"gold_entities"`
	// HeldOut means that the package is only for evaluation: nothing may be trained on
	// it or chosen by it.
	HeldOut bool `json:"held_out"`
}

// asIfServer begins the note of a package whose pages were converted when
// they were stored, so that the charset they declare is not the one they have. The note
// means the same as the field http_charset.
const asIfServer = "as if the server had said charset="

// charset returns the charset that the server's Content-Type names for all pages.
func (i *Info) charset() string {
	if i.Charset != "" {
		return i.Charset
	}
	for _, note := range i.Notes {
		if _, rest, ok := strings.Cut(note, asIfServer); ok {
			end := strings.IndexFunc(rest, func(r rune) bool {
				return r != '-' && r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
			})
			if end < 0 {
				end = len(rest)
			}
			return rest[:end]
		}
	}
	return ""
}

// Package is an open gold test package. It is not safe for concurrent use.
type Package struct {
	Info Info
	// Orphans are gold and metadata files without a page, in name order.
	Orphans []string

	lim  Limits
	src  source
	ids  []string
	has  map[string]bool   // the names of all files of the package
	page map[string]string // the file of each page, in a package of pages alone (OpenPages)
	raw  []byte            // package.json
	doc  Document
	text []byte
	meta []byte
}

// Open opens the package of that path: a folder or an archive. Its documents are
// only listed, not read. The caller closes it.
func Open(name string, lim Limits) (*Package, error) {
	p, err := open(name, lim.orDefault())
	if err != nil {
		return nil, fmt.Errorf("gold: package %s: %w", name, err)
	}
	return p, nil
}

func open(path string, lim Limits) (*Package, error) {
	stat, err := os.Stat(path)
	if err != nil {
		return nil, bare(err)
	}
	p := &Package{lim: lim}
	name := stem(path)
	var names []string
	if stat.IsDir() {
		p.src, names, err = openFolder(path, lim.Files)
	} else {
		var top string
		p.src, top, names, err = openArchive(path, lim)
		name = cmp.Or(top, name)
	}
	if err != nil {
		return nil, bare(err)
	}
	if err := p.list(name, names); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// OpenPages opens HTML files that have no gold as a package of that name, which must be a
// valid one. files are their paths below the folder dir, separated by slashes. The id of a
// page is its path without the extension; if two pages would then have the same id, the
// ids of all pages have the extension.
func OpenPages(dir, name string, files []string, lim Limits) (*Package, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("gold: pages in %s: %w", dir, bare(err))
	}
	p := &Package{Info: Info{Name: name}, lim: lim.orDefault(), src: &folder{root}, page: make(map[string]string, len(files))}
	for _, file := range files {
		p.page[strings.TrimSuffix(file, path.Ext(file))] = file
	}
	if len(p.page) < len(files) {
		clear(p.page)
		for _, file := range files {
			p.page[file] = file
		}
	}
	p.ids = slices.Sorted(maps.Keys(p.page))
	return p, nil
}

// file returns the name of the file of a page.
func (p *Package) file(id string) string {
	if name, ok := p.page[id]; ok {
		return name
	}
	return id + ".html"
}

// IsArchive reports whether a file is a packed gold test package by its name, and not a
// page or a WARC file.
func IsArchive(name string) bool {
	for _, end := range []string{".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// bare removes from an error the path that the caller's message contains already.
func bare(err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		return pe.Err
	}
	return err
}

// ErrNoPages means that a folder or an archive is not a gold package.
var ErrNoPages = errors.New("no ID.html in it")

// list finds the documents among the files and reads package.json.
func (p *Package) list(name string, names []string) error {
	slices.Sort(names)
	p.has = make(map[string]bool, len(names))
	for _, n := range names {
		p.has[n] = true
	}
	for _, n := range names {
		id, ok := strings.CutSuffix(n, ".html")
		if !ok || p.annotated(n) {
			continue
		}
		if !ValidName(id) {
			return fmt.Errorf("document id %q has other characters than letters, digits and . _ -", id)
		}
		p.ids = append(p.ids, id)
	}
	if len(p.ids) == 0 {
		return ErrNoPages
	}
	slices.Sort(p.ids)
	for _, n := range names {
		for _, end := range []string{".txt", ".json", ".gold.html"} {
			if id, ok := strings.CutSuffix(n, end); ok && n != "package.json" && !p.has[id+".html"] {
				p.Orphans = append(p.Orphans, n)
			}
		}
	}
	if p.has["package.json"] {
		raw, err := p.src.read(nil, "package.json", p.lim.GoldBytes)
		if err == nil {
			err = json.Unmarshal(raw, &p.Info)
		}
		if err != nil {
			return fmt.Errorf("package.json: %w", err)
		}
		p.raw = raw
	}
	p.Info.Name = cmp.Or(p.Info.Name, name)
	if !ValidName(p.Info.Name) {
		return fmt.Errorf("name %q has other characters than letters, digits and . _ -", p.Info.Name)
	}
	return nil
}

// annotated reports whether a file is the annotated copy of a page, and not a page of
// its own. A page may have "x.gold" as its id if there is no page "x".
func (p *Package) annotated(name string) bool {
	id, ok := strings.CutSuffix(name, ".gold.html")
	return ok && p.has[id+".html"]
}

// Raw returns the bytes of package.json, nil if the package has none.
func (p *Package) Raw() []byte { return p.raw }

// Len returns the number of documents.
func (p *Package) Len() int { return len(p.ids) }

// Close closes the package's files.
func (p *Package) Close() error { return p.src.Close() }

// Document is one page of a package with its gold.
type Document struct {
	ID   string
	HTML []byte // the page as it was found; see Package.ContentType for its encoding
	Gold schemas.Gold

	charset string // charset of HTML, if the page is known to declare a wrong one
}

// DocumentError reports a document that could not be read. The documents after it can
// still be read.
type DocumentError struct {
	Package, ID string
	File        string // the name of the page's file in the package
	Err         error
}

func (e *DocumentError) Error() string {
	return fmt.Sprintf("gold: package %s: document %s: %v", e.Package, e.ID, e.Err)
}

func (e *DocumentError) Unwrap() error { return e.Err }

// Documents reads the documents in the order of their ids. For a document that cannot
// be read it yields a *DocumentError and continues with the next one. The only other
// error is that of ctx. A Document is valid until the next one is read.
func (p *Package) Documents(ctx context.Context) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		for _, id := range p.ids {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			err := p.read(id)
			if err != nil {
				if !yield(nil, &DocumentError{p.Info.Name, id, p.file(id), err}) {
					return
				}
				continue
			}
			if !yield(&p.doc, nil) {
				return
			}
		}
	}
}

// ContentType returns the Content-Type with which a page of the package is packed. It
// names a charset only if the package says that all its pages were converted, or that
// this page declares a wrong one. Otherwise the page itself has to declare its charset.
func (p *Package) ContentType(d *Document) string {
	if c := cmp.Or(p.Info.charset(), d.charset); c != "" {
		return "text/html; charset=" + c
	}
	return "text/html"
}
