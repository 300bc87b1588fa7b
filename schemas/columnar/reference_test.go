package columnar

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/schemas"
)

var update = flag.Bool("update", false, "write the reference of the tables and the file in testdata anew")

// page holds the reference between two lines. People write the rest of it, and of the reference
// the units, the meanings and when a column is null. Names and types, and all that is said of
// the columns of facts, come from the code.
const (
	page  = "../../docs/reference/tables.md"
	begin = "<!-- go test ./schemas/columnar -update writes names, types and facts; people write units, meanings and when a column is null -->\n"
	end   = "<!-- end of what is made -->\n"
)

// described are the parts of a row of the reference: the name of a column, its type, its unit,
// its meaning, and when it is null.
type described [5]string

func (d described) String() string { return "| " + strings.Join(d[:], " | ") + " |\n" }

// rowsOf returns the rows of the reference of each table, without those of facts.
func rowsOf(text []byte) map[string][]described {
	rows := map[string][]described{}
	table, facts := "", false
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.HasPrefix(line, "### "):
			table, facts = strings.TrimSpace(line[4:]), false
		case strings.HasPrefix(line, "The fact "):
			facts = true
		case strings.HasPrefix(line, "| `") && !facts:
			var d described
			for i, part := range strings.Split(strings.Trim(line, "|\n"), "|") {
				d[i] = strings.TrimSpace(part)
			}
			rows[table] = append(rows[table], d)
		}
	}
	return rows
}

// describe returns the reference of columns. rows has what people have written of them.
func describe[T any](columns []column[T], rows []described) string {
	var b strings.Builder
	b.WriteString("| column | type | unit | meaning | null when |\n|---|---|---|---|---|\n")
	for i := range columns {
		c := &columns[i]
		d := described{"`" + c.name + "`"}
		if at := slices.IndexFunc(rows, func(row described) bool { return row[0] == d[0] }); at >= 0 {
			d = rows[at]
		}
		d[1] = typeName(c.node())
		if !c.nullable {
			d[4] = "never"
		}
		b.WriteString(d.String())
	}
	return b.String()
}

// describeFacts returns the reference of the columns that each fact of the program adds to a table.
func describeFacts[T any](base *Table[T], with func(*schemas.Recipe) *Table[T], columns func(*schemas.Fact) []schemas.FactColumn) string {
	var b strings.Builder
	for _, f := range recipe.Facts(suite.Facts()) {
		if len(columns(&f)) == 0 {
			continue
		}
		var rows []described
		for _, c := range columns(&f) {
			rows = append(rows, described{"`" + c.Name + "`", "", c.Unit, c.Doc, c.Null})
		}
		table := with(&schemas.Recipe{Facts: []schemas.Fact{f}})
		fmt.Fprintf(&b, "\nThe fact `%s` adds to `%s`:\n\n%s", f.Name, base.name, describe(table.columns[len(base.columns):], rows))
	}
	return b.String()
}

