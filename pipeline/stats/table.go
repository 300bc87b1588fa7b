package stats

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// Columns is the usual width of a summary in characters.
const Columns = 80

const (
	maxScorers = 4  // a line of a summary with more is hard to read
	maxName    = 40 // characters of a name
	between    = "  "
)

// Table writes the result in a sentence and the summary as a table of the given width in
// characters, at least Columns. It shows at most the given number of packages (0: all) and
// as many of the first scorers as fit. It shows each scorer's headline figure and the
// standard deviation of the documents' figures. The extractors of a package are sorted by
// the first scorer, the best first (RankedFigure), and bounds follow.
//
// The names of packages are the first column or, if no scorer would fit otherwise, in lines
// of their own. If nothing was scored, there is no order, and the table has what each
// extractor kept of all packages.
func (s *Summary) Table(w io.Writer, packages, width int) error {
	out := &wrapped{bufio.NewWriter(w), max(width, Columns)}
	out.line("%s", printable(s.Result.Sentence, 2000))
	switch {
	case len(s.Packages) == 0:
		return s.footer(out, 0, 0)
	case !s.HasScores():
		s.texts(out)
		return s.footer(out, len(s.Packages), 0)
	}
	shown := len(s.Packages)
	if packages > 0 {
		shown = min(shown, packages)
	}
	list := make([]*PackageSummary, 0, shown+1)
	for i := range s.Packages[:shown] {
		list = append(list, &s.Packages[i])
	}
	if s.All != nil {
		list = append(list, s.All)
	}
	most := min(maxScorers, len(s.Scorers))
	g := s.grid(list, most, true)
	if !g.fit(out.width, min(1, most)) {
		g = s.grid(list, most, false)
		g.fit(out.width, 0)
	}
	g.write(out)
	return s.footer(out, shown, g.scorers)
}

// grid is a table of cells. Its columns are left ones with names, counts, those of
// scorers or others that can be left out, and the last one.
type grid struct {
	lines         [][]string // a line of one cell is written without columns
	left, scorers int
}

// grid returns the table with a number of scorers. The packages are its first column, or
// lines of their own.
func (s *Summary) grid(packages []*PackageSummary, scorers int, column bool) *grid {
	head := []string{"package", "extractor", "pages", "failures"}
	skipped := s.skipped()
	if skipped {
		head = append(head, "skipped")
	}
	head = append(append(head, s.Scorers[:scorers]...), "MB/s")
	g := &grid{left: 2, scorers: scorers}
	if !column {
		g.left, head = 1, head[1:]
	}
	g.lines = append(g.lines, head)
	for _, p := range packages {
		for i, e := range p.ranked() {
			name := "" // the name is in the first line of its package
			if i == 0 {
				name = p.Package
			}
			line := e.cells(name, scorers, skipped)
			if !column {
				if line = line[1:]; name != "" {
					g.lines = append(g.lines, []string{name})
				}
			}
			g.lines = append(g.lines, line)
		}
	}
	return g
}

// widths returns the columns' widths in characters.
func (g *grid) widths() []int {
	width := make([]int, len(g.lines[0]))
	for _, line := range g.lines {
		if len(line) == 1 {
			continue
		}
		for i, cell := range line {
			width[i] = max(width[i], utf8.RuneCountInString(printable(cell, maxName)))
		}
	}
	return width
}

// fit removes as many columns of scorers as needed for a width, and reports whether the
// table fits with no fewer than the given number of them.
func (g *grid) fit(most, least int) bool {
	width := g.widths()
	sum := -len(between)
	for _, w := range width {
		sum += w + len(between)
	}
	for sum > most && g.scorers > least {
		i := len(width) - 2
		sum -= width[i] + len(between)
		width = slices.Delete(width, i, i+1)
		g.remove(i)
	}
	return sum <= most
}

// remove removes a column of a scorer.
func (g *grid) remove(i int) {
	for n, line := range g.lines {
		if len(line) > 1 {
			g.lines[n] = slices.Delete(line, i, i+1)
		}
	}
	g.scorers--
}

// write writes the cells. The left columns are aligned to the left, the others to the
// right. Names come from a crawl, so characters that move a terminal's cursor are
// replaced, and long names are cut.
func (g *grid) write(w *wrapped) {
	width := g.widths()
	for _, line := range g.lines {
		if len(line) == 1 {
			fmt.Fprintln(w.Writer, printable(line[0], w.width))
			continue
		}
		for i, cell := range line {
			cell = printable(cell, maxName)
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			switch {
			case i == len(line)-1:
				fmt.Fprintf(w.Writer, "%s%s\n", pad, cell)
			case i < g.left:
				fmt.Fprintf(w.Writer, "%s%s%s", cell, pad, between)
			default:
				fmt.Fprintf(w.Writer, "%s%s%s", pad, cell, between)
			}
		}
	}
}

