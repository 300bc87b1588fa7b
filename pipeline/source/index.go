package source

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

const (
	// indexLineMost bounds the bytes of a line of an index.
	indexLineMost = 1 << 20
	// indexFilesMost bounds the number of files that indexes name, because their names
	// are kept in memory.
	indexFilesMost = 1 << 20
)

// indexes reads indexes and groups the chosen records by the files that hold them. Its
// memory does not grow with the number of records.
type indexes struct {
	client *blob.Client
	opt    FindOptions

	picks   picks
	numbers map[string]int32 // numbers of files, by their URLs or paths
	names   []string         // URLs or paths of files, by their numbers
	refused []File           // indexes that are not read, and files that they name
}

// read reads one index.
func (x *indexes) read(ctx context.Context, o blob.Object) error {
	src, err := x.client.Open(ctx, o)
	if err != nil {
		x.refused = append(x.refused, File{Object: o, Refused: "unreadable", Err: err})
		return nil
	}
	defer src.Close()
	src.Expect(o.Size)
	var r io.Reader = bufio.NewReaderSize(io.NewSectionReader(src, 0, src.Size()), 256<<10)
	if strings.HasSuffix(pathOf(o.URL), ".gz") {
		z, err := gzip.NewReader(r)
		if err != nil {
			x.refused = append(x.refused, refused(o, "unreadable", err))
			return nil
		}
		defer z.Close()
		r = z
	}
	resolver, err := blob.NewResolver(o.URL, x.opt.ExpandOptions)
	if err != nil {
		return err
	}
	var parser lineParser
	var first error // first error of a line that cannot be read
	known := map[string]int32{}
	lines, chosen, bad := 0, 0, 0
	in := bufio.NewReaderSize(r, indexLineMost)
	for {
		line, err := in.ReadSlice('\n')
		if err == io.EOF && len(line) == 0 {
			break
		}
		lines++
		if lines%4096 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		problem := error(nil)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			problem = fmt.Errorf("it has more than %d bytes", indexLineMost)
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = in.ReadSlice('\n')
			}
		case err != nil && err != io.EOF:
			x.refused = append(x.refused, refused(o, "unreadable", fmt.Errorf("line %d: %w", lines, err)))
			return nil
		default:
			var l indexLine
			if l, problem = parser.parse(line); problem == nil && x.opt.Select.chooses(&l) {
				chosen++
				problem = x.choose(&l, resolver, known)
			}
		}
		if leads := (*leadsOut)(nil); errors.As(problem, &leads) {
			return fmt.Errorf("%s: line %d: %w", o.URL, lines, problem)
		}
		if problem != nil && problem != errNoRecord {
			if bad++; first == nil {
				first = fmt.Errorf("line %d: %w", lines, problem)
			}
		}
		if err != nil && err != io.EOF {
			x.refused = append(x.refused, refused(o, "unreadable", fmt.Errorf("line %d: %w", lines, err)))
			return nil
		}
	}
	switch {
	case bad > 0:
		x.refused = append(x.refused, refused(o, "index-lines", fmt.Errorf("%d of %d lines name no record that can be read; the first is %w", bad, lines, first)))
	case chosen == 0:
		x.refused = append(x.refused, refused(o, "index-empty", fmt.Errorf("none of its %d lines is chosen", lines)))
	}
	return nil
}

// leadsOut is the error of a line that names a file outside of the permitted locations.
// The user has to permit the location, so the error ends the reading.
type leadsOut struct{ error }

func (e *leadsOut) Unwrap() error { return e.error }

// choose adds the record of a line to the chosen ones. known holds the numbers of the
// files, by the names that the index gives them.
func (x *indexes) choose(l *indexLine, resolver *blob.Resolver, known map[string]int32) error {
	number, ok := known[l.file]
	if !ok {
		name, err := resolver.URL(l.file)
		if err != nil {
			return &leadsOut{err}
		}
		if number, ok = x.numbers[name]; !ok {
			if len(x.names) >= indexFilesMost {
				return fmt.Errorf("indexes name more than %d files", indexFilesMost)
			}
			number = int32(len(x.names))
			x.numbers[name], x.names = number, append(x.names, name)
		}
		known[strings.Clone(l.file)] = number
	}
	return x.picks.add(pick{file: number, offset: l.offset, length: l.length, url: hashURL(l.url)})
}

// each calls do with every file of which records are chosen, and with these records.
// Files that cannot be read are added to x.refused or returned in missing.
func (x *indexes) each(ctx context.Context, do func(f File, s *selection) error) (missing []blob.Missing, err error) {
	files, missing, err := x.look(ctx)
	if err != nil {
		return nil, err
	}
	var s selection
	at := int32(-1)
	finish := func() error {
		switch {
		case at < 0 || files[at].URL == "" || files[at].Refused != "":
			return nil
		case s.size() == 0:
			x.refused = append(x.refused, refused(files[at].Object, s.wrong[0].reason(), errors.New("every record that an index names in it lies behind its end")))
			return nil
		}
		return do(files[at], &s)
	}
	for k, err := range x.picks.sorted() {
		if err != nil {
			return nil, err
		}
		if k.file != at {
			if err := finish(); err != nil {
				return nil, err
			}
			at = k.file
			s.begin()
		}
		s.add(k, files[at].Size)
	}
	return missing, finish()
}

