package schemas

import (
	"encoding/json"
	"fmt"
	"strings"
)

// GoldMediaType is the Content-Type of a WARC metadata record whose block is one Gold.
// Such a record follows the response or resource record that it describes directly, and
// names it in WARC-Concurrent-To.
const GoldMediaType = "application/vnd.winnow.gold+json"

// Gold is the experts' annotation of one page: its main content, and what else a
// scorer needs to know. It follows its page in a packed package, or is a line of a
// side file, where URL is the key.
//
// Text has three states. Null means that the main content is not known; then only
// scorers of snippets have scores, if With or Without is set. Empty means that the page
// has no main content. Otherwise it is the main content in UTF-8, with blocks separated
// by newlines.
type Gold struct {
	Version int     `json:"version"`
	Package string  `json:"package"`
	ID      string  `json:"id"` // id of the document, unique within its package
	URL     string  `json:"url,omitempty"`
	Text    *string `json:"text"`
	// HTML is the annotated page for node-level scorers. It is empty if there is none.
	HTML string `json:"gold_html,omitempty"`
	// Markdown is the main content with its structure, for scorers of structure. It is empty if
	// there is none.
	Markdown string `json:"gold_markdown,omitempty"`
	// An extraction must contain the snippets in With, and must not contain those in
	// Without.
	With    []string `json:"with,omitempty"`
	Without []string `json:"without,omitempty"`

	PageType string `json:"page_type,omitempty"` // "article", "forum" …; empty if the package has no types
	Language string `json:"language,omitempty"`  // as the page declares it
	Title    string `json:"title,omitempty"`

	// Meta holds the other fields of the document's metadata, unchanged.
	Meta map[string]json.RawMessage `json:"meta,omitempty"`
}

// GoldVersion is the version of the gold records that this build writes, and
// the newest that it reads.
const GoldVersion = 1

// AllPackages is the name of the total over all packages. No package has a name that
// begins with a parenthesis: see PackageName.
const AllPackages = "(all)"

// PackageName returns the package of pages that are grouped by the name of their file or
// host: that name, changed if it could be taken for a total.
func PackageName(name string) string {
	if strings.HasPrefix(name, "(") {
		return "_" + name
	}
	return name
}

// Known reports whether the page has gold: a text, which may be empty, or snippets.
func (g *Gold) Known() bool { return g.Text != nil || g.SnippetsOnly() }

// SnippetsOnly reports whether the gold consists of snippets alone, as in the corpus of
// trafilatura, which does not mark the main content itself.
func (g *Gold) SnippetsOnly() bool { return g.Text == nil && len(g.With)+len(g.Without) > 0 }

// Content returns the text, or "" if there is none.
func (g *Gold) Content() string {
	if g.Text == nil {
		return ""
	}
	return *g.Text
}

// DecodeGold reads one Gold. It ignores fields that it does not know. A gold without a
// version has version 1, because side files are written by hand. A version that this
// build does not read is an error. A gold without a text field is an error too, because
// an absent text could not be distinguished from null.
func DecodeGold(data []byte) (*Gold, error) {
	text := absent
	g := &Gold{Text: &text} // null makes it nil, and a string replaces the text
	if err := json.Unmarshal(data, g); err != nil {
		return nil, fmt.Errorf("schemas: gold: %w", err)
	}
	if g.Version == 0 {
		g.Version = 1
	}
	switch {
	case strings.HasPrefix(g.Package, "("):
		return nil, fmt.Errorf("schemas: gold of %q: package %.100q: names that begin with a parenthesis are reserved for totals, such as %s", g.ID, g.Package, AllPackages)
	case g.Version < 1 || g.Version > GoldVersion:
		return nil, fmt.Errorf("schemas: gold of %q: version %d, this build reads 1 to %d", g.ID, g.Version, GoldVersion)
	case g.Text != nil && *g.Text == absent:
		return nil, fmt.Errorf("schemas: gold of %q: no text field (null says that the main content is not known)", g.ID)
	}
	return g, nil
}

// absent marks a gold without a text field. No string of JSON equals it,
// because it is not UTF-8.
const absent = "\xff"
