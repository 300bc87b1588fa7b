package source

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/recipe/keep"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// table is the format of indexes that are tables: Parquet files such as those of Common
// Crawl's columnar index, and CSV files with the names of the columns in the first line, such
// as the results of queries of it.
type table struct{ index }

func (table) Name() string { return "table of records" }

// called implements namedFormat.
func (table) called(name string) bool {
	return strings.HasSuffix(name, ".parquet") || isCSV(name)
}

func isCSV(name string) bool { return strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".csv") }

// isIndex reports whether an object is an index, by its name.
func isIndex(o blob.Object) bool {
	name := pathOf(o.URL)
	return (index{}).called(name) || (table{}).called(name)
}

// tableColumns are the columns that are read from a table if it has them, each by the names that
// it may have: that of Common Crawl's table, and those of Winnow's tables and of CDXJ.
var tableColumns = [...][]string{
	colFile:      {"warc_filename", "filename", "file"},
	colOffset:    {"warc_record_offset", "offset"},
	colLength:    {"warc_record_length", "length"},
	colURL:       {"url"},
	colTime:      {"fetch_time", "timestamp", "date"},
	colMIME:      {"content_mime_type", "mime"},
	colDetected:  {"content_mime_detected", "mime-detected"},
	colStatus:    {"fetch_status", "status", "http_status"},
	colLanguages: {"content_languages", "languages"},
	colTruncated: {"content_truncated", "truncated"},
}

const (
	colFile = iota
	colOffset
	colLength
	colURL
	colTime
	colMIME
	colDetected
	colStatus
	colLanguages
	colTruncated
)

// rows reads the rows of a table.
type rows interface {
	columns() []keep.Column
	// each calls do with a function that returns the values of the columns of a row, by their
	// position in read; or with what is wrong with the row. It passes over parts of the table
	// for which may returns false.
	each(ctx context.Context, read []string, may func(bounds func(column int) (columnar.ForeignBounds, bool)) bool,
		do func(value func(column int) schemas.Value, problem error) error) error
}

// tables counts what was read from tables.
type tables struct {
	rows, chosen   int
	groups, passed int    // row groups, and those among them that were not read
	empty          []File // tables of which no row is chosen
}

// tell notes what was read. If no row of any table is chosen, all of them are refused.
func (t *tables) tell(x *indexes) {
	if t.groups > 0 {
		x.note(fmt.Sprintf("tables of records: %d of %d rows are chosen; %d of %d row groups were not read, because by their statistics they hold no such row", t.chosen, t.rows, t.passed, t.groups))
	}
	if t.chosen == 0 {
		x.refused = append(x.refused, t.empty...)
	}
}

