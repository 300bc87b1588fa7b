// Command aggregate makes the tables of runs from the reports of workers. See package
// pipeline/commit.
package main

import (
	"context"
	"os"

	"github.com/winnow/winnow/cmd/internal/aggregate"
	"github.com/winnow/winnow/pipeline/service"
)

func main() {
	service.Main(func(ctx context.Context) int {
		return service.Execute(ctx, aggregate.NewCommand(), os.Args[1:], os.Stdout, os.Stderr)
	})
}
