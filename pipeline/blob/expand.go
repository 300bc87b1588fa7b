package blob

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/sync/errgroup"
)

// IsList reports whether a file is a list of inputs, by its name.
func IsList(name string) bool {
	return strings.HasSuffix(name, ".paths") || strings.HasSuffix(name, ".paths.gz")
}

const (
	listBytesMax = 1 << 30  // after decompression; Common Crawl's lists have some 10 MB
	listLineMax  = 64 << 10 // bytes of a line
)

// Expand finds the objects that inputs name, sorted by URL, each once. An input is
//
//   - a file, whatever it is called: "crawl.warc.gz", "s3://bucket/crawl.warc.gz";
//   - a folder, searched with all below it for the files that o.Wanted names, hidden
//     files and folders left out: "crawls/", "gs://bucket/crawls/";
//   - a pattern of *, ?, [a-z] and {a,b} within a name and ** across folders:
//     "crawls/**/*.warc.gz". In a URL ? begins the settings and is not a pattern;
//   - a list file, NAME.paths or NAME.paths.gz, with one name a line. Names that
//     are neither absolute paths nor URLs are joined to base, or to the list's
//     folder if base is empty. Blank lines and lines that begin with # are skipped.
//
// Names in a list must lie below base, or within the list's own origin (see bounds),
// unless o.ListMayLeave is set, because the author of a list need not be trusted.
//
// Every input, and every name in a list, must lead to at least one object. The error is
// a *MissingError with those that do not, and the objects that were found are returned
// beside it. Expand requests stats and listings, and the content of lists only.
func (c *Client) Expand(ctx context.Context, inputs []string, o ExpandOptions) ([]Object, error) {
	e := expansion{c: c, opt: o}
	for _, input := range inputs {
		before := len(e.missing)
		objs, err := e.expand(ctx, input)
		if err == nil && len(objs) == 0 && len(e.missing) == before {
			err = e.nothing(input)
		}
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case errors.As(err, new(misuse)):
			return nil, named("input", input, err)
		case err != nil:
			e.lacks(input, named("input", input, err))
		}
		e.found = append(e.found, objs...)
	}
	slices.SortFunc(e.found, func(a, b Object) int { return cmp.Compare(a.URL, b.URL) })
	for i := 1; i < len(e.found); i++ {
		if a, b := &e.found[i-1], &e.found[i]; a.URL == b.URL && *a != *b {
			return nil, fmt.Errorf("blob: input %s: two different files have URLs that differ in secret parameters alone, which are not stored: give them as two runs", a.URL)
		}
	}
	found := slices.CompactFunc(e.found, func(a, b Object) bool { return a.URL == b.URL })
	if len(e.missing) > 0 {
		return found, &MissingError{e.missing}
	}
	return found, nil
}

// ExpandOptions describe how Expand reads folders and list files.
type ExpandOptions struct {
	Base         string // names in lists are joined to it
	ListMayLeave bool
	// Wanted reports whether a file in a folder is an input, by its name. If it is nil,
	// every file is.
	Wanted func(name string) bool
	// Aside is called for each file of a folder that is not wanted, unless it is nil.
	Aside func(name string)
}

func (o *ExpandOptions) wants(name string) bool { return o.Wanted == nil || o.Wanted(name) }

// misuse is an error in the inputs as the user wrote them, such as a bad pattern. Retries
// and other inputs cannot help.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

// Missing is an input, or a name of a list, that cannot be looked at.
type Missing struct {
	URL string
	Err error
}

// MissingError names all of them, in the order of the inputs and the lists.
type MissingError struct{ Missing []Missing }

func (e *MissingError) Error() string {
	errs := e.Unwrap()
	return errors.Join(errs...).Error()
}

// Unwrap returns the error of each.
func (e *MissingError) Unwrap() []error {
	errs := make([]error, len(e.Missing))
	for i := range e.Missing {
		errs[i] = e.Missing[i].Err
	}
	return errs
}

// expansion is one call of Expand.
type expansion struct {
	c       *Client
	opt     ExpandOptions
	found   []Object
	missing []Missing
}

// lacks records that a name led to no object.
func (e *expansion) lacks(name string, err error) {
	u := PublicURL(name)
	if _, ok := urlScheme(name); !ok {
		if abs, err := localURL(name); err == nil {
			u = abs
		}
	}
	e.missing = append(e.missing, Missing{u, err})
}

