package overview

import (
	_ "embed"
	"html/template"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/pipeline/service"
)

//go:embed layout.html
var layoutText string

var layout = template.Must(template.New("report").Funcs(template.FuncMap{
	"fixed3": fixed3, "short": short, "millis": millis, "grouped": grouped, "clean": clean, "clip": clip, "mean": meanName, "other": otherMean, "names": func() int { return namesMost }, "len64": func(n int) int64 { return int64(n) }, "bytes": service.Bytes,
}).Parse(layoutText))

// clean removes characters from a name or URL of a crawl that would make it look like
// something else: control characters, and characters that change the direction of
// writing.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// clip returns clean's result, cut to the width of a cell. The title of the cell has
// all of it.
func clip(s string) string {
	const most = 90
	if s = clean(s); utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}
