package blob

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
)

// Store opens the output folder that a path or a file, s3, gs or azblob URL
// names: "out", "s3://bucket/runs/1?region=eu-west-1".
func (c *Client) Store(ctx context.Context, name string) (Store, error) {
	s, err := c.store(ctx, name)
	if err != nil {
		return nil, named("output", name, err)
	}
	return s, nil
}

// Scratch opens a new temporary folder. discard removes it.
func (c *Client) Scratch(ctx context.Context) (store Store, discard func() error, err error) {
	dir, err := os.MkdirTemp("", "winnow-*")
	if err != nil {
		return nil, nil, err
	}
	discard = func() error { return os.RemoveAll(dir) }
	if store, err = c.Store(ctx, dir); err != nil {
		return nil, nil, errors.Join(err, discard())
	}
	return store, discard, nil
}

func (c *Client) store(ctx context.Context, name string) (Store, error) {
	p, err := parse(name)
	switch {
	case err != nil:
		return nil, err
	case p.local():
		// A folder that is missing is made by the first file.
		if info, err := os.Stat(p.path); errors.Is(err, syscall.ENOTDIR) || err == nil && !info.IsDir() {
			return nil, errors.New("this is a file, or lies below one: give a folder")
		}
		u, err := localURL(p.path)
		return localStore{p.path, u}, err
	case !isBucketScheme(p.url.Scheme):
		return nil, errors.New("cannot write to a web server: want a path, file, s3, gs or azblob")
	}
	u, prefix := splitBucketURL(p.url)
	b, err := c.bucket(ctx, u)
	if err != nil {
		return nil, err
	}
	if err := c.reach(ctx, u, b); err != nil {
		return nil, err
	}
	if prefix = strings.Trim(prefix, "/"); prefix != "" {
		prefix += "/"
	}
	return &bucketStore{b, prefix, p.url, c.retry}, nil
}

// reach lists one object of a bucket, so that a mistake in the bucket's name or in the
// credentials is found before hours of work are written there. It does so once for each
// bucket: a plan may open hundreds of folders of one.
func (c *Client) reach(ctx context.Context, u string, b bucket) error {
	c.mu.Lock()
	reached := c.reached[u]
	c.mu.Unlock()
	if reached {
		return nil
	}
	err := c.retry.do(ctx, func() error {
		for _, err := range b.list(ctx, "", listing{page: 1}) {
			return b.fault(ctx, err)
		}
		return nil
	})
	if err == nil {
		c.mu.Lock()
		c.reached[u] = true
		c.mu.Unlock()
	}
	return err
}

// bucketStore is a Store below a prefix of a bucket. Object stores publish an
// object when its upload is completed, so that no temporary names are needed.
type bucketStore struct {
	bucket bucket
	prefix string
	url    *url.URL
	retry  Retry
}

func (s *bucketStore) URL() string { return s.url.String() }

const (
	// uploadPart is the size of the parts that a large file is uploaded in;
	// uploadParallel of them are uploaded at a time. Google's store takes one after the
	// other.
	uploadPart     = 5 << 20
	uploadParallel = 5
	// contentType is set because stores would guess one otherwise.
	contentType = "application/octet-stream"
)

func (s *bucketStore) Create(ctx context.Context, name string) (*Writer, error) {
	return s.create(ctx, name, false)
}

// CreateNew implements Store with the condition "If-None-Match: *", or Google's
// "generation 0". A server that speaks a protocol without its conditions replaces
// the file.
func (s *bucketStore) CreateNew(ctx context.Context, name string) (*Writer, error) {
	return s.create(ctx, name, true)
}

func (s *bucketStore) create(ctx context.Context, name string, fresh bool) (*Writer, error) {
	if err := errors.Join(ValidName(name), context.Cause(ctx)); err != nil {
		return nil, named("create", name, err)
	}
	upload, cancel := context.WithCancel(ctx)
	from, to := io.Pipe()
	sink := &bucketSink{ctx: ctx, bucket: s.bucket, fresh: fresh, cancel: cancel, w: to, done: make(chan error, 1)}
	go func() {
		err := s.bucket.write(upload, s.prefix+name, from, fresh)
		from.CloseWithError(cmp.Or(err, io.ErrClosedPipe))
		sink.done <- err
	}()
	return NewWriter(ctx, name, sink), nil
}