// nothing returns the error for an input that led to no object. It is an ErrEmpty if the
// input is a folder or a pattern, which may hold files at another time. The name of a
// bucket's folder ends in a slash.
func (e *expansion) nothing(input string) error {
	p, err := parse(input)
	if err != nil {
		return misuse{err}
	}
	folder := isPattern(name(p)) || strings.HasSuffix(name(p), "/")
	if p.local() && !folder {
		info, err := os.Stat(p.path)
		folder = err == nil && info.IsDir()
	} else if !p.local() && name(p) == "" {
		folder = true // a whole bucket
	}
	if folder {
		return classed(ErrNotFound, ErrEmpty)
	}
	return classed(ErrNotFound, errors.New(ErrEmpty.Error()))
}

func (e *expansion) expand(ctx context.Context, input string) ([]Object, error) {
	p, err := parse(input)
	if err != nil {
		return nil, misuse{err}
	}
	switch {
	case IsList(strings.ToLower(name(p))):
		return e.expandList(ctx, p)
	case p.local():
		return e.expandLocal(ctx, p.path)
	case isBucketScheme(p.url.Scheme):
		return e.c.expandBucket(ctx, p, e.opt)
	}
	obj, err := e.c.stat(ctx, p)
	if err != nil {
		return nil, err
	}
	return []Object{obj}, nil
}

// name returns the path of a location, without settings.
func name(p location) string {
	if p.local() {
		return p.path
	}
	return p.url.Path
}

func (e *expansion) expandLocal(ctx context.Context, path string) ([]Object, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return e.walkLocal(ctx, path, e.opt.wants, e.opt.Aside)
	case err == nil:
		obj, err := statLocal(path)
		if err != nil {
			return nil, err
		}
		return []Object{obj}, nil
	case errors.Is(err, fs.ErrNotExist) && isPattern(path):
		match, root, err := compilePattern(filepath.ToSlash(path))
		if err != nil {
			return nil, err
		}
		if root == "" {
			root = "."
		}
		return e.walkLocal(ctx, filepath.FromSlash(root), match, nil)
	}
	return nil, fileError(err)
}

// walkLocal finds the regular files below root, links to files included, whose
// path satisfies want, and calls aside, if it is not nil, for the others. A root that
// does not exist holds none. Folders that cannot be read, and links without a target,
// are missing.
func (e *expansion) walkLocal(ctx context.Context, root string, want func(path string) bool, aside func(path string)) ([]Object, error) {
	var found []Object
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && path == root && errors.Is(err, fs.ErrNotExist):
			return fs.SkipAll
		case err != nil:
			e.lacks(path, named("input", path, fileError(err)))
			return nil
		case strings.HasPrefix(d.Name(), ".") && path != root:
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		case !want(filepath.ToSlash(path)):
			if aside != nil {
				aside(path)
			}
			return nil
		}
		info, err := os.Stat(path)
		if err == nil && !info.Mode().IsRegular() {
			return nil // not a regular file: a link to a folder, a socket and so on
		}
		obj, err := statLocal(path)
		if err != nil {
			e.lacks(path, named("input", path, err))
			return nil
		}
		found = append(found, obj)
		return nil
	})
	return found, err
}

// expandBucket lists the objects that a bucket URL names: one object, those with a
// prefix, or those that match a pattern.
func (c *Client) expandBucket(ctx context.Context, p location, opt ExpandOptions) ([]Object, error) {
	u, key := splitBucketURL(p.url)
	bucket, err := c.bucket(ctx, u)
	if err != nil {
		return nil, err
	}
	if isPattern(key) {
		match, root, err := compilePattern(key)
		if err != nil {
			return nil, err
		}
		return c.listBucket(ctx, p, bucket, root, match)
	}
	if key != "" && !strings.HasSuffix(key, "/") {
		obj, err := c.stat(ctx, p)
		if err == nil {
			return []Object{obj}, nil
		}
		if !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		key += "/"
	}
	return c.listBucket(ctx, p, bucket, key, func(key string) bool {
		wanted := !hidden(key) && opt.wants(key)
		if !wanted && !hidden(key) && opt.Aside != nil {
			opt.Aside(key)
		}
		return wanted
	})
}

func hidden(key string) bool { return strings.HasPrefix(key, ".") || strings.Contains(key, "/.") }

// listBucket finds the objects under prefix whose key satisfies want.
func (c *Client) listBucket(ctx context.Context, p location, bucket bucket, prefix string, want func(key string) bool) ([]Object, error) {
	var found []Object
	var bare []int // objects whose identity is not in the listing
	for item, err := range bucket.list(ctx, prefix, listing{}) {
		if err != nil {
			return nil, bucket.fault(ctx, err)
		}
		if !want(item.key) {
			continue
		}
		at := *p.url
		at.Path, at.RawPath = "/"+item.key, ""
		obj := Object{URL: at.String(), Size: item.size, Identity: item.identity, Ranges: true}
		if obj.Identity == "" {
			bare = append(bare, len(found))
		}
		found = append(found, obj)
	}
	return found, eachOf(ctx, len(bare), func(ctx context.Context, i int) error {
		obj := &found[bare[i]]
		p, err := parse(obj.URL)
		if err == nil {
			*obj, err = c.stat(ctx, p)
		}
		return err
	})
}

