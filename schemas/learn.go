package schemas

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// TemplateIndex names the parts of a run's table of templates and how they were
// learned. The phase extract, and other runs, use it to read them.
type TemplateIndex struct {
	Version int             `json:"version"`
	Run     RunID           `json:"run"`
	Hash    string          `json:"hash"`    // digest of the recipe
	Created time.Time       `json:"created"` // when the run was planned
	SiteBy  string          `json:"site_by"`
	Sites   string          `json:"sites"` // see Learn.Sites
	Reading Reading         `json:"reading,omitzero"`
	Ranges  []TemplateRange `json:"ranges"`
}

// TemplateRange describes what one item of the phase learn learned: a part of the table of
// templates.
type TemplateRange struct {
	From string `json:"from"` // no site of the range comes before; it ends where the next one begins
	// File is the part. Its name is empty if the item was given up, so that nothing is
	// known about the sites.
	File Shard `json:"file,omitzero"`
}

// Index returns the index of the templates of a run whose phase learn is over.
func (m *Manifest) Index() *TemplateIndex {
	r := &m.Run
	x := &TemplateIndex{Version: Version, Run: r.ID, Hash: r.Hash, Created: r.Created, SiteBy: r.Recipe.SiteBy,
		Reading: r.Recipe.Reading, Ranges: m.Templates.Ranges}
	if r.Recipe.Learn != nil {
		x.Sites = r.Recipe.Learn.Sites
	}
	return x
}

// checkRanges verifies that ranges are in order and name files of the table of templates.
func checkRanges(ranges []TemplateRange) error {
	for i := range ranges {
		r := &ranges[i]
		if i > 0 && r.From <= ranges[i-1].From {
			return fmt.Errorf("range %d of templates begins at %.200q, not after %.200q", i, r.From, ranges[i-1].From)
		}
		if r.File.Name == "" {
			continue
		}
		if err := r.File.check(); err != nil {
			return err
		}
		if !IsPart(TableTemplates, r.File.Name) || strings.Count(r.File.Name, "/") > 1 {
			return fmt.Errorf("range %d of templates: %.200q is not a part of their table", i, r.File.Name)
		}
	}
	return nil
}

// DecodeTemplateIndex reads a TemplateIndex and verifies every field.
func DecodeTemplateIndex(data []byte) (*TemplateIndex, error) {
	return decode("template index", data, func(x *TemplateIndex) error {
		if err := checkVersion(x.Version); err != nil {
			return err
		}
		return checkRanges(x.Ranges)
	})
}

// Range returns the index of the range that may hold a site, -1 if there is none.
func (x *TemplateIndex) Range(site string) int {
	i, found := slices.BinarySearchFunc(x.Ranges, site, func(r TemplateRange, site string) int { return cmp.Compare(r.From, site) })
	if found {
		return i
	}
	return i - 1
}

// checkVersion returns an error for records of another version. Nothing else of such a record
// is checked, because its fields may mean something else.
func checkVersion(v int) error {
	if v != Version {
		return fmt.Errorf("version %d, this program reads version %d", v, Version)
	}
	return nil
}