func TestReferenceIsFresh(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := bytes.Cut(text, []byte(begin))
	old, tail, ok2 := bytes.Cut(rest, []byte(end))
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the reference", page)
	}
	rows := rowsOf(old)
	var fresh bytes.Buffer
	fresh.Write(head)
	fmt.Fprintf(&fresh, "%s\nAll columns are there since version %d of the records, the first.\n", begin, schemas.Version)
	section := func(table schemas.Table, file, about, columns string) {
		fmt.Fprintf(&fresh, "\n### %s\n\n`%s`. %s\n\n%s", table, file, about, columns)
	}
	of := func(table schemas.Table) []described { return rows[string(table)] }
	section(Pages.name, "pages/part-*.parquet", "A row for each page.",
		describe(Pages.columns, of(Pages.name)))
	fresh.WriteString(describeFacts(Pages, PagesOf, func(f *schemas.Fact) []schemas.FactColumn { return f.Pages }))
	section(Documents.name, "documents/part-*.parquet", "A row for each page and extractor.",
		describe(Documents.columns, of(Documents.name)))
	fresh.WriteString(describeFacts(Documents, DocumentsOf, func(f *schemas.Fact) []schemas.FactColumn { return f.Documents }))
	section(Scores.name, "scores/part-*.parquet", "A row for each page with gold, extractor and scorer. Without gold nothing is scored.",
		describe(Scores.columns, of(Scores.name)))
	section(Links.name, "links/part-*.parquet", "A row for each link of a page to another, if they were asked for (`--facts links`).",
		describe(Links.columns, of(Links.name)))
	section(Packages.name, "packages.parquet", "A row for each package, extractor and scorer; where page types are known, each type has rows of its own besides.",
		describe(Packages.columns, of(Packages.name)))
	section(Speed.name, "speed.parquet", "A row for each package and extractor: what does not depend on a scorer; where page types are known, each type has rows of its own besides.",
		describe(Speed.columns, of(Speed.name)))
	section(Agreement.name, "agreement.parquet", "A row for each package and pair of extractors.",
		describe(Agreement.columns, of(Agreement.name)))
	section(Texts.name, "texts/part-*.parquet", "A row for each page and extractor that found a text (outcome `ok`), if texts were asked for (`--texts`) and `--keep` did not leave it out; an empty answer has its row in `documents` alone. The columns of the run's facts follow, those of pages first; a column that pages and texts share, such as `language`, is that of the text, and `page_language` that of the page. "+
		"JSON lines (`--texts jsonl` and `bulk`, and `winnow extract --format jsonl`) are flat and have the same keys in the same order in every row, with null where nothing is known: `id`, and the columns, `text` at the end. `id` names the row within the run: it is `page_id`, a slash and the extractor, such as `9f2c41d07be83a65/winnow`. A URL is no such name, for a crawl may have it twice. Hashes are texts of 16 hexadecimal digits. "+
		"Conversion records (`--texts warc`) have the names in their headers, and the language of the text as `WARC-Identified-Content-Language` if the fact `language` was found. `--texts jsonl,markdown` and the like choose the form of the text. "+
		"A file ends where its texts would exceed `--limit texts-file`. With `--texts-by language,date` the files are in folders such as `texts/language=de/date=2026-11/`; a value that is not known is `__HIVE_DEFAULT_PARTITION__`, which DuckDB and Spark read as null, and characters other than ASCII letters, digits and `-_.~` are percent-encoded.",
		describe(TextsOf(&schemas.Recipe{}).columns, of(Texts.name)))
	section(Failures.name, "failures.parquet", "A row for each record or range of bytes that became no page though it should have, or that was read with damage.",
		describe(Failures.columns, of(Failures.name)))
	section(Templates.name, "templates/part-*.parquet", "A row for each site and method that learns from sites, in the order of sites.",
		describe(Templates.columns, of(Templates.name)))
	section(Duplicates.name, "duplicates.parquet", "A row for each text that has near-duplicates; `winnow dedup` writes it.",
		describe(Duplicates.columns, of(Duplicates.name)))
	fmt.Fprint(&fresh, "\n", end)
	fresh.Write(tail)
	if *update {
		if err := os.WriteFile(page, fresh.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(fresh.Bytes(), text) {
		t.Errorf("%s is stale: run go test ./schemas/columnar -update", page)
	}
}

// lineKinds are the kinds of the keys of JSON lines that are not facts.
var lineKinds = map[string]string{"date": "date", "http_status": schemas.FactInt, "text_chars": schemas.FactInt, "confidence": schemas.FactFloat, "text": "prose"}

// elasticKinds and tantivyKinds are the types of keys in two search engines: of names that
// are looked up whole ("name"), of words that people read, and of the kinds of facts.
var elasticKinds = map[string]string{
	"name": `{"type": "keyword", "ignore_above": 8191}`, "prose": `{"type": "text"}`, "date": `{"type": "date"}`,
	schemas.FactText: `{"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 256}}}`,
	schemas.FactBool: `{"type": "boolean"}`, schemas.FactInt: `{"type": "long"}`, schemas.FactFloat: `{"type": "double"}`,
	schemas.FactHash: `{"type": "keyword"}`, schemas.FactInts: `{"type": "integer", "index": false}`,
}

const (
	tantivyName   = `"type": "text", "options": {"indexing": {"record": "basic", "fieldnorms": false, "tokenizer": "raw"}, "stored": true, "fast": true}`
	tantivyWords  = `"type": "text", "options": {"indexing": {"record": "position", "fieldnorms": true, "tokenizer": "default"}, "stored": true, "fast": false}`
	tantivyNumber = `"options": {"indexed": true, "fieldnorms": false, "fast": true, "stored": true}`
)

var tantivyKinds = map[string]string{
	"name": tantivyName, "prose": tantivyWords, schemas.FactText: tantivyWords, schemas.FactHash: tantivyName,
	"date":           `"type": "date", "options": {"indexed": true, "fieldnorms": false, "fast": true, "stored": true, "precision": "seconds"}`,
	schemas.FactBool: `"type": "bool", ` + tantivyNumber, schemas.FactInt: `"type": "i64", ` + tantivyNumber, schemas.FactFloat: `"type": "f64", ` + tantivyNumber,
	schemas.FactInts: `"type": "i64", "options": {"indexed": false, "fieldnorms": false, "fast": false, "stored": true}`,
}

// The mapping for Elasticsearch and OpenSearch and the schema for Tantivy have every key of
// the JSON lines of a run with all facts, and are made from the columns.
func TestSchemasOfSearchEnginesAreFresh(t *testing.T) {
	r := &schemas.Recipe{Facts: recipe.Facts(suite.Facts())}
	kinds := maps.Clone(lineKinds)
	for _, c := range r.TextColumns() {
		kinds[c.Name] = c.Kind
	}
	var elastic, tantivy []string
	for _, key := range LineKeys(r) {
		kind := cmp.Or(kinds[key], "name")
		elastic = append(elastic, fmt.Sprintf("    %q: %s", key, elasticKinds[kind]))
		tantivy = append(tantivy, fmt.Sprintf("  {\"name\": %q, %s}", key, tantivyKinds[kind]))
	}
	for name, fresh := range map[string]string{
		"elasticsearch.json": "{\"mappings\": {\n  \"dynamic\": false,\n  \"properties\": {\n" + strings.Join(elastic, ",\n") + "\n  }\n}}\n",
		"tantivy.json":       "[\n" + strings.Join(tantivy, ",\n") + "\n]\n",
	} {
		if !json.Valid([]byte(fresh)) {
			t.Errorf("%s is not JSON:\n%s", name, fresh)
		}
		path := "../../docs/reference/" + name
		if *update {
			if err := os.WriteFile(path, []byte(fresh), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != fresh {
			t.Errorf("%s is stale: run go test ./schemas/columnar -run 'Reference|SearchEngines' -update: %v", path, err)
		}
	}
}

// No fact fills a column that is there without it, also in JSON lines.
func TestFactsHaveColumnsOfTheirOwn(t *testing.T) {
	r := &schemas.Recipe{Facts: recipe.Facts(suite.Facts())}
	for _, columns := range [][]string{PagesOf(r).Columns(), DocumentsOf(r).Columns(), TextsOf(r).Columns(), LineKeys(r)} {
		slices.Sort(columns)
		for i, name := range columns {
			if i > 0 && columns[i-1] == name {
				t.Errorf("two columns are called %s", name)
			}
		}
	}
}

// Every column of numbers has a unit, and every column with nulls says when it is null,
// because readers of the table could not interpret the values otherwise.
func TestEveryColumnIsDescribed(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	numbers := []string{"int32", "int64", "double", "list of int32"}
	_, reference, _ := strings.Cut(string(text), begin)
	for line := range strings.Lines(reference) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		parts := strings.Split(strings.TrimSpace(line), "|")
		if len(parts) != 7 {
			t.Errorf("a description breaks the table: %s", line)
			continue
		}
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		name, typ, unit, meaning, null := strings.Trim(parts[1], "`"), parts[2], parts[3], parts[4], parts[5]
		if !strings.HasSuffix(meaning, ".") {
			t.Errorf("%s: its meaning %q is no sentence", name, meaning)
		}
		if null == "" {
			t.Errorf("%s: it is not said when it is null", name)
		}
		if number := slices.Contains(numbers, typ); number != (unit != "") && !unitless(name) {
			t.Errorf("%s: a column of type %s has the unit %q", name, typ, unit)
		}
	}
}

// unitless reports whether the numbers of a column are not quantities.
func unitless(name string) bool {
	hashes := map[string]bool{}
	for _, f := range recipe.Facts(suite.Facts()) {
		for _, c := range slices.Concat(f.Pages, f.Documents) {
			hashes[c.Name] = c.Kind == schemas.FactHash
		}
	}
	return hashes[name] || strings.HasSuffix(name, "_hash") || slices.Contains([]string{"page_id", "cluster", "http_status", "version"}, name)
}

// typeName returns the name that most readers of Parquet use for a column's type.
func typeName(node schema.Node) string {
	leaf, ok := node.(*schema.PrimitiveNode)
	switch {
	case !ok:
		return "list of int32"
	case leaf.LogicalType().Equals(schema.StringLogicalType{}):
		return "string"
	case leaf.PhysicalType() == parquet.Types.ByteArray:
		return "binary"
	}
	return strings.ToLower(leaf.PhysicalType().String()) // boolean, int32, int64, double
}
