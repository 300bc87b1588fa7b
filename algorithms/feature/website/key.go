package website

import (
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/winnow/winnow/algorithms/feature/address"
)

// None is the site of a page whose address has no usable host.
const None = "(none)"

// What a site can be.
const (
	ByHost   = "host"
	ByDomain = "domain"
)

// Key returns the site of a page. By host it is the host without a leading "www.", and
// the user of a "/~user/" path. By domain it is the registered domain.
func Key(by, pageURL string) string {
	if by == ByDomain {
		return Domain(pageURL)
	}
	host, port, rest := split(pageURL)
	key := join(strings.TrimPrefix(host, "www."), port)
	first, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
	first, _, _ = strings.Cut(first, "?")
	if plain, err := url.PathUnescape(first); err == nil {
		first = plain
	}
	if strings.HasPrefix(first, "~") && len(first) < 100 {
		key += "/" + first
	}
	return key
}

// Host returns the host of an address in lower case and ASCII, with its port unless
// that is the default. Addresses may be hostile, so all invalid host names are called
// None: they cannot fill a table with sites of one page each.
func Host(pageURL string) string {
	host, port, _ := split(pageURL)
	return join(host, port)
}

func join(host, port string) string {
	if port == "" || host == None {
		return host
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + port
}

// Origin returns the scheme, host and port of a web address ("https://example.org"), for
// which one file robots.txt speaks, and the path with its query. Both are in canonical form
// and empty if the address is not of the web.
func Origin(pageURL string) (origin, path string) {
	var b address.Base
	whole, ok := b.AppendURL(nil, []byte(pageURL))
	if !ok {
		return "", ""
	}
	// A host has a byte at least, so the first slash after these is the one of the path.
	const scheme = len("https://")
	path = string(whole[scheme:])
	if i := strings.IndexByte(path, '/'); i >= 0 {
		return string(whole[:scheme+i]), path[i:]
	}
	return "", ""
}

// Domain is the registered domain of an address' host: the label before its
// public suffix, and the suffix. The host itself if it has none.
func Domain(pageURL string) string {
	host, _, _ := split(pageURL)
	return domain(host)
}

func domain(host string) string {
	if isIP(host) {
		return host
	}
	registered, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return host
	}
	return registered
}

// SuffixVersion names the list of public suffixes that Domain uses.
func SuffixVersion() string { return publicsuffix.List.String() }

// split returns the host of an address, its port unless that is the default, and what
// follows them, all in canonical form. A web page has a host here if its address has a
// canonical form, whatever is wrong with its path. Addresses of other schemes have a
// host if it follows two slashes, as in ftp://host/.
func split(pageURL string) (host, port, rest string) {
	host, port, rest, ok := address.Split(pageURL)
	if !ok {
		scheme, behind, _ := strings.Cut(strings.TrimSpace(pageURL), ":")
		if isWeb(scheme) || !strings.HasPrefix(behind, "//") || strings.HasPrefix(behind, "///") {
			return None, "", ""
		}
		host, port, rest, ok = address.Split("http:" + behind)
	}
	if host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"); !ok || strings.Contains(host, ":") && !isIP(host) {
		return None, "", ""
	}
	return host, port, rest
}

func isWeb(scheme string) bool {
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

func isIP(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Zone() == ""
}
