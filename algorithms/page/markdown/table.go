package markdown

import (
	"bytes"
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// grid holds what must be known about a table before it is written.
type grid struct {
	columns int  // cells of its longest row, without what spans add
	cells   int  // cells of all rows together
	layout  bool // it arranges blocks on the screen and is not a table of data
	header  bool // it has a header cell or a caption, so that it is one of data
	several bool // a cell has several paragraphs, or a list
}

// grids looks at all tables, in the order of their start tags.
func grids(markup []byte) []grid {
	if !bytes.Contains(markup, []byte("<table")) {
		return nil
	}
	var all []grid
	type level struct {
		grid    int
		row     int  // cells of the current row
		text    bool // the current cell has text
		between bool // a block began or ended after that text
	}
	var open []level
	z := html.NewTokenizer(bytes.NewReader(markup))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		var at *level
		var g *grid
		if len(open) > 0 {
			at = &open[len(open)-1]
			g = &all[at.grid]
		}
		if kind == html.TextToken {
			if at != nil && len(bytes.TrimSpace(z.Text())) > 0 {
				g.several = g.several || at.between
				at.text = true
			}
			continue
		}
		tag := tagOf(z)
		start := kind != html.EndTagToken
		switch {
		case tag == atom.Table && start:
			if g != nil {
				g.layout = true
			}
			open = append(open, level{grid: len(all)})
			all = append(all, grid{})
		case g == nil:
		case tag == atom.Table:
			g.layout = g.layout || g.columns < 2 || g.several && !g.header
			open = open[:len(open)-1]
		case tag == atom.Tr && start:
			at.row = 0
		case (tag == atom.Td || tag == atom.Th) && start:
			at.row++
			g.cells++
			g.columns = max(g.columns, at.row)
			at.text, at.between = false, false
			g.header = g.header || tag == atom.Th
		case tag == atom.Caption && start:
			g.header = true
		case tag == atom.Ul, tag == atom.Ol, tag == atom.Dl:
			g.several = true
		case tag == atom.Pre, isHeading(tag), tag == atom.Blockquote, tag == atom.Hr, tag == atom.Img && g.columns < 2:
			g.layout = true
		case isBlock(tag):
			at.between = at.text
		}
	}
	for _, l := range open {
		all[l.grid].layout = true // the markup ends inside it
	}
	return all
}

func isHeading(tag atom.Atom) bool {
	switch tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// table is the table of data that is being written.
type table struct {
	grid
	rows    [][]byte // each cell, escaped
	widths  []int    // cells of each row, in rows
	row     int      // cells of the current row
	inRow   bool
	spare   int   // empty cells that spans may still add
	below   []int // for each column, how many further rows a cell above covers
	pending attrs // attributes of the open cell
	caption bool  // whether the caption is open
	open    bool  // whether a cell is open
}

func newTable(g grid) *table { return &table{grid: g, spare: 4*g.cells + 4} }

func (t *table) beginRow() {
	t.endRow()
	t.inRow = true
	t.covered()
}

func (t *table) endRow() {
	if t.inRow && t.row > 0 {
		t.widths = append(t.widths, t.row)
	}
	t.row, t.inRow = 0, false
}

// covered adds empty cells where cells of rows above reach into this one.
func (t *table) covered() {
	for t.row < len(t.below) && t.below[t.row] > 0 && t.spare > 0 {
		t.below[t.row]--
		t.empty()
	}
}

func (t *table) empty() {
	t.rows = append(t.rows, nil)
	t.row++
	t.spare--
}

// cell adds a cell with its text.
func (t *table) cell(text []byte) {
	if !t.inRow {
		t.beginRow()
	}
	across, down := span(t.pending.colspan), span(t.pending.rowspan)
	at := t.row
	t.rows = append(t.rows, bytes.Clone(text))
	t.row++
	for ; across > 1 && t.spare > 0; across-- {
		t.empty()
	}
	if down > 1 {
		for len(t.below) < t.row {
			t.below = append(t.below, 0)
		}
		for ; at < t.row; at++ {
			t.below[at] = down - 1
		}
	}
	t.covered()
}

// span is the value of colspan and rowspan.
func span(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 1
	}
	return min(n, 1000) // as HTML has it for columns
}

// append writes the table. prefix is what each line begins with.
func (t *table) append(dst, prefix []byte) []byte {
	t.endRow()
	columns := 0
	for _, n := range t.widths {
		columns = max(columns, n)
	}
	cells := t.rows
	for i, n := range t.widths {
		if i > 0 {
			dst = append(dst, prefix...)
		}
		dst = append(dst, '|')
		for _, c := range cells[:n] {
			dst = append(dst, ' ')
			dst = append(dst, c...)
			if len(c) > 0 {
				dst = append(dst, ' ')
			}
			dst = append(dst, '|')
		}
		cells = cells[n:]
		if i > 0 {
			dst = append(dst, '\n')
			continue
		}
		// The first row is the header, which says how many columns there are.
		for ; n < columns; n++ {
			dst = append(dst, " |"...)
		}
		dst = append(dst, '\n')
		dst = append(dst, prefix...)
		dst = append(dst, '|')
		for range columns {
			dst = append(dst, " --- |"...)
		}
		dst = append(dst, '\n')
	}
	return dst
}