// look examines the files that indexes name. The missing ones have no URL in the result.
func (x *indexes) look(ctx context.Context) ([]File, []blob.Missing, error) {
	objects, errs, err := x.client.StatAll(ctx, x.names)
	if err != nil {
		return nil, nil, err
	}
	files := make([]File, len(objects))
	var missing []blob.Missing
	g, looking := errgroup.WithContext(ctx)
	g.SetLimit(max(16, 2*runtime.GOMAXPROCS(0)))
	names := make(map[string]bool, len(objects))
	for i, o := range objects {
		if errs[i] != nil {
			missing = append(missing, blob.Missing{URL: blob.PublicURL(x.names[i]), Err: fmt.Errorf("%s, which an index names: %w", blob.PublicURL(x.names[i]), errs[i])})
			continue
		}
		if names[o.URL] {
			return nil, nil, fmt.Errorf("indexes name %s in two ways", o.URL)
		}
		names[o.URL] = true
		g.Go(func() error {
			src, err := x.client.Open(looking, o)
			if err != nil {
				files[i] = File{Object: o, Refused: "unreadable", Err: err}
				return looking.Err()
			}
			defer src.Close()
			files[i] = selectable(src, o)
			return looking.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	for _, f := range files {
		if f.Refused != "" {
			x.refused = append(x.refused, f)
		}
	}
	return files, missing, nil
}

// selectable does what probe does, for a file whose records are to be read one by one.
func selectable(src warc.Source, o blob.Object) File {
	f := probe(src, o)
	if f.Refused != "" || f.Format.Splittable() {
		return f
	}
	head := make([]byte, 4)
	_, err := src.ReadAt(head, 0)
	// A skippable frame at the beginning may hold the dictionary of all others.
	if f.Format == warc.FormatZstd && err == nil && head[0]&0xf0 != 0x50 {
		return f
	}
	return refused(o, "index-format", fmt.Errorf("records of a file of format %s cannot be read one by one: give the file as INPUT instead of its index", f.Format))
}

// newIndexes reads indexes. The caller must call close when it no longer needs the result.
func newIndexes(ctx context.Context, client *blob.Client, list []blob.Object, opt FindOptions) (*indexes, error) {
	x := &indexes{client: client, opt: opt, numbers: map[string]int32{}}
	for _, o := range list {
		if err := x.read(ctx, o); err != nil {
			x.close()
			return nil, err
		}
	}
	return x, nil
}

func (x *indexes) close() { x.picks.close() } // the error does not matter, because the file's content is no longer needed

// writeSelections finds the files of which indexes choose records, and writes the table
// of these records. The files also include, as refused, the indexes and files that cannot
// be read.
func writeSelections(ctx context.Context, client *blob.Client, list []blob.Object, opt FindOptions) (files []File, missing []blob.Missing, err error) {
	if opt.Selections == nil {
		return nil, nil, errors.New("an index needs an output folder for the table of the records that it names")
	}
	x, err := newIndexes(ctx, client, list, opt)
	if err != nil {
		return nil, nil, err
	}
	defer x.close()
	table, err := os.CreateTemp("", "winnow-selection-*")
	if err != nil {
		return nil, nil, err
	}
	defer os.Remove(table.Name())
	defer table.Close() // after its bytes were copied
	hash := sha256.New()
	w := bufio.NewWriterSize(io.MultiWriter(table, hash), 1<<20)
	var row []byte
	var at int64
	missing, err = x.each(ctx, func(f File, s *selection) error {
		row = s.append(row[:0])
		f.Selection = schemas.Selection{Offset: at, Bytes: int64(len(row)), Whole: f.Size, Format: f.Format.String()}
		f.Size = s.size()
		files, at = append(files, f), at+int64(len(row))
		_, err := w.Write(row)
		return err
	})
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return nil, nil, err
	}
	if len(files) > 0 {
		name := schemas.SelectionFolder + "/" + hex.EncodeToString(hash.Sum(nil)[:16]) + ".bin"
		for i := range files {
			files[i].Selection.Table = name
		}
		if err := publish(ctx, opt.Selections, name, table); err != nil {
			return nil, nil, fmt.Errorf("write the table of selected records: %w", err)
		}
	}
	return append(files, x.refused...), missing, nil
}

// publish writes a file to the output folder, unless it exists already. The name is
// derived from the content, so an existing file has the same content.
func publish(ctx context.Context, store blob.Store, name string, from *os.File) error {
	if there, err := blob.Exists(ctx, store, name); there || err != nil {
		return err
	}
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	w, err := store.Create(ctx, name)
	if err != nil {
		return err
	}
	defer w.Close()
	if _, err := io.Copy(w, from); err != nil {
		return err
	}
	_, err = w.Commit()
	return err
}
