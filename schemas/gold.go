package schemas

import (
	"encoding/json"
	"fmt"
	"strings"
)

// GoldMediaType is the Content-Type of a WARC metadata record whose block is
// one Gold. Such a record stands directly behind the response or resource
// record that it describes and names it in WARC-Concurrent-To.
const GoldMediaType = "application/vnd.winnow.gold+json"

// Gold is what experts say about one page: its main content, and what else a
// scorer needs to know. It travels behind its page in a packed package, or is
// a line of a side file, where URL is the key.
//
// Text has three states: null, nobody knows (only scorers of snippets have scores
// then, if With or Without is there); empty, the page has no main content; else the
// content, UTF-8, blocks separated by newlines.
type Gold struct {
	Version int     `json:"version"`
	Package string  `json:"package"`
	ID      string  `json:"id"` // of the document, unique within its package
	URL     string  `json:"url,omitempty"`
	Text    *string `json:"text"`
	// HTML is the annotated page for node-level measures; empty if there is none.
	HTML string `json:"gold_html,omitempty"`
	// With are snippets that must appear in an extraction, Without ones that must not.
	With    []string `json:"with,omitempty"`
	Without []string `json:"without,omitempty"`

	PageType string `json:"page_type,omitempty"` // "article", "forum" … where the package says
	Language string `json:"language,omitempty"`  // as the page declares it
	Title    string `json:"title,omitempty"`

	// Meta are the other fields of the document's metadata, as they were found.
	Meta map[string]json.RawMessage `json:"meta,omitempty"`
}

// GoldVersion is the version of the gold records that this build writes, and
// the newest that it reads.
const GoldVersion = 1

// AllPackages is the name of the total over all packages. No package has a name that
// begins with a parenthesis: see PackageName.
const AllPackages = "(all)"

// PackageName is the package of pages that are grouped by the name of their file or
// host: that name, unless it could be taken for a total.
func PackageName(name string) string {
	if strings.HasPrefix(name, "(") {
		return "_" + name
	}
	return name
}

// Known says whether the page has gold at all: a text, which may be empty, or snippets.
func (g *Gold) Known() bool { return g.Text != nil || g.SnippetsOnly() }

// SnippetsOnly says whether the gold is nothing but snippets, as in the corpus of
// trafilatura: nobody has marked the main content itself.
func (g *Gold) SnippetsOnly() bool { return g.Text == nil && len(g.With)+len(g.Without) > 0 }

// Content is the text; empty if there is none.
func (g *Gold) Content() string {
	if g.Text == nil {
		return ""
	}
	return *g.Text
}

// DecodeGold reads one Gold. Fields of later additions are ignored. No version
// is version 1: side files are written by hand. A version that this build does
// not read is an error, and so is a gold without text field, because absent
// and null would be taken for the same.
func DecodeGold(data []byte) (*Gold, error) {
	var probe struct {
		Text json.RawMessage `json:"text"`
	}
	g := new(Gold)
	if err := json.Unmarshal(data, g); err != nil {
		return nil, fmt.Errorf("schemas: gold: %w", err)
	}
	if err := json.Unmarshal(data, &probe); err != nil {
		return nil, fmt.Errorf("schemas: gold: %w", err)
	}
	if g.Version == 0 {
		g.Version = 1
	}
	switch {
	case strings.HasPrefix(g.Package, "("):
		return nil, fmt.Errorf("schemas: gold of %q: package %.100q: names that begin with a parenthesis are those of totals, such as %s", g.ID, g.Package, AllPackages)
	case g.Version < 1 || g.Version > GoldVersion:
		return nil, fmt.Errorf("schemas: gold of %q: version %d, this build reads 1 to %d", g.ID, g.Version, GoldVersion)
	case probe.Text == nil:
		return nil, fmt.Errorf("schemas: gold of %q: no text field (null says that the main content is not known)", g.ID)
	}
	return g, nil
}
