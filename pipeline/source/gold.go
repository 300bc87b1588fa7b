package source

import (
	"errors"
	"fmt"
	"mime"
	"strings"

	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

// errNoPage means that no page directly precedes the gold. It does not say whether there
// was a page some records before, because that page may be in another range.
var errNoPage = errors.New("it does not directly follow a page")

// goldOf decodes the gold in rec for the page whose record has the id page. The caller
// has checked that rec directly follows the page, because the gold of a page that could
// not be read must not be attached to the page before.
func goldOf(rec *warc.Record, page string) (*schemas.Gold, error) {
	if of := rec.Field("warc-concurrent-to"); of != "" && withoutBrackets(of) != withoutBrackets(page) {
		return nil, fmt.Errorf("it is about %s, the page before it is %s", schemas.Shorten(of, 200), schemas.Shorten(page, 200))
	}
	if rec.Flags&(warc.FlagTruncated|warc.FlagOverLimit|warc.FlagUnverified) != 0 {
		return nil, errors.New("its record is damaged")
	}
	g, err := schemas.DecodeGold(rec.Block)
	if err != nil {
		return nil, err
	}
	if g.Package != "" && !gold.ValidName(g.Package) {
		return nil, fmt.Errorf("its package %.100q has other characters than letters, digits and . _ -", g.Package)
	}
	return g, nil
}

// withoutBrackets returns a record id without its angle brackets.
func withoutBrackets(id string) string { return strings.Trim(strings.TrimSpace(id), "<>") }

func isGold(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && media == schemas.GoldMediaType
}
