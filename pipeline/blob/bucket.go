package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strconv"
	"strings"
)

// bucket is an opened bucket of an object store, with the name by which a user refers
// to it.
type bucket struct {
	driver
	name string // "s3://crawl"
}

// driver speaks to one bucket of an object store. Its errors are those of the
// store's own library: fault gives them their class. Safe for concurrent use.
type driver interface {
	// stat looks an object up.
	stat(ctx context.Context, key string) (entry, error)
	// read requests the bytes [off, end) of an object on condition that it still
	// has the identity. The entry that it returns describes the object of the answer;
	// its identity is empty if the answer has none.
	read(ctx context.Context, key, identity string, off, end int64) (io.ReadCloser, entry, error)
	// write uploads an object, which appears when r has ended with io.EOF and not
	// if ctx ends before that. With fresh it appears only if there is none.
	write(ctx context.Context, key string, r io.Reader, fresh bool) error
	// list yields the objects whose key begins with prefix, in the order of their
	// keys. An error ends the listing.
	list(ctx context.Context, prefix string, l listing) iter.Seq2[entry, error]
	// copy makes an object appear under a second key as well, replacing what is
	// there, without moving its bytes through this process.
	copy(ctx context.Context, from, to string) error
	// delete removes an object. It may return an error if there is none.
	delete(ctx context.Context, key string) error
}

// listing says how a bucket is listed.
type listing struct {
	page int // objects that are requested at a time; as many as the store chooses if it is 0
	// folders lists, instead of the objects that have a slash after the prefix, their keys up
	// to that slash, each once.
	folders bool
}

// entry describes an object. That of a folder has a key alone, which ends in a slash.
type entry struct {
	key      string
	size     int64
	identity string // "etag:", "generation:" or "mtime:" and its value; "" if only stat returns it
}

// bucketSchemes has the object stores by the scheme of their URLs.
var bucketSchemes = map[string]func(ctx context.Context, name string, s *settings, r Retry) (driver, error){
	"s3":     openS3,
	"gs":     openGoogle,
	"azblob": openAzure,
}

// isBucketScheme reports whether a URL scheme is one of the object stores'.
func isBucketScheme(scheme string) bool { return bucketSchemes[scheme] != nil }

// splitBucketURL cuts a URL into that of its bucket, with the settings in the
// query ("s3://bucket?region=eu-west-1"), and the key.
func splitBucketURL(u *url.URL) (bucket, key string) {
	b := *u
	b.Path, b.RawPath, b.Fragment = "", "", ""
	return b.String(), strings.TrimPrefix(u.Path, "/")
}

// openBucket opens the bucket of a URL. It sends no requests except to look up
// credentials.
func openBucket(ctx context.Context, u string, r Retry) (bucket, error) {
	parsed, err := url.Parse(u)
	if err != nil {
		return bucket{}, err
	}
	s := settings{values: parsed.Query()}
	d, err := bucketSchemes[parsed.Scheme](ctx, parsed.Host, &s, r)
	if bad := s.check(); bad != nil {
		return bucket{}, bad
	}
	if err != nil {
		if hint := missingKeys(err); hint != "" {
			err = denied(err, "%s", hint)
		}
		return bucket{}, err
	}
	return bucket{d, parsed.Scheme + "://" + parsed.Host}, nil
}

// settings are the parameters in the query of a bucket's URL. A driver reads those that
// it knows; check returns an error for any other.
type settings struct {
	values url.Values
	known  []string
	err    error
}

func (s *settings) text(name string) string {
	s.known = append(s.known, name)
	return s.values.Get(name)
}

func (s *settings) flag(name string) bool {
	text := s.text(name)
	if text == "" {
		return false
	}
	on, err := strconv.ParseBool(text)
	if err != nil {
		s.err = fmt.Errorf("setting %s=%s of the bucket's URL: want true or false", name, text)
	}
	return on
}

func (s *settings) check() error {
	for _, name := range s.known {
		s.values.Del(name)
	}
	for name := range s.values {
		return fmt.Errorf("unknown setting %q of the bucket's URL: want %s", name, strings.Join(s.known, ", "))
	}
	return s.err
}

// bucketObject is one object of a bucket.
type bucketObject struct {
	bucket bucket
	key    string
}

func (b bucketObject) stat(ctx context.Context) (size int64, identity string, err error) {
	e, err := b.bucket.stat(ctx, b.key)
	return e.size, e.identity, b.bucket.fault(ctx, err)
}

// fetch requests [off, end) on condition that the object is the planned one,
// and checks the answer as well: not every server that speaks a protocol knows
// its conditions.
func (b bucketObject) fetch(size int64, identity string) func(ctx context.Context, off, end int64) (io.ReadCloser, error) {
	return func(ctx context.Context, off, end int64) (io.ReadCloser, error) {
		r, e, err := b.bucket.read(ctx, b.key, identity, off, end)
		if err != nil {
			return nil, b.whyNot(ctx, b.bucket.fault(ctx, err), identity)
		}
		if e.size != size {
			err = changed("size is %d, was %d", e.size, size)
		} else if e.identity != "" && identity != "" && e.identity != identity {
			err = changed("identity is %s, was %s", e.identity, identity)
		}
		if err != nil {
			r.Close()
			return nil, err
		}
		return r, nil
	}
}

// whyNot distinguishes an object that was replaced from one that was deleted: Google's
// store answers "not found" for a generation that has been replaced.
func (b bucketObject) whyNot(ctx context.Context, err error, identity string) error {
	if errors.Is(err, ErrNotFound) {
		if _, id, serr := b.stat(ctx); serr == nil && identity != "" && id != identity {
			return changed("identity is %s, was %s", id, identity)
		}
	}
	return err
}

// The kinds of identity.
const (
	kindTag        = "etag:"
	kindGeneration = "generation:"
	kindTime       = "mtime:"
)

// entityTag makes an identity of an entity tag, with its quotes (RFC 9110, 8.8.3), which
// Azure's listings leave out.
func entityTag(tag string) string {
	if tag == "" {
		return ""
	}
	if !strings.HasSuffix(tag, `"`) {
		tag = `"` + tag + `"`
	}
	return kindTag + tag
}

func modified(t interface{ UnixNano() int64 }) string {
	return kindTime + strconv.FormatInt(t.UnixNano(), 10)
}

// rangeSize returns the size of an object from the Content-Range of an answer: the
// number after the slash in "bytes 10-14/27".
func rangeSize(contentRange string, length int64) int64 {
	if _, total, ok := strings.Cut(contentRange, "/"); ok {
		if n, err := strconv.ParseInt(total, 10, 64); err == nil {
			return n
		}
	}
	return length
}

// deref returns the value of an optional field of an answer, or the zero value.
func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