// cells returns an extractor's line of the table.
func (e *ExtractorSummary) cells(name string, scorers int, skipped bool) []string {
	extractor := e.Extractor
	if e.Bound {
		extractor += " (bound)"
	}
	line := []string{name, extractor, fmt.Sprint(e.Documents), fmt.Sprint(e.Failures)}
	if skipped {
		line = append(line, fmt.Sprint(e.Skipped))
	}
	for _, c := range e.Scores[:scorers] {
		cell := "-"
		if c.Headline != nil {
			cell = fmt.Sprintf("%.3f", *c.Headline)
			if c.SD != nil {
				cell += fmt.Sprintf(" ±%.3f", *c.SD)
			}
		}
		line = append(line, cell)
	}
	return append(line, e.speed())
}

// speed returns the throughput as text.
func (e *ExtractorSummary) speed() string {
	switch {
	case e.MBPerS == nil:
		return "-"
	case *e.MBPerS >= 100:
		return fmt.Sprintf("%.0f", *e.MBPerS)
	}
	return fmt.Sprintf("%.1f", *e.MBPerS)
}

// texts writes what each extractor kept in all packages. Columns between the failures and
// the speed are left out if no extractor has a value there, or if the line would be too long.
func (s *Summary) texts(out *wrapped) {
	all := s.All
	if all == nil {
		all = &s.Packages[0]
	}
	head := []string{"extractor", "pages", "with text", "failures", "words", "characters", "confidence", "MB/s"}
	g := &grid{left: 1, scorers: 3, lines: [][]string{head}}
	for _, t := range s.Texts {
		line := []string{t.Extractor, fmt.Sprint(t.Pages), fmt.Sprint(t.Found), fmt.Sprint(t.Failures), "-", fmt.Sprint(t.Chars), "-", "-"}
		if t.Words != nil {
			line[4] = fmt.Sprint(*t.Words)
		}
		if t.Confidence != nil {
			line[6] = fmt.Sprintf("%.3f", *t.Confidence)
		}
		if k := slices.IndexFunc(all.Extractors, func(e ExtractorSummary) bool { return e.Extractor == t.Extractor }); k >= 0 {
			line[7] = all.Extractors[k].speed()
		}
		g.lines = append(g.lines, line)
	}
	for i := len(head) - 2; i > 3; i-- {
		if !slices.ContainsFunc(g.lines[1:], func(line []string) bool { return line[i] != "-" }) {
			g.remove(i)
		}
	}
	g.fit(out.width, 0)
	g.write(out)
	if len(s.Texts) > 0 && len(s.Texts[0].Languages) > 0 {
		var languages []string
		for _, name := range byCount(s.Texts[0].Languages) {
			languages = append(languages, fmt.Sprintf("%s %d", name, s.Texts[0].Languages[name]))
		}
		out.line("languages of the texts of %s: %s", s.Texts[0].Extractor, strings.Join(languages, ", "))
	}
}

// byCount returns the names of a map, those with the largest counts first.
func byCount(n map[string]int64) []string {
	return slices.SortedFunc(maps.Keys(n), func(a, b string) int { return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b)) })
}

// footer writes what the table does not show, given the number of its packages and
// scorers, and the account of the records.
func (s *Summary) footer(out *wrapped, packages, scorers int) error {
	if rest := len(s.Packages) - packages; rest > 0 {
		out.more(rest, "package")
	}
	switch rest := len(s.Scorers) - scorers; {
	case rest > 0 && s.HasScores():
		out.more(rest, "scorer")
	case rest > 0 && len(s.Packages) > 0:
		out.line("no page has gold: nothing was scored")
	}
	s.trainedOn(out, packages)
	s.cautions(out, packages)
	unchanged := ""
	if s.Unchanged > 0 {
		unchanged = account.Count(s.Unchanged, "unchanged page") + ", "
	}
	text := fmt.Sprintf("%s: %s, %s%s, %d refused", account.Count(s.Records, "record"), account.Count(s.Pages, "page"), unchanged, account.Count(s.NotHTML, "no page"), s.Refused)
	if len(s.Documents) > 0 {
		var kinds []string
		for _, kind := range slices.Sorted(maps.Keys(s.Documents)) {
			kinds = append(kinds, fmt.Sprintf("%d %s", s.Documents[kind], kind))
		}
		text += "; documents not read: " + strings.Join(kinds, ", ")
	}
	if s.Dead > 0 {
		text += fmt.Sprintf("; %s dead", account.Count(s.Dead, "item"))
	}
	if s.Unmade > 0 {
		text += fmt.Sprintf("; %s missing by a defect of a scorer", account.Count(s.Unmade, "score"))
	}
	out.line("%s", text)
	s.filtered(out)
	s.notRead(out)
	return out.Flush()
}

