package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// FetchOptions bound the fetching of a page. Zero fields mean the defaults.
type FetchOptions struct {
	MaxBytes     int64         // most bytes of the page without its compression; default 16 MiB
	Time         time.Duration // for all redirects and the whole page; default 30 s
	AllowPrivate bool          // the server may be this machine, or in its network
}

// Fetched is the answer of a web server.
type Fetched struct {
	URL         string // after redirects, without user, password and signature
	ContentType string
	Body        []byte // without its compression
	Cut         bool   // the body is longer than FetchOptions.MaxBytes, and is cut there
}

// ErrPrivate means that a server has an address that only this machine or its network can
// reach.
var ErrPrivate = errors.New("the server is at an address that only this machine or its network can reach (--allow-private permits it)")

// Fetch fetches one page from a web server. Other schemes than http and https, more than
// ten redirects, and every other status than 200 are errors, and so is, unless it is
// allowed, a server or the target of a redirect with an address that is not public. The
// address is checked when the connection is dialled.
func Fetch(ctx context.Context, pageURL string, o FetchOptions) (*Fetched, error) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = 16 << 20
	}
	if o.Time <= 0 {
		o.Time = 30 * time.Second
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.Time, fmt.Errorf("no complete answer within %v", o.Time))
	defer cancel()
	got, err := fetch(ctx, pageURL, o)
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, named("fetch", pageURL, err)
	}
	return got, nil
}

func fetch(ctx context.Context, pageURL string, o FetchOptions) (*Fetched, error) {
	u, err := url.Parse(pageURL)
	if err != nil { // not part of the error, because it quotes the URL with its secrets
		return nil, errors.New("this is not a valid URL: special characters must be percent-encoded")
	}
	if err := isWeb(u); err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, pageURL, nil)
	if err != nil {
		return nil, withoutURL(err)
	}
	r.Header.Set("Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1")
	r.Header.Set("User-Agent", "winnow")
	client := newPageClient(o.AllowPrivate)
	defer client.CloseIdleConnections()
	resp, err := client.Do(r)
	switch {
	case errors.Is(err, ErrPrivate), errors.Is(err, errReach):
		return nil, withoutURL(err)
	case err != nil:
		return nil, networkError(err)
	}
	defer resp.Body.Close() // it was only read
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answers %s", resp.Status)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, o.MaxBytes+1))
	if err != nil {
		return nil, networkError(err)
	}
	cut := int64(len(body)) > o.MaxBytes
	if cut {
		body = body[:o.MaxBytes]
	}
	return &Fetched{URL: PublicURL(resp.Request.URL.String()), ContentType: resp.Header.Get("Content-Type"), Body: body, Cut: cut}, nil
}

func isWeb(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("scheme %.20q: a page is fetched by http or https only", u.Scheme)
	}
	return nil
}

// newPageClient returns a client for pages. The page's compression is undone.
func newPageClient(allowPrivate bool) *http.Client {
	d := &net.Dialer{Timeout: 30 * time.Second}
	t := newGuard(d.DialContext, func(address string) error { return fmt.Errorf("%w: %s", ErrPrivate, address) })
	t.free.DisableCompression, t.guarded.DisableCompression = false, false
	if allowPrivate {
		t.guarded = t.free
	}
	return &http.Client{Transport: t, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		r.Header.Del("Referer") // it may hold a signature
		return errors.Join(isWeb(r.URL), tooMany(via))
	}}
}
