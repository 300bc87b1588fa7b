package compact

import (
	"errors"
	"fmt"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// textEntry is item seq, which left a shard of texts.
func textEntry(t testing.TB, store blob.Store, run *schemas.Run, seq int, rows []schemas.Text) *Entry {
	t.Helper()
	it := run.Item(0, seq)
	s, err := tables.Write(t.Context(), store, columnar.TextsOf(&run.Recipe), schemas.ShardPrefix(run.Hash, it.ID())+"a-texts.parquet", run, columnar.ShardSize, all(rows))
	if err != nil {
		t.Fatal(err)
	}
	return &Entry{Item: it, Done: &schemas.Done{Item: it, Shards: []schemas.Shard{*s}, Counts: schemas.Counts{Rows: map[schemas.Table]int64{schemas.TableTexts: int64(len(rows))}}}}
}

// crawledTexts are texts in seven languages, months and packages, with names of hosts that
// no file may have.
func crawledTexts(n int) (rows []schemas.Text) {
	packages := []string{"a.example", "A.example", "../../etc", "", "Größe/x", strings.Repeat("long", 100), strings.Repeat("long", 101)}
	for i := range n {
		language := schemas.Value{Known: true, Text: []string{"de", "en", "ja", "pt-BR", "x\n/y", "..", "."}[i%7]}
		if i%11 == 0 {
			language = schemas.Value{}
		}
		rows = append(rows, schemas.Text{Run: "r", Package: packages[i/3%7], DocID: fmt.Sprintf("%05d", i), URL: fmt.Sprint("http://h.example/", i), Extractor: "bte", Form: "text",
			Text: strings.Repeat("word ", 20), Date: fmt.Sprintf("2026-%02d-01T00:00:00Z", i%12+1), PageID: uint64(i), Facts: []schemas.Value{language}})
	}
	rows[0].Date = "never"
	return rows
}

// Every text is in one file, in the folder of its group and in the order of the items,
// however the texts are divided among items and however few rows fit into memory. No
// folder is outside that of the table, and no two names differ in case alone.
func TestTextsAreGrouped(t *testing.T) {
	rows := crawledTexts(154)
	for _, c := range []struct {
		format, by string
		bound      int64
		sortRows   int
	}{
		{schemas.TextsJSONLines, "", 0, 0}, {schemas.TextsJSONLines, "", 1000, 0}, {schemas.TextsWARC, "language", 1000, 0},
		{schemas.TextsWARC, "language,date", 300, 7}, {schemas.TextsJSONLines, "package", 0, 7}, {schemas.TextsParquet, "language", 1000, 0}, {schemas.TextsJSONLines, "package,language,date", 1, 0},
	} {
		for _, items := range []int{1, 9} {
			name := fmt.Sprintf("%s by %q of %d bytes and %d items", c.format, c.by, c.bound, items)
			store, run := new(blobtest.Memory), planned()
			run.Files[0].Size, run.Files[0].Items = 1000, items
			run.Recipe = schemas.Recipe{Texts: c.format, Facts: []schemas.Fact{{Name: "language", Documents: []schemas.FactColumn{{Name: "language", Kind: schemas.FactText}}}}}
			run.Recipe.Limits.TextsFile = c.bound
			var err error
			if run.Recipe.TextsBy, err = schemas.NewTextsBy(c.by); err != nil {
				t.Fatal(err)
			}
			var entries []*Entry
			for seq := range items {
				entries = append(entries, textEntry(t, store, &run, seq, rows[seq*len(rows)/items:(seq+1)*len(rows)/items]))
			}
			compactor := New(store, &run)
			if c.sortRows > 0 {
				compactor.SortRows = c.sortRows
			}
			found := new(Damage)
			shards, err := compactor.texts(t.Context(), found, 3, entries)
			if err != nil || found.Any() {
				t.Fatalf("%s: %v, %v", name, err, found)
			}
			var got []schemas.Text
			folders, names := map[string]int{}, map[string]bool{}
			groups := run.Recipe.TextGroups()
			for _, s := range shards {
				if !schemas.IsPart(schemas.TableTexts, s.Name) || blob.ValidName(s.Name) != nil || !strings.HasPrefix(path.Clean(s.Name), "texts/") {
					t.Errorf("%s: file %q", name, s.Name)
				}
				if names[strings.ToLower(s.Name)] {
					t.Errorf("%s: two files are called %q", name, s.Name)
				}
				names[strings.ToLower(s.Name)] = true
				folders[path.Dir(s.Name)]++
				size, before := int64(0), len(got)
				for row, err := range tables.Texts(t.Context(), store, s.Name, nil) {
					if err != nil {
						t.Fatal(name, err)
					}
					size += int64(len(row.Text))
					want := rows[slices.IndexFunc(rows, func(r schemas.Text) bool { return r.DocID == row.DocID })]
					if "texts/"+strings.TrimSuffix(groups.Folder(&want), "/") != path.Dir(s.Name) && c.by != "" {
						t.Errorf("%s: a text of folder %q is in %s", name, groups.Folder(&want), s.Name)
					}
					if len(got) > before && got[len(got)-1].DocID >= row.DocID {
						t.Errorf("%s: %s follows %s", name, row.DocID, got[len(got)-1].DocID)
					}
					got = append(got, *row)
				}
				last, found := got[len(got)-1], 0
				for row, err := range tables.Texts(t.Context(), store, s.Name, func(r *schemas.Text) bool { return r.DocID == last.DocID }) {
					if found++; err != nil || found > 1 || row.DocID != last.DocID || row.Text != last.Text || row.Extractor != last.Extractor {
						t.Errorf("%s: %s of %s alone is %+v, %v", name, last.DocID, s.Name, row, err)
					}
				}
				if found == 0 {
					t.Errorf("%s: %s of %s is not found alone", name, last.DocID, s.Name)
				}
				if n := int64(len(got) - before); n != s.Rows || c.bound > 0 && size > c.bound && n > 1 {
					t.Errorf("%s: %s has %d texts of %d bytes, and is said to have %d", name, s.Name, n, size, s.Rows)
				}
			}
			slices.SortFunc(got, func(a, b schemas.Text) int { return strings.Compare(a.DocID, b.DocID) })
			for i := range got {
				if i >= len(rows) || got[i].DocID != rows[i].DocID || got[i].Text != rows[i].Text {
					t.Fatalf("%s: text %d is %+v", name, i, got[i])
				}
			}
			if len(got) != len(rows) {
				t.Errorf("%s: %d texts of %d", name, len(got), len(rows))
			}
			if c.bound == 0 && len(shards) != len(folders) {
				t.Errorf("%s: %d files in %d folders", name, len(shards), len(folders))
			}
		}
	}
}

// What JSON lines and the bulk form have comes through the shards.
func TestTextsKeepFacts(t *testing.T) {
	store, run := new(blobtest.Memory), planned()
	run.Recipe = schemas.Recipe{Texts: schemas.TextsParquet, Facts: []schemas.Fact{{Name: "language", Documents: []schemas.FactColumn{{Name: "language", Kind: schemas.FactText}}}}}
	rows := crawledTexts(40)
	shards, err := New(store, &run).texts(t.Context(), new(Damage), 0, []*Entry{textEntry(t, store, &run, 0, rows)})
	if err != nil || len(shards) != 1 || shards[0].Name != "texts/part-00000-0000.parquet" {
		t.Fatal(err, shards)
	}
	i := 0
	for row, err := range tables.Rows(t.Context(), store, columnar.TextsOf(&run.Recipe), shards[0].Name) {
		if err != nil || !reflect.DeepEqual(*row, rows[i]) {
			t.Fatalf("%v\n%+v\nwant\n%+v", err, row, rows[i])
		}
		i++
	}
}

// All items whose shards of texts cannot be used are found at once, and no file appears.
func TestDamagedTexts(t *testing.T) {
	store, run := new(blobtest.Memory), planned()
	run.Files[0].Size, run.Files[0].Items = 1000, 4
	run.Recipe.Texts = schemas.TextsJSONLines
	var entries []*Entry
	for seq := range 4 {
		entries = append(entries, textEntry(t, store, &run, seq, crawledTexts(10)))
	}
	if err := store.Delete(t.Context(), entries[1].Done.Shards[0].Name); err != nil {
		t.Fatal(err)
	}
	entries[2].Done.Counts.Rows[schemas.TableTexts] = 11
	entries[3].Done.Shards[0].SHA256 = strings.Repeat("0", 64)
	found := new(Damage)
	shards, err := New(store, &run).texts(t.Context(), found, 0, entries)
	if err != nil || len(shards) != 0 || found.Cause(entries[0]) != nil || len(found.Entries) != 3 {
		t.Errorf("%v, %v, %v", shards, err, found)
	}
	if cause := found.Cause(entries[3]); !errors.Is(cause, errChecksum) {
		t.Error(cause)
	}
	if files, err := store.List(t.Context(), "texts/"); err != nil || len(files) != 0 {
		t.Errorf("%v, %v", files, err)
	}
}

// What the aggregator merges in a second decides for how many workers it suffices. A worker
// finds some 3 MB of text in a second.
func BenchmarkTexts(b *testing.B) {
	const rows = 4000
	words, err := os.ReadFile("../../../docs/design/overview.md")
	if err != nil {
		b.Fatal(err)
	}
	texts := crawledTexts(rows)
	for i := range texts {
		at := i * 37 % (len(words) / 2)
		texts[i].Text = string(words[at : at+len(words)/4])
		texts[i].Package = "p"
	}
	for _, format := range []string{schemas.TextsJSONLines, schemas.TextsParquet, schemas.TextsWARC} {
		for _, by := range []string{"", schemas.ByLanguage} {
			b.Run(strings.TrimSuffix(format+"-"+by, "-"), func(b *testing.B) {
				store, run := new(blobtest.Memory), planned()
				run.Recipe = schemas.Recipe{Texts: format, Facts: []schemas.Fact{{Name: "language", Documents: []schemas.FactColumn{{Name: "language", Kind: schemas.FactText}}}}}
				run.Recipe.TextsBy, err = schemas.NewTextsBy(by)
				if err != nil {
					b.Fatal(err)
				}
				entries := []*Entry{textEntry(b, store, &run, 0, texts)}
				b.SetBytes(int64(rows * len(texts[0].Text)))
				for b.Loop() {
					if _, err := New(store, &run).texts(b.Context(), new(Damage), 0, entries); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
