// Package failures tells what a run could not do: records that were refused, bytes that
// could not be read, extractors that failed on pages, and dead letters. It reads an output
// folder, finished or not.
//
//	result, err := failures.Of(ctx, store, manifest, failures.Options{Examples: 3})
//	for _, g := range result.Groups { ... }
//
// The memory that is needed depends on the number of kinds of failures, and not on the
// number of failures.
package failures

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// StageExtract is the stage of a group of failed extractions.
const StageExtract = "extract"

// Options choose the failures that are listed.
type Options struct {
	File     string // URL of a file, or the end of it; "" for all files
	Examples int    // examples of each group
}

// Selects reports whether failures of the file with this URL are to be listed.
func (o *Options) Selects(url string) bool { return strings.HasSuffix(url, o.File) }

// Result is what a run could not do.
type Result struct {
	Run      schemas.RunID `json:"run"`
	Out      string        `json:"out"`
	Finished bool          `json:"finished"`
	Failures int64         `json:"failures"`
	Groups   []Group       `json:"groups"` // the largest first
}

// Group is all failures of one stage, reason and extractor.
type Group struct {
	Stage     string    `json:"stage"`
	Reason    string    `json:"reason"`
	Extractor string    `json:"extractor,omitempty"`
	Severity  string    `json:"severity"`
	Failures  int64     `json:"failures"`
	Bytes     int64     `json:"bytes"` // bytes of the input
	Files     []File    `json:"files"` // those with the most failures first
	Examples  []Example `json:"examples"`

	byFile map[string]int64
}

// File is the number of failures in one file.
type File struct {
	File     string `json:"file"`
	Failures int64  `json:"failures"`
}

// Example is one failure. An extraction that failed has a package, a document and a URL.
type Example struct {
	File    string `json:"file"`
	Offset  int64  `json:"offset"`
	Length  int64  `json:"length,omitempty"`
	Detail  string `json:"detail,omitempty"`
	Package string `json:"package,omitempty"`
	DocID   string `json:"doc_id,omitempty"`
	URL     string `json:"url,omitempty"`
}

// key tells groups apart.
type key struct{ stage, reason, extractor string }

// collector adds up groups.
type collector struct {
	Options
	groups map[key]*Group
}

// Of reads the failures of a run.
func Of(ctx context.Context, store blob.Store, m *schemas.Manifest, opt Options) (*Result, error) {
	c := &collector{Options: opt, groups: map[key]*Group{}}
	for row, err := range rows(ctx, store, m) {
		if err != nil {
			return nil, err
		}
		c.add(key{stage: row.Stage, reason: row.Reason}, row.Severity, Example{File: row.File, Offset: row.Offset, Length: row.Length, Detail: row.Detail})
	}
	if err := c.extractions(ctx, store, m); err != nil {
		return nil, err
	}
	r := &Result{Run: m.Run.ID, Out: store.URL(), Finished: !m.Finished.IsZero(), Groups: []Group{}}
	for _, g := range c.groups {
		for file, n := range g.byFile {
			g.Files = append(g.Files, File{file, n})
		}
		slices.SortFunc(g.Files, func(a, b File) int {
			return cmp.Or(cmp.Compare(b.Failures, a.Failures), cmp.Compare(a.File, b.File))
		})
		r.Failures += g.Failures
		r.Groups = append(r.Groups, *g)
	}
	slices.SortFunc(r.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Failures, a.Failures), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Extractor, b.Extractor))
	})
	return r, nil
}

// extractions adds the pages on which extractors failed. Their table is read only if the
// manifest counts such pages.
func (c *collector) extractions(ctx context.Context, store blob.Store, m *schemas.Manifest) error {
	table := columnar.DocumentColumns(nil, "package", "doc_id", "url", "file", "offset", "html_bytes", "extractor", "outcome", "reason")
	for i := range m.Parts {
		p := &m.Parts[i]
		failed := false
		for name := range p.Counts.Outcomes {
			_, outcome := account.SplitOutcome(name)
			failed = failed || strings.HasPrefix(outcome, string(algorithms.Failed))
		}
		if !failed {
			continue
		}
		for row, err := range tables.PartRows(ctx, store, table, p) {
			if err != nil {
				return err
			}
			if row.Outcome == string(algorithms.Failed) {
				c.add(key{StageExtract, row.Reason, row.Extractor}, "failed",
					Example{File: row.File, Offset: row.Offset, Package: row.Package, DocID: row.DocID, URL: row.URL})
			}
		}
	}
	return nil
}

// add counts a failure.
func (c *collector) add(k key, severity string, e Example) {
	if !c.Selects(e.File) {
		return
	}
	g := c.groups[k]
	if g == nil {
		g = &Group{Stage: k.stage, Reason: k.reason, Extractor: k.extractor, Severity: severity, Examples: []Example{}, byFile: map[string]int64{}}
		c.groups[k] = g
	}
	g.Failures++
	g.Bytes += e.Length
	g.byFile[e.File]++
	if len(g.Examples) < c.Examples {
		g.Examples = append(g.Examples, e)
	}
}
