package schemas

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Values of Recipe.TextsBy besides ByPackage.
const (
	ByLanguage = "language" // by the language of the text, from the fact language
	ByDate     = "date"     // month of the record
)

// NewTextsBy returns the value of Recipe.TextsBy for the words that a user gave, which are
// separated by commas. The order is that of the folders.
func NewTextsBy(value string) (by []string, err error) {
	if value == "" {
		return nil, nil
	}
	for word := range strings.SplitSeq(value, ",") {
		word = strings.TrimSpace(word)
		if err := oneOf("texts by", word, ByLanguage, ByDate, ByPackage); err != nil {
			return nil, err
		}
		if slices.Contains(by, word) {
			return nil, fmt.Errorf("texts by %q: %s is there twice", value, word)
		}
		by = append(by, word)
	}
	return by, nil
}

// TextColumns returns the columns that the recipe's facts add to texts: those of pages and
// then those of documents. A name that both have is that of the document, and the page's
// begins with "page_".
func (r *Recipe) TextColumns() []FactColumn {
	columns, documents := r.PageColumns(), r.DocumentColumns()
	for i := range columns {
		if slices.ContainsFunc(documents, func(d FactColumn) bool { return d.Name == columns[i].Name }) {
			columns[i].Name = "page_" + columns[i].Name
		}
	}
	return append(columns, documents...)
}

// TextGroups tells which texts of a run are in the same folder.
type TextGroups struct {
	by       []string
	language int // position in Text.Facts; -1 without the fact
}

// TextGroups returns the groups of Recipe.TextsBy.
func (r *Recipe) TextGroups() TextGroups {
	language := slices.IndexFunc(r.TextColumns(), func(c FactColumn) bool { return c.Name == ByLanguage && c.Kind == FactText })
	return TextGroups{r.TextsBy, language}
}

// value returns the value of a text by which it is grouped, "" if it is not known.
func (g TextGroups) value(by string, t *Text) string {
	switch by {
	case ByPackage:
		return t.Package
	case ByDate:
		if date, err := time.Parse(time.RFC3339, t.Date); err == nil && date.Year() >= 0 && date.Year() <= 9999 {
			return date.UTC().Format("2006-01")
		}
	case ByLanguage:
		return g.Language(t)
	}
	return ""
}

// Language returns the language of a text, "" if it is not known.
func (g TextGroups) Language(t *Text) string {
	if g.language < 0 || g.language >= len(t.Facts) {
		return ""
	}
	return t.Facts[g.language].Text
}

// Compare orders texts by their groups. Texts of one group compare equal.
func (g TextGroups) Compare(a, b *Text) int {
	for _, by := range g.by {
		if c := strings.Compare(g.value(by, a), g.value(by, b)); c != 0 {
			return c
		}
	}
	return 0
}

// Folder returns the folder of a text's group below that of the table, with a slash at its
// end: "language=de/date=2026-11/". It is "" if texts are not grouped.
func (g TextGroups) Folder(t *Text) string {
	var folder string
	for _, by := range g.by {
		folder += by + "=" + folderValue(g.value(by, t)) + "/"
	}
	return folder
}

// unknownValue is the name that Hive, Spark and DuckDB take for null.
const unknownValue = "__HIVE_DEFAULT_PARTITION__"

// maxFolder is the longest value in the name of a folder, before a hash is added. A name
// then fits into the 200 bytes that an element of a path may have.
const maxFolder = 160

// folderValue returns a value as it is in the name of a folder: bytes other than letters,
// digits, '-', '_', '.' and '~' are percent-encoded, and a long value is cut and has a hash
// at its end.
func folderValue(s string) string {
	if s == "" {
		return unknownValue
	}
	var b strings.Builder
	for _, c := range []byte(s) {
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.~", c) >= 0
		escaped := string(c)
		if !plain {
			escaped = fmt.Sprintf("%%%02X", c)
		}
		if b.Len()+len(escaped) > maxFolder {
			sum := sha256.Sum256([]byte(s))
			return b.String() + "~" + hex.EncodeToString(sum[:8])
		}
		b.WriteString(escaped)
	}
	return b.String()
}

// Bulk describes the bulk form of texts for Elasticsearch and OpenSearch: a line that names
// the action, the index and the id, and a line with the document.
type Bulk struct {
	Index  string   `json:"index"`
	ID     string   `json:"id"`               // key of the JSON line whose value is the id: one of BulkIDs
	Fields []string `json:"fields,omitempty"` // keys of the JSON line that the document has; empty means all
}

// DefaultIndex is the default of Bulk.Index.
const DefaultIndex = "winnow"

// BulkIDs are the values of Bulk.ID. IDText tells all texts apart, and IDURL makes a later
// page of an address take the place of an earlier one.
var BulkIDs = []string{IDText, IDURL}

// Values of Bulk.ID.
const (
	IDText = "id"
	IDURL  = "url"
)

// indexName is what both programs accept as the name of an index.
var indexName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,199}$`)

// Check returns an error if the servers refuse what b describes.
func (b *Bulk) Check() error {
	if !indexName.MatchString(b.Index) {
		return fmt.Errorf("index %.100q: want 1 to 200 lower-case letters, digits, '-', '_' and '.', the first a letter or digit", b.Index)
	}
	if slices.Contains(b.Fields, "") {
		return errors.New("fields: a name is empty")
	}
	return oneOf("id", b.ID, BulkIDs...)
}
