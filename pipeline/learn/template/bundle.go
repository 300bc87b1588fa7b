package template

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/internal/cursor"
)

// Status of what was learned: the values of schemas.TemplateRow.Status.
const (
	StatusOK          = "ok"
	StatusEmpty       = "empty" // nothing was found to be template
	StatusTooFewPages = "too_few_pages"
	StatusLearnFailed = "learn_failed"
	StatusOversize    = "oversize"
)

var statuses = []string{StatusOK, StatusEmpty, StatusTooFewPages, StatusLearnFailed, StatusOversize}

// Flags of a template besides the notes of its method.
const (
	FlagSmallSample = "small_sample" // the site has fewer pages than a full sample
	FlagReused      = "reused"       // learned by an earlier run
)

const (
	bundleMagic = "winnow-site-01\r\n"
	// hashName is the hash behind keys in templates (spec site-level, 1.1).
	hashName = "xxh64"

	// Bounds on what a bundle may make a reader hold.
	bundleMax    = 64 << 20
	methodsMax   = 1 << 10
	MaxNotes     = 64
	bundleText   = 16 << 10 // a name, a site, a note
	bundleFormat = 1
)

// Bundle holds the templates of one site.
type Bundle struct {
	Site      string
	SiteBy    string     // what a site is: "host", "domain" or "package"
	Sites     string     // version of the list of public suffixes and of the sample
	Templates []Template // by the name of the method, ascending
}

// Template is what one method learned about a site, or why it did not.
type Template struct {
	Method  string
	Version int   // of the method's sketches and templates
	Learned int64 // when its run was planned, seconds since 1970
	Status  string
	// Ranks of the sample's pages, ascending. Without a template they are the ranks of
	// the pages that there were.
	Ranks    []uint64
	Linked   int
	Clusters int
	Notes    []string
	Body     []byte // empty unless there is a template
}

// Usable reports whether the template can be applied to pages.
func (t *Template) Usable() bool { return t.Status == StatusOK || t.Status == StatusEmpty }

// Reason returns why pages are skipped if the template cannot be applied.
func (t *Template) Reason() algorithms.Reason {
	switch t.Status {
	case StatusOK, StatusEmpty:
		return algorithms.NoReason
	case StatusTooFewPages:
		return algorithms.ReasonTooFewPages
	case StatusOversize:
		return algorithms.ReasonOversize
	}
	return algorithms.ReasonLearnFailed
}

// Mark adds a flag.
func (t *Template) Mark(flag string) {
	if !slices.Contains(t.Notes, flag) {
		t.Notes = append(slices.Clip(t.Notes), flag)
		slices.Sort(t.Notes)
	}
}

// TemplateID returns a name made of the content of a template and of its site, but not
// of the time when it was learned. It is "" if there is no template.
func (b *Bundle) TemplateID(t *Template) string {
	if !t.Usable() {
		return ""
	}
	undated := *t
	undated.Learned = 0
	undated.Notes = slices.DeleteFunc(slices.Clone(t.Notes), func(n string) bool { return n == FlagReused })
	sum := sha256.Sum256(undated.append(cursor.AppendText(cursor.AppendText(nil, b.SiteBy), b.Site)))
	return hex.EncodeToString(sum[:8])
}

// Find returns the template of a method, nil if there is none.
func (b *Bundle) Find(method string) *Template {
	i, ok := slices.BinarySearchFunc(b.Templates, method, func(t Template, m string) int { return strings.Compare(t.Method, m) })
	if !ok {
		return nil
	}
	return &b.Templates[i]
}

// Encode returns the bundle's bytes: equal for equal bundles.
func (b *Bundle) Encode() []byte {
	slices.SortFunc(b.Templates, func(x, y Template) int { return cmp.Compare(x.Method, y.Method) })
	out := append([]byte(nil), bundleMagic...)
	for _, s := range []string{b.Site, b.SiteBy, b.Sites, hashName} {
		out = cursor.AppendText(out, s)
	}
	out = binary.AppendUvarint(out, uint64(len(b.Templates)))
	for i := range b.Templates {
		out = b.Templates[i].append(out)
	}
	return binary.BigEndian.AppendUint32(out, cursor.Checksum(out))
}

