package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/cmd/internal/verify"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/service"
)

func newVerifyCommand() *cobra.Command {
	options := verify.Options{Build: service.Version()}
	var format request.Format
	cmd := &cobra.Command{
		Use:   "verify OUT",
		Short: "Check that an output folder holds what its run gave",
		Long: `Check an output folder without writing to it:

  manifest      it can be read, and its recipe is the one that the files were made by
  conservation  records, pages, rows and bytes of every part and of the run add up
  part          every committed file is there, with its bytes (SHA-256)
  stray         no other file lies among the parts of a table
  table         packages, agreement and failures are what the parts give

Nothing outside the folder is read: the inputs may be gone, and pages are not extracted
again. The tables of a run that is not finished are checked as far as they are committed.

The exit code is 3 if anything is found.`,
		Example: `  winnow verify tables
  winnow verify s3://bucket/nightly/2026-03-01
  winnow verify --format json tables | jq '.findings[] | {kind, object}'`,
		Args: exactly("OUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			client := blob.New(blob.Options{})
			defer client.Close()
			options.Blobs = client
			result, err := verifyFolder(cmd.Context(), client, args[0], options)
			if err != nil {
				return err
			}
			err = format.Print(cmd.OutOrStdout(), result, func(w io.Writer) { printVerified(w, result) })
			if n := len(result.Findings); err == nil && n > 0 {
				return service.CheckError{Err: fmt.Errorf("verify: %s: %s, the first: %s: %s: %s", args[0], account.Count(n, "finding"), result.Findings[0].Kind, result.Findings[0].Object, result.Findings[0].Detail)}
			}
			return err
		},
	}
	format.Register(cmd.Flags())
	return cmd
}

func verifyFolder(ctx context.Context, client *blob.Client, out string, options verify.Options) (*verify.Result, error) {
	store, err := client.Store(ctx, out)
	if err != nil {
		return nil, err
	}
	result, err := verify.Run(ctx, store, options)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, noRun(out)
	}
	return result, err
}

func printVerified(w io.Writer, r *verify.Result) {
	state := "finished"
	if !r.Finished {
		state = "not finished: checked as far as it is committed"
	}
	if r.Run != "" {
		fmt.Fprintf(w, "run %s in %s, %s\n", r.Run, service.Printable(r.Out), state)
	}
	fmt.Fprintf(w, "parts: %d; files: %d with %s have the bytes that were committed\n", r.Parts, r.Files, service.Bytes(r.Bytes))
	if len(r.Tables) > 0 {
		fmt.Fprintf(w, "made again from the parts: %s\n", strings.Join(r.Tables, ", "))
	}
	if len(r.Findings) == 0 {
		fmt.Fprintln(w, "nothing is wrong")
		return
	}
	fmt.Fprintln(w, "\nFINDING\tOBJECT\tDETAIL")
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s\t%s\t%s\n", f.Kind, service.Printable(f.Object), service.Printable(f.Detail))
	}
}
