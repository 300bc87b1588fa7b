package blob

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// elsewhere is a connection that reports an address of the public network.
type elsewhere struct{ net.Conn }

func (elsewhere) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(93, 184, 215, 14), Port: 80} }

// webWorld returns a client for which every host that a user names is one test server.
// The server has a public address or, if inside is set, its real one.
func webWorld(t *testing.T, anywhere, inside bool, handler http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	c := New(Options{Retry: Retry{Attempts: 1}})
	t.Cleanup(func() { c.Close() })
	c.http = newWebClientFrom(anywhere, func(ctx context.Context, network, _ string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
		if err == nil && !inside {
			conn = elsewhere{conn}
		}
		return conn, err
	})
	return c
}

// TestRedirectsStayOutside checks that a server cannot redirect a request to a service
// that only this machine can reach. The address of the connection counts, so a name
// that looks like the server's own is refused in the same way as a number.
func TestRedirectsStayOutside(t *testing.T) {
	var mu sync.Mutex
	reached := 0
	secret := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		reached++
		w.Header().Set("Content-Range", "bytes 0-0/9")
		w.WriteHeader(http.StatusPartialContent)
	}))
	defer secret.Close()
	_, port, _ := net.SplitHostPort(secret.Listener.Addr().String())
	for _, to := range []string{
		secret.URL, "http://127.0.0.1:" + port, "http://[::1]:" + port, "http://169.254.169.254/latest/", "http://10.0.0.1/", "http://other.example/",
		"http://archive.example.evil.example/", "http://evilarchive.example/", "file:///etc/passwd",
	} {
		c := webWorld(t, false, false, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) })
		if _, err := c.Stat(t.Context(), "http://archive.example/a.warc"); err == nil {
			t.Errorf("%s was followed", to)
		}
	}
	// A subdomain is allowed by its name, and its address is checked when it is
	// dialled. Every name below localhost is this machine (RFC 6761, 6.3).
	c := webWorld(t, false, false, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://localhost:"+port+"/", http.StatusFound)
	})
	_, err := c.Stat(t.Context(), "http://localhost/a.warc")
	if !errors.Is(err, errReach) || !errors.Is(err, ErrDenied) || !strings.Contains(err.Error(), "only this machine") {
		t.Errorf("a name that leads to this machine: %v", err)
	}
	if reached > 0 {
		t.Errorf("%d requests reached this machine", reached)
	}
	// If the user names this machine, redirects on it are allowed.
	c = webWorld(t, false, true, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/b" {
			w.Header().Set("Content-Range", "bytes 0-0/9")
			w.WriteHeader(http.StatusPartialContent)
			return
		}
		http.Redirect(w, r, "http://localhost:"+port+"/b", http.StatusFound)
	})
	if _, err := c.Stat(t.Context(), "http://localhost/a.warc"); err != nil {
		t.Errorf("an archive on this machine: %v", err)
	}
	// With the option RedirectsMayLeave, any host is allowed.
	c = webWorld(t, true, false, func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "other.example" {
			w.Header().Set("Content-Range", "bytes 0-0/9")
			w.WriteHeader(http.StatusPartialContent)
			return
		}
		http.Redirect(w, r, "http://other.example/b", http.StatusFound)
	})
	if _, err := c.Stat(t.Context(), "http://archive.example/a.warc"); err != nil {
		t.Errorf("--redirects-may-leave: %v", err)
	}
}

// TestRedirectsTellNothing checks that neither a redirected request nor an error
// contains the earlier URL, which may hold a signature.
func TestRedirectsTellNothing(t *testing.T) {
	var mu sync.Mutex
	var headers []http.Header
	c := webWorld(t, false, true, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		headers = append(headers, r.Header.Clone())
		mu.Unlock()
		if r.URL.Path == "/b" {
			http.Redirect(w, r, "http://other.example/?X-Amz-Signature=SESAME", http.StatusFound)
			return
		}
		http.Redirect(w, r, "/b?token=SESAME", http.StatusFound)
	})
	_, err := c.Stat(t.Context(), "http://u:SESAME@archive.example/a.warc?X-Amz-Signature=SESAME")
	if err == nil || strings.Contains(err.Error(), "SESAME") || strings.Contains(err.Error(), "u:") {
		t.Errorf("error: %v", err)
	}
	if len(headers) != 2 {
		t.Fatalf("%d requests", len(headers))
	}
	for i, h := range headers {
		if h.Get("Referer") != "" {
			t.Errorf("request %d has a Referer: %s", i, h.Get("Referer"))
		}
	}
}

