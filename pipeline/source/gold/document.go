package gold

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"github.com/winnow/winnow/schemas"
)

// metadata holds the fields of ID.json that Winnow reads. The other fields are kept
// with the gold unchanged.
type metadata struct {
	URL         string   `json:"url"`
	Title       string   `json:"title"`
	Language    string   `json:"language"`
	PageType    string   `json:"page_type"`
	With        []string `json:"with"`
	Without     []string `json:"without"`
	GoldMissing bool     `json:"gold_missing"`
	// Encoding is the charset of the page's bytes. CharsetWrong means that the page
	// declares another one, for instance because the dataset converted the page.
	Encoding     string `json:"encoding"`
	CharsetWrong bool   `json:"charset_wrong"`
	HTMLBytes    *int64 `json:"html_bytes"`
	SHA256       string `json:"sha256"`
}

// moved are the fields that are fields of a Gold themselves, or that can be computed
// from the page.
var moved = []string{"id", "url", "title", "language", "page_type", "with", "without", "html_bytes", "sha256"}

// read reads the document id into p.doc.
func (p *Package) read(id string) (err error) {
	d := &p.doc
	*d = Document{ID: id, HTML: d.HTML, Gold: schemas.Gold{Version: schemas.GoldVersion, Package: p.Info.Name, ID: id}}
	if d.HTML, err = p.src.read(d.HTML, p.file(id), p.lim.PageBytes); err != nil {
		return fmt.Errorf("%s: %w", p.file(id), err)
	}
	missing := false
	if p.has[id+".json"] && id != "package" { // package.json describes the package, not a page called package
		if missing, err = p.readMetadata(d); err != nil {
			return fmt.Errorf("%s.json: %w", id, err)
		}
	}
	if p.has[id+".txt"] && !missing {
		if p.text, err = p.src.read(p.text, id+".txt", p.lim.GoldBytes); err != nil {
			return fmt.Errorf("%s.txt: %w", id, err)
		}
		text := plain(p.text)
		if p.Info.Entities {
			text = html.UnescapeString(text)
		}
		d.Gold.Text = &text
	}
	if p.has[id+".gold.html"] {
		if p.text, err = p.src.read(p.text, id+".gold.html", p.lim.PageBytes); err != nil {
			return fmt.Errorf("%s.gold.html: %w", id, err)
		}
		d.Gold.HTML = strings.ToValidUTF8(string(p.text), "\uFFFD")
	}
	if p.has[id+".md"] {
		if p.text, err = p.src.read(p.text, id+".md", p.lim.GoldBytes); err != nil {
			return fmt.Errorf("%s.md: %w", id, err)
		}
		d.Gold.Markdown = plain(p.text)
	}
	return nil
}

// readMetadata fills d from ID.json and checks the page against it. missing means that
// the dataset has no gold for the page.
func (p *Package) readMetadata(d *Document) (missing bool, err error) {
	if p.meta, err = p.src.read(p.meta, d.ID+".json", p.lim.GoldBytes); err != nil {
		return false, err
	}
	var m metadata
	var all map[string]json.RawMessage
	if err := json.Unmarshal(p.meta, &m); err != nil {
		return false, err
	}
	if err := json.Unmarshal(p.meta, &all); err != nil {
		return false, err
	}
	if m.HTMLBytes != nil && *m.HTMLBytes != int64(len(d.HTML)) {
		return false, fmt.Errorf("html_bytes says %d, the page has %d", *m.HTMLBytes, len(d.HTML))
	}
	if sum := sha256.Sum256(d.HTML); m.SHA256 != "" && m.SHA256 != hex.EncodeToString(sum[:]) {
		return false, fmt.Errorf("sha256 says %s, the page has %x", m.SHA256, sum)
	}
	for _, name := range moved {
		delete(all, name)
	}
	if len(all) == 0 {
		all = nil
	}
	if m.CharsetWrong {
		d.charset = m.Encoding
	}
	g := &d.Gold
	g.URL, g.Title, g.Language, g.PageType = m.URL, m.Title, m.Language, m.PageType
	g.With, g.Without, g.Meta = m.With, m.Without, all
	return m.GoldMissing, nil
}

// plain returns a gold text in its normal form: UTF-8 without BOM, with lines that end
// in \n.
func plain(b []byte) string {
	b = bytes.TrimPrefix(b, []byte("\uFEFF"))
	s := strings.ToValidUTF8(string(b), "\uFFFD")
	if strings.Contains(s, "\r") {
		s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	}
	return s
}
