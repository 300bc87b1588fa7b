package source

import (
	"archive/zip"
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/extsort"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

const (
	// indexLineMost bounds the bytes of a line of an index.
	indexLineMost = 1 << 20
	// indexFilesMost bounds the number of files that indexes name. A file takes 1.6 KB of
	// the plan, the manifest and the failures, and the heap may grow to twice what lives on:
	// these files take some 0.9 GB. A month of Common Crawl has 100,000 files.
	indexFilesMost = 1 << 18
)

// indexes reads indexes and groups the chosen records by the files that hold them. Its
// memory does not grow with the number of records.
type indexes struct {
	client *blob.Client
	opt    FindOptions

	picks    *extsort.Sorter[pick]
	kept     string           // kept of the last pick
	numbers  map[string]int32 // numbers of files, by their URLs or paths
	names    []string         // URLs or paths of files, by their numbers
	parts    map[int32]*part  // archives in collections, by their numbers
	unusable aside            // indexes in collections
	refused  []File           // indexes that are not read, and files that they name
}

// listing is an index as it is stored.
type listing struct {
	blob.Object
	method    uint16 // compression method, if it is part of a zip file
	encrypted bool
}

// open returns the lines of the index, and a function that closes it.
func (l *listing) open(ctx context.Context, client *blob.Client) (io.Reader, func() error, error) {
	if l.encrypted {
		return nil, nil, errors.New("it is encrypted")
	}
	src, err := client.Open(ctx, l.Object)
	if err != nil {
		return nil, nil, err
	}
	src.Expect(l.Size)
	var r io.Reader = bufio.NewReaderSize(io.NewSectionReader(src, 0, src.Size()), 256<<10)
	switch l.method {
	case zip.Store:
	case zip.Deflate:
		r = flate.NewReader(r)
	default:
		src.Close()
		return nil, nil, fmt.Errorf("it is compressed by method %d of zip files, which is not read", l.method)
	}
	if strings.HasSuffix(pathOf(l.URL), ".gz") {
		z, err := gzip.NewReader(r)
		if err != nil {
			src.Close()
			return nil, nil, err
		}
		r = z
	}
	return r, src.Close, nil
}

// read reads one index. locate returns the number of the file that a line names. If the
// index or some of its lines cannot be used, read returns the index as a refused File.
func (x *indexes) read(ctx context.Context, l listing, locate func(name string) (int32, error)) (*File, error) {
	r, done, err := l.open(ctx, x.client)
	if err != nil {
		bad := refused(l.Object, "unreadable", err)
		return &bad, nil
	}
	defer done() // it was only read
	if x.opt.Select.Where != "" {
		return nil, fmt.Errorf("%s has no columns that --where could choose by: use --select, or give a table (.parquet, .csv) as INPUT", l.URL)
	}
	t := tally{Object: l.Object, noun: "line"}
	var parser lineParser
	in := bufio.NewReaderSize(r, indexLineMost)
	for err == nil {
		var line []byte
		if line, err = in.ReadSlice('\n'); err == io.EOF && len(line) == 0 {
			break
		}
		var l indexLine
		var problem error
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			problem = fmt.Errorf("it has more than %d bytes", indexLineMost)
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = in.ReadSlice('\n')
			}
		case err == nil || err == io.EOF:
			l, problem = parser.parse(line)
		}
		if err := x.take(ctx, &t, &l, problem, locate); err != nil {
			return nil, err
		}
	}
	if err == io.EOF {
		err = nil
	}
	if bad := t.refused(err); bad != nil || t.chosen > 0 {
		return bad, nil
	}
	bad := t.empty()
	return &bad, nil
}

// tally counts the lines of an index.
type tally struct {
	blob.Object
	noun                 string // "line" or "row"
	lines, chosen, wrong int
	first                error // what is wrong with the first line that cannot be used
}

