package structure

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/page/markdown"
)

// MaxChars is the largest number of characters of one kind of element that are compared.
const MaxChars = 1 << 17

// The scorers of this package.
var (
	Code = scorer("md-code", "code of all fences: 1 minus the edit distance over the longer length", func(a, b *elements) algorithms.Score {
		return edit(strings.Join(a.code, "\n"), strings.Join(b.code, "\n"))
	})
	Formula = scorer("md-formula", "formulas without white space: 1 minus the edit distance over the longer length", func(a, b *elements) algorithms.Score {
		return edit(strings.Join(a.formulas, "\n"), strings.Join(b.formulas, "\n"))
	})
	Heading = scorer("md-heading", "headings with their levels: 1 minus the edit distance over the longer length", func(a, b *elements) algorithms.Score {
		return edit(strings.Join(a.headings, "\n"), strings.Join(b.headings, "\n"))
	})
	Table = scorer("md-table", "tables as trees of rows and cells, paired in order: 1 minus the tree edit distance over the larger number of nodes", tables)
)

// Scorers lists the scorers of this package.
var Scorers = []*algorithms.Scorer{Code, Formula, Table, Heading}

func scorer(name, doc string, compare func(gold, extraction *elements) algorithms.Score) *algorithms.Scorer {
	return &algorithms.Scorer{
		Description: algorithms.Description{
			Name:   name,
			Family: "md",
			Doc:    doc,
			Cite: algorithms.Cite{
				Authors: "Liu et al.",
				Title:   "Dripper: Token-Efficient Main HTML Extraction with a Lightweight LM (WebMainBench)",
				Venue:   "arXiv",
				Year:    2025,
				URL:     "https://arxiv.org/abs/2511.23119",
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"The program compares the first table of each; here all tables are paired in order so that the sum of similarities is largest, and md-table is that sum over the larger number of tables, because a page has several.",
				"The program labels rows and tables with the text of all their cells, so that a different cell costs three times; here only cells have text, as in Zhong et al. 2020. Header cells are cells.",
				"The program reads tables in HTML and code indented by four columns too; here tables are those of Markdown, and code is in fences.",
				"The program may ask a language model to clean up formulas; here they are what is between delimiters.",
				"The program has no figure of headings; md-heading is its code_edit of headings.",
			},
			Cost: algorithms.Superlinear,
		},
		Mean: algorithms.MeanValue,
		Score: func(t *algorithms.Trial) algorithms.Score {
			switch {
			case t.Gold.Markdown == "" || t.Gold.Page == nil:
				return algorithms.Score{Reason: algorithms.ReasonNoGold}
			case t.Selection == nil:
				return algorithms.Score{Reason: algorithms.ReasonNoSpans}
			}
			return compare(goldElements.Of(t.Gold), extracted.Of(t))
		},
	}
}

var goldElements = &algorithms.GoldFeature[elements]{Name: "elements of Markdown", Compute: func(dst *elements, g *algorithms.Gold) {
	dst.read(g.Markdown)
}}

var extracted = &algorithms.TrialFeature[elements]{Name: "elements of Markdown", Compute: func(dst *elements, t *algorithms.Trial) {
	text, _ := markdown.Append(nil, t.Gold.Page, t.Selection, markdown.Options{Markup: page.MarkupOptions{Formulas: true}})
	dst.read(string(text))
}}

// edit returns the score of two strings.
func edit(gold, extraction string) algorithms.Score {
	a, b := []rune(strings.ToValidUTF8(gold, "\uFFFD")), []rune(strings.ToValidUTF8(extraction, "\uFFFD"))
	longer := max(len(a), len(b))
	switch {
	case longer == 0:
		return algorithms.Score{Reason: algorithms.ReasonNotDefined}
	case longer > MaxChars:
		return algorithms.Score{Reason: algorithms.ReasonTooLong}
	}
	return algorithms.Score{Value: 1 - float64(distance(a, b))/float64(longer)}
}

// elements are those of a text in Markdown, in its order.
type elements struct {
	code, formulas, headings []string
	tables                   []tree
}

