// Command ingest plans a run and publishes its items to the workers. See package
// pipeline/ingest.
package main

import (
	"context"
	"os"

	"github.com/winnow/winnow/cmd/internal/ingest"
	"github.com/winnow/winnow/pipeline/service"
)

func main() {
	service.Main(func(ctx context.Context) int {
		return service.Execute(ctx, ingest.NewCommand(), os.Args[1:], os.Stdout, os.Stderr)
	})
}
