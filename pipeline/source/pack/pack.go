package pack

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
)

// Options say how pages are packed.
type Options struct {
	// Unwrap removes the element that CleanEval put around every page, which holds the
	// page's address: see gold.Unwrap.
	Unwrap bool
}

// Packed reports how a package was packed.
type Packed struct {
	Documents int   // documents written, each as a response and a metadata record
	NoGold    int   // documents written without gold
	Snippets  int   // documents written whose gold is snippets without a text
	EmptyGold int   // documents written with an empty gold
	HTMLBytes int64 // bytes of the pages written
	// Refused are the documents that could not be read. File is the name of the
	// document's page in the package.
	Refused []schemas.Failure
}

// Write writes the package as WARC records: a warcinfo record, and for every document a
// response and directly after it the gold. The bytes depend only on the package and
// opt. Documents that cannot be read are omitted and listed in Packed.
func Write(ctx context.Context, w *write.Writer, p *gold.Package, opt Options) (Packed, error) {
	var done Packed
	pk := packer{w: w, name: p.Info.Name}
	if err := pk.begin(p); err != nil {
		return done, fmt.Errorf("pack: package %s: %w", pk.name, err)
	}
	pages := source.NewPackage(ctx, pk.name, p)
	defer pages.Close()
	for {
		step, err := pages.Next()
		switch {
		case err == io.EOF:
			return done, nil
		case err != nil:
			return done, fmt.Errorf("pack: package %s: %w", pk.name, err)
		}
		switch step {
		case source.Failed:
			done.Refused = append(done.Refused, *pages.Failure())
		case source.Candidate:
			if f := pk.take(pages, opt); f != nil {
				done.Refused = append(done.Refused, *f)
			}
		case source.Ready:
			if err := pk.document(pages.Page()); err != nil {
				return done, fmt.Errorf("pack: package %s: document %s: %w", pk.name, pages.Page().Gold.ID, err)
			}
			done.count(pages.Page().Gold, len(pk.html))
		}
	}
}

// count adds a document that was written.
func (d *Packed) count(g *schemas.Gold, size int) {
	d.Documents++
	d.HTMLBytes += int64(size)
	switch {
	case !g.Known():
		d.NoGold++
	case g.SnippetsOnly():
		d.Snippets++
	case *g.Text == "":
		d.EmptyGold++
	}
}

type packer struct {
	w    *write.Writer
	name string // name of the package
	info string // record id of the warcinfo
	date time.Time

	// The page of the last Candidate, as it was found. It is copied, because a source
	// promises its record for that step only.
	html        []byte
	contentType string
}

// begin writes the warcinfo record.
func (pk *packer) begin(p *gold.Package) error {
	info := &p.Info
	pk.date = time.Unix(0, 0)
	if info.Date != "" {
		var err error
		if pk.date, err = time.Parse(time.RFC3339, info.Date); err != nil {
			return fmt.Errorf("package.json: date: %w", err)
		}
	}
	pk.info = write.ID("warcinfo", info.Name, string(p.Raw()))
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

// take keeps the bytes of a Candidate and lets the source go on to its Ready. It returns
// a failure if the page cannot be decoded.
func (pk *packer) take(pages source.Source, opt Options) *schemas.Failure {
	rec := pages.Record()
	html := rec.Block
	if opt.Unwrap {
		html = gold.Unwrap(html)
	}
	pk.html, pk.contentType = append(pk.html[:0], html...), rec.ContentType
	f := source.Refusal(pages)
	if f != nil {
		f.Detail = fmt.Sprintf("pack: package %s: %s: %s", pk.name, rec.TargetURI, f.Detail)
	}
	return f
}

// document writes the page that was taken last, and its gold.
func (pk *packer) document(p *source.Page) error {
	uri := cmp.Or(write.EscapeURI(p.Gold.URL), "urn:winnow:"+pk.name+"/"+p.Gold.ID)
	digest := write.Digest(pk.html)
	response := write.ID("response", pk.name, p.Gold.ID, digest)

	block, err := write.HTTPResponse("200 OK", []write.Field{
		{Name: "Content-Type", Value: pk.contentType},
		{Name: "Content-Length", Value: fmt.Sprint(len(pk.html))},
	}, pk.html)
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
	return gold.WriteGold(pk.w, p.Gold, response, uri, pk.date, inPackage)
}
