package blob

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// bounds are the locations that the names in a list may refer to; nil allows any. The
// author of a list is trusted to name files of his own, but not files of the machine
// that reads the list, nor objects that only this machine has credentials for.
type bounds []location

// boundsOf returns the bounds of a list: the base, and the list's own origin, which is
// its folder on a disk, its bucket, or its web server.
func boundsOf(list location, o ExpandOptions) bounds {
	if o.ListMayLeave {
		return nil
	}
	origin := location{path: filepath.Dir(list.path)}
	if !list.local() {
		u := *list.url
		u.Path, u.RawPath = "/", ""
		origin = location{url: &u}
	}
	b := bounds{origin}
	if base, err := parse(o.Base); err == nil {
		b = append(b, base)
	}
	return b
}

// check returns an error for a name outside of the bounds.
func (b bounds) check(name string) error {
	p, err := parse(name)
	if err != nil || b == nil || slices.ContainsFunc(b, p.isBelow) {
		return nil // an invalid name is an error when it is looked up
	}
	where := make([]string, len(b))
	for i := range b {
		where[i] = PublicURL(b[i].String())
	}
	return fmt.Errorf("%s is not in %s: --base names another folder, --list-may-leave allows any", PublicURL(name), strings.Join(where, " or "))
}

// isBelow reports whether a location is the same as q, or below it.
func (p location) isBelow(q location) bool {
	if p.local() != q.local() {
		return false
	}
	if p.local() {
		a, err1 := filepath.Abs(p.path)
		b, err2 := filepath.Abs(q.path)
		if err1 != nil || err2 != nil {
			return false
		}
		rel, err := filepath.Rel(b, a)
		return err == nil && filepath.IsLocal(rel)
	}
	a, b := p.url, q.url
	if a.Scheme != b.Scheme || !strings.EqualFold(a.Host, b.Host) || slices.Contains(strings.Split(a.Path, "/"), "..") {
		return false
	}
	// The settings of a bucket can name another server, so they must be equal.
	if isBucketScheme(a.Scheme) && a.Query().Encode() != b.Query().Encode() {
		return false
	}
	folder := strings.TrimSuffix(b.Path, "/") + "/"
	return a.Path == b.Path || strings.HasPrefix(a.Path, folder)
}
