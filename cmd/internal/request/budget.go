package request

import (
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/service"
)

// Budget holds the flag that bounds requests to servers. It belongs to the program and not
// to the run, because runs that go on at the same time use the same servers.
type Budget struct{ PerSecond float64 }

// Register adds the flag to a command.
func (b *Budget) Register(f *pflag.FlagSet) {
	service.Rare(f, "Input", func(f *pflag.FlagSet) {
		f.Float64Var(&b.PerSecond, "max-requests", 0, "`number` of requests a second that this process sends to one web server or object store; when it answers 403, 429 or 503, it gets none for the time that it asks for, a second at least; 0 for no bound")
	})
}

// Validate returns a service.UsageError if the flag is wrong.
func (b *Budget) Validate() error {
	if b.PerSecond < 0 || b.PerSecond > 0 && b.PerSecond < 0.01 || b.PerSecond > 1e6 {
		return service.Usagef("--max-requests %v: want 0.01 to 1000000, or 0 for no bound", b.PerSecond)
	}
	return nil
}

// Limit returns the budget, which is nil without a bound.
func (b *Budget) Limit() blob.Budget {
	if b.PerSecond == 0 {
		return nil
	}
	return blob.NewBudget(b.PerSecond)
}
