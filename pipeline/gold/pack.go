package gold

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/winnow/winnow/pipeline/warc/write"
)

// Packed reports how a package was packed.
type Packed struct {
	Documents int   // documents written, each as a response and a metadata record
	NoGold    int   // documents written without gold
	Snippets  int   // documents written whose gold is snippets without a text
	EmptyGold int   // documents written with an empty gold
	HTMLBytes int64 // bytes of the pages written
	// Refused are the documents that could not be read.
	Refused []*DocumentError
}

// Pack writes the package as WARC records: a warcinfo record, and for every document a
// response and directly after it the gold. The bytes depend only on the package and
// opt. Documents that cannot be read are omitted and listed in Packed.
func Pack(ctx context.Context, w *write.Writer, p *Package, opt PackOptions) (Packed, error) {
	var done Packed
	pk := packer{w: w, p: p}
	if err := pk.begin(); err != nil {
		return done, fmt.Errorf("gold: package %s: %w", p.Info.Name, err)
	}
	for doc, err := range p.Documents(ctx) {
		var lost *DocumentError
		switch {
		case errors.As(err, &lost):
			done.Refused = append(done.Refused, lost)
			continue
		case err != nil:
			return done, err
		}
		if opt.Unwrap {
			doc.HTML = Unwrap(doc.HTML)
		}
		if err := pk.document(doc); err != nil {
			return done, fmt.Errorf("gold: package %s: document %s: %w", p.Info.Name, doc.ID, err)
		}
		done.Documents++
		done.HTMLBytes += int64(len(doc.HTML))
		switch g := &doc.Gold; {
		case !g.Known():
			done.NoGold++
		case g.SnippetsOnly():
			done.Snippets++
		case *g.Text == "":
			done.EmptyGold++
		}
	}
	return done, nil
}

type packer struct {
	w    *write.Writer
	p    *Package
	info string // record id of the warcinfo
	date time.Time
}

// begin writes the warcinfo record.
func (pk *packer) begin() error {
	info := &pk.p.Info
	pk.date = time.Unix(0, 0)
	if info.Date != "" {
		var err error
		if pk.date, err = time.Parse(time.RFC3339, info.Date); err != nil {
			return fmt.Errorf("package.json: date: %w", err)
		}
	}
	pk.info = write.ID("warcinfo", info.Name, string(pk.p.raw))
	fields := []write.Field{
		{Name: "software", Value: "winnow"},
		{Name: "format", Value: "WARC File Format 1.1"},
		{Name: "isPartOf", Value: info.Name},
	}
	for _, f := range []write.Field{
		{Name: "description", Value: info.Title}, {Name: "source", Value: info.Source},
		{Name: "license", Value: info.License}, {Name: "gold", Value: info.Gold}, {Name: "origin", Value: info.Origin},
	} {
		if f.Value != "" {
			f.Value = oneLine(f.Value)
			fields = append(fields, f)
		}
	}
	block, err := write.Fields(fields)
	if err != nil {
		return fmt.Errorf("package.json: %w", err)
	}
	return pk.w.Write(&write.Record{
		Type: "warcinfo", ID: pk.info, Date: pk.date, ContentType: "application/warc-fields", Block: block,
	})
}

// oneLine folds all white space and control characters into single blanks.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// document writes the page and its gold.
func (pk *packer) document(d *Document) error {
	name := pk.p.Info.Name
	uri := cmp.Or(write.EscapeURI(d.Gold.URL), "urn:winnow:"+name+"/"+d.ID)
	digest := write.Digest(d.HTML)
	response := write.ID("response", name, d.ID, digest)

	block, err := write.HTTPResponse("200 OK", []write.Field{
		{Name: "Content-Type", Value: pk.p.ContentType(d)},
		{Name: "Content-Length", Value: fmt.Sprint(len(d.HTML))},
	}, d.HTML)
	if err != nil {
		return err
	}
	inPackage := write.Field{Name: "WARC-Warcinfo-ID", Value: "<" + pk.info + ">"}
	err = pk.w.Write(&write.Record{
		Type: "response", ID: response, Date: pk.date, TargetURI: uri,
		ContentType: "application/http; msgtype=response",
		Fields:      []write.Field{inPackage, {Name: "WARC-Payload-Digest", Value: digest}},
		Block:       block,
	})
	if err != nil {
		return err
	}
	return WriteGold(pk.w, &d.Gold, response, uri, pk.date, inPackage)
}
