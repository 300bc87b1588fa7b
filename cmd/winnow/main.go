// Command winnow runs the whole pipeline on one machine and contains the tools for
// gold packages, single pages and finished runs. Each verb has a file of its own.
package main

import (
	"context"
	"os"

	"github.com/winnow/winnow/pipeline/service"
)

func main() {
	service.Main(func(ctx context.Context) int {
		return run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	})
}
