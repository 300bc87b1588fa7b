package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/gold"
	"github.com/winnow/winnow/pipeline/payload"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/pipeline/worker"
	"github.com/winnow/winnow/schemas"
)

// sourcePage is one HTML page, wherever it came from. It is valid until the
// function it was given to returns.
type sourcePage struct {
	Package, ID, URL string
	// ID is what the tables of a run call a page without gold, Other are what they
	// may call it where other files of the run have the same name.
	Other []string
	HTML  []byte        // UTF-8
	Gold  *schemas.Gold // nil if none came with it
}

// maxPage bounds a single page read from a file or the standard input.
const maxPage = 64 << 20

// pageReader hands the pages of inputs to a function, one after the other.
type pageReader struct {
	blobs   *blob.Client
	leave   bool // names in lists may lead anywhere
	decoder payload.Decoder
	charset string // that the server is to have declared for single pages
	url     string // of a single page
	stdin   io.Reader

	// refuse is told of everything that should have been a page.
	refuse func(where, why string)
	held   []byte
}

// checkSingle checks the flags that are about pages which come without the word
// of a server: kinds are those of the inputs.
func checkSingle(charset, url string, kinds ...input) error {
	if charset != "" {
		if _, err := htmlindex.Get(charset); err != nil {
			return service.Usagef("--charset %q: no encoding of the web has this name (such as utf-8, windows-1252, shift_jis)", charset)
		}
	}
	if url != "" && (len(kinds) != 1 || kinds[0] != onePage) {
		return service.Usagef("--url is for a single HTML file: pages of packages and archives have their own")
	}
	return nil
}

// input says what kind of input a name is.
type input int

const (
	onePage input = iota
	goldPackage
	archives
)

// kindOf looks at a name, and where that does not tell, at the bytes behind it.
func kindOf(name string) (input, error) {
	switch {
	case name == "-":
		return onePage, nil
	case strings.Contains(name, "://"):
		return archives, nil
	case gold.IsArchive(name):
		return goldPackage, nil
	}
	info, err := os.Stat(name)
	switch {
	case err != nil && strings.ContainsAny(name, "*?["):
		return archives, nil
	case err != nil:
		return 0, err
	case info.IsDir():
		return kindOfFolder(name)
	case blob.IsArchive(name), strings.HasSuffix(name, ".paths"), strings.HasSuffix(name, ".paths.gz"):
		return archives, nil
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm", ".xhtml": // a page about archives may hold one
		return onePage, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return kindOfBytes(io.NewSectionReader(f, 0, info.Size()))
}

// kindOfFolder: a folder with pages in it is a package, any other may hold archives.
func kindOfFolder(name string) (input, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	dir, err := root.Open(".")
	if err != nil {
		return 0, err
	}
	defer dir.Close()
	for {
		entries, err := dir.ReadDir(1024)
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".html") {
				return goldPackage, nil
			}
		}
		if errors.Is(err, io.EOF) {
			return archives, nil
		}
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
	}
}

func kindOfBytes(src warc.Source) (input, error) {
	switch _, err := warc.Probe(src); {
	case err == nil:
		return archives, nil
	case errors.Is(err, warc.ErrNotWARC):
		return onePage, nil
	default:
		return 0, err
	}
}

// each calls do for every page of the input name, of the given kind.
func (r *pageReader) each(ctx context.Context, name string, kind input, do func(*sourcePage) error) error {
	switch {
	case name == "-":
		return r.standardInput(ctx, do)
	case kind == goldPackage:
		return r.goldPackage(ctx, name, do)
	case kind == archives:
		return r.archives(ctx, name, do)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxPage+1))
	if err != nil {
		return err
	}
	return r.single(name, raw, do)
}

func (r *pageReader) standardInput(ctx context.Context, do func(*sourcePage) error) error {
	raw, err := io.ReadAll(io.LimitReader(r.stdin, maxPage+1))
	if err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	src := bytes.NewReader(raw)
	switch kind, err := kindOfBytes(src); {
	case err != nil:
		return err
	case kind == archives && len(raw) > maxPage:
		return errors.New("standard input: an archive of this size is read from a file only")
	case kind == archives:
		return r.records(ctx, "-", src, do)
	}
	return r.single("-", raw, do)
}

