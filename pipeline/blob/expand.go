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
	"gocloud.dev/blob"
	"golang.org/x/sync/errgroup"
)

// archiveSuffixes are the names that a folder is searched for.
var archiveSuffixes = []string{".warc", ".warc.gz", ".warc.zst", ".warc.bz2", ".warc.xz"}

// IsArchive says whether a file in a folder counts as an input, by its name.
func IsArchive(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(archiveSuffixes, func(s string) bool { return strings.HasSuffix(name, s) })
}

// isList says whether a file is a list of inputs, by its name.
func isList(name string) bool {
	return strings.HasSuffix(name, ".paths") || strings.HasSuffix(name, ".paths.gz")
}

const (
	listBytesMax = 1 << 30  // unpacked; Common Crawl's lists have some 10 MB
	listLineMax  = 64 << 10 // bytes of a line
)

// Expand finds the objects that inputs name, sorted by URL, each once. An input is
//
//   - a file, whatever it is called: "crawl.warc.gz", "s3://bucket/crawl.warc.gz";
//   - a folder, searched with all below it for archives (IsArchive), hidden
//     files and folders left out: "crawls/", "gs://bucket/crawls/";
//   - a pattern of *, ?, [a-z] within a name and ** across folders:
//     "crawls/**/*.warc.gz". In a URL ? begins the settings and is no pattern;
//   - a list file, NAME.paths or NAME.paths.gz, with one name a line. Names that
//     are no paths or URLs of their own are joined to base, or to the list's
//     folder if base is empty. Blank lines and lines from # on count for nothing.
//
// Every input must give at least one object. Only stats and listings are
// requested, no content but that of lists.
func (c *Client) Expand(ctx context.Context, inputs []string, base string) ([]Object, error) {
	var found []Object
	for _, input := range inputs {
		objs, err := c.expand(ctx, input, base)
		if err == nil && len(objs) == 0 {
			err = classed(ErrNotFound, errors.New("no archives there"))
		}
		if err != nil {
			return nil, named("input", input, err)
		}
		found = append(found, objs...)
	}
	slices.SortFunc(found, func(a, b Object) int { return cmp.Compare(a.URL, b.URL) })
	return slices.CompactFunc(found, func(a, b Object) bool { return a.URL == b.URL }), nil
}

func (c *Client) expand(ctx context.Context, input, base string) ([]Object, error) {
	p, err := parse(input)
	if err != nil {
		return nil, err
	}
	switch {
	case isList(strings.ToLower(name(p))):
		return c.expandList(ctx, p, base)
	case p.local():
		return expandLocal(ctx, p.path)
	case isBucketScheme(p.url.Scheme):
		return c.expandBucket(ctx, p)
	}
	obj, err := c.stat(ctx, p)
	return []Object{obj}, err
}

// name is the path of a place, without settings.
func name(p place) string {
	if p.local() {
		return p.path
	}
	return p.url.Path
}

func expandLocal(ctx context.Context, path string) ([]Object, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return walkLocal(ctx, path, IsArchive)
	case err == nil:
		obj, err := statLocal(path)
		return []Object{obj}, err
	case errors.Is(err, fs.ErrNotExist) && isPattern(path):
		match, root, err := compilePattern(filepath.ToSlash(path))
		if err != nil {
			return nil, err
		}
		if root == "" {
			root = "."
		}
		return walkLocal(ctx, filepath.FromSlash(root), match)
	}
	return nil, fileError(err)
}

// walkLocal finds the regular files below root, links to files included, whose
// path satisfies want. A root that does not exist holds none.
func walkLocal(ctx context.Context, root string, want func(path string) bool) ([]Object, error) {
	var found []Object
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && path == root && errors.Is(err, fs.ErrNotExist):
			return fs.SkipAll
		case err != nil:
			return fileError(err)
		case strings.HasPrefix(d.Name(), ".") && path != root:
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() || !want(filepath.ToSlash(path)):
			return nil
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			return fileError(err) // a folder behind a link, a socket …
		}
		obj, err := statLocal(path)
		found = append(found, obj)
		return err
	})
	return found, err
}

// expandBucket lists what lies behind a bucket URL: an object, a prefix or a pattern.
func (c *Client) expandBucket(ctx context.Context, p place) ([]Object, error) {
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
	return c.listBucket(ctx, p, bucket, key, func(key string) bool { return IsArchive(key) && !hidden(key) })
}

func hidden(key string) bool { return strings.HasPrefix(key, ".") || strings.Contains(key, "/.") }

// listBucket finds the objects under prefix whose key satisfies want.
func (c *Client) listBucket(ctx context.Context, p place, bucket bucket, prefix string, want func(key string) bool) ([]Object, error) {
	var found []Object
	var bare []int // objects whose identity the listing did not tell
	list := bucket.List(&blob.ListOptions{Prefix: prefix})
	for {
		item, err := list.Next(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, bucket.fault(ctx, err)
		}
		if item.IsDir || !want(item.Key) {
			continue
		}
		at := *p.url
		at.Path, at.RawPath = "/"+item.Key, ""
		obj := Object{URL: at.String(), Size: item.Size, Identity: listedIdentity(item), Ranges: true}
		if obj.Identity == "" {
			bare = append(bare, len(found))
		}
		found = append(found, obj)
	}
	return found, c.statAll(ctx, len(bare), func(ctx context.Context, i int) error {
		obj := &found[bare[i]]
		p, err := parse(obj.URL)
		if err == nil {
			*obj, err = c.stat(ctx, p)
		}
		return err
	})
}

// statAll calls f for 0 to n-1, so many at a time as the Client allows.
func (c *Client) statAll(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(c.parallel)
	for i := range n {
		g.Go(func() error { return f(ctx, i) })
	}
	return g.Wait()
}

func (c *Client) expandList(ctx context.Context, p place, base string) ([]Object, error) {
	names, err := c.readList(ctx, p, base)
	if err != nil {
		return nil, err
	}
	found := make([]Object, len(names))
	err = c.statAll(ctx, len(names), func(ctx context.Context, i int) error {
		p, err := parse(names[i])
		if err == nil {
			found[i], err = c.stat(ctx, p)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", names[i], err)
		}
		return nil
	})
	return found, err
}

// readList reads the names in a list file, joined to base.
func (c *Client) readList(ctx context.Context, p place, base string) ([]string, error) {
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
	if base == "" {
		base = folder(p)
	}
	limited := &io.LimitedReader{R: r, N: listBytesMax + 1}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, listLineMax)
	var names []string
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if i := bytes.IndexByte(line, '#'); i == 0 {
			continue
		}
		if len(line) > 0 {
			names = append(names, join(base, string(line)))
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", len(names)+1, err)
	}
	if limited.N <= 0 {
		return nil, fmt.Errorf("list has over %d bytes", listBytesMax)
	}
	return names, nil
}

// folder is the place that holds p, as a base to join names to.
func folder(p place) string {
	if p.local() {
		return filepath.Dir(p.path)
	}
	u := *p.url
	u.Path, u.RawPath = u.Path[:strings.LastIndexByte(u.Path, '/')+1], ""
	return u.String()
}

// join puts a name of a list behind base, unless it stands alone.
func join(base, name string) string {
	if _, ok := urlScheme(name); ok || filepath.IsAbs(name) {
		return name
	}
	p, err := parse(base)
	if err != nil {
		return filepath.Join(base, name) // names both in the error that follows
	}
	if p.local() {
		return filepath.Join(p.path, filepath.FromSlash(name))
	}
	u := *p.url // settings in the query stay behind the name
	u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/")+"/"+name, ""
	return u.String()
}
