package records

import (
	"testing"

	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/schemas"
)

// TestGroups: what hosts, domains and sites are is tested where they are made.
func TestGroups(t *testing.T) {
	const url = "http://www.News.Example.co.uk:80/~ann/a"
	for by, want := range map[string]string{schemas.ByFile: "f", schemas.ByHost: website.Host(url), schemas.ByDomain: website.Domain(url)} {
		if got := groupKey(by, "f", url); got != want {
			t.Errorf("package by %s: %q, want %q", by, got, want)
		}
	}
	for by, want := range map[string]string{schemas.ByPackage: "p", schemas.ByHost: website.Key(website.ByHost, url), schemas.ByDomain: website.Key(website.ByDomain, url)} {
		if got := Site(by, "p", url); got != want {
			t.Errorf("site by %s: %q, want %q", by, got, want)
		}
	}
	for _, by := range []string{schemas.ByPackage, schemas.ByHost, schemas.ByDomain} {
		if got := Site(by, "p", "FILE:///home/ann/a.html"); got != "p" {
			t.Errorf("site of a file by %s: %q, want its package", by, got)
		}
	}
	if a, b := website.Host(url), website.Key(website.ByHost, url); a == b || a == website.Domain(url) {
		t.Errorf("the address does not tell them apart: %s, %s", a, b)
	}
}
