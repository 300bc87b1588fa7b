package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// openRun opens the output folder of a run. The user gave its path or URL.
func openRun(ctx context.Context, client *blob.Client, out string) (blob.Store, *schemas.Manifest, error) {
	store, err := client.Store(ctx, out)
	if err != nil {
		return nil, nil, err
	}
	m, err := manifest.Load(ctx, store)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, nil, noRun(out)
	}
	return store, m, err
}

// noRun is the error of a folder without a manifest.
func noRun(out string) error {
	return fmt.Errorf("%s: no run is here (it has no run.json): give the --out of 'winnow run'", out)
}

// unfinished adds to an error that the run has not ended yet, if that is so, because
// that is the likely cause.
func unfinished(m *schemas.Manifest, out string, err error) error {
	if err == nil || !m.Finished.IsZero() {
		return err
	}
	return fmt.Errorf("%w\nrun %s is not finished: 'winnow run --run %s --out %s' goes on with it", err, m.Run.ID, quoted(string(m.Run.ID)), quoted(out))
}

// known checks the values of a flag that names extractors or scorers of the run.
func known(flag string, names []string, methods []schemas.Method) error {
	var of []string
	for _, m := range methods {
		of = append(of, m.Name)
	}
	for _, n := range names {
		if !slices.Contains(of, n) {
			return service.Usagef("--%s %q: the run has %s", flag, n, strings.Join(of, ", "))
		}
	}
	return nil
}

// knownPackages checks the values of --packages against the run's table.
func knownPackages(ctx context.Context, store blob.Store, names []string) error {
	missing := slices.Clone(names)
	for row, err := range tables.Rows(ctx, store, columnar.PackageColumns("package"), schemas.PackagesFile) {
		switch {
		case len(missing) == 0:
			return nil
		case errors.Is(err, blob.ErrNotFound): // the code that needs the table returns the error
			return nil
		case err != nil:
			return err
		}
		missing = slices.DeleteFunc(missing, func(name string) bool { return name == row.Package })
	}
	if len(missing) > 0 {
		return service.Usagef("--packages %q: the run has no package of this name; 'winnow report --table packages OUT' has all", missing[0])
	}
	return nil
}
