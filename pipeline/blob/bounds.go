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
type bounds []place

// boundsOf are those of a list: the base, and the list's own origin, which is its
// folder on a disk, its bucket, or its web server.
func boundsOf(list place, o ExpandOptions) bounds {
	if o.ListMayLeave {
		return nil
	}
	origin := place{path: filepath.Dir(list.path)}
	if !list.local() {
		u := *list.url
		u.Path, u.RawPath = "/", ""
		origin = place{url: &u}
	}
	b := bounds{origin}
	if base, err := parse(o.Base); err == nil {
		b = append(b, base)
	}
	return b
}

// check refuses a name that leads out.
func (b bounds) check(name string) error {
	p, err := parse(name)
	if err != nil || b == nil || slices.ContainsFunc(b, p.within) {
		return nil // what is no name at all is found out when it is looked at
	}
	where := make([]string, len(b))
	for i := range b {
		where[i] = PublicURL(b[i].String())
	}
	return fmt.Errorf("%s is not in %s: --base names another place, --list-may-leave allows any", PublicURL(name), strings.Join(where, " or "))
}

// within says whether a place is another, or below it.
func (p place) within(q place) bool {
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
	// Settings of a bucket say which server it is at.
	if isBucketScheme(a.Scheme) && a.Query().Encode() != b.Query().Encode() {
		return false
	}
	folder := strings.TrimSuffix(b.Path, "/") + "/"
	return a.Path == b.Path || strings.HasPrefix(a.Path, folder)
}
