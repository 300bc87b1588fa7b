package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/fact/metadata"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/schemas"
)

const metadataIntroduction = `
## Metadata

The fact ` + "`metadata`" + ` beside what the package wcxb-dev states of its pages (its fields title, author and
publish_date). Texts are compared without regard to case, punctuation and white space, dates by day. "Part" counts
values of which one holds the other, such as a title with the name of the site behind it, or one of two authors.
"Precision" is the share of the values found that are equal or part, "recall" the share of the values stated that
were found so. What the package states was not marked by hand throughout: a date in it may be that of the crawl.
The fact was improved on these pages, so these are figures of development.
The article extraction benchmark of ScrapingHub states no metadata: its ground truth has the fields articleBody and
url alone (README.rst at 025e4c1, section "Data"), so nothing can be compared. The other packages here state none
either, but for the titles of CleanEval's pages, which are those of their title elements.
The last row of each field leaves out the pages of which the package does not state it; values found there are
counted in "found besides".

| field | source | stated | equal | part | other | not found | precision | recall | found besides |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|
`

// agreed counts how found values agree with stated ones.
type agreed struct{ equal, part, other, missing, besides int }

// fields are what the package states, with the column of the fact.
var fields = []struct {
	name, column string
	stated       func(*schemas.Gold) string
}{
	{"title", "title", func(g *schemas.Gold) string { return g.Title }},
	{"author", "author", func(g *schemas.Gold) string { return metaText(g, "author") }},
	{"publish_date", "published", func(g *schemas.Gold) string { return metaText(g, "publish_date") }},
}

func metaText(g *schemas.Gold, field string) (s string) {
	_ = json.Unmarshal(g.Meta[field], &s) // a field that is not text states nothing
	return s
}

// writeMetadata measures the fact metadata on the package wcxb-dev in the folder dir.
func writeMetadata(w io.Writer, dir string) error {
	if dir == "" {
		_, err := fmt.Fprint(w, metadataIntroduction, "\nThe packages were not given to this run of `reproduce`, so the figures are missing.\n")
		return err
	}
	p, err := gold.Open(filepath.Join(dir, "wcxb-dev.tar.xz"), gold.Limits{})
	if err != nil {
		return err
	}
	defer p.Close()
	src := source.NewPackage(context.Background(), "wcxb-dev", p)
	defer src.Close()
	counts := make([]map[string]*agreed, len(fields))
	for i := range counts {
		counts[i] = map[string]*agreed{}
	}
	var pg page.Page
	var pass algorithms.Pass
	for at, err := range source.Pages(context.Background(), "wcxb-dev", src) {
		if err != nil {
			return err
		}
		pg.Parse(at.HTML, page.Options{})
		pass.Reset(&pg, at.Address())
		found, err := metadataOf(&pass)
		if err != nil {
			return err
		}
		for i, f := range fields {
			count(counts[i], f.stated(at.Gold), found[f.column], found[f.column+"_source"])
		}
	}
	var b strings.Builder
	b.WriteString(metadataIntroduction)
	for i, f := range fields {
		var names []string
		for name := range counts[i] {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range append(slices.DeleteFunc(names, func(n string) bool { return n == "" || n == "all" }), "all") {
			writeAgreed(&b, f.name, name, counts[i][name])
		}
	}
	_, err = io.WriteString(w, b.String())
	return err
}

func writeAgreed(b *strings.Builder, field, source string, a *agreed) {
	if a == nil {
		return
	}
	good, stated := float64(a.equal+a.part), a.equal+a.part+a.other+a.missing
	figures := "| | |"
	if found := a.equal + a.part + a.other; found > 0 {
		figures = fmt.Sprintf("| %.3f | |", good/float64(found))
		if source == "all" {
			figures = fmt.Sprintf("| %.3f | %.3f |", good/float64(found), good/float64(stated))
		}
	}
	fmt.Fprintf(b, "| %s | %s | %d | %d | %d | %d | %d %s %d |\n", field, source, stated, a.equal, a.part, a.other, a.missing, figures, a.besides)
}

// metadataOf returns the values of the fact by column.
func metadataOf(p *algorithms.Pass) (map[string]string, error) {
	columns := metadata.Fact.Page.Columns
	s := fact.Subject{Pass: p, Out: make([]fact.Value, len(columns))}
	if err := metadata.Fact.Page.Find(&s); err != nil {
		return nil, err
	}
	found := map[string]string{}
	for i, c := range columns {
		found[c.Name] = s.Out[i].Text
	}
	return found, nil
}

// count adds a page to the counts of its source and of all.
func count(counts map[string]*agreed, stated, found, source string) {
	for _, name := range []string{source, "all"} {
		a := counts[name]
		if a == nil {
			a = new(agreed)
			counts[name] = a
		}
		x, y := letters(stated), letters(found)
		if len(stated) == 10 && len(found) > 10 && found[4] == '-' && found[10] == 'T' {
			y = letters(found[:10]) // a date with its time
		}
		switch {
		case x == "" && y != "":
			a.besides++
		case x == "":
		case y == "":
			a.missing++
		case x == y:
			a.equal++
		case strings.Contains(x, y) || strings.Contains(y, x):
			a.part++
		default:
			a.other++
		}
	}
}

// letters returns the letters and digits of s in lower case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
