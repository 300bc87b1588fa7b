package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/source/gold"
)

// agreement is the largest difference between a scorer and the program that it
// reproduces: half a unit of the third decimal.
const agreement = 0.0005

// figures has the package figures of one scorer. A scorer without precision and recall
// only has a value.
type figures struct{ p, r, f1, value float64 }

// compared holds the recorded results of a public program's scoring functions for one
// answer to the pages of a package. answers lists the texts, and scorersIntroduction
// says how the functions were run.
type compared struct {
	pkg, answer string
	pages       int // the first pages in the order of names; 0 for all
	scorer      string
	program     figures
}

// answers makes texts from a page and its gold without any extractor, so that the
// program and our scorers always read the same texts.
var answers = map[string]func(html []byte, gold string) []byte{
	"stripped": func(html []byte, _ string) []byte { return tags.ReplaceAll(html, []byte(" ")) },
	"edited": func(_ []byte, gold string) []byte {
		lines := strings.Split(gold, "\n")
		var kept []string
		for i, line := range lines {
			if i%3 != 1 {
				kept = append(kept, line)
			}
		}
		return []byte(strings.Join(append(kept, lines[:min(2, len(lines))]...), "\n"))
	},
}

var tags = regexp.MustCompile(`<[^>]*>`)

// scored sums the scores of one scorer in the same way as its source.
type scored struct {
	mean                             algorithms.Mean
	n, definedP, definedR            int
	p, r, f1, value                  float64
	common, extracted, gold, correct int64
	universe                         int64
}

func (s *scored) add(x algorithms.Score) {
	if x.Reason != algorithms.NoReason {
		return
	}
	s.n++
	s.f1 += x.F1
	s.value += x.Value
	if s.mean != algorithms.F1OfDefined || !x.PUndefined {
		s.p += x.Precision
		s.definedP++
	}
	if s.mean != algorithms.F1OfDefined || !x.RUndefined {
		s.r += x.Recall
		s.definedR++
	}
	s.common, s.extracted, s.gold = s.common+x.Common, s.extracted+x.Extracted, s.gold+x.Gold
	s.universe += x.Universe
	s.correct += x.Universe - x.Extracted - x.Gold + 2*x.Common
}

func (s *scored) figures() figures {
	p, r := s.p/float64(s.definedP), s.r/float64(s.definedR)
	switch s.mean {
	case algorithms.MeanValue:
		return figures{value: s.value / float64(s.n)}
	case algorithms.F1OfDefined, algorithms.F1OfMeans:
		return figures{p: p, r: r, f1: 2 * p * r / (p + r)}
	case algorithms.MicroF1:
		common := float64(s.common)
		return figures{
			p: common / float64(s.extracted), r: common / float64(s.gold),
			f1: 2 * common / float64(s.extracted+s.gold), value: float64(s.correct) / float64(s.universe),
		}
	}
	return figures{p: p, r: r, f1: s.f1 / float64(s.n)}
}

// scoreAnswers scores one answer to the first pages of a package with the named
// scorers.
func scoreAnswers(p *gold.Package, answer string, pages int, scorers []*algorithms.Scorer) (map[string]figures, error) {
	sums := make([]scored, len(scorers))
	for i, s := range scorers {
		sums[i].mean = s.Mean
	}
	var g algorithms.Gold
	var trial algorithms.Trial
	read := 0
	for doc, err := range p.Documents(context.Background()) {
		if err != nil {
			return nil, err
		}
		if read++; pages > 0 && read > pages {
			break
		}
		if doc.Gold.Text == nil {
			continue
		}
		g.Reset()
		g.Text, g.With, g.Without, g.Language = *doc.Gold.Text, doc.Gold.With, doc.Gold.Without, doc.Gold.Language
		trial.Reset(&g, answers[answer](doc.HTML, g.Text), nil, false)
		for i, s := range scorers {
			sums[i].add(s.Score(&trial))
		}
	}
	out := make(map[string]figures, len(scorers))
	for i, s := range scorers {
		out[s.Name] = sums[i].figures()
		if s.Name == "levenshtein" { // the program reports only one number
			out[s.Name] = figures{value: sums[i].value / float64(sums[i].n)}
		}
	}
	return out, nil
}

// writeScorers writes the programs' results beside those of our scorers for the same
// texts, which are made from the packages in the folder dir.
func writeScorers(w io.Writer, dir string) error {
	b := new(strings.Builder)
	b.WriteString(scorersIntroduction)
	if dir == "" {
		b.WriteString("The packages were not given to this run of `reproduce`, so our figures are missing.\n")
	}
	b.WriteString("\n| package | answer | measure | program | ours | largest difference |\n|---|---|---|---|---|--:|\n")
	for i := 0; i < len(recorded); {
		first, j := recorded[i], i
		for j < len(recorded) && recorded[j].pkg == first.pkg && recorded[j].answer == first.answer {
			j++
		}
		ours, err := figuresOf(dir, recorded[i:j])
		if err != nil {
			return err
		}
		for _, c := range recorded[i:j] {
			writeCompared(b, c, ours)
		}
		i = j
	}
	b.WriteString(scorersMissing)
	_, err := io.WriteString(w, b.String())
	return err
}

// figuresOf returns our figures for rows of one package and answer, or nil if dir is
// empty.
func figuresOf(dir string, rows []compared) (map[string]figures, error) {
	if dir == "" {
		return nil, nil
	}
	path := filepath.Join(dir, rows[0].pkg)
	if _, err := os.Stat(path); err != nil {
		path += ".tar.xz"
	}
	p, err := gold.Open(path, gold.Limits{})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var names []string
	for _, c := range rows {
		names = append(names, c.scorer)
	}
	scorers, err := choose.Scorers(suite.Scorers(), strings.Join(names, ","))
	if err != nil {
		return nil, err
	}
	return scoreAnswers(p, rows[0].answer, rows[0].pages, scorers)
}

func writeCompared(b *strings.Builder, c compared, ours map[string]figures) {
	pages := "all pages"
	if c.pages > 0 {
		pages = fmt.Sprintf("first %d pages", c.pages)
	}
	fmt.Fprintf(b, "| %s, %s | %s | `%s` | %s |", c.pkg, pages, c.answer, c.scorer, c.program)
	if f, ok := ours[c.scorer]; ok {
		d, mark := c.program.distance(f), ""
		if d >= agreement {
			mark = " **unexplained**"
		}
		fmt.Fprintf(b, " %s | %.6f%s |\n", f, d, mark)
		return
	}
	b.WriteString(" | |\n")
}

func (f figures) String() string {
	var parts []string
	if f.p != 0 || f.r != 0 || f.f1 != 0 {
		parts = append(parts, fmt.Sprintf("P %.4f R %.4f F1 %.4f", f.p, f.r, f.f1))
	}
	if f.value != 0 || len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("%.4f", f.value))
	}
	return strings.Join(parts, ", ")
}

func (f figures) distance(o figures) float64 {
	return max(math.Abs(f.p-o.p), math.Abs(f.r-o.r), math.Abs(f.f1-o.f1), math.Abs(f.value-o.value))
}
