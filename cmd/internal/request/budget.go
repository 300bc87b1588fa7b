package request

import (
	"errors"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/service"
)

// RegisterBudget adds the flag that bounds requests to servers. It belongs to the program and
// not to the run, because runs that go on at the same time use the same servers. The budget is
// nil without a bound.
func RegisterBudget(f *pflag.FlagSet, budget *blob.Budget) {
	service.Rare(f, "Input", func(f *pflag.FlagSet) {
		const usage = "`number` of requests a second that this process sends to one web server or object store; when it answers 403, 429 or 503, it gets none for the time that it asks for, a second at least; 0 for no bound"
		register(f, "max-requests", "0", usage, func(text string) error {
			perSecond, err := strconv.ParseFloat(text, 64)
			switch *budget = nil; {
			case err != nil:
				return errors.New("want a number")
			case perSecond == 0:
			case perSecond >= 0.01 && perSecond <= 1e6:
				*budget = blob.NewBudget(perSecond)
			default:
				return errors.New("want 0.01 to 1000000, or 0 for no bound")
			}
			return nil
		})
	})
}
