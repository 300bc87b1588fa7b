// Command worker takes items from the queue and writes their rows. See package
// pipeline/worker.
package main

import (
	"context"
	"os"

	"github.com/winnow/winnow/cmd/internal/worker"
	"github.com/winnow/winnow/pipeline/service"
)

func main() {
	service.Main(func(ctx context.Context) int {
		return service.Execute(ctx, worker.NewCommand(), os.Args[1:], os.Stdout, os.Stderr)
	})
}
