package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/fact/language"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/eval/programs"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/gold"
)

const languageIntroduction = `
## Second language

The fact ` + "`language`" + ` on texts whose second language is known because it was put there
(` + "`go -C eval run ./reproduce --language --packages DIR`" + ` makes this section alone). The texts are what ` + "`winnow`" + ` finds on the
pages of trafilatura-dev that declare a language and have 4,000 letters or more. Into the first 4,000 letters of each a
piece of a page in another language is put, in the middle and in place of as many letters; the pages in other languages are taken in turn.
A page that declares the wrong language, or has two by itself, counts as an error here: four of the 164 texts, three of them
German ones that declare English, are not in the language that their page declares. The fact names a second language from a share of .1 on.

| share put in | texts | first language right | second right | another second | none found | mean error of the share, if right |
|--:|--:|--:|--:|--:|--:|--:|
`

// labelled is a text with the language that its page declares.
type labelled struct{ language, text string }

// joinedLetters is the length of the texts that are made.
const joinedLetters = 4000

// writeLanguage measures the second language of joined texts of the package
// trafilatura-dev in the folder dir.
func writeLanguage(w io.Writer, dir string) error {
	if dir == "" {
		_, err := fmt.Fprint(w, languageIntroduction, "\nThe packages were not given to this run of `reproduce`, so the figures are missing.\n")
		return err
	}
	texts, err := labelledTexts(filepath.Join(dir, "trafilatura-dev.tar.xz"))
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(languageIntroduction)
	for _, share := range []float64{0, .05, .1, .2, .3, .4} {
		if err := languageRow(&b, texts, share); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, b.String())
	return err
}

func languageRow(b *strings.Builder, texts []labelled, share float64) error {
	n, first, right, other, none, off := 0, 0, 0, 0, 0, 0.
	var pg page.Page
	pg.Parse([]byte("<p>"), page.Options{})
	var pass algorithms.Pass
	pass.Reset(&pg, "")
	for i, t := range texts {
		second, ok := partner(texts, i)
		if !ok {
			continue
		}
		s := fact.Subject{Pass: &pass, Text: []byte(join(t.text, second.text, share)), Out: make([]fact.Value, len(language.Fact.Text.Columns))}
		if err := language.Fact.Text.Find(&s); err != nil {
			return err
		}
		n++
		if s.Out[0].Text == t.language {
			first++
		}
		switch s.Out[2].Text {
		case "":
			none++
		case second.language:
			right++
			off += math.Abs(math.Float64frombits(s.Out[3].Number) - share)
		default:
			other++
		}
	}
	if share == 0 { // there is no right one
		other, right = other+right, 0
	}
	mean := ""
	if right > 0 {
		mean = fmt.Sprintf("%.3f", off/float64(right))
	}
	fmt.Fprintf(b, "| %.2f | %d | %d | %d | %d | %d | %s |\n", share, n, first, right, other, none, mean)
	return nil
}

// partner returns a text in another language, a different one for each i as far as
// there are enough.
func partner(texts []labelled, i int) (labelled, bool) {
	var others []labelled
	for _, t := range texts {
		if t.language != texts[i].language {
			others = append(others, t)
		}
	}
	if len(others) == 0 {
		return labelled{}, false
	}
	return others[i%len(others)], true
}

// join returns joinedLetters letters of a, in the middle of which the given share comes
// from the start of b.
func join(a, b string, share float64) string {
	second := int(math.Round(joinedLetters * share))
	front, rest := cutLetters(a, (joinedLetters-second)/2)
	back, _ := cutLetters(rest, joinedLetters-second-(joinedLetters-second)/2)
	piece, _ := cutLetters(b, second)
	return front + "\n" + piece + "\n" + back
}

// cutLetters cuts s after its first n letters.
func cutLetters(s string, n int) (front, rest string) {
	for i, r := range s {
		if n == 0 {
			return s[:i], s[i:]
		}
		if unicode.IsLetter(r) {
			n--
		}
	}
	return s, ""
}

// labelledTexts returns the texts of the pages of a package that declare a language.
func labelledTexts(archive string) ([]labelled, error) {
	chosen, err := choose.Extractors(programs.Extractors(), "winnow")
	if err != nil {
		return nil, err
	}
	d, err := driver.New(driver.Config{Extractors: chosen, Facts: []*fact.Fact{language.Fact}})
	if err != nil {
		return nil, err
	}
	p, err := gold.Open(archive, gold.Limits{})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	src := source.NewPackage(context.Background(), "trafilatura-dev", p)
	defer src.Close()
	column := slices.IndexFunc(language.Fact.Page.Columns, func(c fact.Column) bool { return c.Name == "declared_language" })
	var all []labelled
	for at, err := range source.Pages(context.Background(), "trafilatura-dev", src) {
		if err != nil {
			return nil, err
		}
		res, err := d.Page(context.Background(), driver.Input{HTML: at.HTML, URL: at.Address()})
		if err != nil {
			return nil, err
		}
		declared, _, _ := strings.Cut(res.Facts[column].Text, "-")
		text := string(res.Extractions[0].Text)
		if _, rest := cutLetters(text, joinedLetters); declared != "" && rest != "" {
			all = append(all, labelled{declared, text})
		}
	}
	return all, nil
}
