// Package conversion stores extracted texts in an archive, each in a WARC record of type
// conversion. The WET files of Common Crawl have the same form, so programs that read
// them can read these archives too.
//
//	warcinfo     of each file: software, run
//	conversion   WARC-Target-URI, WARC-Date   of the page
//	             WARC-Refers-To               the page's record
//	             Winnow-Package, Winnow-Document, Winnow-Extractor, Winnow-Run
//	             WARC-Identified-Content-Language   of the text, by ISO 639-3, if it is known
//	             text/plain; charset=utf-8    the text, or text/markdown or text/html
//
// A page has a record for each extractor that found a text. The bytes depend only on the
// rows and the Info.
//
// A header cannot hold every name. In the fields that begin with Winnow, '%' and control
// characters are percent-encoded, and Read decodes them. In a URL, blanks and control
// characters are percent-encoded, and Read does not decode them. A record id that is not
// a URI is omitted; it is in the document's row.
//
// This package is internal to Winnow and may change in any release.
package conversion

import (
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/text/language"

	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
)

// mediaTypes are the media types of a record's block, by the form of the text.
var mediaTypes = map[string]string{
	schemas.FormText:     "text/plain; charset=utf-8",
	schemas.FormMarkdown: "text/markdown; charset=utf-8",
	schemas.FormHTML:     "text/html; charset=utf-8",
}

// Suffix is the suffix of the names of such files.
const Suffix = ".warc.gz"

// These are the fields that a conversion record has in addition to those of the
// standard.
const (
	fieldRun       = "Winnow-Run"
	fieldPackage   = "Winnow-Package"
	fieldDocument  = "Winnow-Document"
	fieldExtractor = "Winnow-Extractor"
	fieldLanguage  = "WARC-Identified-Content-Language" // as in the WET files of Common Crawl
)

// Writer writes texts as conversion records. One goroutine owns it.
type Writer struct {
	w    *write.Writer
	info Info
	n    int64

	groups schemas.TextGroups // which know the language of a text
}

// Info describes a file of conversions.
type Info struct {
	Name    string // name of the file, different for each of a run
	Build   string // version of the program
	Run     schemas.RunID
	Hash    string    // hash of the recipe
	Created time.Time // when the run was planned; used as the date of pages without one
	Recipe  *schemas.Recipe
}

// NewWriter begins a file. Close leaves w open.
func NewWriter(w io.Writer, info Info) (*Writer, error) {
	c := &Writer{w: write.NewWriter(w), info: info, groups: info.Recipe.TextGroups()}
	block, err := write.Fields([]write.Field{
		{Name: "software", Value: "Winnow/" + escape(info.Build)},
		{Name: "format", Value: "WARC File Format 1.1"},
		{Name: "isPartOf", Value: escape(string(info.Run))},
		{Name: "description", Value: "main content of pages, extracted as text"},
	})
	if err != nil {
		return nil, err
	}
	return c, c.w.Write(&write.Record{
		Type: "warcinfo", ID: write.ID("texts", info.Hash, info.Name), Date: info.Created,
		ContentType: "application/warc-fields", Block: block,
	})
}

// Append writes a text. It keeps no reference to the row.
func (c *Writer) Append(row *schemas.Text) error {
	date, err := time.Parse(time.RFC3339, row.Date)
	if err != nil || date.Year() < 0 || date.Year() > 9999 {
		date = c.info.Created
	}
	r := write.Record{
		Type: "conversion", Date: date, TargetURI: write.EscapeURI(row.URL), ContentType: mediaTypes[row.Form], Block: []byte(row.Text),
		ID: write.ID("text", c.info.Hash, row.Package, row.DocID, row.RecordID, row.Extractor),
	}
	if id := strings.Trim(row.RecordID, "<>"); isURI(id) {
		r.Fields = append(r.Fields, write.Field{Name: "WARC-Refers-To", Value: "<" + id + ">"})
	}
	for _, f := range []write.Field{{Name: fieldRun, Value: row.Run}, {Name: fieldPackage, Value: row.Package},
		{Name: fieldDocument, Value: row.DocID}, {Name: fieldExtractor, Value: row.Extractor}} {
		r.Fields = append(r.Fields, write.Field{Name: f.Name, Value: escape(f.Value)})
	}
	if code := iso639(c.groups.Language(row)); code != "" {
		r.Fields = append(r.Fields, write.Field{Name: fieldLanguage, Value: code})
	}
	if err := c.w.Write(&r); err != nil {
		return fmt.Errorf("conversion: %w", err)
	}
	c.n++
	return nil
}

// iso639 returns the code of ISO 639-3 of a language, "" if it has none.
func iso639(name string) string {
	base, err := language.ParseBase(name)
	if err != nil {
		return ""
	}
	return base.ISO3()
}

// Rows returns the number of texts appended.
func (c *Writer) Rows() int64 { return c.n }

// Close ends the file. It has nothing to write, because every record is complete.
func (c *Writer) Close() error { return nil }

// isURI reports whether id can be written between angle brackets. It must have a scheme
// and no characters that would have to be encoded.
func isURI(id string) bool {
	scheme, rest, ok := strings.Cut(id, ":")
	return ok && scheme != "" && rest != "" && write.EscapeURI(id) == id && !strings.ContainsAny(id, "\\^`{|}")
}

// escape encodes a name for a header. Blanks are encoded only at its ends, where readers
// would trim them.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c < 0x20 || c == 0x7f || c == '%' || c == ' ' && (i == 0 || i == len(s)-1) {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