// take adds the record of the next line of an index to the chosen ones, if the line is
// chosen. problem says what is wrong with the line. An error concerns all indexes.
func (x *indexes) take(ctx context.Context, t *tally, l *indexLine, problem error, locate func(name string) (int32, error)) error {
	if t.lines++; t.lines%4096 == 0 && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if problem == nil && x.opt.Select.chooses(l) {
		t.chosen++
		problem = x.choose(l, locate)
	}
	if leads := (*leadsOut)(nil); errors.As(problem, &leads) {
		return fmt.Errorf("%s: %s %d: %w", t.URL, t.noun, t.lines, problem)
	}
	if problem != nil && problem != errNoRecord {
		if t.wrong++; t.first == nil {
			t.first = fmt.Errorf("%s %d: %w", t.noun, t.lines, problem)
		}
	}
	return nil
}

// refused returns the index as a refused File if it could not be read to its end, because
// of err, or if lines of it cannot be used.
func (t *tally) refused(err error) *File {
	var f File
	switch {
	case err != nil:
		f = refused(t.Object, "unreadable", fmt.Errorf("after %d %ss: %w", t.lines, t.noun, err))
	case t.wrong > 0:
		f = refused(t.Object, "index-lines", fmt.Errorf("%d of %d %ss name no record that can be read; the first is %w", t.wrong, t.lines, t.noun, t.first))
	default:
		return nil
	}
	return &f
}

// empty returns the index as one of which nothing is chosen.
func (t *tally) empty() File {
	return refused(t.Object, "index-empty", fmt.Errorf("none of its %d %ss is chosen", t.lines, t.noun))
}

// leadsOut is the error of a line that names a file outside of the permitted locations.
// The user has to permit the location, so the error ends the reading.
type leadsOut struct{ error }

func (e *leadsOut) Unwrap() error { return e.error }

// choose adds the record of a line to the chosen ones.
func (x *indexes) choose(l *indexLine, locate func(name string) (int32, error)) error {
	number, err := locate(l.file)
	if err != nil {
		return err
	}
	if kept := l.keep(); kept != x.kept { // most records have the same kept as the record before, so the string is shared
		x.kept = kept
	}
	return x.picks.Add(&pick{file: number, offset: l.offset, length: l.length, url: hashURL(l.url), kept: x.kept})
}

// named returns a function that returns the number of the file that an index gives a name.
func (x *indexes) named(resolver *blob.Resolver) func(name string) (int32, error) {
	known := map[string]int32{}
	return func(name string) (int32, error) {
		number, ok := known[name]
		if ok {
			return number, nil
		}
		name = strings.Clone(name) // it may be in a buffer that is used again
		address, err := resolver.URL(name)
		if err != nil {
			return 0, &leadsOut{err}
		}
		if number, err = x.number(address); err != nil {
			return 0, err
		}
		known[name] = number
		return number, nil
	}
}

// number returns the number of the file at a URL or path.
func (x *indexes) number(address string) (int32, error) {
	number, ok := x.numbers[address]
	if !ok {
		if len(x.names) >= indexFilesMost {
			return 0, fmt.Errorf("indexes name more than %d files: give fewer indexes to one run", indexFilesMost)
		}
		number = int32(len(x.names))
		x.numbers[address], x.names = number, append(x.names, address)
	}
	return number, nil
}

// each calls do with every file of which records are chosen, and with these records.
// Files that cannot be read are added to x.refused or returned in missing.
func (x *indexes) each(ctx context.Context, do func(f File, s *selection) error) (missing []blob.Missing, err error) {
	files, missing, err := x.find(ctx)
	if err != nil {
		return nil, err
	}
	var s selection
	at := int32(-1)
	finish := func() error {
		switch {
		case at < 0 || files[at].URL == "" || files[at].Refused != "" || x.complete(at):
			return nil
		case s.size() == 0 && x.parts[at] != nil && x.opt.Select.All():
			x.parts[at].complete = true
			return nil
		case s.size() == 0:
			x.refused = append(x.refused, refused(files[at].Object, s.wrong[0].reason(), errors.New("every record that an index names in it is after its end")))
			return nil
		}
		return do(files[at], &s)
	}
	for k, err := range x.picks.Sorted(ctx) {
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
		s.add(*k, files[at].Size)
	}
	return missing, finish()
}