func TestRedirectsKeepEncryption(t *testing.T) {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	server.Config.Handler = http.RedirectHandler(plain.URL, http.StatusFound)
	c := New(Options{Retry: Retry{Attempts: 1}})
	defer c.Close()
	c.http.Transport.(*reach).free.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig
	if _, err := c.Stat(t.Context(), server.URL); !errors.Is(err, errReach) || !strings.Contains(err.Error(), "without encryption") {
		t.Errorf("from https to http: %v", err)
	}
}

// TestSecretsOfURLs checks that a file counts as the same, no matter who signed its URL and
// when, and that of two URLs that differ only in secrets the last one is used.
func TestSecretsOfURLs(t *testing.T) {
	for full, want := range map[string]string{
		"http://u:SESAME@h/a":   "http://h/a",
		"http://SESAME@h/a?b=c": "http://h/a?b=c",
		"https://h/a?x=1&X-Amz-Signature=SESAME&X-Amz-Date=1&y=%20#z":  "https://h/a?x=1&y=%20",
		"https://h/a?x-goog-signature=SESAME&X-Goog-Credential=SESAME": "https://h/a",
		"https://h/a?sv=2024&se=2026&sp=r&sig=SESAME&timeout=3":        "https://h/a?timeout=3",
		"https://h/a?Expires=1&Signature=SESAME&Key-Pair-Id=K&id=7":    "https://h/a?id=7",
		"https://h/a?access_token=SESAME&%74oken=SESAME&auth=SESAME":   "https://h/a",
		"https://h/a?expires=never&se=1":                               "https://h/a?expires=never&se=1",
		"https://u:SE%SAME@h/a?token=SESAME":                           "https://h/a",
		"s3://bucket/a?region=eu-west-1":                               "s3://bucket/a?region=eu-west-1",
		"/home/me/a?token=1.warc":                                      "/home/me/a?token=1.warc",
	} {
		if got := PublicURL(full); got != want {
			t.Errorf("%s: %s, want %s", full, got, want)
		}
	}
	for _, name := range []string{"s3://k:SESAME@bucket/a", "s3://bucket/a?endpoint=https://u:SESAME@h", "s3://bucket/a?endpoint=https%3A%2F%2Fu%3ASESAME%40h",
		"azblob://c/a?sv=1&sig=SESAME", "http://u:SE%SAME@h/a", "https://SESAME@/a"} {
		c := New(Options{})
		_, err := c.Stat(t.Context(), name)
		if err == nil || strings.Contains(strings.ReplaceAll(err.Error(), "SE%SAME", "SESAME"), "SESAME") && !strings.HasPrefix(name, "s3") && !strings.HasPrefix(name, "azblob") {
			t.Errorf("%s: %v", name, err)
		}
		c.Close()
	}

	signature, asked := "one", 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if user, pw, _ := r.BasicAuth(); user != "u" || pw != "SESAME" || r.URL.Query().Get("sig") != signature || r.URL.Query().Get("v") != "1" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader("content"))
	}))
	defer server.Close()
	c := New(Options{Retry: Retry{Attempts: 1}})
	defer c.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	full := func(sig string) string { return "http://u:SESAME@" + host + "/a.warc?v=1&sig=" + sig }
	objs, err := c.Expand(t.Context(), []string{full("one")}, ExpandOptions{})
	if err != nil || len(objs) != 1 || objs[0].URL != server.URL+"/a.warc?v=1" {
		t.Fatalf("%+v, %v", objs, err)
	}
	read := func() (string, error) {
		src, err := c.Open(t.Context(), objs[0])
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		b := make([]byte, src.Size())
		_, err = src.ReadAt(b, 0)
		return string(b), err
	}
	if got, err := read(); got != "content" {
		t.Errorf("%q, %v", got, err)
	}
	signature = "two"
	if _, err := read(); !errors.Is(err, ErrDenied) || strings.Contains(err.Error(), "SESAME") || strings.Contains(err.Error(), "one") {
		t.Errorf("an old signature: %v", err)
	}
	c.Grant(full("two"))
	if got, err := read(); got != "content" {
		t.Errorf("%q, %v", got, err)
	}
}
