package request

import (
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/service"
)

// Reach holds the flags that bound which hosts and files inputs may name. They belong
// to the program and not to the run: the operator of the workers decides what can be
// reached from their machines.
type Reach struct{ Redirects, Lists bool }

// Register adds the flag of programs that read inputs to a command.
func (r *Reach) Register(f *pflag.FlagSet) {
	service.Rare(f, "Input", func(f *pflag.FlagSet) {
		f.BoolVar(&r.Redirects, "redirects-may-leave", false, "follow redirects of web servers to any host and address; without, only to the same host and its subdomains, and from the public network to no private address")
	})
}

// RegisterLists adds the flag of programs that read lists of inputs.
func (r *Reach) RegisterLists(f *pflag.FlagSet) {
	service.Rare(f, "Input", func(f *pflag.FlagSet) {
		f.BoolVar(&r.Lists, "list-may-leave", false, "read what a list file names wherever it is; without, only below --base and at the list's own folder, bucket or web server")
	})
}

// Options returns the options of the client that reads inputs.
func (r *Reach) Options() blob.Options { return blob.Options{RedirectsMayLeave: r.Redirects} }
