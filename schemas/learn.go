package schemas

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ScanIndex names the files that the phase scan wrote, for the workers of the phase learn.
type ScanIndex struct {
	Version int        `json:"version"`
	Run     RunID      `json:"run"`
	Hash    string     `json:"hash"` // of the recipe
	Items   []ScanItem `json:"items"`
}

// ScanItem is one accepted item of the phase scan.
type ScanItem struct {
	ID      ItemID  `json:"id"`
	Stored          // of the file that its pages are in
	Private bool    `json:"private,omitempty"` // File.Private
	Shards  []Shard `json:"shards,omitempty"`
}

// TemplateIndex names the files with a run's templates. It is what another run
// needs to use them.
type TemplateIndex struct {
	Version int           `json:"version"`
	Run     RunID         `json:"run"`
	Hash    string        `json:"hash"`    // of the recipe
	Created time.Time     `json:"created"` // when the run was planned
	SiteBy  string        `json:"site_by"`
	Sites   string        `json:"sites"` // see Learn.Sites
	Reading Reading       `json:"reading,omitzero"`
	Ranges  []BucketRange `json:"ranges"`
}

// BucketRange describes what one item of the phase learn learned about the sites of its
// buckets.
type BucketRange struct {
	Start int64 `json:"start"`
	End   int64 `json:"end"`
	// File holds the templates. Its name is empty if there are none.
	File Shard `json:"file,omitzero"`
	// Dead says that the item was given up, so that nothing is known of the sites.
	Dead bool `json:"dead,omitempty"`
}

// check verifies an item of the index of a recipe.
func (s *ScanItem) check(hash string) error {
	for i := range s.Shards {
		sh := &s.Shards[i]
		if err := sh.check(); err != nil {
			return err
		}
		if !strings.HasPrefix(sh.Name, ShardPrefix(hash, s.ID)) {
			return fmt.Errorf("shard %.200q does not belong to item %s", sh.Name, s.ID)
		}
	}
	return errors.Join(checkCount("bytes of "+s.URL, s.Size), s.Within.check(s.Size), checkTexts(string(s.ID), s.URL, s.Identity))
}

// DecodeScanIndex reads a ScanIndex and verifies every field.
func DecodeScanIndex(data []byte) (*ScanIndex, error) {
	x := new(ScanIndex)
	err := json.Unmarshal(data, x)
	if err == nil {
		err = checkVersion(x.Version)
	}
	for i := 0; err == nil && i < len(x.Items); i++ {
		err = x.Items[i].check(x.Hash)
	}
	if err != nil {
		return nil, fmt.Errorf("schemas: scan index: %w", err)
	}
	return x, nil
}

// DecodeTemplateIndex reads a TemplateIndex and verifies that its ranges cover all
// buckets, in order.
func DecodeTemplateIndex(data []byte) (*TemplateIndex, error) {
	x := new(TemplateIndex)
	err := json.Unmarshal(data, x)
	if err == nil {
		err = checkVersion(x.Version)
	}
	at := int64(0)
	for i := 0; err == nil && i < len(x.Ranges); i++ {
		r := &x.Ranges[i]
		if r.Start != at || r.End <= r.Start {
			err = fmt.Errorf("range %d is [%d,%d), want it to begin at %d", i, r.Start, r.End, at)
		}
		at = r.End
		if f := &r.File; err == nil && f.Name != "" {
			name, ok := strings.CutPrefix(f.Name, TemplatesFolder+"/")
			if err = f.check(); err == nil && (!ok || strings.ContainsAny(name, "/\\")) {
				err = fmt.Errorf("range %d: file %.200q is not in the folder %s", i, f.Name, TemplatesFolder)
			}
		}
	}
	if err == nil && at != SiteBuckets {
		err = fmt.Errorf("its ranges end at bucket %d of %d", at, SiteBuckets)
	}
	if err != nil {
		return nil, fmt.Errorf("schemas: template index: %w", err)
	}
	return x, nil
}

// Range returns the range that holds a bucket.
func (x *TemplateIndex) Range(bucket int64) *BucketRange {
	lo, hi := 0, len(x.Ranges)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; x.Ranges[mid].Start <= bucket {
			lo = mid
		} else {
			hi = mid
		}
	}
	return &x.Ranges[lo]
}

// checkVersion returns an error for records of another version. Nothing else of such a record
// is checked, because its fields may mean something else.
func checkVersion(v int) error {
	if v != Version {
		return fmt.Errorf("version %d, this program reads version %d", v, Version)
	}
	return nil
}
