package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/winnow/winnow/algorithms"
)

// writeBibTeX writes an entry for each source of the methods, in the order in which
// they are first named. Methods of one source share its entry.
func writeBibTeX(w io.Writer, list []method) error {
	type entry struct {
		source  algorithms.Cite
		methods []string
	}
	var entries []*entry
	bySource := make(map[string]*entry)
	for _, m := range list {
		source := fmt.Sprint(strings.ToLower(m.Citation.Title), m.Citation.Year) // some sources are written with capitals
		e := bySource[source]
		if e == nil {
			e = &entry{source: m.Citation}
			bySource[source], entries = e, append(entries, e)
		}
		e.methods = append(e.methods, m.ID)
	}
	out := bufio.NewWriter(w)
	keys := make(map[string]int)
	for i, e := range entries {
		key := citationKey(e.source)
		if keys[key]++; keys[key] > 1 {
			key += string(rune('a' + keys[key] - 1))
		}
		if i > 0 {
			fmt.Fprintln(out)
		}
		writeEntry(out, e.source, key, e.methods)
	}
	return out.Flush()
}

// inJournal matches a journal with its volume and issue.
var inJournal = regexp.MustCompile(`^(.+) (\d+)\((\d+)\)$`)

// writeEntry writes the entry of a source.
func writeEntry(w io.Writer, c algorithms.Cite, key string, methods []string) {
	authors, more, _ := strings.Cut(c.Authors, ";")
	var names []string
	for name := range strings.SplitSeq(authors, ", ") {
		if l := strings.ToLower(name); strings.Contains(l, "authors") || strings.Contains(l, "contributors") {
			name = "{" + name + "}" // an organisation has no first and last name
		}
		names = append(names, name)
	}
	kind, venue := "inproceedings", [][2]string{{"booktitle", c.Venue}}
	journal := inJournal.FindStringSubmatch(c.Venue)
	thesis, school, _ := strings.Cut(c.Venue, ", ")
	switch {
	case journal != nil:
		kind, venue = "article", [][2]string{{"journal", journal[1]}, {"volume", journal[2]}, {"number", journal[3]}}
	case thesis == "PhD thesis":
		kind, venue = "phdthesis", [][2]string{{"school", school}}
	case c.Venue == "software" || strings.HasPrefix(c.Venue, "program") || strings.HasPrefix(c.Venue, "github.com/"):
		kind, venue = "misc", [][2]string{{"howpublished", c.Venue}}
	}
	note := "winnow: " + strings.Join(methods, ", ")
	if more != "" {
		note = strings.TrimSpace(more) + "; " + note
	}
	fields := [][2]string{{"author", strings.Join(names, " and ")}, {"title", "{" + c.Title + "}"}}
	fields = append(fields, venue...)
	fields = append(fields, [2]string{"year", fmt.Sprint(c.Year)}, [2]string{"url", c.URL}, [2]string{"note", note})
	fmt.Fprintf(w, "@%s{%s,\n", kind, key)
	for _, f := range fields {
		if f[1] == "" {
			continue
		}
		value := f[1]
		if f[0] != "url" {
			value = texEscapes.Replace(value)
		}
		fmt.Fprintf(w, "  %-12s = {%s},\n", f[0], value)
	}
	fmt.Fprintln(w, "}")
}

// texEscapes protects the characters that mean something to TeX.
var texEscapes = strings.NewReplacer("&", `\&`, "%", `\%`, "#", `\#`, "_", `\_`)

// citationKey returns the first author, the year and the first word of the title that has four
// letters, for example finn2001fact.
func citationKey(c algorithms.Cite) string {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return -1
			}
			return unicode.ToLower(r)
		}, norm.NFD.String(s)) // without the marks of letters: ü becomes u
	}
	author, _, _ := strings.Cut(c.Authors, ",")
	author, _, _ = strings.Cut(author, ";")
	title := ""
	for _, word := range strings.Fields(c.Title) {
		if title = letters(word); len(title) > 3 {
			break
		}
	}
	return letters(author) + fmt.Sprint(c.Year) + title
}
