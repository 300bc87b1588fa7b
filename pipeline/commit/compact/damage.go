package compact

import (
	"errors"
	"fmt"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/panics"
	"github.com/winnow/winnow/schemas/columnar"
)

// errChecksum means that a shard's bytes differ from those that were reported.
var errChecksum = errors.New("checksum differs from the report's")

// Damage collects the items of a part whose shards are gone, damaged or different from
// their reports. After the first such item the other items are read only to find further
// damage, so that all damaged items can be run again at once.
type Damage struct {
	Entries []*Entry
	causes  map[*Entry]error
}

// Add records the cause for an item, unless it has one.
func (d *Damage) Add(e *Entry, cause error) {
	if d.causes[e] != nil {
		return
	}
	if d.causes == nil {
		d.causes = map[*Entry]error{}
	}
	d.causes[e] = cause
	d.Entries = append(d.Entries, e)
}

// Any reports whether any item is damaged.
func (d *Damage) Any() bool { return len(d.Entries) > 0 }

// Cause returns the error of an item's shards, or nil if none was found.
func (d *Damage) Cause(e *Entry) error { return d.causes[e] }

// has reports whether the item is damaged.
func (d *Damage) has(e *Entry) bool { return d.causes[e] != nil }

// Error names the first damaged items.
func (d *Damage) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "compact: the shards of %s cannot be used", account.Count(len(d.Entries), "item"))
	for i, e := range d.Entries {
		if i == 3 {
			b.WriteString("; ...")
			break
		}
		fmt.Fprintf(&b, "; item %s: %v", e.Item.ID(), d.causes[e])
	}
	return b.String()
}

// Unwrap returns the causes.
func (d *Damage) Unwrap() []error {
	var causes []error
	for _, e := range d.Entries {
		causes = append(causes, d.causes[e])
	}
	return causes
}

// IsDamage reports whether an error is damage that another attempt at the item may
// repair, as opposed to an error of the store or of this machine.
func IsDamage(err error) bool {
	var panicked *panics.Error
	return errors.Is(err, blob.ErrNotFound) || errors.Is(err, blob.ErrChanged) || errors.Is(err, columnar.ErrMalformed) ||
		errors.Is(err, errChecksum) || errors.Is(err, account.ErrConservation) || errors.As(err, &panicked)
}