// table reads one table. If it, or some of its rows, cannot be used, it is returned as a
// refused File.
func (x *indexes) table(ctx context.Context, o blob.Object, all *tables, locate func(name string) (int32, error)) (*File, error) {
	bad := func(reason string, err error) (*File, error) {
		f := refused(o, reason, err)
		return &f, nil
	}
	rows, done, err := x.rows(ctx, o, all)
	if err != nil {
		return bad("unreadable", err)
	}
	defer done() // it was only read
	c, err := newChoice(rows.columns(), partitions(o.URL), x.opt.Select.Where)
	switch {
	case errors.Is(err, errNoIndexTable):
		return bad("index-format", err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", o.URL, err)
	}
	t := tally{Object: o, noun: "row"}
	err = rows.each(ctx, c.read, c.may, func(value func(column int) schemas.Value, problem error) error {
		var l indexLine
		if problem == nil {
			if !c.chooses(value) {
				problem = errNoRecord
			} else {
				l, problem = c.line(value)
			}
		}
		return x.take(ctx, &t, &l, problem, locate)
	})
	all.rows, all.chosen = all.rows+t.lines, all.chosen+t.chosen
	var fatal *leadsOut
	if ctx.Err() != nil || errors.As(err, &fatal) {
		return nil, err
	}
	if f := t.refused(err); f != nil || t.chosen > 0 {
		return f, nil
	}
	all.empty = append(all.empty, refused(o, "index-empty", errors.New("none of its rows is chosen")))
	return nil, nil
}

// choice describes how rows of one table are chosen and read.
type choice struct {
	where     *keep.Where // nil if all rows are chosen
	read      []string    // columns whose values are read
	kinds     []string    // kinds of the columns in read
	operands  []int       // positions in read of the columns of where; -1 for a constant
	constants []schemas.Value
	positions [len(tableColumns)]int // index in read of each of tableColumns; -1 if the table does not have it
}

var errNoIndexTable = errors.New("it names no records")

// newChoice prepares to read a table that has columns, and columns of one value each.
func newChoice(columns []keep.Column, constants map[string]string, where string) (*choice, error) {
	c := &choice{}
	column := func(name string) int {
		at := slices.IndexFunc(columns, func(c keep.Column) bool { return c.Name == name })
		if at < 0 {
			return -1
		}
		if i := slices.Index(c.read, name); i >= 0 {
			return i
		}
		c.read, c.kinds = append(c.read, name), append(c.kinds, columns[at].Kind)
		return len(c.read) - 1
	}
	for i, names := range tableColumns {
		c.positions[i] = -1
		for _, name := range names {
			if at := column(name); at >= 0 {
				c.positions[i] = at
				break
			}
		}
		if c.positions[i] < 0 && i <= colLength {
			return nil, fmt.Errorf("%w: it has no column %s (or %s); a table of records has the columns warc_filename, warc_record_offset and warc_record_length", errNoIndexTable, names[0], strings.Join(names[1:], ", "))
		}
	}
	if where == "" {
		return c, nil
	}
	known := slices.Clone(columns)
	for name := range constants {
		if !slices.ContainsFunc(columns, func(c keep.Column) bool { return c.Name == name }) {
			known = append(known, keep.Column{Name: name, Kind: schemas.FactText})
		}
	}
	var err error
	if c.where, err = keep.NewWhere(where, known); err != nil {
		return nil, err
	}
	for _, name := range c.where.Columns() {
		c.operands = append(c.operands, column(name))
		c.constants = append(c.constants, schemas.Value{Known: true, Text: constants[name]})
	}
	return c, nil
}

// may reports whether rows within bounds may be chosen.
func (c *choice) may(bounds func(column int) (columnar.ForeignBounds, bool)) bool {
	return c.where == nil || c.where.May(func(i int) (least, greatest schemas.Value, nulls, known bool) {
		if c.operands[i] < 0 {
			return c.constants[i], c.constants[i], false, true
		}
		b, known := bounds(c.operands[i])
		return b.Min, b.Max, b.Nulls, known
	})
}

func (c *choice) chooses(value func(column int) schemas.Value) bool {
	return c.where == nil || c.where.Chooses(func(i int) schemas.Value {
		if c.operands[i] < 0 {
			return c.constants[i]
		}
		return value(c.operands[i])
	})
}

// line returns a row as a line of an index. The error says why it names no record.
func (c *choice) line(value func(column int) schemas.Value) (l indexLine, err error) {
	text := func(column int) string {
		at := c.positions[column]
		if at < 0 {
			return ""
		}
		v := value(at)
		if c.kinds[at] == schemas.FactInt && v.Known {
			return strconv.FormatInt(v.Int(), 10)
		}
		return v.Text
	}
	l = indexLine{url: text(colURL), mime: text(colMIME), status: text(colStatus), file: text(colFile),
		languages: text(colLanguages), detected: text(colDetected), truncated: text(colTruncated)}
	for _, b := range []byte(text(colTime)) { // 2024-01-31T23:59:59Z, or 2024-01-31 23:59:59.000
		if '0' <= b && b <= '9' && len(l.timestamp) < len("20060102150405") {
			l.timestamp += string(b)
		}
	}
	return l, l.locate(text(colOffset), text(colLength))
}

// partitions returns the columns of one value that the names of a table's folders state, as
// in "crawl=CC-MAIN-2024-10/subset=warc/part-0.parquet".
func partitions(address string) map[string]string {
	out := map[string]string{}
	for folder := range strings.SplitSeq(path.Dir(fullPath(address)), "/") {
		if name, value, ok := strings.Cut(folder, "="); ok {
			out[name] = value
		}
	}
	return out
}

// rows opens a table. The caller calls done.
func (x *indexes) rows(ctx context.Context, o blob.Object, all *tables) (r rows, done func() error, err error) {
	if isCSV(pathOf(o.URL)) {
		in, done, err := (&listing{Object: o}).open(ctx, x.client)
		if err != nil {
			return nil, nil, err
		}
		if r, err = newCSVRows(in); err != nil {
			done()
		}
		return r, done, err
	}
	src, err := x.client.Open(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	f, err := columnar.OpenForeign(pieces{src}, o.Size)
	if err != nil {
		src.Close()
		return nil, nil, fmt.Errorf("%w: it is not a Parquet file, or was not written to its end", err)
	}
	return &parquetRows{f, all}, src.Close, nil
}

// pieces is a file that is read in pieces, each of them whole.
type pieces struct{ blob.Source }

func (p pieces) ReadAt(b []byte, off int64) (int, error) {
	p.Expect(off + int64(len(b)))
	return p.Source.ReadAt(b, off)
}

// parquetRows are the rows of a Parquet file.
type parquetRows struct {
	*columnar.Foreign
	all *tables
}

func (r *parquetRows) columns() (out []keep.Column) {
	for _, c := range r.Columns() {
		out = append(out, keep.Column{Name: c.Name, Kind: c.Kind})
	}
	return out
}

func (r *parquetRows) each(ctx context.Context, read []string, may func(func(int) (columnar.ForeignBounds, bool)) bool, do func(func(int) schemas.Value, error) error) error {
	if err := r.Read(read...); err != nil {
		return err
	}
	for g := range r.Groups() {
		r.all.groups++
		if !may(func(c int) (columnar.ForeignBounds, bool) { return r.Bounds(g, c) }) {
			r.all.passed++
			continue
		}
		rows := r.Group(g)
		var err error
		for err == nil && rows.Next(ctx) {
			err = do(rows.Value, nil)
		}
		if err := cmp.Or(rows.Err(), err); err != nil {
			return err
		}
	}
	return nil
}

// csvRows are the rows of a CSV file.
type csvRows struct {
	in    *csv.Reader
	bound *boundedRow
	names []string
}

// boundedRow is a reader that returns an error if one row is longer than a line of an index
// may be. It would otherwise be read into memory.
type boundedRow struct {
	io.Reader
	left int
}

func (b *boundedRow) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("a row has more than %d bytes", indexLineMost)
	}
	n, err := b.Reader.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

func newCSVRows(in io.Reader) (*csvRows, error) {
	r := &csvRows{bound: &boundedRow{in, indexLineMost}}
	buffered := bufio.NewReader(r.bound)
	if mark, _ := buffered.Peek(3); string(mark) == "\ufeff" { // the reader of CSV takes it for a part of the first name
		buffered.Discard(3) // it is in the buffer
	}
	r.in = csv.NewReader(buffered)
	r.in.ReuseRecord = true
	names, err := r.in.Read()
	if err != nil {
		return nil, fmt.Errorf("the names of its columns: %w", err)
	}
	for _, name := range names {
		r.names = append(r.names, strings.TrimSpace(name))
	}
	return r, nil
}

func (r *csvRows) columns() (out []keep.Column) {
	for _, name := range r.names {
		out = append(out, keep.Column{Name: name})
	}
	return out
}

func (r *csvRows) each(_ context.Context, read []string, _ func(func(int) (columnar.ForeignBounds, bool)) bool, do func(func(int) schemas.Value, error) error) error {
	var at []int
	for _, name := range read {
		at = append(at, slices.Index(r.names, name))
	}
	var record []string
	value := func(column int) schemas.Value {
		text := record[at[column]]
		return schemas.Value{Known: text != "", Text: text}
	}
	for {
		r.bound.left = indexLineMost
		var err error
		record, err = r.in.Read()
		if wrong := (*csv.ParseError)(nil); err == io.EOF || err != nil && !errors.As(err, &wrong) {
			if err == io.EOF {
				return nil
			}
			return err
		}
		if err := do(value, err); err != nil {
			return err
		}
	}
}
