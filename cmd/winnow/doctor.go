package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/cmd/internal/doctor"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/service"
)

func newDoctorCommand() *cobra.Command {
	var salvage string
	var format request.Format
	var force bool
	cmd := &cobra.Command{
		Use:   "doctor [--salvage OUT.warc.gz] FILE",
		Short: "Show the damage of an archive, and save what is whole",
		Long: `Read all of a WARC or ARC file, on disk or by URL, as a run does, and list every
defect with the bytes that it concerns: note costs nothing, damaged costs a part of
a record or its checksum, lost costs records. The exit code is 3 if anything is
damaged or lost.

--salvage writes every record that is whole to a new file, which a second,
independent reader must be able to read.`,
		Example: `  winnow doctor crawl/00012.warc.gz
  winnow doctor --salvage whole.warc.gz crawl/00012.warc.gz
  winnow doctor --format json https://example.org/crawl.warc.gz | jq .damage`,
		Args: exactly("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if salvage != "" && !strings.HasSuffix(salvage, ".warc.gz") {
				return service.Usagef("doctor: --salvage %s: records are compressed one by one, so the file is called .warc.gz", salvage)
			}
			return examine(cmd.Context(), args[0], salvage, force, format, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&salvage, "salvage", "", "`file` to which the whole records are written")
	cmd.Flags().BoolVar(&force, "force", false, "replace the file that --salvage names, if there is one")
	format.Register(cmd.Flags())
	return cmd
}

func examine(ctx context.Context, name, salvage string, force bool, format request.Format, stdout, stderr io.Writer) (err error) {
	if salvage != "" { // a large archive takes long to read, so these mistakes are reported first
		if err := checkNewFile(salvage, force); err != nil {
			return fmt.Errorf("doctor: --salvage %w", err)
		}
	}
	blobs := blob.New(blob.Options{})
	defer func() { err = errors.Join(err, blobs.Close()) }()
	object, err := blobs.Stat(ctx, name)
	if err != nil {
		return fmt.Errorf("doctor: %w", err)
	}
	src, err := blobs.Open(ctx, object)
	if err != nil {
		return fmt.Errorf("doctor: %w", err)
	}
	defer src.Close() // it was only read
	found, err := doctor.Examine(ctx, src, blob.PublicURL(name))
	if err != nil {
		return err
	}
	err = format.Print(stdout, found, func(w io.Writer) { printFinding(w, found) })
	if err == nil && salvage != "" {
		err = replaceFile(salvage, func(w io.Writer) error {
			n, err := doctor.Salvage(ctx, src, found.Name, found, w)
			if err == nil {
				fmt.Fprintf(stderr, "whole records in %s: %d of %d\n", salvage, n, found.Records)
			}
			return err
		})
	}
	if err == nil && !found.Sound() {
		return service.RefusedError{Records: found.Records - found.Whole, Bytes: found.Lost, Files: 1}
	}
	return err
}

// checkNewFile returns an error if there is a file of a name, unless force is set, or no
// folder for it.
func checkNewFile(name string, force bool) error {
	if _, err := os.Lstat(name); err == nil && !force {
		return fmt.Errorf("%s: it exists: choose another name, or replace it with --force", name)
	}
	folder := filepath.Dir(name)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: there is no folder %s", name, folder)
	}
	return nil
}

// replaceFile writes a file under a temporary name, and renames it when it is complete.
func replaceFile(name string, write func(io.Writer) error) error {
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // it has been renamed if there was no error
	defer file.Close()
	if err := write(file); err != nil {
		return err
	}
	return errors.Join(file.Chmod(0o644), file.Close(), os.Rename(file.Name(), name))
}

func printFinding(w io.Writer, f *doctor.Finding) {
	fmt.Fprintf(w, "%s: %s, %s, %s", f.Name, f.Format, service.Bytes(f.Bytes), account.Count(f.Records, "record"))
	for _, kind := range slices.Sorted(maps.Keys(f.ByType)) {
		fmt.Fprintf(w, ", %d %s", f.ByType[kind], kind)
	}
	fmt.Fprintf(w, "\nwhole: %s; lost: %s\n", account.Count(f.Whole, "record"), account.Count(f.Lost, "byte"))
	if len(f.Damage) == 0 {
		return
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "FROM\tTO\tBYTES\tSEVERITY\tCODE\tDETAIL")
	for _, d := range f.Damage {
		fmt.Fprintf(w, "%d\t%d\t%d\t%s\t%s\t%s\n", d.Offset, d.Offset+d.Length, d.Length, d.Severity, d.Code, service.Printable(d.Detail))
	}
	if f.Further > 0 {
		fmt.Fprintf(w, "and %d more\n", f.Further)
	}
}