// find examines the files that indexes name. The missing ones have no URL in the result.
func (x *indexes) find(ctx context.Context) ([]File, []blob.Missing, error) {
	objects, missing, err := x.objects(ctx)
	if err != nil {
		return nil, nil, err
	}
	files := make([]File, len(objects))
	g, looking := errgroup.WithContext(ctx)
	g.SetLimit(max(16, 2*runtime.GOMAXPROCS(0)))
	for i, o := range objects {
		if o.URL == "" {
			continue
		}
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
	for i, f := range files {
		switch p := x.parts[int32(i)]; {
		case f.Refused == "":
		case p != nil && x.opt.Select.All():
			p.complete = true // it is no worse than an archive that is not in a collection
		default:
			x.refused = append(x.refused, f)
		}
	}
	return files, missing, nil
}

// objects returns the files that indexes name, without their content. The missing ones
// have no URL.
func (x *indexes) objects(ctx context.Context) ([]blob.Object, []blob.Missing, error) {
	var numbers []int
	var names []string
	objects := make([]blob.Object, len(x.names))
	for i, name := range x.names {
		if p := x.parts[int32(i)]; p != nil {
			objects[i] = p.Object
			continue
		}
		numbers, names = append(numbers, i), append(names, name)
	}
	stated, errs, err := x.client.StatAll(ctx, names)
	if err != nil {
		return nil, nil, err
	}
	var missing []blob.Missing
	there := make(map[string]bool, len(stated))
	for i, o := range stated {
		if errs[i] != nil {
			missing = append(missing, blob.Missing{URL: blob.PublicURL(names[i]), Err: fmt.Errorf("%s, which an index names: %w", blob.PublicURL(names[i]), errs[i])})
			continue
		}
		if there[o.URL] {
			return nil, nil, fmt.Errorf("indexes name %s in two ways", o.URL)
		}
		there[o.URL] = true
		objects[numbers[i]] = o
	}
	return objects, missing, nil
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

// newIndexes reads indexes, and those in collections. The caller must close its picks when
// it no longer needs the result.
func newIndexes(ctx context.Context, client *blob.Client, list []blob.Object, collections [][]File, opt FindOptions) (_ *indexes, err error) {
	x := &indexes{client: client, opt: opt, picks: newPicks(), numbers: map[string]int32{}, parts: map[int32]*part{}}
	defer func() {
		if err != nil {
			x.picks.Close()
		}
	}()
	var tables tables
	for _, o := range list {
		resolver, err := blob.NewResolver(o.URL, x.opt.ExpandOptions)
		if err != nil {
			return nil, err
		}
		var bad *File
		if (table{}).called(pathOf(o.URL)) {
			bad, err = x.table(ctx, o, &tables, x.named(resolver))
		} else {
			bad, err = x.read(ctx, listing{Object: o}, x.named(resolver))
		}
		if err != nil {
			return nil, err
		}
		if bad != nil {
			x.refused = append(x.refused, *bad)
		}
	}
	tables.tell(x)
	for _, c := range collections {
		if err := x.collection(ctx, c); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// writeSelections finds the files of which indexes choose records, and writes the table
// of these records. The files also include the archives in collections that are read
// completely and, as refused, the indexes and files that cannot be read.
func writeSelections(ctx context.Context, client *blob.Client, list []blob.Object, collections [][]File, opt FindOptions) (files []File, missing []blob.Missing, err error) {
	if opt.Selections == nil {
		return nil, nil, errors.New("an index needs an output folder for the table of the records that it names")
	}
	x, err := newIndexes(ctx, client, list, collections, opt)
	if err != nil {
		return nil, nil, err
	}
	defer x.picks.Close()
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
		f.Selection = schemas.Selection{Offset: at, Bytes: int64(len(row)), Whole: f.Size, Format: f.Format.String(), Collection: f.Within != (blob.Within{}) && opt.Select.All()}
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
	x.tell(files)
	return slices.Concat(files, x.completely(), x.refused), missing, nil
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
