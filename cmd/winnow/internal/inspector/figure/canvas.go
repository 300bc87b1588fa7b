package figure

import (
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"math"
	"strconv"
	"strings"

	"github.com/winnow/winnow/pipeline/service"
)

// Style is the style sheet of all drawings. A drawing that is saved by itself needs it
// inside.
//
//go:embed figure.css
var Style string

// Figure is a drawing.
type Figure struct {
	Title   string // says what is drawn; the name of the drawing for a screen reader
	Drawing template.HTML
	// Narrow is the same drawing for a phone, where Drawing would be cut off or too small to
	// read. A style sheet shows one of the two.
	Narrow template.HTML
}

// textWidth returns about how wide a text is. The letters are those of Liberation Sans, and
// of Arial and Helvetica, which are as wide.
func textWidth(s string) float64 {
	w := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("iljtfrI .,:;'|!()[]/-", r):
			w += 3.8
		case strings.ContainsRune("mwMW@%…—", r) || r > 0x2e80:
			w += 11
		case 'A' <= r && r <= 'Z':
			w += 8.4
		default:
			w += 6.8
		}
	}
	return w
}

// maxWidth returns how wide a text is at most. Some systems have no letters but those of
// DejaVu Sans, which are up to a sixth wider. Text that would be cut off needs this room.
func maxWidth(s string) float64 { return textWidth(s) * 7 / 6 }

// Widths of the two drawings of a figure, in pixels.
const (
	broadWidth  = 720.0
	narrowWidth = 360.0
)

// canvas collects the elements of a drawing.
type canvas struct {
	b    strings.Builder
	w, h float64
	// narrow means that the drawing is for a phone. Its elements have no titles, because
	// nothing hovers over them there.
	narrow bool
}

// number writes a coordinate: a tenth of a pixel is enough.
func number(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.b, `<path class="%s" d="M%s %sL%s %s"/>`, class, number(x1), number(y1), number(x2), number(y2))
}

func (c *canvas) path(class string, points []point) {
	for i, p := range points {
		if i == 0 {
			fmt.Fprintf(&c.b, `<path class="%s" d="M`, class)
		} else {
			c.b.WriteByte('L')
		}
		c.b.WriteString(number(p.x) + " " + number(p.y))
	}
	if len(points) > 0 {
		c.b.WriteString(`"/>`)
	}
}

func (c *canvas) rect(class string, x, y, w, h float64, title string) {
	fmt.Fprintf(&c.b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"`, class, number(x), number(y), number(max(w, 0)), number(max(h, 0)))
	if title == "" || c.narrow {
		c.b.WriteString("/>")
		return
	}
	fmt.Fprintf(&c.b, "><title>%s</title></rect>", escape(title))
}

// text writes a text. class holds t-e (its end is at x) or t-m (its middle is).
func (c *canvas) text(class string, x, y float64, s string) {
	fmt.Fprintf(&c.b, `<text class="%s" x="%s" y="%s">%s</text>`, class, number(x), number(y), escape(s))
}

// upright writes a text that is read from below, for the vertical axis.
func (c *canvas) upright(x, y float64, s string) {
	fmt.Fprintf(&c.b, `<text class="t-m t-l" transform="translate(%s %s) rotate(-90)">%s</text>`, number(x), number(y), escape(s))
}

// svg returns the drawing.
func (c *canvas) svg(title string) template.HTML {
	class := "fig broad"
	if c.narrow {
		class = "fig narrow"
	}
	return template.HTML(fmt.Sprintf(`<svg class="%s" role="img" aria-label="%s" viewBox="0 0 %s %s" width="%s" height="%s">%s</svg>`,
		class, escape(title), number(c.w), number(c.h), number(c.w), number(c.h), c.b.String()))
}

func escape(s string) string { return html.EscapeString(service.Printable(s)) }

type point struct{ x, y float64 }