// lookUps bounds the objects that are looked up at a time.
const lookUps = 16

// eachOf calls f for 0 to n-1, lookUps of them at a time.
func eachOf(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(lookUps)
	for i := range n {
		g.Go(func() error { return f(ctx, i) })
	}
	return g.Wait()
}

func (e *expansion) expandList(ctx context.Context, p location) ([]Object, error) {
	names, err := e.readList(ctx, p)
	if err != nil {
		return nil, err
	}
	found, errs, err := e.c.StatAll(ctx, names)
	if err != nil {
		return nil, err
	}
	n := 0
	for i, err := range errs {
		if err != nil {
			e.lacks(names[i], named("input", p.String(), fmt.Errorf("%s: %w", PublicURL(names[i]), err)))
			continue
		}
		found[n] = found[i]
		n++
	}
	return found[:n], nil
}

// readList reads the names in a list file, joined to the base.
func (e *expansion) readList(ctx context.Context, p location) ([]string, error) {
	c := e.c
	resolver := newResolver(p, e.opt)
	obj, err := c.stat(ctx, p)
	if err != nil {
		return nil, err
	}
	src, err := c.Open(ctx, obj)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	var r io.Reader = bufio.NewReaderSize(io.NewSectionReader(src, 0, src.Size()), 64<<10)
	if strings.HasSuffix(strings.ToLower(name(p)), ".gz") {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		r = z
	}
	limited := &io.LimitedReader{R: r, N: listBytesMax + 1}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, listLineMax)
	var names []string
	n := 0
	for ; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		name, err := resolver.URL(string(line))
		if err != nil {
			return nil, misuse{fmt.Errorf("line %d: %w", n+1, err)}
		}
		names = append(names, name)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n+1, err)
	}
	if limited.N <= 0 {
		return nil, fmt.Errorf("list has over %d bytes", listBytesMax)
	}
	return names, nil
}

// Resolver finds the files that the lines of a list or an index name.
type Resolver struct {
	base   string
	bounds bounds
}

// NewResolver returns the Resolver for names in the object of a URL. Names are joined to
// o.Base or to the folder of the object, and are restricted like names in lists (Expand).
func NewResolver(object string, o ExpandOptions) (*Resolver, error) {
	p, err := parse(object)
	if err != nil {
		return nil, named("read", object, err)
	}
	return newResolver(p, o), nil
}

func newResolver(p location, o ExpandOptions) *Resolver {
	base := o.Base
	if base == "" {
		base = folder(p)
	}
	return &Resolver{base, boundsOf(p, o)}
}

// URL returns the URL or path that a name refers to, or an error if that is outside of
// the bounds.
func (r *Resolver) URL(name string) (string, error) {
	full := join(r.base, name)
	return full, r.bounds.check(full)
}

// StatAll looks up objects by their URLs or paths, several at a time. An object that
// cannot be looked up has its own error; the last result is that of ctx.
func (c *Client) StatAll(ctx context.Context, names []string) ([]Object, []error, error) {
	found, errs := make([]Object, len(names)), make([]error, len(names))
	err := eachOf(ctx, len(names), func(ctx context.Context, i int) error {
		p, err := parse(names[i])
		if err == nil {
			found[i], err = c.stat(ctx, p)
		}
		errs[i] = err
		return ctx.Err()
	})
	return found, errs, err
}

// folder returns the folder that contains p, as a base to join names to.
func folder(p location) string {
	if p.local() {
		return filepath.Dir(p.path)
	}
	u := *p.url
	u.Path, u.RawPath = u.Path[:strings.LastIndexByte(u.Path, '/')+1], ""
	return u.String()
}

// IsPattern reports whether the path of an input on this machine is a pattern (see
// Client.Expand), and not the name of a file or folder.
func IsPattern(path string) bool {
	_, err := os.Lstat(path)
	return isPattern(path) && errors.Is(err, fs.ErrNotExist)
}

// Below returns the URL of a file below a folder, both as for Client.Store. Settings in
// the folder's URL are kept.
func Below(folder, name string) string { return join(folder, name) }

// join joins a name of a list to base, unless the name is absolute.
func join(base, name string) string {
	if _, ok := urlScheme(name); ok || filepath.IsAbs(name) {
		return name
	}
	p, err := parse(base)
	if err != nil {
		return filepath.Join(base, name) // the error that follows names both
	}
	if p.local() {
		return filepath.Join(p.path, filepath.FromSlash(name))
	}
	u := *p.url // settings in the query follow the name
	u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/")+"/"+name, ""
	return u.String()
}
