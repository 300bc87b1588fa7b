package main

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/service"
)

// fetching holds the flags that bound how a page is fetched from a web server.
type fetching struct {
	maxPage      string
	timeout      time.Duration
	allowPrivate bool
}

func (f *fetching) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.maxPage, "max-page", "16MiB", "of a page by URL: the largest `size`, without its compression")
	flags.DurationVar(&f.timeout, "timeout", 30*time.Second, "of a page by URL: the time until all of it is there")
	flags.BoolVar(&f.allowPrivate, "allow-private", false, "of a page by URL: the server may be this machine, or at an address that only its network can reach")
}

func (f *fetching) options() (blob.FetchOptions, error) {
	size, err := service.ParseBytes(f.maxPage)
	switch {
	case err != nil || size <= 0 || size > 1<<30:
		return blob.FetchOptions{}, service.Usagef("--max-page %q: want a size up to 1GiB, such as 16MiB", f.maxPage)
	case f.timeout <= 0:
		return blob.FetchOptions{}, service.Usagef("--timeout %v: must be positive", f.timeout)
	}
	return blob.FetchOptions{MaxBytes: size, Time: f.timeout, AllowPrivate: f.allowPrivate}, nil
}
