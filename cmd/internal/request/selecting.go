package request

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/source"
)

// Selecting holds the flags that say which records of the inputs are read: how indexes
// select records, and which records are pages besides responses and resources.
type Selecting struct {
	Base        string
	Conversions bool
	source.SelectorOptions
}

// Register adds the flags to a command.
func (s *Selecting) Register(f *pflag.FlagSet) {
	f.StringVar(&s.Base, "base", "", "what names in list files (*.paths, *.paths.gz) and indexes (*.cdxj, *.cdx, *.gz of them) are relative to (default the folder of the list or index)")
	f.BoolVar(&s.Whole, "whole-collections", false, "read every record of WACZ collections, also those that the indexes in them do not name")
	f.BoolVar(&s.Conversions, "conversions", false, "conversion records of HTML are pages, too: what another program has made of a page")
	f.StringArrayVar(&s.URLs, "select-url", nil, "of an index: only records whose URL begins so, such as https://example.org/news/; may be repeated")
	f.StringVar(&s.URLMatch, "select-url-match", "", "of an index: only records in whose URL this regular expression occurs")
	f.StringSliceVar(&s.MIMEs, "select-mime", nil, "of an index: only records of these media types, such as text/html,application/xhtml+xml or text/*")
	f.StringSliceVar(&s.Statuses, "select-status", nil, "of an index: only records of these HTTP statuses, such as 200,404 or 4xx; it does not change which of them are pages (--status of run, plan and ingest)")
	f.StringVar(&s.From, "select-from", "", "of an index: only records from this date on, such as 2024 or 2024-01-31")
	f.StringVar(&s.To, "select-to", "", "of an index: only records up to the end of this date, such as 2024-02")
}

// Selector returns the selection that the flags describe.
func (s *Selecting) Selector() (source.Selector, error) {
	selector, err := source.NewSelector(s.SelectorOptions)
	if err != nil {
		return selector, service.Usagef("--select: %w", err)
	}
	return selector, nil
}

// Scratch returns a store in a temporary folder for files that are needed only while a
// run is planned. discard removes the folder.
func Scratch(ctx context.Context, blobs *blob.Client) (store blob.Store, discard func() error, err error) {
	dir, err := os.MkdirTemp("", "winnow-plan-*")
	if err != nil {
		return nil, nil, err
	}
	discard = func() error { return os.RemoveAll(dir) }
	if store, err = blobs.Store(ctx, dir); err != nil {
		return nil, nil, errors.Join(err, discard())
	}
	return store, discard, nil
}
