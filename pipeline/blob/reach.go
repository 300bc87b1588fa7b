package blob

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"code.dny.dev/ssrf"
)

// errReach means that a server redirected a request to a forbidden address.
var errReach = errors.New("redirect refused")

// maxRedirects is how many redirects are followed, as net/http does by default.
const maxRedirects = 10

// public distinguishes public addresses from those of this machine, of private networks
// and of links.
var public = ssrf.New(ssrf.WithAnyPort())

// newWebClient makes the client for web servers. A user names a URL and trusts its host,
// but the host chooses where it redirects a request, and must not choose a service that
// only this machine can reach. A redirect is therefore followed only to the same host and
// its subdomains, not from https to http, and not to an address that is private, of this
// machine or of its link, unless the URL that the user named led to such an address, too.
// The address is checked when the connection is dialled, because a name may resolve to
// another address than it did before.
func newWebClient(anywhere bool) *http.Client {
	d := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	return newWebClientFrom(anywhere, d.DialContext)
}

// dialFunc has the type of net.Dialer.DialContext.
type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

func newWebClientFrom(anywhere bool, dial dialFunc) *http.Client {
	if anywhere {
		return &http.Client{Transport: newTransport(dial), CheckRedirect: func(r *http.Request, via []*http.Request) error {
			r.Header.Del("Referer") // it may hold a signature
			return tooMany(via)
		}}
	}
	t := &reach{newGuard(dial, func(address string) error {
		return fmt.Errorf("%w: %s is at an address that only this machine or its network can reach", errReach, address)
	})}
	return &http.Client{Transport: t, CheckRedirect: t.check}
}

// guard dials servers at public addresses only. Its connections are apart from those that free
// dials: a connection to any address must not serve a request that may not go there.
type guard struct{ free, guarded *http.Transport }

// newGuard returns a guard whose free connections are made by dial. refuse makes the error for an
// address that is not public.
func newGuard(dial dialFunc, refuse func(address string) error) *guard {
	d := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second, Control: public.Safe}
	return &guard{newTransport(dial), newTransport(func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := d.DialContext(ctx, network, address)
		if errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedNetwork) {
			err = refuse(address)
		}
		return c, err
	})}
}

// RoundTrip implements http.RoundTripper. A proxy usually has a private address, and decides itself
// which addresses can be reached.
func (t *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if p, err := t.free.Proxy(r); err == nil && p != nil {
		return t.free.RoundTrip(r)
	}
	return t.guarded.RoundTrip(r)
}

// CloseIdleConnections is called by http.Client.
func (t *guard) CloseIdleConnections() {
	t.free.CloseIdleConnections()
	t.guarded.CloseIdleConnections()
}

// newTransport is http.DefaultTransport without transparent decompression, which would
// unpack the compressed files that the ranges refer to.
func newTransport(dial dialFunc) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true
	t.MaxIdleConnsPerHost = 16
	t.ResponseHeaderTimeout = 2 * time.Minute
	t.DialContext = dial
	return t
}

// reach guards requests that were redirected, and not those that a user named.
type reach struct{ *guard }

// journey is a request with the redirects that follow it.
type journey struct {
	// inside means that the first connection was to an address that is not public: an
	// archive on this machine or in its network.
	inside atomic.Bool
}

type journeyKey struct{}

// setOut returns the context of a request that a user named.
func setOut(ctx context.Context) context.Context {
	return context.WithValue(ctx, journeyKey{}, new(journey))
}

// RoundTrip implements http.RoundTripper.
func (t *reach) RoundTrip(r *http.Request) (*http.Response, error) {
	j, _ := r.Context().Value(journeyKey{}).(*journey)
	switch {
	case r.Response == nil && j != nil: // named by a user
		trace := &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) {
			at, err := netip.ParseAddrPort(c.Conn.RemoteAddr().String())
			j.inside.Store(err == nil && public.SafeAddr(at.Addr().Unmap()) != nil)
		}}
		return t.free.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), trace)))
	case r.Response == nil, j != nil && j.inside.Load():
		return t.free.RoundTrip(r)
	}
	return t.guard.RoundTrip(r)
}

// check is http.Client.CheckRedirect.
func (t *reach) check(r *http.Request, via []*http.Request) error {
	r.Header.Del("Referer") // it may hold a signature
	from := via[0].URL
	refuse := func(why string) error {
		return fmt.Errorf("%w: %s leads to %s, %s (--redirects-may-leave follows it)", errReach, from.Host, r.URL.Host, why)
	}
	switch {
	case !sameOrBelow(r.URL, from):
		return refuse("which is neither the same host nor a subdomain of it")
	case from.Scheme == "https" && r.URL.Scheme != "https":
		return refuse("without encryption")
	}
	return tooMany(via)
}

func tooMany(via []*http.Request) error {
	if len(via) >= maxRedirects {
		return fmt.Errorf("%w: more than %d of them", errReach, maxRedirects)
	}
	return nil
}

// sameOrBelow reports whether the host of a URL is the host of another or a subdomain of it.
func sameOrBelow(u, of *url.URL) bool {
	host := func(u *url.URL) string { return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".") }
	a, b := host(u), host(of)
	if a == b {
		return true
	}
	_, err := netip.ParseAddr(b)
	return err != nil && strings.HasSuffix(a, "."+b)
}
