package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/cmd/winnow/internal/pages"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/extract/process"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/source"
)

// pageInput holds the flags that say where a page is found, how it is read, and which
// extractors run on it.
type pageInput struct {
	extractors   string
	programs     request.Programs
	wanted       pages.Wanted
	charset, url string
	reading      request.Reading
	reach        request.Reach
	selecting    request.Selecting
	fetching     fetching
}

func (p *pageInput) register(flags *pflag.FlagSet) {
	p.programs.Register(flags)
	service.Group(flags, "Which page", func(f *pflag.FlagSet) {
		p.wanted.Register(f)
		f.StringVar(&p.url, "url", "", "address of a single page, for extractors that read it")
	})
	service.Rare(flags, "How pages are read", func(f *pflag.FlagSet) {
		f.StringVar(&p.charset, "charset", "", "encoding of HTML files, as a server would declare it (default: what the page says)")
	})
	p.reading.Register(flags)
	service.Rare(flags, "A page by URL", p.fetching.register)
	p.selecting.Register(flags)
	p.reach.RegisterLists(flags)
	p.reach.Register(flags)
}

// pageRun reads the pages of inputs and runs extractors on them.
type pageRun struct {
	source.Inputs
	formats []source.Format // formats of the inputs
	driver  *process.Driver
}

// open checks the flags and the names of inputs before any work, so that a misspelt last
// name costs nothing, and returns what reads the inputs and runs the methods. The caller
// closes it.
func (p *pageInput) open(ctx context.Context, inputs []string, chosen []*algorithms.Extractor, scorers []*algorithms.Scorer, stdin io.Reader, stderr io.Writer) (*pageRun, error) {
	r := &pageRun{formats: make([]source.Format, len(inputs))}
	var err error
	for i, name := range inputs {
		if r.formats[i], err = source.FormatOf(name); err != nil {
			return nil, err
		}
	}
	if err := pages.CheckSingle(p.charset, p.url, r.formats...); err != nil {
		return nil, err
	}
	if _, err := p.programs.Check(ctx, slog.New(slog.DiscardHandler)); err != nil {
		return nil, err
	}
	selector, err := p.selecting.Selector()
	if err != nil {
		return nil, err
	}
	fetch, err := p.fetching.options()
	if err != nil {
		return nil, err
	}
	if r.driver, err = process.NewDriver(driver.Config{Page: p.reading.Options(), Extractors: chosen, Scorers: scorers}); err != nil {
		return nil, err
	}
	r.Inputs = source.Inputs{
		Blobs: blob.New(p.reach.Options()), Note: func(what string) { fmt.Fprintln(stderr, what) }, Base: p.selecting.Base, Select: selector,
		Options: source.Options{Conversions: p.selecting.Conversions}, ListMayLeave: p.reach.Lists, Charset: p.charset, URL: p.url, Stdin: stdin, Fetch: fetch,
	}
	return r, nil
}

// Close ends the programs and the connections.
func (r *pageRun) Close() error {
	r.driver.Close()
	return r.Blobs.Close()
}

// fetching holds the flags that bound how a page is fetched from a web server.
type fetching struct {
	maxPage      int64
	timeout      time.Duration
	allowPrivate bool
}

func (f *fetching) register(flags *pflag.FlagSet) {
	request.RegisterSize(flags, &f.maxPage, "max-page", "16MiB", "its largest `size`, without its compression")
	request.RegisterTime(flags, &f.timeout, "timeout", 30*time.Second, "time until all of it is there")
	flags.BoolVar(&f.allowPrivate, "allow-private", false, "the server may be this machine, or at an address that only its network can reach")
}

func (f *fetching) options() (blob.FetchOptions, error) {
	if f.maxPage > 1<<30 {
		return blob.FetchOptions{}, service.Usagef("--max-page %s: want a size up to 1GiB, such as 16MiB", service.Bytes(f.maxPage))
	}
	return blob.FetchOptions{MaxBytes: f.maxPage, Time: f.timeout, AllowPrivate: f.allowPrivate}, nil
}
