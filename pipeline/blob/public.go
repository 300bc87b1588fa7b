package blob

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// PublicURL returns a name without its secrets: the user and password of a URL, the
// parameters of a signature, and the fragment. Only this form is stored and shown; the
// client remembers the full URL (see Client.Grant). A name that is not the URL of a web
// server is returned unchanged. A URL that cannot be parsed is returned without its user
// and without any parameters.
func PublicURL(name string) string {
	if scheme, ok := urlScheme(name); !ok || scheme != "http" && scheme != "https" {
		return name
	}
	u, err := url.Parse(name)
	if err != nil {
		return bareURL(name)
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	u.RawQuery = publicQuery(u.RawQuery)
	return u.String()
}

// bareURL removes the user and the parameters from a URL that cannot be parsed.
func bareURL(name string) string {
	scheme, rest, _ := strings.Cut(name, "://")
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	return scheme + "://" + rest
}

// publicQuery is a query without secret parameters; the others keep their order
// and their spelling, because a server may depend on both.
func publicQuery(query string) string {
	if query == "" {
		return ""
	}
	parts := strings.Split(query, "&")
	names := make([]string, len(parts))
	signed := false
	for i, p := range parts {
		name, _, _ := strings.Cut(p, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		names[i] = strings.ToLower(name)
		signed = signed || slices.Contains(signatures, names[i])
	}
	var kept []string
	for i, p := range parts {
		if !secretParameter(names[i]) && !(signed && slices.Contains(signedWith, names[i])) {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "&")
}

// signatures are the parameters that mark a URL as signed, of providers whose parameters
// have no prefix of their own.
var signatures = []string{"sig", "signature"}

// signedWith are the parameters that go with such a signature: the shared access
// signatures of Azure, the signed URLs of CloudFront, and the older ones of Amazon
// and Google. They are not secret, but are left out because they change whenever a URL
// is signed again, and a file must keep its name.
var signedWith = []string{"sv", "ss", "srt", "sp", "st", "se", "sr", "sip", "spr", "si", "skoid", "sktid", "skt", "ske", "sks", "skv", "saoid", "suoid", "scid", "sdd",
	"expires", "policy", "key-pair-id", "awsaccesskeyid", "googleaccessid"}

// secretParameter reports whether a parameter, its name in lower case, is a secret or
// a part of a signature.
func secretParameter(name string) bool {
	for _, prefix := range []string{"x-amz-", "x-goog-", "x-oss-", "x-obs-"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	for _, word := range []string{"token", "secret", "password", "passwd", "signature", "credential", "apikey", "api_key", "api-key", "accesskey", "access_key", "access-key"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return slices.Contains([]string{"sig", "auth", "authorization", "jwt", "hdnts", "hdnea", "sas"}, name)
}

// grants holds the full URLs that public URLs refer to.
type grants struct {
	mu   sync.Mutex
	full map[string]string // full URL by public URL, if the two differ
}

// Grant makes the client use the given full URL, which may have a user and a signature,
// whenever it opens the corresponding public URL. A later grant replaces an earlier one,
// so that a URL can be signed again.
func (c *Client) Grant(full string) {
	public := PublicURL(full)
	if public == full {
		return
	}
	c.grants.mu.Lock()
	defer c.grants.mu.Unlock()
	if c.grants.full == nil {
		c.grants.full = map[string]string{}
	}
	c.grants.full[public] = full
}

// Granted returns the full URL that a public URL refers to; ok is false if the client
// knows none. The URL of a part (Within) refers to the full URL of the whole object.
func (c *Client) Granted(public string) (full string, ok bool) {
	public, _, _ = strings.Cut(public, "#")
	c.grants.mu.Lock()
	defer c.grants.mu.Unlock()
	full, ok = c.grants.full[public]
	return full, ok
}

// withoutURL returns the error of a request without the URL that net/http adds to it.
// Callers name the object themselves, and the URL, which may be that of a redirect, can
// contain secrets.
func withoutURL(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
