package crunch

import (
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// Params are the settings of the extractor.
type Params struct {
	LinkRatio float64  // links per word above which a cell is a link list
	Letters   float64  // per word
	NoWords   float64  // links per word of a cell that has none
	Ads       []string // hosts of advertisers

	// The filters that can change the text; each can be switched off.
	LinkCells, TextLinks, ImageLinks, Forms, Buttons, EmptyTables bool
}

// Default has the authors' values.
var Default = Params{
	LinkRatio: 0.25, Letters: 5, NoWords: 1.25,
	LinkCells: true, TextLinks: true, ImageLinks: true, Forms: true, Buttons: true, EmptyTables: true,
}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Float("link_ratio", &p.LinkRatio, 0, 1000, "links per word above which a table cell is a link list"),
		setting.Float("letters", &p.Letters, 1, 1000, "letters that count as one word"),
		setting.Float("no_words", &p.NoWords, 0, 1000, "links per word of a table cell without words"),
		setting.Words("ads", &p.Ads, "hosts whose links and images are advertisements"),
		setting.Bool("link_cells", &p.LinkCells, "table cells that are link lists lose their text"),
		setting.Bool("text_links", &p.TextLinks, "links without an image are removed"),
		setting.Bool("image_links", &p.ImageLinks, "links with an image are removed"),
		setting.Bool("forms", &p.Forms, "forms are removed"),
		setting.Bool("buttons", &p.Buttons, "buttons are removed"),
		setting.Bool("empty_tables", &p.EmptyTables, "tables without anything in them are removed"),
	}
}

// Extractor is the extractor with its default settings.
var Extractor = New(Default)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	hosts := make([]string, len(p.Ads)) // as hostOf writes them
	for i, host := range p.Ads {
		hosts[i] = strings.ToLower(host)
	}
	slices.Sort(hosts)
	p.Ads = slices.Compact(hosts)
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "crunch",
			Family: "crunch",
			Doc:    "removes links, link lists, advertisements, images and forms from the page",
			Cite: algorithms.Cite{
				Authors: "Gupta, Kaiser, Neistadt, Grimm",
				Title:   "DOM-based content extraction of HTML documents",
				Venue:   "WWW",
				Year:    2003,
				URL:     "https://doi.org/10.1145/775152.775182",
			},
			Fidelity: algorithms.Exact,
			Departures: []string{
				"The list of advertisers' hosts is empty unless the setting ads contains some. It does not change the text while every link is removed anyway.",
				"An a without href is kept, and only td is a cell.",
				"White space is folded before characters are counted.",
				"Filters that are off by default in the authors' program (styles, sizes, flash, alternative texts, a minimum of text) are left out.",
			},
			Cost: algorithms.Linear,
		},
		Run: p.run,
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

// filter walks one page.
type filter struct {
	Params
	page *page.Page
	body *page.Body

	dropped  []page.Rows // what was removed so far, sorted and disjoint
	tables   []table     // open tables, the innermost last
	kept     int32       // text rows and elements of substance that stay, so far
	stripped page.Row    // end of the outermost cell that loses its text
}

// table is an open table element.
type table struct {
	row  page.Row
	kept int32 // filter.kept when it was opened
}

func (p Params) run(pass *algorithms.Pass) error {
	f := algorithms.Scratch[filter](pass)
	f.Params, f.page, f.body = p, pass.Page, pass.Body
	f.dropped, f.tables, f.kept = f.dropped[:0], f.tables[:0], 0
	f.stripped = 0
	f.walk()

	kept := page.Row(0)
	for _, r := range f.dropped {
		pass.Out.AddRows(f.body, page.Rows{Start: kept, End: r.Start})
		kept = r.End
	}
	pass.Out.AddRows(f.body, page.Rows{Start: kept, End: page.Row(f.body.Len())})
	return nil
}

