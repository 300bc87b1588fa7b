package queue

import (
	"fmt"
	"time"

	"github.com/winnow/winnow/schemas"
)

// AbsentError says that a program has waited in vain for a run to be published.
type AbsentError struct {
	Run    schemas.RunID
	Waited time.Duration
}

func (e AbsentError) Error() string {
	return fmt.Sprintf("the broker has not known run %s for %v: check the id, the broker's URL and prefix (--nats, --nats-prefix), and that ingest has published the run and that it was not over before", e.Run, e.Waited)
}
