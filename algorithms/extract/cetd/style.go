package cetd

import (
	"bytes"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// style is what attributes and inline style say about the position of an element.
type style struct {
	width    length
	side     side
	font     float64 // size of the type in pixels, if given
	typed    bool    // a size of the type is given
	overlaid bool    // position absolute or fixed
	height   float64 // pixels, if given; the least of several
	sized    bool    // a height is given
}

// side is where a narrow element is placed.
type side uint8

const (
	middle side = iota
	left
	right
)

// length is a width as written.
type length struct {
	value   float64
	percent bool
	given   bool
}

// shareOf returns the length as a share of the page, which is the given number of pixels
// wide, inside a parent of width w.
func (l length) shareOf(w, pixels float64) (share float64, ok bool) {
	if !l.given {
		return 0, false
	}
	if l.percent {
		return min(l.value/100*w, w), true
	}
	return min(l.value/pixels, w), true
}

// styleOf reads the attributes of n. An attribute wins over the inline style;
// the attribute height is not read: on parts of tables it is a minimum.
func styleOf(pg *page.Page, n html.Node) style {
	var st style
	aligned := middle
	for _, a := range pg.Attrs(n) {
		if a.Name.Len() == len("style") { // all three are as long
			switch string(pg.AttrName(a)) {
			case "style":
				st.inline(pg.AttrValue(a))
			case "width":
				if v, unit, ok := number(pg.AttrValue(a)); ok && isLength(unit) {
					st.width = length{v, string(unit) == "%", true}
				}
			case "align":
				switch v := pg.AttrValue(a); {
				case bytes.EqualFold(v, []byte("left")):
					aligned = left
				case bytes.EqualFold(v, []byte("right")):
					aligned = right
				}
			}
		}
	}
	if aligned != middle {
		st.side = aligned
	}
	return st
}

// inline reads the declarations of a style attribute.
func (st *style) inline(css []byte) {
	for len(css) > 0 {
		var declaration []byte
		if i := bytes.IndexByte(css, ';'); i >= 0 {
			declaration, css = css[:i], css[i+1:]
		} else {
			declaration, css = css, nil
		}
		name, value, ok := bytes.Cut(declaration, []byte{':'})
		if !ok {
			continue
		}
		name, value = bytes.TrimSpace(name), bytes.TrimSpace(value)
		switch {
		case is(name, "width"):
			if v, unit, ok := number(value); ok && isLength(unit) && !st.width.given {
				st.width = length{v, string(unit) == "%", true}
			}
		case is(name, "height"):
			st.setHeight(value)
		case is(name, "float"):
			if is(value, "left") {
				st.side = left
			} else if is(value, "right") {
				st.side = right
			}
		case is(name, "position"):
			st.overlaid = is(value, "absolute") || is(value, "fixed")
		case is(name, "font-size"):
			if v, unit, ok := number(value); ok {
				switch {
				case is(unit, "px"):
					st.font, st.typed = v, true
				case is(unit, "pt"):
					st.font, st.typed = v*4/3, true
				}
			}
		}
	}
}

// setHeight notes a height in pixels.
func (st *style) setHeight(value []byte) {
	v, unit, ok := number(value)
	if ok && (len(unit) == 0 || is(unit, "px")) && (!st.sized || v < st.height) {
		st.height, st.sized = v, true
	}
}

// is reports whether s is name in any case.
func is(s []byte, name string) bool {
	return len(s) == len(name) && bytes.EqualFold(s, []byte(name))
}

// isLength reports whether the unit is one that widths are understood in.
func isLength(unit []byte) bool {
	return len(unit) == 0 || string(unit) == "%" || is(unit, "px")
}

// number reads a decimal number of up to nine digits before the point at the
// start of s, and the unit after it.
func number(s []byte) (v float64, unit []byte, ok bool) {
	s = bytes.TrimSpace(s)
	i := 0
	for ; i < len(s) && i < 9 && '0' <= s[i] && s[i] <= '9'; i++ {
		v = float64(v*10) + float64(s[i]-'0')
	}
	digits := i
	if i < len(s) && s[i] == '.' {
		i++
		for place := 0.1; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
			v += float64(place * float64(s[i]-'0'))
			place /= 10
			digits++
		}
	}
	if digits == 0 {
		return 0, nil, false
	}
	return v, bytes.TrimSpace(s[i:]), true
}
