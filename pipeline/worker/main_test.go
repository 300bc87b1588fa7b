package worker_test

import (
	"os"
	"testing"

	"github.com/winnow/winnow/pipeline/extract"
	"github.com/winnow/winnow/pipeline/learn"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
)

// TestMain gives the tests the real tasks, and lets the test binary be a worker's
// process, see TestPoison.
func TestMain(m *testing.M) {
	worker.NewTasks = func(o worker.TaskOptions) map[schemas.Phase]worker.Task {
		learning := learn.Options{Extractors: o.Extractors}
		return learn.Tasks(learning, extract.New(extract.Options{
			Extractors: o.Extractors, Scorers: o.Scorers, BeforePage: o.BeforePage,
		}))
	}
	if url := os.Getenv("WORKER_TEST_BROKER"); url != "" {
		os.Exit(worker.WorkerProcess(url))
	}
	os.Exit(m.Run())
}
