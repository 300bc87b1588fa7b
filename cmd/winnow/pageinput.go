package main

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/cmd/winnow/internal/pages"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/service"
)

// pageInput holds the flags that say where a page is found and how it is read.
type pageInput struct {
	wanted       pages.Wanted
	charset, url string
	reading      request.Reading
	reach        request.Reach
	selecting    request.Selecting
	fetching     fetching
}

func (p *pageInput) register(flags *pflag.FlagSet) {
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
