package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/compare/posts"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/page/markdown"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/cmd/winnow/internal/pages"
	"github.com/winnow/winnow/pipeline/extract/markup"
	"github.com/winnow/winnow/pipeline/extract/process"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// defaultExtractor is used without --extractors. It has the best results on pages of
// all kinds (docs/models/winnow.md).
const defaultExtractor = "winnow"

type extractOptions struct {
	pageInput
	format, links string
	explain       bool
}

func newExtractCommand() *cobra.Command {
	var o extractOptions
	cmd := &cobra.Command{
		Use:   "extract [--doc ID|URL] [--extractors a,b] INPUT...",
		Short: "Print the main content of pages",
		Long: `Print what extractors find on pages. An INPUT is an HTML file, - (the standard
input), the URL of a page, a gold test package (folder or archive), a folder of any of these, or
crawl archives as for winnow run: a WARC or ARC file, a WACZ collection, a folder,
a pattern, a list, an index or a URL.

A page by URL is fetched once, within --timeout and --max-page, and from public
addresses only unless --allow-private is given.

--doc names one page of an INPUT, as for winnow inspect: by the id that the tables of a
run give it, by package/id, or by its URL; --package says which one is meant where
ids repeat.

As text, the extractions of several pages or by several extractors are told
apart by lines like "==> ID EXTRACTOR <==". As jsonl, every text is one flat line
with the same keys in every row (docs/reference/tables.md, texts), null where nothing is known;
an empty answer has no line. As posts, every post of a discussion is a line of JSON with
its author and date where the page marks them up. As html or markdown it is the
chosen part of the page with its headings, lists, tables, links and images, and
nothing that could run; --extractor-command has no such form. --links=off leaves out
the addresses of links and images, which take most of the bytes of many pages. What cannot be read
is named on standard error and left out; the exit code is then 3. Pages are read
one after the other: for a whole crawl use winnow run --texts jsonl.`,
		Example: `  winnow extract examples/page.html
  winnow extract --extractors bte,readability --url https://example.org/ page.html
  winnow extract https://example.org/
  curl -s https://example.org/ | winnow extract --extractors alarte-silva:c=4 -
  winnow extract --format markdown --links=off examples/page.html
  winnow extract --doc news/bees-depot examples/crawl.warc.gz
  winnow extract --extractors winnow --explain examples/page.html
  winnow extract --extractors all --format jsonl examples/crawl.warc.gz`,
		Args: atLeastOne("INPUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return extract(cmd.Context(), args, o, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.extractors, "extractors", defaultExtractor, "extractors, separated by commas (see: winnow extractors)")
	request.RegisterChoice(f, &o.format, "format", "text", "text, jsonl, posts, html or markdown", "text", "jsonl", "posts", "html", "markdown")
	request.RegisterLinks(f, &o.links)
	f.BoolVar(&o.explain, "explain", false, "print instead how winnow judged every block of the page: chosen (+) or not, its probability of being content, and the five features that moved it most")
	o.pageInput.register(f)
	return cmd
}

func extract(ctx context.Context, inputs []string, o extractOptions, stdin io.Reader, stdout, stderr io.Writer) (err error) {
	if o.wanted != (pages.Wanted{}) && len(inputs) > 1 {
		return service.Usagef("extract: --doc and --package name a page of one INPUT: leave out %s", inputs[1])
	}
	structured := o.format == "html" || o.format == "markdown"
	if o.links == schemas.LinksOff && !structured {
		return service.Usagef("extract: --links off is for --format html or markdown: a text has no links")
	}
	chosen, err := choosePageExtractors(&o.programs, o.extractors)
	if err != nil {
		return err
	}
	for _, e := range chosen {
		if (structured || o.format == "posts") && e.Command != nil {
			return service.Usagef("extract: %s is a program that answers with text alone, not with a part of the page: leave it out of --extractors, or choose --format text or jsonl", e.Name)
		}
	}
	if err := o.checkExplain(chosen); err != nil {
		return err
	}
	run, err := o.open(ctx, inputs, chosen, nil, stdin, stderr)
	if err != nil {
		return fmt.Errorf("extract: %w", err)
	}
	defer func() { err = errors.Join(err, run.Close()) }()
	x := &extraction{
		ctx: ctx, driver: run.driver, out: bufio.NewWriter(stdout), words: stderr, format: o.format, explain: o.explain, markup: markup.NewWriter(),
		hide: markup.Masking{Addresses: o.links == schemas.LinksOff}, files: map[string]string{},
		titled: len(chosen) > 1 || len(inputs) > 1 || !run.formats[0].Alone(),
	}
	x.lines = columnar.NewLines(x.out, &schemas.Recipe{}, nil)
	if o.format == "html" {
		x.out.WriteString(documentHead)
	}
	defer func() {
		// A writer that has failed returns the same error again.
		if ferr := x.out.Flush(); ferr != nil && !errors.Is(err, ferr) {
			err = errors.Join(err, ferr)
		}
	}()
	for i, name := range inputs {
		before, refused, texts := x.pages+x.refused, x.refused, x.texts
		read := pages.Each
		if o.wanted != (pages.Wanted{}) {
			read = o.wanted.Find
		}
		if err := read(ctx, &run.Inputs, name, run.formats[i], x.refuse, x.page); err != nil {
			return fmt.Errorf("extract: %w", err)
		}
		if x.pages+x.refused == before {
			fmt.Fprintf(stderr, "no page was read from %s\n", name)
		} else if x.texts == texts && x.refused == refused {
			fmt.Fprintf(stderr, "no text was found in %s\n", name)
		}
	}
	if x.refused > 0 {
		return service.RefusedError{Records: x.refused}
	}
	return nil
}

// checkExplain returns an error if the chosen extractors cannot explain their answers.
func (o *extractOptions) checkExplain(chosen []*algorithms.Extractor) error {
	if !o.explain {
		return nil
	}
	if o.format != "text" {
		return service.Usagef("extract: --explain is text: leave out --format %s", o.format)
	}
	for _, e := range chosen {
		if e.Explain == nil {
			return service.Usagef("extract: --explain: %s gives no reasons, winnow does: choose it alone", e.Name)
		}
	}
	return nil
}

// choosePageExtractors calls request.Choose for extractors that need one
// page only. It returns errors as usage errors.
func choosePageExtractors(programs *request.Programs, expr string) ([]*algorithms.Extractor, error) {
	all, err := programs.Extractors()
	if err != nil {
		return nil, err
	}
	var pageLevel []*algorithms.Extractor
	for _, e := range all {
		if e.Scope() == algorithms.PageScope {
			pageLevel = append(pageLevel, e)
		}
	}
	chosen, err := request.Choose(pageLevel, expr)
	switch {
	case err != nil:
		if site, siteErr := choose.Extractors(all, expr); siteErr == nil && len(site) > 0 {
			err = errors.New("site-level extractors learn from many pages of a site: use winnow run")
		}
		return nil, service.UsageError{Err: err}
	case len(chosen) == 0:
		return nil, service.Usagef("extract: no extractor is chosen")
	}
	return chosen, nil
}

// extraction writes the texts that the extractors find.
type extraction struct {
	ctx    context.Context // context of the single command line that this value serves
	driver *process.Driver
	out    *bufio.Writer
	words  io.Writer
	format string
	titled bool
	// explain makes page write every block of the page with the reasons for its
	// probability instead of the text.
	explain bool
	markup  *markup.Writer
	hide    markup.Masking
	lines   *columnar.Lines   // to out
	files   map[string]string // files with pages, by the names that ids contain

	pages, refused int64
	texts          int64 // extractions that are not empty
}

func (x *extraction) refuse(where, why string) {
	x.refused++
	fmt.Fprintf(x.words, "refused: %s: %s\n", where, why)
}

// page runs the extractors on p and writes the texts that they found.
func (x *extraction) page(p *pages.Page) error {
	x.pages++
	result, err := x.driver.Page(x.ctx, driver.Input{HTML: p.HTML, URL: p.Address()})
	var panicked *driver.PanicError
	switch {
	case errors.As(err, &panicked):
		x.refuse(p.ID, panicked.Error())
		return nil
	case err != nil:
		return err
	}
	if !p.Whole {
		x.titled = true // the standard input holds an archive
	}
	if result.Stuck {
		p.HTML = nil // an extractor that ran out of time still reads it
	}
	for i := range result.Extractions {
		e := &result.Extractions[i]
		if e.Outcome == algorithms.Failed || e.Outcome == algorithms.Skipped {
			x.refuse(p.ID, fmt.Sprintf("%s %s: %s %.200s", e.Extractor.Name, e.Outcome, e.Reason, e.Detail))
			continue
		}
		if err := x.write(p, result.Page, e); err != nil {
			return err
		}
	}
	return nil
}

func (x *extraction) write(p *pages.Page, pg *page.Page, e *driver.Extraction) error {
	text := e.Text
	if len(text) > 0 {
		x.texts++
	}
	switch x.format {
	case "jsonl":
		if e.Outcome == algorithms.Empty {
			return nil
		}
		return x.lines.Append(x.row(p, e))
	case "posts":
		return x.posts(p, pg, e)
	case "html":
		text = x.markup.HTML(pg, &e.Selection, p.Address(), x.hide)
	case "markdown":
		var whole bool
		text, whole = x.markup.Markdown(pg, &e.Selection, p.Address(), x.hide)
		if !whole {
			x.refuse(p.ID, fmt.Sprintf("%s: the Markdown is cut at %s", e.Extractor.Name, service.Bytes(markdown.DefaultMaxBytes)))
		}
	}
	if x.titled {
		x.title(p.ID, e.Extractor.Name)
	}
	if x.explain {
		return explain(x.out, e.Extractor, pg, p.URL)
	}
	x.out.Write(text)
	if n := len(text); n > 0 && text[n-1] != '\n' {
		x.out.WriteByte('\n')
	}
	if x.titled {
		x.out.WriteByte('\n')
	}
	return nil
}

// posts writes the posts of an extraction as lines of JSON.
func (x *extraction) posts(p *pages.Page, pg *page.Page, e *driver.Extraction) error {
	lines := json.NewEncoder(x.out)
	lines.SetEscapeHTML(false)
	for _, post := range posts.Of(pg, &e.Selection) {
		if err := lines.Encode(struct {
			Package   string `json:"package,omitempty"`
			DocID     string `json:"doc_id"`
			URL       string `json:"url,omitempty"`
			Extractor string `json:"extractor"`
			Kind      string `json:"kind"`
			Author    string `json:"author,omitempty"`
			Date      string `json:"date,omitempty"`
			Text      string `json:"text"`
		}{p.Package, p.ID, p.Address(), e.Extractor.Name, "post", post.Author, post.Date, post.Text}); err != nil {
			return err
		}
	}
	return nil
}

// row returns the text of an extraction as a row of a run.
func (x *extraction) row(p *pages.Page, e *driver.Extraction) *schemas.Text {
	var file string
	for _, file = range schemas.FileNames(p.File) {
		if other, taken := x.files[file]; !taken || other == p.File {
			break
		}
	}
	x.files[file] = p.File
	if p.Whole { // it has no location
		file += "/" + p.ID
	}
	return &schemas.Text{Package: p.Package, DocID: p.ID, URL: p.Address(), RecordID: p.RecordID, Date: p.Dated(),
		Extractor: e.Extractor.Name, Form: schemas.FormText, Text: string(e.Text),
		PageID: p.PageID(file), HTTPStatus: int64(p.Status), TextChars: int64(e.TextChars), TextHash: e.TextHash, Confidence: e.Confident()}
}

// title writes the line that separates extractions. The id comes from the input and may
// contain any characters.
func (x *extraction) title(id, extractor string) {
	id = service.Printable(id)
	switch x.format {
	case "html":
		fmt.Fprintf(x.out, "<h1>%s %s</h1>\n", html.EscapeString(id), html.EscapeString(extractor))
	case "markdown":
		fmt.Fprintf(x.out, "==> %s %s <==\n\n", markdown.Escape(id), markdown.Escape(extractor))
	default:
		fmt.Fprintf(x.out, "==> %s %s <==\n", id, extractor)
	}
}

// documentHead begins the output as HTML. It forbids the browser to run, load or submit
// anything, even if the sanitiser let something through.
const documentHead = `<!DOCTYPE html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>winnow extract</title>
`
