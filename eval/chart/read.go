package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// point is an extractor on the chart.
type point struct {
	name      string
	speed     float64 // pages/s
	f1        float64 // percent
	published bool    // by others, on a machine of theirs
	under     bool    // the label is below the point, where it touches no other label
}

// measured are the extractors of quality.md's first table that the chart shows.
var measured = []point{
	{name: "winnow"}, {name: "cehtd-ds"}, {name: "boilerpipe-default"}, {name: "plain", under: true},
	{name: "readability"}, {name: "trafilatura"},
}

// published finds figures of others in the section of quality.md on large models: word F1 and
// pages/s in either order, as names of the groups.
var published = []struct {
	name    string
	figures *regexp.Regexp
}{
	{"rs-trafilatura", regexp.MustCompile(`rs-trafilatura, rules with a classifier: (?P<f1>[0-9.]+)\.[\s\S]*? or (?P<speed>[0-9.]+) pages a second`)},
	{"MinerU-HTML (on a GPU)", regexp.MustCompile(`\| Dripper \(MinerU-HTML\)[^|]*\|[^|]*\| (?P<speed>[0-9.]+) \|[^|]*\| (?P<f1>[0-9.]+) \|`)},
}

// read returns the points of the chart from the text of quality.md.
func read(text []byte) ([]point, error) {
	var points []point
	for _, p := range measured {
		row := regexp.MustCompile("(?m)^\\| `" + p.name + "` \\|.*\\|$").Find(text)
		columns := strings.Split(string(row), "|")
		if len(columns) < 10 {
			return nil, fmt.Errorf("the table has no row for %s", p.name)
		}
		f1, _, _ := strings.Cut(strings.TrimSpace(columns[3]), " ")
		if err := p.set(f1, columns[7]); err != nil {
			return nil, err
		}
		points = append(points, p)
	}
	for _, o := range published {
		m := o.figures.FindSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("there are no figures of %s", o.name)
		}
		p := point{name: o.name, published: true}
		if err := p.set(string(m[o.figures.SubexpIndex("f1")]), string(m[o.figures.SubexpIndex("speed")])); err != nil {
			return nil, err
		}
		points = append(points, p)
	}
	return points, nil
}

// set parses figures as quality.md writes them, such as 1,900.
func (p *point) set(f1, speed string) (err error) {
	if p.f1, err = strconv.ParseFloat(f1, 64); err != nil {
		return fmt.Errorf("word F1 of %s: %w", p.name, err)
	}
	if p.speed, err = strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(speed), ",", ""), 64); err != nil {
		return fmt.Errorf("pages/s of %s: %w", p.name, err)
	}
	return nil
}