// single is a page by itself.
func (r *pageReader) single(name string, raw []byte, do func(*sourcePage) error) error {
	if len(raw) > maxPage {
		return fmt.Errorf("%s: more than %d bytes are no page", name, maxPage)
	}
	doc := r.decoder.DecodeHTML(raw, r.charset)
	return do(&sourcePage{ID: name, URL: r.url, HTML: doc.HTML})
}

// goldPackage is the pages of a gold test package.
func (r *pageReader) goldPackage(ctx context.Context, name string, do func(*sourcePage) error) (err error) {
	p, err := gold.Open(name, gold.Limits{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	for d, err := range p.Documents(ctx) {
		var lost *gold.DocumentError
		switch {
		case errors.As(err, &lost):
			r.refuse(name, lost.Error())
			continue
		case err != nil:
			return err
		}
		_, charset, _ := strings.Cut(p.ContentType(d), "charset=")
		doc := r.decoder.DecodeHTML(d.HTML, charset)
		if err := do(&sourcePage{Package: p.Info.Name, ID: d.ID, URL: d.Gold.URL, HTML: doc.HTML, Gold: &d.Gold}); err != nil {
			return err
		}
	}
	return nil
}

// archives is the pages of WARC files: one, a folder of them, a pattern, a list.
func (r *pageReader) archives(ctx context.Context, name string, do func(*sourcePage) error) error {
	objects, err := r.blobs.Expand(ctx, []string{name}, blob.ExpandOptions{ListMayLeave: r.leave})
	var missing *blob.MissingError
	switch {
	case errors.As(err, &missing) && len(objects) > 0:
		for _, m := range missing.Missing {
			r.refuse(m.URL, m.Err.Error())
		}
	case err != nil:
		return err
	}
	for _, o := range objects {
		if err := r.archive(ctx, o, do); err != nil {
			return err
		}
	}
	return nil
}

func (r *pageReader) archive(ctx context.Context, o blob.Object, do func(*sourcePage) error) error {
	src, err := r.blobs.Open(ctx, o)
	if err != nil {
		return err
	}
	defer src.Close()
	src.Expect(o.Size)
	return r.records(ctx, o.URL, src, do)
}

// records reads an archive from front to back. A page is handed on when the
// record behind it is known, because that may be its gold.
func (r *pageReader) records(ctx context.Context, name string, src warc.Source, do func(*sourcePage) error) error {
	if _, err := warc.Probe(src); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	in, err := warc.Open(src, 0, src.Size(), 0, warc.Options{Want: worker.MayBePageOrGold})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var page *sourcePage // waits for its gold
	var pageSeq int64
	var pageID string
	release := func() error {
		if page == nil {
			return nil
		}
		p := page
		page = nil
		return do(p)
	}
	for rec := new(warc.Record); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch err := in.Next(rec); {
		case err == io.EOF:
			r.lost(name, in.Summary().Ledger)
			return release()
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		}
		if rec.Type == warc.TypeMetadata {
			about := strings.Trim(rec.Field("warc-concurrent-to"), "<>")
			if page != nil && rec.Seq == pageSeq+1 && about == strings.Trim(pageID, "<>") {
				if g, err := schemas.DecodeGold(rec.Block); err == nil {
					page.Package, page.ID, page.Gold = g.Package, g.ID, g
				}
			}
			continue
		}
		if err := release(); err != nil {
			return err
		}
		doc := r.decoder.Decode(worker.MessageOf(rec))
		switch doc.Outcome {
		case payload.Refused:
			r.refuse(name+" at "+rec.Address.String(), string(doc.Reason))
		case payload.Page:
			r.held = append(r.held[:0], doc.HTML...) // the reader will want its buffers back
			names, place := schemas.FileNames(name), fmt.Sprintf(":%d:%d", rec.Offset, rec.Ordinal)
			page = &sourcePage{Package: names[0], ID: names[0] + place, URL: rec.TargetURI, HTML: r.held}
			for _, longer := range names[1:] {
				page.Other = append(page.Other, longer+place)
			}
			pageSeq, pageID = rec.Seq, rec.RecordID
		}
	}
}

// lost reports what the reader could not make records of.
func (r *pageReader) lost(name string, ledger []warc.Defect) {
	for _, d := range ledger {
		if d.Code.Loses() {
			r.refuse(fmt.Sprintf("%s at %d", name, d.Offset), string(d.Code))
		}
	}
}
