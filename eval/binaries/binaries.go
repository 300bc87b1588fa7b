// Package binaries builds the programs that measurements run: winnow and a broker.
//
// This package is internal to Winnow and may change in any release.
package binaries

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Build builds winnow and nats-server into the folder dir with the given flags of go build.
// It builds them in the module of the program, so that they have the versions of libraries
// that a user's have.
func Build(ctx context.Context, dir string, flags ...string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/winnow/winnow").Output()
	if err != nil {
		return fmt.Errorf("find the module of winnow: %w", err)
	}
	args := append([]string{"build", "-o", dir + string(filepath.Separator)}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, "./cmd/winnow", "github.com/nats-io/nats-server/v2")...)
	cmd.Dir = strings.TrimSpace(string(root))
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the programs: %w\n%s", err, text)
	}
	return nil
}
