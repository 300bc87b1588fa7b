package stats

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/schemas"
)

// Kept counts what an extractor made of some pages and how much of their text it kept. The
// zero Kept counts no page.
type Kept struct {
	Pages, Found, Empty, Failed, Skipped int64 // Pages is the sum of the others: the outcomes
	LeftOut                              int64 // pages of Found whose text the run's filter left out
	Chars, HTMLBytes                     int64 // sums over the pages of Found

	confidence exact
}

// Add counts a row of documents.
func (k *Kept) Add(row *schemas.Document) {
	k.Pages++
	switch algorithms.Outcome(row.Outcome) {
	case algorithms.OK:
		k.Found++
		k.Chars += row.TextChars
		k.HTMLBytes += row.HTMLBytes
		if row.Kept == schemas.No {
			k.LeftOut++
		}
	case algorithms.Empty:
		k.Empty++
	case algorithms.Failed:
		k.Failed++
	case algorithms.Skipped:
		k.Skipped++
	}
	addKnown(&k.confidence, row.Confidence)
}

// Confidence returns the mean word F1 that the extractor expects of its answers, or NaN if
// it does not estimate it.
func (k *Kept) Confidence() float64 { return k.confidence.mean() }

// KeptBy returns the extractor whose texts a run without gold is about: winnow or, if it was
// not run, the first one that does not keep the whole text of a page.
func KeptBy(r *schemas.Recipe) string {
	name := r.Extractors[0].Name
	for _, e := range r.Extractors {
		switch {
		case e.Name == "winnow":
			return e.Name
		case name == WholeText:
			name = e.Name
		}
	}
	return name
}

// WholeText is the name of the extractor that keeps the whole text of a page.
const WholeText = "plain"

// KeptTally counts what each extractor of a run kept. Tallies of different parts can be
// merged in any order.
type KeptTally struct {
	first    string // KeptBy
	by       map[string]*keptBy
	language func(*schemas.Page) string
	words    bool // the run looked for the number of words
}

// keptBy counts the texts of one extractor.
type keptBy struct {
	Kept
	words     int64
	languages map[string]int64
}

// KeptFacts returns the facts of documents that a KeptTally reads: the number of words, if the
// run looked for it.
func KeptFacts(r *schemas.Recipe) []schemas.FactColumn {
	return slices.DeleteFunc(r.DocumentColumns(), func(c schemas.FactColumn) bool { return c.Name != "words" })
}

// NewKeptTally returns an empty tally of rows that have the facts KeptFacts.
func NewKeptTally(r *schemas.Recipe) *KeptTally {
	return &KeptTally{first: KeptBy(r), by: map[string]*keptBy{}, language: LanguageOf(r), words: len(KeptFacts(r)) > 0}
}

// Add counts a row of documents.
func (t *KeptTally) Add(row Document) {
	k := t.by[row.Extractor]
	if k == nil {
		k = &keptBy{languages: map[string]int64{}}
		t.by[strings.Clone(row.Extractor)] = k
	}
	k.Add(row.Document)
	if row.Outcome != string(algorithms.OK) {
		return
	}
	if t.words {
		k.words += row.Document.Facts[0].Int()
	}
	if language := t.language(row.Page); language != "" {
		if _, known := k.languages[language]; !known {
			language = strings.Clone(language)
		}
		k.languages[language]++
	}
}

// Merge adds the rows of o. o must not be used afterwards.
func (t *KeptTally) Merge(o *KeptTally) {
	for name, k := range o.by {
		mine := t.by[name]
		if mine == nil {
			t.by[name] = k
			continue
		}
		mine.Pages += k.Pages
		mine.Found += k.Found
		mine.Empty += k.Empty
		mine.Failed += k.Failed
		mine.Skipped += k.Skipped
		mine.LeftOut += k.LeftOut
		mine.Chars += k.Chars
		mine.HTMLBytes += k.HTMLBytes
		mine.confidence.merge(&k.confidence)
		mine.words += k.words
		account.AddMap(&mine.languages, k.languages)
	}
}

// Summaries returns what was counted: first of the extractor KeptBy, then of the others in
// the order of their names.
func (t *KeptTally) Summaries() (list []TextSummary) {
	names := slices.SortedFunc(maps.Keys(t.by), func(a, b string) int {
		return cmp.Or(cmp.Compare(asInt(a != t.first), asInt(b != t.first)), cmp.Compare(a, b))
	})
	for _, name := range names {
		k := t.by[name]
		s := TextSummary{Extractor: name, Pages: k.Pages, Found: k.Found, Failures: k.Failed, Chars: k.Chars, HTMLBytes: k.HTMLBytes,
			Confidence: number(k.Confidence()), Languages: k.languages}
		if t.words {
			s.Words = &k.words
		}
		list = append(list, s)
	}
	return list
}
