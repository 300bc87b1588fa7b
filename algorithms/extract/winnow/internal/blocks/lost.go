package blocks

import (
	"bytes"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// Lost is the part of the source that is lost where a title element is never
// closed: all of the page is then that title, and nothing is shown. Nil for any
// other page.
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
