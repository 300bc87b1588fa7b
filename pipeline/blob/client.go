package blob

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
)

// Options of a Client. The zero value is useful.
type Options struct {
	Retry Retry
	// RedirectsMayLeave follows redirects of web servers to any host and any
	// address. Without it they are followed as reach.go says.
	RedirectsMayLeave bool
	// Metrics count the requests that are retried; nil counts nothing.
	Metrics *Metrics
	// Budget bounds the requests to each server; nil does not.
	Budget Budget
}

// Client opens inputs and output folders. It keeps connections and the buckets
// it has opened, since opening one looks up credentials. Safe for concurrent
// use; Close it at the end.
type Client struct {
	retry Retry
	http  *http.Client

	mu      sync.Mutex // guards buckets and reached; not held while one is opened
	buckets map[string]bucket
	reached map[string]bool // buckets that Store has found to be there

	grants grants
}

// New returns a Client.
func New(o Options) *Client {
	c := &Client{retry: o.Retry.withDefaults(), http: newWebClient(o.RedirectsMayLeave), buckets: map[string]bucket{}, reached: map[string]bool{}}
	c.retry.metrics, c.retry.budget = o.Metrics, o.Budget
	c.http.Transport = c.retry.transport(c.http.Transport)
	return c
}

// Close releases connections. Files that are still open stop working.
func (c *Client) Close() error {
	c.mu.Lock()
	clear(c.buckets)
	clear(c.reached)
	c.mu.Unlock()
	c.http.CloseIdleConnections()
	return nil
}

// bucket returns the bucket of a URL, opened at most once.
func (c *Client) bucket(ctx context.Context, u string) (bucket, error) {
	c.mu.Lock()
	b, known := c.buckets[u]
	c.mu.Unlock()
	if known {
		return b, nil
	}
	opened, err := openBucket(ctx, u, c.retry)
	if err != nil {
		return bucket{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if b, known := c.buckets[u]; known { // another goroutine was first
		return b, nil
	}
	c.buckets[u] = opened
	return opened, nil
}

// Stat looks up one object by its URL or local path.
func (c *Client) Stat(ctx context.Context, name string) (Object, error) {
	loc, err := parse(name)
	if err != nil {
		return Object{}, named("stat", name, err)
	}
	obj, err := c.stat(ctx, loc)
	return obj, named("stat", name, err)
}

func (c *Client) stat(ctx context.Context, p location) (obj Object, err error) {
	switch {
	case p.local():
		return statLocal(p.path)
	case isBucketScheme(p.url.Scheme):
		u, key := splitBucketURL(p.url)
		b, err := c.bucket(ctx, u)
		if err != nil {
			return obj, err
		}
		obj = Object{URL: p.url.String(), Ranges: true}
		err = c.retry.do(ctx, func() (err error) {
			obj.Size, obj.Identity, err = bucketObject{b, key}.stat(ctx)
			return err
		})
		return obj, err
	}
	w := c.web(p.url.String())
	err = c.retry.do(ctx, func() (err error) {
		obj, err = w.stat(ctx)
		return err
	})
	return obj, err
}

// Open opens obj for reading until ctx ends. Over a network no request is sent
// before the first read.
func (c *Client) Open(ctx context.Context, obj Object) (Source, error) {
	if obj.Within.Size > 0 {
		src, err := c.Open(ctx, obj.whole())
		if err != nil {
			return nil, err
		}
		return section{src, obj.Within.Offset, obj.Size}, nil
	}
	p, err := parse(obj.URL)
	if err != nil {
		return nil, named("open", obj.URL, err)
	}
	switch {
	case p.local():
		f, err := openLocal(p.path, obj)
		if err != nil {
			return nil, named("open", obj.URL, err)
		}
		return f, nil
	case isBucketScheme(p.url.Scheme):
		u, key := splitBucketURL(p.url)
		b, err := c.bucket(ctx, u)
		if err != nil {
			return nil, named("open", obj.URL, err)
		}
		r := remote{name: obj.URL, size: obj.Size, retry: c.retry, fetch: bucketObject{b, key}.fetch(obj.Size, obj.Identity)}
		return newStream(ctx, r, true), nil
	}
	w := c.web(obj.URL)
	r := remote{name: w.url, size: obj.Size, retry: c.retry, fetch: w.fetch(obj), whole: w.whole(obj)}
	return newStream(ctx, r, obj.Ranges), nil
}

// location is the local path or the URL that a name refers to.
type location struct {
	path string // local; "" for a URL
	url  *url.URL
}

func (p location) local() bool { return p.url == nil }

// String is the URL or path.
func (p location) String() string {
	if p.local() {
		return p.path
	}
	return p.url.String()
}

// parse reads a path or a URL of a scheme that can be read.
func parse(name string) (location, error) {
	if name == "" {
		return location{}, errors.New("empty name")
	}
	scheme, ok := urlScheme(name)
	if !ok {
		return location{path: filepath.Clean(name)}, nil
	}
	u, err := url.Parse(name)
	switch {
	case err != nil: // not part of the error, because it quotes the URL with its secrets
		return location{}, errors.New("this is not a valid URL: special characters must be percent-encoded")
	case scheme == "file":
		if u.Host != "" && u.Host != "localhost" {
			return location{}, fmt.Errorf("file URL with host %q: write file:///path", u.Host)
		}
		return location{path: filepath.Clean(filepath.FromSlash(u.Path))}, nil
	case u.Host == "":
		return location{}, fmt.Errorf("URL without a host or bucket")
	case isBucketScheme(scheme):
		// Credentials of buckets come from the environment, because those in a URL would
		// be stored with it.
		query, err := url.QueryUnescape(u.RawQuery)
		if err != nil || u.User != nil || strings.Contains(query, "@") || publicQuery(u.RawQuery) != u.RawQuery {
			return location{}, errors.New("credentials in the URL of a bucket: set the variables of its provider instead")
		}
		return location{url: u}, nil
	case scheme == "http", scheme == "https":
		return location{url: u}, nil
	}
	return location{}, fmt.Errorf("unknown scheme %q: want a path, file, s3, gs, azblob, http or https", scheme)
}

// urlScheme returns the part of a name before "://" if it looks like a scheme.
func urlScheme(name string) (string, bool) {
	for i, c := range []byte(name) {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9' && i > 0:
		case c == ':' && i > 1:
			return name[:i], len(name) > i+2 && name[i:i+3] == "://"
		default:
			return "", false
		}
	}
	return "", false
}
