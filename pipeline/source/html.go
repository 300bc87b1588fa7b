package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"os"
	"path"
	"strings"
)

// maxPage bounds the bytes of a page that is a separate file or the standard input.
const maxPage = 64 << 20

// htmlPage is the format of files that hold one page each. A file with such a name is a
// page whatever its bytes are, because a page about archives may begin like an archive.
type htmlPage struct{}

func (htmlPage) Name() string { return "page" }
func (htmlPage) Alone() bool  { return true }
func (htmlPage) aside() string {
	return "HTML files, which are read from a disk only: pack them (winnow pack)"
}

func (htmlPage) called(name string) bool {
	switch path.Ext(name) {
	case ".html", ".htm", ".xhtml":
		return true
	}
	return false
}

// NewHTML returns a Source of the single page that raw holds. The charset counts as
// declared by a server; it is "" if there is none.
func NewHTML(name string, raw []byte, url, charset string) Source {
	contentType := "text/html"
	if charset != "" {
		contentType += "; charset=" + charset
	}
	done := false
	return &documents{name: name, next: func() (document, error) {
		if done {
			return document{}, io.EOF
		}
		done = true
		return document{html: raw, url: url, contentType: contentType}, nil
	}}
}

func (htmlPage) pages(ctx context.Context, in *Inputs, name string) iter.Seq2[*Page, error] {
	f, err := os.Open(name)
	if err != nil {
		return broken(err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxPage+1))
	if err != nil {
		return broken(err)
	}
	if err := in.text(raw, formatByName(name) != nil); err != nil {
		return broken(fmt.Errorf("%s: %w", name, err))
	}
	return in.single(ctx, name, raw)
}

// text returns an error if the bytes of a page are not text, as far as a browser can tell
// by the first of them. called is true if the file's name is that of a page: it is then
// refused only if its bytes are those of a known other format, because the encoding of a
// page may be unusual.
func (in *Inputs) text(raw []byte, called bool) error {
	media, _, err := mime.ParseMediaType(http.DetectContentType(raw))
	const unknown = "application/octet-stream"
	switch {
	case err != nil || strings.HasPrefix(media, "text/"):
		return nil
	case media != unknown:
		return fmt.Errorf("it is not a page but %s", media)
	case called || in.Charset != "":
		return nil
	}
	return errors.New("it is neither an archive nor a page, because it has bytes that no text has: if it is a page in an unusual encoding, say which (--charset)")
}

// standardInput is the format of the standard input, which has no name. It may hold a
// page or an archive.
type standardInput struct{}

func (standardInput) Name() string { return "standard input" }
func (standardInput) Alone() bool  { return true }

func (standardInput) pages(ctx context.Context, in *Inputs, name string) iter.Seq2[*Page, error] {
	raw, err := io.ReadAll(io.LimitReader(in.Stdin, maxPage+1))
	if err != nil {
		return broken(fmt.Errorf("standard input: %w", err))
	}
	file := bytes.NewReader(raw)
	format, err := formatByBytes(file)
	if err != nil {
		return broken(fmt.Errorf("standard input: %w", err))
	}
	switch format.(type) {
	case htmlPage:
		if err := in.text(raw, false); err != nil {
			return broken(fmt.Errorf("standard input: %w", err))
		}
		return in.single(ctx, name, raw)
	case archive:
		if len(raw) > maxPage {
			return broken(errors.New("standard input: an archive of this size is read from a file only"))
		}
		return in.archive(ctx, name, file)
	}
	return broken(fmt.Errorf("standard input: a %s is read from a file only", format.Name()))
}

func (in *Inputs) single(ctx context.Context, name string, raw []byte) iter.Seq2[*Page, error] {
	if len(raw) > maxPage {
		return broken(fmt.Errorf("%s: it has more than the %d bytes that a page may have", name, maxPage))
	}
	return Pages(ctx, name, NewHTML(name, raw, in.URL, in.Charset))
}

// broken yields an error that kept an input from being opened.
func broken(err error) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) { yield(nil, err) }
}
