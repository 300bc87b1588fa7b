package worker

import (
	"fmt"
	"net"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// unnamed is the package or site of a page whose URL tells nothing.
const unnamed = "(none)"

// Values of Recipe.PackageBy and Recipe.SiteBy.
const (
	ByFile    = "file"
	ByHost    = "host"
	ByDomain  = "domain"
	ByPackage = "package"
)

// CheckGrouping refuses values of PackageBy and SiteBy that do not exist.
func CheckGrouping(packageBy, siteBy string) error {
	switch packageBy {
	case ByFile, ByHost, ByDomain:
	default:
		return fmt.Errorf("worker: package by %q: one of %s, %s, %s", packageBy, ByFile, ByHost, ByDomain)
	}
	switch siteBy {
	case ByHost, ByDomain, ByPackage:
	default:
		return fmt.Errorf("worker: site by %q: one of %s, %s, %s", siteBy, ByHost, ByDomain, ByPackage)
	}
	return nil
}

// groupKey is the package of a page that has none of its own.
func groupKey(by, fileName, pageURL string) string {
	switch by {
	case ByHost:
		return hostOf(pageURL)
	case ByDomain:
		return domainOf(pageURL)
	}
	return fileName
}

// siteKey is the site of a page (spec site-level, 2.1): its host without a
// leading "www.", and the user of a "/~user/" path; or its registered domain;
// or its package.
func siteKey(by, pkg, pageURL string) string {
	switch by {
	case ByPackage:
		return pkg
	case ByDomain:
		return domainOf(pageURL)
	}
	key := strings.TrimPrefix(hostOf(pageURL), "www.")
	if u, err := url.Parse(pageURL); err == nil {
		if first, _, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/"); strings.HasPrefix(first, "~") && len(first) < 100 {
			key += "/" + first
		}
	}
	return key
}

// hostOf is the host of a URL in lower case and ASCII, without a default port.
// Hosts are hostile: names that are none are all called unnamed, so that they
// cannot fill a table with packages of one page each.
func hostOf(pageURL string) string {
	u, err := url.Parse(strings.TrimSpace(pageURL))
	if err != nil || u.Host == "" {
		return unnamed
	}
	host := strings.TrimSuffix(u.Hostname(), ".")
	if net.ParseIP(host) == nil {
		if host, err = idna.Lookup.ToASCII(host); err != nil || host == "" || len(host) > 253 {
			return unnamed
		}
	}
	port := u.Port()
	if port == "" || u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		return host
	}
	return net.JoinHostPort(host, port)
}

// domainOf is the registered domain of a URL's host, the host itself if it has none.
func domainOf(pageURL string) string {
	host := hostOf(pageURL)
	bare := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		bare = h
	}
	if net.ParseIP(bare) != nil {
		return bare
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(bare)
	if err != nil {
		return bare
	}
	return domain
}

// fileName is a file's name in the tables: the last element of its URL without
// the ends that archives have.
func fileName(fileURL string) string {
	name := fileURL
	if u, err := url.Parse(fileURL); err == nil && u.Path != "" {
		name = u.Path
	}
	name = path.Base(name)
	for _, end := range []string{".gz", ".zst", ".zstd", ".bz2", ".warc"} {
		if cut := strings.TrimSuffix(name, end); cut != "" {
			name = cut
		}
	}
	return name
}
