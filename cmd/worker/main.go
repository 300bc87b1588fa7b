// Command worker takes items from the queue and writes their rows. See package
// pipeline/worker.
package main

import (
	"context"
	"io"
	"os"

	"github.com/winnow/winnow/cmd/internal/worker"
	"github.com/winnow/winnow/pipeline/service"
)

func main() {
	service.Main(func(ctx context.Context) int { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
}

// run executes the command line and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return service.Execute(ctx, worker.NewCommand(), args, stdout, stderr)
}