func (t *Template) append(b []byte) []byte {
	b = binary.AppendUvarint(b, bundleFormat)
	b = cursor.AppendText(b, t.Method)
	b = binary.AppendUvarint(b, uint64(t.Version))
	b = binary.AppendUvarint(b, uint64(t.Learned))
	b = cursor.AppendText(b, t.Status)
	b = binary.AppendUvarint(b, uint64(t.Linked))
	b = binary.AppendUvarint(b, uint64(t.Clusters))
	b = binary.AppendUvarint(b, uint64(len(t.Ranks)))
	for _, r := range t.Ranks {
		b = binary.BigEndian.AppendUint64(b, r)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Notes)))
	for _, n := range t.Notes {
		b = cursor.AppendText(b, n)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Body)))
	return append(b, t.Body...)
}

// DecodeBundle reads what Encode wrote. The bodies are views of data.
func DecodeBundle(data []byte) (*Bundle, error) {
	b, err := decodeBundle(data)
	if err != nil {
		return nil, fmt.Errorf("template: bundle: %w", err)
	}
	return b, nil
}

func decodeBundle(data []byte) (*Bundle, error) {
	if len(data) > bundleMax || len(data) < len(bundleMagic)+4 || string(data[:len(bundleMagic)]) != bundleMagic {
		return nil, fmt.Errorf("%w: it does not begin like a bundle", cursor.ErrMalformed)
	}
	end := len(data) - 4
	if cursor.Checksum(data[:end]) != binary.BigEndian.Uint32(data[end:]) {
		return nil, fmt.Errorf("%w: its checksum is wrong", cursor.ErrMalformed)
	}
	c := &cursor.Cursor{Rest: data[len(bundleMagic):end:end]}
	b := &Bundle{Site: c.Text(bundleText), SiteBy: c.Text(bundleText), Sites: c.Text(bundleText)}
	if h := c.Text(bundleText); c.Err == nil && h != hashName {
		return nil, fmt.Errorf("%w: its keys are %q, this program makes %q", cursor.ErrMalformed, h, hashName)
	}
	n := c.Count(methodsMax, "methods")
	for range n {
		t := readTemplate(c)
		if len(b.Templates) > 0 && b.Templates[len(b.Templates)-1].Method >= t.Method {
			c.Fail("its methods are not in order")
		}
		if c.Err != nil {
			return nil, c.Err
		}
		b.Templates = append(b.Templates, t)
	}
	if c.Err == nil && len(c.Rest) > 0 {
		c.Fail("something follows its end")
	}
	return b, c.Err
}

// readTemplate reads what Template.append wrote.
func readTemplate(c *cursor.Cursor) (t Template) {
	if f := c.Uvarint(); c.Err == nil && f != bundleFormat {
		c.Fail(fmt.Sprintf("a template has format %d, this program reads %d", f, bundleFormat))
	}
	t.Method = c.Text(bundleText)
	t.Version = c.Count(1<<31-1, "version")
	t.Learned = int64(c.Count(1<<50, "time"))
	t.Status = c.Text(bundleText)
	t.Linked = c.Count(algorithms.MaxLinked, "link candidates")
	t.Clusters = c.Count(algorithms.MaxSample, "clusters")
	n := c.Count(algorithms.MaxSample, "pages")
	for i := range n {
		r := c.Uint64()
		if i > 0 && r <= t.Ranks[i-1] {
			c.Fail("its pages are not in order")
		}
		t.Ranks = append(t.Ranks, r)
	}
	for range c.Count(MaxNotes, "notes") {
		t.Notes = append(t.Notes, c.Text(bundleText))
	}
	t.Body = c.Bytes(c.Count(algorithms.MaxTemplate, "bytes"))
	switch {
	case c.Err != nil:
	case !slices.Contains(statuses, t.Status):
		c.Fail(fmt.Sprintf("unknown status %.40q", t.Status))
	case !t.Usable() && len(t.Body) > 0:
		c.Fail("a template that there is not has a body")
	}
	return t
}