// bucketSink is an upload under way, which reads what is written here through a
// pipe.
type bucketSink struct {
	ctx    context.Context // the context given to Create: its end is distinguished from a fault of the store
	bucket bucket
	fresh  bool // publish only if no object has the name
	cancel context.CancelFunc
	w      *io.PipeWriter
	done   chan error // receives the result of the upload, once
}

func (s *bucketSink) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	return n, s.fault(err)
}

func (s *bucketSink) Commit() error {
	defer s.cancel()
	s.w.Close()
	return s.fault(<-s.done)
}

// fault classes an error of an upload. An upload needs no object, so "not found" is about
// the bucket, and a failed condition means that the object exists already.
func (s *bucketSink) fault(err error) error {
	err = s.bucket.fault(s.ctx, err)
	var f *failure
	if s.fresh && errors.As(err, &f) && f.class == ErrChanged {
		return classed(ErrExists, f.err)
	}
	if errors.Is(err, ErrNotFound) {
		return denied(err, "there is no bucket %s", s.bucket.name)
	}
	return err
}

func (s *bucketSink) Abort() error {
	s.cancel() // before the pipe is closed, because an upload whose data end is published
	s.w.CloseWithError(context.Canceled)
	<-s.done
	return nil
}

func (s *bucketStore) Open(ctx context.Context, name string) (File, error) {
	obj, size, identity, err := s.stat(ctx, name)
	if err != nil {
		return nil, named("open", name, err)
	}
	return newRandom(ctx, remote{name: name, size: size, retry: s.retry, fetch: obj.fetch(size, identity)}), nil
}

func (s *bucketStore) stat(ctx context.Context, name string) (obj bucketObject, size int64, identity string, err error) {
	if err := ValidName(name); err != nil {
		return obj, 0, "", err
	}
	obj = bucketObject{s.bucket, s.prefix + name}
	err = s.retry.do(ctx, func() (err error) {
		size, identity, err = obj.stat(ctx)
		return err
	})
	return obj, size, identity, err
}

func (s *bucketStore) Stat(ctx context.Context, name string) (Info, error) {
	_, size, _, err := s.stat(ctx, name)
	if err != nil {
		return Info{}, named("stat", name, err)
	}
	return Info{name, size}, nil
}

func (s *bucketStore) List(ctx context.Context, prefix string) ([]Info, error) {
	entries, err := s.list(ctx, prefix, listing{})
	var found []Info
	for _, e := range entries {
		// Consoles make an entry for a folder itself, which is not a file.
		if ValidName(e.key) == nil {
			found = append(found, Info{e.key, e.size})
		}
	}
	return found, err
}

// Folders implements Store.
func (s *bucketStore) Folders(ctx context.Context) ([]string, error) {
	entries, err := s.list(ctx, "", listing{folders: true})
	var found []string
	for _, e := range entries {
		if name, folder := strings.CutSuffix(e.key, "/"); folder && ValidName(name) == nil {
			found = append(found, name)
		}
	}
	slices.Sort(found) // a prefix ends with a slash, so that "a-b/" comes before "a/"
	return found, err
}

// list lists the store, with names as keys.
func (s *bucketStore) list(ctx context.Context, prefix string, l listing) ([]entry, error) {
	var found []entry
	err := s.retry.do(ctx, func() error {
		found = found[:0]
		for e, err := range s.bucket.list(ctx, s.prefix+prefix, l) {
			if err != nil {
				return s.bucket.fault(ctx, err)
			}
			e.key = strings.TrimPrefix(e.key, s.prefix)
			found = append(found, e)
		}
		return nil
	})
	return found, named("list", s.URL(), err)
}

func (s *bucketStore) Delete(ctx context.Context, name string) error {
	if err := ValidName(name); err != nil {
		return named("delete", name, err)
	}
	err := s.retry.do(ctx, func() error { return s.bucket.fault(ctx, s.bucket.delete(ctx, s.prefix+name)) })
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return named("delete", name, err)
}
