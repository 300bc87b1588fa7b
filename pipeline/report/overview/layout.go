package overview

import (
	_ "embed"
	"fmt"
	"html/template"

	"github.com/winnow/winnow/pipeline/report/sheet"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

var (
	//go:embed layout.html
	layoutText string
	//go:embed report.js
	script string
)

// style is the style sheet of the report.
var style = sheet.Style + shades

var layout = template.Must(template.New("report").Funcs(template.FuncMap{
	"fixed3": fixed3, "short": short, "millis": millis, "grouped": grouped, "more": more, "clean": clean, "clip": clip, "mean": meanName, "other": stats.OtherFigure, "percent": percent, "cost": func(l line) string { return short(cost(&l)) }, "len64": func(n int) int64 { return int64(n) }, "bytes": service.Bytes, "id": id,
	"style":  func() template.CSS { return template.CSS(style) },
	"script": func() template.JS { return template.JS(script) }, "policy": func() string { return policy },
}).Parse(layoutText))

// policy is what the page may do: apply its style sheet and run its one script, and
// nothing else. It requests nothing.
var policy = "default-src 'none'; script-src " + sheet.Hash(script) + "; style-src " + sheet.Hash(style) + "; base-uri 'none'; form-action 'none'"

// clean removes characters that would make a name look like something else.
func clean(s string) string { return stats.Printable(s) }

// clip returns clean's result, cut to the width of a cell. The title of the cell has
// all of it.
func clip(s string) string {
	return schemas.Shorten(clean(s), 90)
}

// id returns the identifier of a section.
func id(n int) string { return fmt.Sprint("p", n) }
