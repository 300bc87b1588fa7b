// Command aggregate makes the tables of runs from the reports of workers. See package
// pipeline/commit.
package main

import (
	"context"
	"io"
	"os"

	"github.com/winnow/winnow/cmd/internal/aggregate"
	"github.com/winnow/winnow/pipeline/service"
)

func main() {
	service.Main(func(ctx context.Context) int { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
}

// run executes the command line and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return service.Execute(ctx, aggregate.NewCommand(), args, stdout, stderr)
}
