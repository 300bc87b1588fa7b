package template

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/learn/robots"
	"github.com/winnow/winnow/schemas"
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

// MaxNotes bounds the notes of a template.
const MaxNotes = 64

// Template is what one method learned about a site, or why it did not.
type Template struct {
	Method  string
	Version int   // version of the method's sketches and templates
	Learned int64 // when its run was planned, seconds since 1970
	Status  string
	// Ranks of the sample's pages, ascending. Without a template they are the ranks of
	// the pages that there were.
	Ranks    []uint64
	Linked   int
	Clusters int
	Notes    []string
	Body     []byte // empty unless there is a template

	id string // id of a template that was read; "" for others
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

// ID returns a name made of the content of a template and of its site, but not of the time
// when it was learned. It is "" if there is no template.
func (t *Template) ID(siteBy, site string) string {
	if !t.Usable() || t.id != "" {
		return t.id
	}
	var b []byte
	text := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	number := func(n int) { b = binary.AppendUvarint(b, uint64(n)) }
	text(siteBy)
	text(site)
	number(1) // version of this encoding
	text(t.Method)
	number(t.Version)
	number(0)
	text(t.Status)
	number(t.Linked)
	number(t.Clusters)
	number(len(t.Ranks))
	for _, r := range t.Ranks {
		b = binary.BigEndian.AppendUint64(b, r)
	}
	notes := slices.DeleteFunc(slices.Clone(t.Notes), func(n string) bool { return n == FlagReused })
	number(len(notes))
	for _, n := range notes {
		text(n)
	}
	text(string(t.Body))
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// Row returns the template as a row of the table of templates.
func (t *Template) Row(run schemas.RunID, siteBy, site string) schemas.TemplateRow {
	ranks := make([]string, len(t.Ranks))
	for i, r := range t.Ranks {
		ranks[i] = fmt.Sprintf("%016x", r)
	}
	return schemas.TemplateRow{
		Run: string(run), Site: site, Method: t.Method, Status: t.Status, Pages: int64(len(t.Ranks)), Linked: int64(t.Linked),
		Bytes: int64(len(t.Body)), Clusters: int64(t.Clusters), Flags: strings.Join(t.Notes, ","), TemplateID: t.ID(siteBy, site),
		SiteBy: siteBy, Version: int64(t.Version), Learned: t.Learned, Sample: strings.Join(ranks, ","), Body: t.Body,
	}
}

// ofRow reads what Row wrote. The table may have been written by anyone.
func ofRow(r *schemas.TemplateRow) (Template, error) {
	t := Template{Method: r.Method, Version: int(r.Version), Learned: r.Learned, Status: r.Status, Linked: int(r.Linked), Clusters: int(r.Clusters), Body: r.Body}
	if r.Flags != "" {
		t.Notes = strings.Split(r.Flags, ",")
	}
	if len(r.Body) > max(algorithms.MaxTemplate, robots.MaxFiles) || len(r.Sample) > 17*algorithms.MaxSample || len(t.Notes) > MaxNotes ||
		r.Linked < 0 || r.Clusters < 0 || !slices.Contains(statuses, r.Status) {
		return t, errors.New("it has a value that cannot be")
	}
	for text := range strings.SplitSeq(r.Sample, ",") {
		if r.Sample == "" {
			break
		}
		rank, err := strconv.ParseUint(text, 16, 64)
		if err != nil || len(t.Ranks) > 0 && rank <= t.Ranks[len(t.Ranks)-1] {
			return t, fmt.Errorf("its sample has the page %.20q", text)
		}
		t.Ranks = append(t.Ranks, rank)
	}
	if t.ID(r.SiteBy, r.Site) != r.TemplateID {
		return t, errors.New("its content is not that of its identifier")
	}
	t.id = r.TemplateID
	return t, nil
}