func (f *filter) walk() {
	b := f.body
	n := page.Row(b.Len())
	for i := page.Row(0); i < n; {
		f.close(i)
		tag := b.Tag[i]
		switch {
		case tag == html.TagText:
			if i < f.stripped {
				f.drop(i, i+1)
			} else if b.Flags[i]&page.Hidden == 0 {
				f.kept++
			}
			i++
			continue
		case f.clutter(i):
			f.drop(i, b.End[i])
			i = b.End[i]
			continue
		case tag == html.TagTd:
			if f.LinkCells && f.linkList(i) {
				f.stripped = max(f.stripped, b.End[i])
			}
		case tag == html.TagTable:
			if f.EmptyTables {
				f.tables = append(f.tables, table{i, f.kept})
			}
		case tag == html.TagA, tag == html.TagIframe, tag == html.TagTextarea, tag == html.TagButton:
			f.kept++
		}
		i++
	}
	f.close(n)
}

// clutter reports whether n is removed whole (rules 1, 3 and 4).
func (f *filter) clutter(n page.Row) bool {
	switch f.body.Tag[n] {
	case html.TagImg, html.TagScript, html.TagNoscript, html.TagMeta,
		html.TagInput, html.TagSelect:
		return true
	case html.TagForm:
		if f.Forms {
			return true
		}
	case html.TagButton:
		if f.Buttons {
			return true
		}
	case html.TagA:
		if f.body.Flags[n]&page.HasHref != 0 && f.removesLink(n) {
			return true
		}
	}
	return len(f.Ads) > 0 && f.advertisement(n)
}

// removesLink reports whether the link n is removed: because of its kind, or with the
// text of its cell.
func (f *filter) removesLink(n page.Row) bool {
	if f.TextLinks && f.ImageLinks || n < f.stripped {
		return true
	}
	b := f.body
	for k := n + 1; k < b.End[n]; k = b.End[k] {
		if b.Tag[k] == html.TagImg {
			return f.ImageLinks
		}
	}
	return f.TextLinks
}

// linkList is rule 2: it reports whether the cell td is a link list.
func (f *filter) linkList(td page.Row) bool {
	b := f.body
	chars := b.Sum(b.Chars, td) - b.Sum(b.HrefChars, td)
	if chars == 0 {
		return f.NoWords > f.LinkRatio
	}
	words := float64(chars) / f.Letters
	return float64(b.Sum(b.Hrefs, td))/words > f.LinkRatio
}

// drop removes rows. Smaller removals inside them are replaced.
func (f *filter) drop(start, end page.Row) {
	k := len(f.dropped)
	for k > 0 && f.dropped[k-1].Start >= start {
		k--
	}
	f.dropped = append(f.dropped[:k], page.Rows{Start: start, End: end})
}

// close ends the tables that lie before row i (rule 5).
func (f *filter) close(i page.Row) {
	for k := len(f.tables) - 1; k >= 0 && f.body.End[f.tables[k].row] <= i; k-- {
		if t := f.tables[k]; t.kept == f.kept {
			f.drop(t.row, f.body.End[t.row])
		}
		f.tables = f.tables[:k]
	}
}

// advertisement is rule 1: it reports whether n leads to an advertiser's host.
func (f *filter) advertisement(n page.Row) bool {
	tree := &f.page.Tree
	node := f.body.Node[n]
	address, found := f.page.Attr(node, "href")
	if !found {
		address, found = f.page.Attr(node, "src")
	}
	if !found || tree.Kind[node] != html.KindElement {
		return false
	}
	host := hostOf(string(address))
	_, listed := slices.BinarySearch(f.Ads, host)
	return host != "" && listed
}

// hostOf returns the host of an absolute URL in lower case, without its port. It is
// empty for any other address.
func hostOf(address string) string {
	scheme, rest, ok := strings.Cut(strings.TrimSpace(address), "://")
	if !ok || strings.ContainsAny(scheme, "/?#") {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	if i := strings.LastIndexByte(rest, ':'); i > strings.LastIndexByte(rest, ']') {
		rest = rest[:i]
	}
	return strings.ToLower(rest)
}
