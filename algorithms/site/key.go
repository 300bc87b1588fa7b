package site

import (
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// None is the site of a page whose address tells nothing.
const None = "(none)"

// What a site can be.
const (
	ByHost   = "host"
	ByDomain = "domain"
)

// Key is the site of a page (spec site-level, 2.1). By host: its host without a
// leading "www.", and the user of a "/~user/" path. By domain: its registered
// domain.
func Key(by, pageURL string) string {
	if by == ByDomain {
		return Domain(pageURL)
	}
	key := strings.TrimPrefix(Host(pageURL), "www.")
	if u, err := url.Parse(pageURL); err == nil {
		if first, _, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/"); strings.HasPrefix(first, "~") && len(first) < 100 {
			key += "/" + first
		}
	}
	return key
}

// Host is the host of an address in lower case and ASCII, with its port unless
// that is the default. Hosts are hostile: names that are none are all called
// None, so that they cannot fill a table with sites of one page each.
func Host(pageURL string) string {
	host, port := split(pageURL)
	if port == "" || host == None {
		return host
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + port
}

// Domain is the registered domain of an address' host: the label before its
// public suffix, and the suffix. The host itself if it has none.
func Domain(pageURL string) string {
	host, _ := split(pageURL)
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

// SuffixVersion names the list of public suffixes that Domain goes by.
func SuffixVersion() string { return publicsuffix.List.String() }

// split is the host of an address in lower case and ASCII, and its port unless
// that is the default.
func split(pageURL string) (host, port string) {
	u, err := url.Parse(strings.TrimSpace(pageURL))
	if err != nil || u.Host == "" {
		return None, ""
	}
	host = strings.TrimSuffix(u.Hostname(), ".")
	if !isIP(host) {
		if host, err = idna.Lookup.ToASCII(host); err != nil || host == "" || len(host) > 253 {
			return None, ""
		}
	}
	port = u.Port()
	if u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		port = ""
	}
	return host, port
}

func isIP(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Zone() == ""
}