// trainedOn writes which extractors were trained on pages of the first packages, as many as
// are shown, because their scores on these say little of other pages.
func (s *Summary) trainedOn(out *wrapped, packages int) {
	for _, p := range s.Packages[:packages] {
		var names []string
		for _, e := range p.ranked() {
			if e.TrainedOn && slices.ContainsFunc(e.Scores, func(c ScoreSummary) bool { return c.Headline != nil }) {
				names = append(names, e.Extractor)
			}
		}
		if len(names) > 0 {
			out.line("trained on pages of %s, and so better there than on unseen pages: %s", printable(p.Package, maxName), strings.Join(names, ", "))
		}
	}
}

// cautions writes what keeps figures of the first packages, as many as are shown, from
// being compared: bounds, skipped pages, and too few pages.
func (s *Summary) cautions(out *wrapped, packages int) {
	if !s.HasScores() {
		return
	}
	var bounds, few []string
	skipped := false
	for i := range s.Packages[:packages] {
		p := &s.Packages[i]
		k, pages := p.ranking(), int64(0)
		for _, e := range p.Extractors {
			pages = max(pages, e.Scores[k].Scored)
			skipped = skipped || e.Scores[k].Skipped > 0 && !e.Bound
			if e.Bound && !slices.Contains(bounds, e.Extractor) {
				bounds = append(bounds, e.Extractor)
			}
		}
		if pages > 0 && pages < MinPages {
			few = append(few, printable(p.Package, maxName))
		}
	}
	if len(bounds) > 0 {
		out.line("bounds, which read the gold and have no rank: %s", strings.Join(bounds, ", "))
	}
	if skipped {
		out.line("figures leave out pages that were skipped; the order counts these as 0")
	}
	if len(few) > 0 {
		out.line("too few scored pages to tell extractors apart (fewer than %d): %s", MinPages, strings.Join(few, ", "))
	}
}

// notRead writes which inputs were left out, and which were lost.
func (s *Summary) notRead(out *wrapped) {
	if text := account.LeftOut(s.Skipped); text != "" {
		out.line("%s", printable(text, 2000))
	}
	for i, l := range s.Losses {
		if i == account.LossesShown {
			out.line("lost: parts of %s, see %s", account.Count(len(s.Losses)-i, "more file"), schemas.FailuresFile)
			break
		}
		bytes := account.Count(l.Bytes, "byte")
		if l.Bytes == 0 { // the file is missing, or ends within a record
			bytes = "an unknown number of bytes"
		}
		out.line("lost: %s of %s (%s)", bytes, printable(l.File, 500), printable(strings.Join(l.Reasons, ", "), 200))
	}
}

// filtered writes how many texts a filter kept, and how many each of its clauses left
// out, the most first.
func (s *Summary) filtered(out *wrapped) {
	if s.LeftOut == nil {
		return
	}
	out.line("%s kept, %d left out by the filter", account.Count(s.Kept, "text"), account.Sum(s.LeftOut))
	for _, clause := range byCount(s.LeftOut) {
		out.line("left out: %d by %s", s.LeftOut[clause], printable(clause, 500))
	}
}

// wrapped writes lines that are no longer than a width, as far as their words allow.
type wrapped struct {
	*bufio.Writer
	width int
}

// more says where n more packages or scorers are.
func (w *wrapped) more(n int, what string) {
	verb := "are"
	if n == 1 {
		verb = "is"
	}
	w.line("%s %s in %s", account.Count(n, "more "+what), verb, schemas.PackagesFile)
}

// line writes a line, broken at blanks. What follows a break is indented.
func (w *wrapped) line(format string, args ...any) {
	at := 0
	for i, word := range strings.Split(fmt.Sprintf(format, args...), " ") {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+n > w.width:
			_, _ = w.WriteString("\n  ") // the error is that of Flush
			at = 2
		default:
			_ = w.WriteByte(' ')
			at++
		}
		_, _ = w.WriteString(word)
		at += n
	}
	_ = w.WriteByte('\n')
}

func printable(s string, most int) string { return schemas.Shorten(Printable(s), most) }

// Printable removes characters from a name or URL of a crawl that would make it look like
// something else: control characters, and characters that change the direction of
// writing.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
