package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/source/pack"
	"github.com/winnow/winnow/pipeline/warc/write"
)

// packOptions are the flags of the verb pack.
type packOptions struct {
	pack.Options
	force  bool // replace the output if it exists
	limits gold.Limits
}

func newPackCommand() *cobra.Command {
	var out string
	var opt packOptions
	cmd := &cobra.Command{
		Use:   "pack PACKAGE... -o FILE.warc.gz",
		Short: "Pack gold test packages into a WARC file",
		Long: `Pack gold test packages into one WARC file in which a page's gold directly
follows it, so that they go the way of every other crawl. winnow run does the same
by itself with packages that are its inputs; a file is good for a bucket, or for
many runs.

A PACKAGE is a folder, or a .tar, .tar.gz or .tar.xz archive of one, that holds
for every document ID.html (the page as it was found), ID.txt (its main content)
and ID.json (metadata), and one package.json. The same packages always give the
same bytes. A document that cannot be read is named and left out; the exit code
is then 3. The archive is read back by a second, independent WARC reader while it
is written, and kept only if that finds every page.

In a run of several files a package keeps its name if its file is called like it
(NAME.warc.gz); otherwise it is called "NAME in FILE", so that no archive can add
documents to the package of another.`,
		Example: `  winnow pack cleaneval-final.tar.xz -o cleaneval.warc.gz
  winnow pack my-site/ other-site/ -o mine.warc.gz
  winnow pack my-site/ -o s3://crawls/mine.warc.gz
  winnow pack my-site/ -o - | zcat | less`,
		Args: atLeastOne("PACKAGE"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			return packPackages(cmd.Context(), args, out, opt, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "`file` to write: a path, an s3, gs or azblob URL, or - for standard output")
	request.RegisterSize(cmd.Flags(), &opt.limits.ArchiveBytes, "archive-limit", service.Bytes(gold.DefaultArchiveBytes), "`size` to which an archive may inflate, in the temporary folder (TMPDIR), of which 1 GiB stays free")
	cmd.Flags().BoolVar(&opt.force, "force", false, "replace the file that -o names, if there is one")
	cmd.Flags().BoolVar(&opt.Unwrap, "unwrap", false, "take off the <text id=...> element that CleanEval's pages are wrapped in (for site-level extractors)")
	return cmd
}

func packPackages(ctx context.Context, inputs []string, out string, opt packOptions, stdout, stderr io.Writer) (err error) {
	switch {
	case out == "":
		return service.Usagef("pack: -o FILE.warc.gz is required")
	case out != "-" && !strings.HasSuffix(withoutSettings(out), ".warc.gz"):
		return service.Usagef("pack: -o %s: records are compressed one by one, so the file is called .warc.gz", out)
	}
	for _, name := range inputs {
		if info, err := os.Stat(name); err == nil && !info.IsDir() && !gold.IsArchive(name) {
			return service.Usagef("pack: %s is not a PACKAGE: want a folder of ID.html and ID.txt, or a .tar, .tar.gz or .tar.xz archive of one", name)
		}
	}
	switch {
	case out == "-":
		return packTo(ctx, stdout, inputs, opt, stderr)
	case strings.Contains(out, "://"):
		return packIntoBucket(ctx, out, inputs, opt, stderr)
	}
	if err := checkNewFile(out, opt.force); err != nil {
		return fmt.Errorf("pack: -o %w", err)
	}
	var refused error
	err = replaceFile(out, func(w io.Writer) error {
		if refused = packTo(ctx, w, inputs, opt, stderr); errors.As(refused, new(service.RefusedError)) {
			return nil
		}
		return refused
	})
	return cmp.Or(err, refused)
}

// withoutSettings returns a path as it is, and a URL without its query.
func withoutSettings(name string) string {
	if strings.Contains(name, "://") {
		name, _, _ = strings.Cut(name, "?")
	}
	return name
}

// packIntoBucket writes to the object that a URL names. The object appears when it is
// complete.
func packIntoBucket(ctx context.Context, out string, inputs []string, opt packOptions, stderr io.Writer) (err error) {
	folder, err := url.Parse(out)
	if err != nil {
		return service.Usagef("pack: -o %w", err)
	}
	name := path.Base(folder.Path)
	folder.Path, folder.RawPath = path.Dir(folder.Path), ""
	blobs := blob.New(blob.Options{})
	defer func() { err = errors.Join(err, blobs.Close()) }()
	store, err := blobs.Store(ctx, folder.String())
	if err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	create := store.CreateNew
	if opt.force {
		create = store.Create
	} else if there, err := blob.Exists(ctx, store, name); err != nil || there {
		return cmp.Or(err, fmt.Errorf("pack: -o %s: it exists: choose another name, or replace it with --force", out))
	}
	w, err := create(ctx, name)
	if err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	defer w.Close() // discards the object, unless it was closed before
	refused := packTo(ctx, w, inputs, opt, stderr)
	if refused != nil && !errors.As(refused, new(service.RefusedError)) {
		return refused
	}
	if _, err := w.Commit(); err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	return refused
}

// packTo writes all packages. It returns a service.RefusedError if some documents were
// refused and left out.
func packTo(ctx context.Context, out io.Writer, inputs []string, opt packOptions, stderr io.Writer) error {
	second := pack.NewCheck()
	defer second.Stop()
	buffered := bufio.NewWriterSize(io.MultiWriter(out, second), 1<<20)
	w := write.NewWriter(buffered)
	from := make(map[string]string) // package name to its input
	var documents, refused int64
	for _, input := range inputs {
		p, err := gold.Open(input, opt.limits)
		if err != nil {
			return err
		}
		name := p.Info.Name
		if first, twice := from[name]; twice {
			p.Close()
			return fmt.Errorf("pack: %s and %s are both called %s, and their documents would be counted as one package", first, input, name)
		}
		from[name] = input
		began := w.Offset()
		done, err := pack.Write(ctx, w, p, opt.Options)
		if err := errors.Join(err, p.Close()); err != nil {
			return err
		}
		for i := range done.Refused {
			fmt.Fprintf(stderr, "refused: %s\n", done.Refused[i].Detail)
		}
		for _, orphan := range p.Orphans {
			fmt.Fprintf(stderr, "left out: %s of %s has no page\n", orphan, name)
		}
		refused += int64(len(done.Refused))
		documents += int64(done.Documents)
		fmt.Fprintf(stderr, "%s: %s (%d without gold, %d with snippets only, %d with empty gold), %s of pages in %s\n",
			name, account.Count(done.Documents, "document"), done.NoGold, done.Snippets, done.EmptyGold, service.Bytes(done.HTMLBytes), service.Bytes(w.Offset()-began))
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	if err := second.Confirm(documents); err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	if refused > 0 {
		return service.RefusedError{Records: refused}
	}
	return nil
}
