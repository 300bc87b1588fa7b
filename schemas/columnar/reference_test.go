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

	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/schemas"
)

var update = flag.Bool("update", false, "write the reference of the tables and the file in testdata anew")

// page holds the reference between two lines. People write the rest of it.
const (
	page  = "../../docs/reference/tables.md"
	begin = "<!-- made from schemas/columnar by go test ./schemas/columnar -update -->\n"
	end   = "<!-- end of what is made -->\n"
)

func TestReferenceIsFresh(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := bytes.Cut(text, []byte(begin))
	_, tail, ok2 := bytes.Cut(rest, []byte(end))
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the reference", page)
	}
	var fresh bytes.Buffer
	fresh.Write(head)
	fresh.WriteString(begin)
	fmt.Fprintf(&fresh, "\nAll columns are there since version %d of the records, the first.\n", schemas.Version)
	describe(t, &fresh, Pages, "pages/part-*.parquet", "A row for each page.")
	describeFacts(t, &fresh, Pages.name, func(r *schemas.Recipe, b *bytes.Buffer) error { return factsOf(Pages, PagesOf(r)).Describe(b) })
	describe(t, &fresh, Documents, "documents/part-*.parquet", "A row for each page and extractor.")
	describeFacts(t, &fresh, Documents.name, func(r *schemas.Recipe, b *bytes.Buffer) error { return factsOf(Documents, DocumentsOf(r)).Describe(b) })
	describe(t, &fresh, Scores, "scores/part-*.parquet", "A row for each page with gold, extractor and scorer. Without gold nothing is scored.")
	describe(t, &fresh, Links, "links/part-*.parquet", "A row for each link of a page to another, if they were asked for (`--facts links`).")
	describe(t, &fresh, Packages, "packages.parquet", "A row for each package, extractor and scorer; where page types are known, each type has rows of its own besides.")
	describe(t, &fresh, Speed, "speed.parquet", "A row for each package and extractor: what does not depend on a scorer; where page types are known, each type has rows of its own besides.")
	describe(t, &fresh, Agreement, "agreement.parquet", "A row for each package and pair of extractors.")
	describe(t, &fresh, TextsOf(&schemas.Recipe{}), "texts/part-*.parquet", "A row for each page and extractor that found a text (outcome `ok`), if texts were asked for (`--texts`) and `--keep` did not leave it out; an empty answer has its row in `documents` alone. The columns of the run's facts follow, those of pages first; a column that pages and texts share, such as `language`, is that of the text, and `page_language` that of the page. "+
		"JSON lines (`--texts jsonl` and `bulk`, and `winnow extract --format jsonl`) are flat and have the same keys in the same order in every row, with null where nothing is known: `id`, and the columns, `text` at the end. `id` names the row within the run: it is `page_id`, a slash and the extractor, such as `9f2c41d07be83a65/winnow`. A URL is no such name, for a crawl may have it twice. Hashes are texts of 16 hexadecimal digits. "+
		"Conversion records (`--texts warc`) have the names in their headers, and the language of the text as `WARC-Identified-Content-Language` if the fact `language` was found. `--texts jsonl,markdown` and the like choose the form of the text. "+
		"A file ends where its texts would exceed `--limit texts-file`. With `--texts-by language,date` the files are in folders such as `texts/language=de/date=2026-11/`; a value that is not known is `__HIVE_DEFAULT_PARTITION__`, which DuckDB and Spark read as null, and characters other than ASCII letters, digits and `-_.~` are percent-encoded.")
	describe(t, &fresh, Failures, "failures.parquet", "A row for each record or range of bytes that became no page though it should have, or that was read with damage.")
	describe(t, &fresh, Templates, "templates/part-*.parquet", "A row for each site and method that learns from sites, in the order of sites.")
	describe(t, &fresh, Duplicates, "duplicates.parquet", "A row for each text that has near-duplicates; `winnow dedup` writes it.")
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

func describe[T any](t *testing.T, b *bytes.Buffer, table *Table[T], file, rows string) {
	fmt.Fprintf(b, "\n### %s\n\n`%s`. %s\n\n", table.Name(), file, rows)
	if err := table.Describe(b); err != nil {
		t.Fatal(err)
	}
}

// describeFacts writes the columns that each fact of the program adds to a table.
func describeFacts(t *testing.T, b *bytes.Buffer, table schemas.Table, columns func(*schemas.Recipe, *bytes.Buffer) error) {
	for _, f := range recipe.Facts(suite.Facts()) {
		if table == schemas.TablePages && len(f.Pages) == 0 || table == schemas.TableDocuments && len(f.Documents) == 0 {
			continue
		}
		fmt.Fprintf(b, "\nThe fact `%s` adds to `%s`:\n\n", f.Name, table)
		if err := columns(&schemas.Recipe{Facts: []schemas.Fact{f}}, b); err != nil {
			t.Fatal(err)
		}
	}
}

// factsOf returns the columns that a table has besides those of its base.
func factsOf[T any](base, table *Table[T]) *Table[T] {
	return &Table[T]{table.name, table.columns[len(base.columns):]}
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
	facts := &schemas.Recipe{Facts: recipe.Facts(suite.Facts())}
	checkDescribed(t, PagesOf(facts))
	checkDescribed(t, DocumentsOf(facts))
	checkDescribed(t, Scores)
	checkDescribed(t, Links)
	checkDescribed(t, Packages)
	checkDescribed(t, Speed)
	checkDescribed(t, Agreement)
	checkDescribed(t, TextsOf(facts))
	checkDescribed(t, Failures)
	checkDescribed(t, Templates)
	checkDescribed(t, Duplicates)
}

func checkDescribed[T any](t *testing.T, table *Table[T]) {
	numbers := []string{"int32", "int64", "double", "list of int32"}
	unitless := []string{"text_hash", "cluster", "http_status", "version"} // identifiers, not quantities
	for _, c := range table.columns {
		if c.hash {
			unitless = append(unitless, c.name)
		}
		name := fmt.Sprintf("%s.%s", table.name, c.name)
		if !strings.HasSuffix(c.meaning, ".") {
			t.Errorf("%s: its meaning %q is no sentence", name, c.meaning)
		}
		if c.nullable != (c.null != "") {
			t.Errorf("%s: nullable is %v, and it is said to be null when %q", name, c.nullable, c.null)
		}
		if number := slices.Contains(numbers, typeName(c.node())); number != (c.unit != "") && !slices.Contains(unitless, c.name) {
			t.Errorf("%s: a column of type %s has the unit %q", name, typeName(c.node()), c.unit)
		}
		if strings.ContainsAny(c.meaning+c.null+c.unit, "|\n") {
			t.Errorf("%s: its description breaks the table", name)
		}
	}
}
