package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/winnow/winnow/cmd/winnow/internal/inspector"
	"github.com/winnow/winnow/cmd/winnow/internal/pages"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// inspectRun shows pages of a run: one that is named, or the worst ones as a small site.
func inspectRun(ctx context.Context, o inspectOptions, stdout io.Writer) error {
	switch {
	case o.worst > 0 && o.wanted != (pages.Wanted{}):
		return service.Usagef("--worst chooses the pages: leave out --doc and --package")
	case o.worst > 0 && o.to == "" && o.format != "json":
		return service.Usagef("--worst writes a site: name its folder with --to, or choose --format json")
	case o.worst > 0 && o.to != "" && o.format == "json":
		return service.Usagef("--worst with --format json writes to the standard output: leave out --to")
	case o.worst <= 0 && o.wanted.Doc == "":
		return service.Usagef("name a page of the run with --doc, or a number of pages with --worst")
	}
	client := blob.New(o.reach.Options())
	defer client.Close()
	store, m, err := openRun(ctx, client, o.run)
	if err != nil {
		return err
	}
	if o.against != "" {
		if err := known("against", []string{o.against}, m.Run.Recipe.Extractors); err != nil {
			return err
		}
	}
	extractors, err := o.programs.Extractors()
	if err != nil {
		return err
	}
	run, err := inspector.NewRun(ctx, client, store, m, extractors)
	if err != nil {
		return err
	}
	defer run.Close()
	if o.worst > 0 {
		return unfinished(m, o.run, writeWorst(ctx, run, o, m, stdout))
	}
	rows, err := run.Find(ctx, o.wanted.Package, o.wanted.Doc)
	if err != nil {
		return unfinished(m, o.run, err)
	}
	switch len(rows) {
	case 0:
		return unfinished(m, o.run, fmt.Errorf("inspect: no page %s in the run: names are in its tables, columns package and doc_id", o.wanted.Doc))
	case 1:
	default:
		var same pages.Candidates
		for i := range rows {
			same.AddNames(rows[i].Package, rows[i].DocID, rows[i].URL)
		}
		return same.Err(o.wanted.Doc, blob.PublicURL(o.run))
	}
	v, err := run.View(ctx, &rows[0])
	if err != nil {
		return fmt.Errorf("inspect: %w", err)
	}
	return v.Write(stdout, o.format, inspector.Shown{Against: o.against})
}

// writeWorst writes the worst pages of the run as a small site, or as JSON lines.
func writeWorst(ctx context.Context, run *inspector.Run, o inspectOptions, m *schemas.Manifest, stdout io.Writer) error {
	site := inspector.Site{Against: o.against, Worst: o.worst, To: o.to}
	var err error
	if site.Extractor, site.Scorer, site.Lower, err = parseBy(o.by, &m.Run.Recipe); err != nil {
		return err
	}
	if o.format == "json" {
		return run.WriteJSON(ctx, site, stdout)
	}
	return run.WriteSite(ctx, site, stdout)
}

// parseBy returns the extractor and the scorer that a flag EXTRACTOR/SCORER names. By
// default they are the first extractor and the default scorer of the run.
func parseBy(by string, r *schemas.Recipe) (extractor, scorer string, lower bool, err error) {
	extractor, scorer = r.Extractors[0].Name, inspector.Consensus
	if len(r.Scorers) > 0 {
		scorer, lower = r.DefaultScorer().Name, r.DefaultScorer().Lower
	}
	if by == "" {
		return extractor, scorer, lower, nil
	}
	// The settings of an extractor may have a slash; the name of a scorer has none.
	at := strings.LastIndex(by, "/")
	if at < 0 {
		return "", "", false, service.Usagef("--by %q: name an extractor and a scorer of the run, as in winnow/vec, or an extractor and %s", by, inspector.Consensus)
	}
	extractor, scorer = by[:at], by[at+1:]
	if err := known("by", []string{extractor}, r.Extractors); err != nil {
		return "", "", false, err
	}
	if scorer == inspector.Consensus {
		return extractor, scorer, false, nil
	}
	for _, m := range r.Scorers {
		if m.Name == scorer {
			return extractor, scorer, m.Lower, nil
		}
	}
	return "", "", false, known("by", []string{scorer}, append([]schemas.Method{{Name: inspector.Consensus}}, r.Scorers...))
}
