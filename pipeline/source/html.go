package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"strings"
)

// maxPage bounds the bytes of a page that is a file of its own or the standard input.
const maxPage = 64 << 20

// hasPageName says whether a file is called like a page. It then is one, whatever its
// bytes look like: a page about archives may hold the beginning of one.
func hasPageName(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm", ".xhtml":
		return true
	}
	return false
}

// NewHTML is a Source of the one page that raw holds. The charset is what a server is to
// have declared, "" if nothing.
func NewHTML(name string, raw []byte, url, charset string) Source {
	done := false
	return &documents{name: name, next: func() (document, error) {
		if done {
			return document{}, io.EOF
		}
		done = true
		return document{html: raw, url: url, charset: charset}, nil
	}}
}

// htmlPage is the page in a file.
func (in *Inputs) htmlPage(ctx context.Context, name string) iter.Seq2[*Page, error] {
	f, err := os.Open(name)
	if err != nil {
		return broken(err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxPage+1))
	if err != nil {
		return broken(err)
	}
	return in.single(ctx, name, raw)
}

// standardInput is the page, or the pages of the archive, that the standard input holds.
func (in *Inputs) standardInput(ctx context.Context, name string) iter.Seq2[*Page, error] {
	raw, err := io.ReadAll(io.LimitReader(in.Stdin, maxPage+1))
	if err != nil {
		return broken(fmt.Errorf("standard input: %w", err))
	}
	file := bytes.NewReader(raw)
	archive, err := holdsRecords(file)
	switch {
	case err != nil:
		return broken(fmt.Errorf("standard input: %w", err))
	case archive && bytes.HasPrefix(raw, []byte("PK")):
		return broken(errors.New("standard input: a WACZ collection is read from a file only"))
	case archive && len(raw) > maxPage:
		return broken(errors.New("standard input: an archive of this size is read from a file only"))
	case archive:
		return in.archive(ctx, name, file)
	}
	return in.single(ctx, name, raw)
}

func (in *Inputs) single(ctx context.Context, name string, raw []byte) iter.Seq2[*Page, error] {
	if len(raw) > maxPage {
		return broken(fmt.Errorf("%s: more than %d bytes are no page", name, maxPage))
	}
	return Pages(ctx, name, NewHTML(name, raw, in.URL, in.Charset))
}

// broken yields an error that kept an input from being opened.
func broken(err error) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) { yield(nil, err) }
}
