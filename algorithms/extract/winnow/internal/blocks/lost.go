package blocks

import (
	"bytes"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// Lost returns the part of the source that follows a title element that is never
// closed. A browser takes all of it for the title and shows nothing. Lost returns nil
// for any other page.
func Lost(pg *page.Page) []byte {
	if len(pg.Whole().Text) > 0 {
		return nil
	}
	t := &pg.Tree
	for n, tag := range t.Tag {
		if tag != html.TagTitle || t.Close[n].Len() > 0 || t.Open[n].Len() == 0 {
			continue
		}
		rest := pg.Source[t.Open[n].End:]
		if bytes.Contains(rest, []byte("<p")) || bytes.Contains(rest, []byte("<P")) || bytes.Contains(rest, []byte("<td")) || bytes.Contains(rest, []byte("<div")) {
			return rest
		}
	}
	return nil
}