// read finds the elements of a text in one pass over its lines.
func (e *elements) read(text string) {
	*e = elements{code: e.code[:0], formulas: e.formulas[:0], headings: e.headings[:0], tables: e.tables[:0]}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	var paragraph strings.Builder // lines that are not code, which may contain formulas
	for i := 0; i < len(lines); i++ {
		line := content(lines[i])
		switch {
		case fenceOf(line) != "":
			fence, indent := fenceOf(line), len(lines[i])-len(strings.TrimLeft(lines[i], " >"))
			var code []string
			for i++; i < len(lines); i++ {
				if end := strings.TrimSpace(content(lines[i])); strings.HasPrefix(end, fence) && strings.Trim(end, fence[:1]) == "" {
					break
				}
				code = append(code, strip(lines[i], indent))
			}
			if s := strings.Join(code, "\n"); strings.TrimSpace(s) != "" {
				e.code = append(e.code, s)
			}
		case isHeading(line):
			e.headings = append(e.headings, strings.Join(strings.Fields(strings.TrimRight(line, "# ")), " "))
			paragraph.WriteString(line + "\n")
		case strings.HasPrefix(line, "|") && i+1 < len(lines) && isDelimiter(content(lines[i+1])):
			t := newTree()
			t.row(line)
			for i += 2; i < len(lines) && strings.HasPrefix(content(lines[i]), "|"); i++ {
				t.row(content(lines[i]))
			}
			i--
			e.tables = append(e.tables, t)
		default:
			paragraph.WriteString(line + "\n")
		}
	}
	e.findFormulas(paragraph.String())
}

// content returns a line without indentation, the marks of quotes, and those of items.
func content(line string) string {
	for {
		rest := strings.TrimLeft(line, " \t>")
		if n := itemMark(rest); n > 0 {
			rest = rest[n:]
		}
		if rest == line {
			return line
		}
		line = rest
	}
}

// itemMark returns the length of the mark of an item that a line begins with.
func itemMark(line string) int {
	n := 0
	for n < len(line) && n < 9 && '0' <= line[n] && line[n] <= '9' {
		n++
	}
	if n == 0 && len(line) > 1 && strings.IndexByte("-*+", line[0]) >= 0 && line[1] == ' ' {
		return 2
	}
	if n > 0 && n+1 < len(line) && line[n] == '.' && line[n+1] == ' ' {
		return n + 2
	}
	return 0
}

// strip removes up to n characters of indentation and quotes.
func strip(line string, n int) string {
	for n > 0 && line != "" && (line[0] == ' ' || line[0] == '>') {
		line, n = line[1:], n-1
	}
	return line
}

// fenceOf returns the fence that a line begins with.
func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 && (c == "~" || !strings.Contains(line[n:], c)) {
			return line[:n]
		}
	}
	return ""
}

func isHeading(line string) bool {
	n := len(line) - len(strings.TrimLeft(line, "#"))
	return n >= 1 && n <= 6 && len(line) > n && line[n] == ' ' && strings.Trim(line, "# ") != ""
}

// isDelimiter reports whether a line parts the header of a table from its rows.
func isDelimiter(line string) bool {
	return strings.HasPrefix(line, "|") && strings.Contains(line, "-") && strings.Trim(line, "|-: ") == ""
}

// findFormulas finds what is between the delimiters of formulas, outside of code in a line.
func (e *elements) findFormulas(text string) {
	closing := [...][2]string{{"$$", "$$"}, {`\[`, `\]`}, {`\(`, `\)`}, {"$", "$"}}
	var none [len(closing)]bool // the closing delimiter is not in the rest of the text
next:
	for i := 0; i < len(text); {
		if text[i] == '`' {
			n := len(text[i:]) - len(strings.TrimLeft(text[i:], "`"))
			line := text[i+n:]
			if end := strings.IndexByte(line, '\n'); end >= 0 {
				line = line[:end]
			}
			if end := strings.Index(line, text[i:i+n]); end >= 0 {
				i += n + end
			}
			i += n
			continue
		}
		for k, d := range closing {
			rest, ok := strings.CutPrefix(text[i:], d[0])
			if !ok || none[k] {
				continue
			}
			end := closes(rest, d[1])
			if d[0] == "$" {
				if line := strings.IndexByte(rest, '\n'); end > line && line >= 0 || end > 0 && (rest[0] == ' ' || rest[end-1] == ' ') {
					break
				}
			}
			if end < 0 {
				none[k] = true
				break
			}
			if f := strings.Join(strings.FieldsFunc(rest[:end], unicode.IsSpace), ""); f != "" {
				e.formulas = append(e.formulas, f)
			}
			i += len(d[0]) + end + len(d[1])
			continue next
		}
		if text[i] == '\\' {
			i++
		}
		if i < len(text) {
			_, n := utf8.DecodeRuneInString(text[i:])
			i += n
		}
	}
}

// closes returns where a delimiter is that no backslash precedes; -1 if it is not in s.
func closes(s, delimiter string) int {
	for i := 0; i < len(s); i++ {
		if strings.HasPrefix(s[i:], delimiter) {
			return i
		}
		if s[i] == '\\' {
			i++
		}
	}
	return -1
}
