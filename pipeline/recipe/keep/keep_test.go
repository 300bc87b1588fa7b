package keep

import (
	"math"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// facts are like those of the suite: language is a column of pages and of documents.
var facts = []schemas.Fact{
	{Name: "rights", Pages: []schemas.FactColumn{{Name: "noindex", Kind: schemas.FactBool}, {Name: "robots_agents", Kind: schemas.FactText}}},
	{Name: "language",
		Pages:     []schemas.FactColumn{{Name: "language", Kind: schemas.FactText}},
		Documents: []schemas.FactColumn{{Name: "language", Kind: schemas.FactText}, {Name: "language_confidence", Kind: schemas.FactFloat}}},
	{Name: "quality", Documents: []schemas.FactColumn{{Name: "gopher", Kind: schemas.FactBool}, {Name: "words", Kind: schemas.FactInt}}},
	{Name: "signature", Documents: []schemas.FactColumn{{Name: "minhash", Kind: schemas.FactInts}}},
}

func text(s string) schemas.Value    { return schemas.Value{Known: true, Text: s} }
func truth(n uint64) schemas.Value   { return schemas.Value{Known: true, Number: n} }
func number(x float64) schemas.Value { return schemas.Value{Known: true, Number: math.Float64bits(x)} }
func rows() (*schemas.Page, *schemas.Document) {
	page := &schemas.Page{URL: "https://h.example/a", HTTPStatus: 200, Facts: []schemas.Value{truth(0), {}, text("fr")}}
	return page, &schemas.Document{Extractor: "winnow", TextChars: 1000, Confidence: math.NaN(),
		Facts: []schemas.Value{text("de"), number(.9), truth(1), truth(250), text("1234")}}
}

// TestLeftOutBy evaluates expressions on one text: German with 250 words on a French page.
func TestLeftOutBy(t *testing.T) {
	for expression, want := range map[string]string{
		`language = "de" and gopher and not noindex`:           "",
		`language = "en" and gopher`:                           `language == "en"`,
		`language == 'de' && gopher && (noindex || words<10)`:  `noindex or words < 10`,
		`page.language = "fr" and language = "de"`:             "",
		`page.language = language`:                             `page.language == language`,
		`language in ["de", "fr"]`:                             "",
		`language not in ["de", "fr"]`:                         `not (language in ["de", "fr"])`,
		`http_status in [200, 404]`:                            "",
		`http_status in [404, 410.5]`:                          `http_status in [404, 410.5]`,
		`words >= 250 and words < 250.5 and text_chars = 1000`: "",
		`text_chars / words > 4`:                               `text_chars / words > 4`,
		`words > -1`:                                           "",
		`url contains "://h.example/"`:                         "",
		`url matches "^https?://[a-z]+\\.example/"`:            "",
		`len(language) = 2 and upper(language) = "DE"`:         "",
		`language_confidence > .5`:                             "",
		`true`:                                                 "",
		`not gopher`:                                           `not gopher`,
		`language = "a = b" or language = "de"`:                "",
		// What is null.
		`robots_agents = ""`:   "",
		`confidence > 0`:       `confidence > 0`,
		`confidence <= 0`:      `confidence <= 0`,
		`confidence != 0`:      "",
		`not (confidence > 0)`: "",
	} {
		f, err := New([]string{expression}, facts)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		page, doc := rows()
		if got := f.Evaluator().LeftOutBy(page, doc); bare(got) != strings.Trim(want, "()") {
			t.Errorf("%s: left out by %q, want %q", expression, got, want)
		}
		again, err := New([]string{f.String()}, facts)
		if err != nil || again.String() != f.String() {
			t.Errorf("%s: written as %q and read again: %v", expression, f, err)
		}
	}
}

// bare returns the text of a clause from its name.
func bare(name string) string {
	_, text, _ := strings.Cut(name, ": ")
	return strings.Trim(text, "()")
}

// TestLongClause checks that the name of a long clause is short and its own, and that no
// expression grows over the bound when it is written out.
func TestLongClause(t *testing.T) {
	list := `language in ["` + strings.Repeat("ü", 900) + `"]`
	f, err := New([]string{list, "not gopher and " + list}, facts)
	if err != nil {
		t.Fatal(err)
	}
	page, doc := rows()
	first := f.Evaluator().LeftOutBy(page, doc)
	doc.Facts[0] = text(strings.Repeat("ü", 900))
	second := f.Evaluator().LeftOutBy(page, doc)
	if !strings.HasPrefix(first, `clause 1: language in ["üü`) || !strings.HasSuffix(first, "ü…") || len(first) > 1000 || second != "clause 2: not gopher" {
		t.Errorf("left out by %q and %q", first, second)
	}
	clause := "len(url)=1 and "
	_, err = New([]string{strings.Repeat(clause, maxBytes/len(clause)-1) + "gopher"}, facts)
	if err == nil || !strings.Contains(err.Error(), "bytes when it is written out, there may be at most 8192") {
		t.Error(err)
	}
}

// TestFactsThatFailed checks that a text is left out if a fact that the filter reads
// failed in the row that it would be read from, and only then.
func TestFactsThatFailed(t *testing.T) {
	f, err := New([]string{`language = "de" and not noindex`}, facts)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(f.Facts(), ","); got != "language,rights" {
		t.Errorf("reads the facts %s", got)
	}
	for _, c := range []struct{ page, doc, want string }{
		{"", "", ""},
		{"language:panic", "quality:panic", ""},
		{"metadata:error,rights:panic", "", "fact rights failed"},
		{"", "language:panic", "fact language failed"},
	} {
		page, doc := rows()
		page.FactsFailed, doc.FactsFailed = c.page, c.doc
		if got := f.Evaluator().LeftOutBy(page, doc); got != c.want {
			t.Errorf("failed %q and %q: %q, want %q", c.page, c.doc, got, c.want)
		}
	}
}

// TestErrors checks that mistakes are found before a run begins, with what to do.
func TestErrors(t *testing.T) {
	for expression, want := range map[string]string{
		``:                          "keep: the expression is empty",
		` `:                         "keep: the expression is empty",
		`langage = "de"`:            `no column "langage" (did you mean language?); there are: charset, complexity, `,
		`page.gopher`:               `no column "page.gopher"`,
		`quality`:                   `"quality" is a fact; its columns are: gopher, words`,
		`minhash = 3`:               "the column minhash cannot be compared",
		`gopher > 3`:                "mismatched types bool and int",
		`words = "many"`:            "mismatched types float64 and string",
		`words`:                     "expected bool, but got float64",
		`language = "de" gopher`:    "unexpected token",
		`language = `:               "the expression ends too early: something is missing at the end of \"language ==",
		`language = "de`:            "a text has no closing quotation mark",
		`(`:                         `the expression ends too early: something is missing at the end of "(", such as`,
		`url matches language`:      "must be a text in quotes",
		`url matches "("`:           "missing closing )",
		`language in "de"`:          "in needs a list of constants",
		`language in [url]`:         "texts and numbers only",
		`all([1], # > 0)`:           "a filter cannot have",
		`let x = 1; true`:           "unexpected token",
		`1..100000000 == 3`:         "a filter cannot have ..",
		`words ** 3 > 1`:            "a filter cannot have **",
		`now() > 3`:                 `no column "now"`,
		`gopher ? true : false`:     "a filter cannot have",
		`url[1] = "x"`:              "a filter cannot have",
		`language == nil`:           "a filter cannot have nil",
		`let x == 1; true`:          "unexpected token",
		strings.Repeat("(", 10_000): "may be at most 8192",
		strings.Repeat("(", 8_000):  "the expression ends too early",
	} {
		_, err := New([]string{expression}, facts)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: %v, want %s", expression, err, want)
		}
	}
}

// TestEvaluator uses one evaluator for several texts: it keeps nothing of the text before.
func TestEvaluator(t *testing.T) {
	f, err := New([]string{`gopher`}, facts[2:])
	if err != nil {
		t.Fatal(err)
	}
	evaluator := f.Evaluator()
	page, doc := rows()
	doc.Facts = doc.Facts[2:]
	for _, want := range []string{"", "clause 1: gopher", ""} {
		if got := evaluator.LeftOutBy(page, doc); got != want {
			t.Errorf("left out by %q, want %q", got, want)
		}
		doc.Facts[0].Number ^= 1
	}
}

func FuzzFilter(f *testing.F) {
	for _, seed := range []string{`language = "de" and gopher and not noindex`, `page.language in ["a", 'b'] or words/0 > -1.5e3`,
		`len(lower(url)) < 3 && url matches "a+"`, `not (not noindex) != true`, `"ü\n" + language contains "\u00e9"`, "`raw` == url", `-(-words) = 1`} {
		f.Add(seed, "de", 3.5, true)
	}
	f.Fuzz(func(t *testing.T, expression, value string, x float64, yes bool) {
		filter, err := New([]string{expression}, facts)
		if err != nil {
			return
		}
		page, doc := rows()
		page.URL, doc.Facts[0], doc.Facts[1], doc.Facts[2].Known = value, text(value), number(x), yes
		left := filter.Evaluator().LeftOutBy(page, doc)
		if strings.HasPrefix(left, "error in") {
			t.Fatalf("%q cannot be evaluated: %s", expression, left)
		}
		again, err := New([]string{filter.String()}, facts)
		if err != nil {
			t.Fatalf("%q is written as %q, which is an error: %v", expression, filter, err)
		}
		if other := again.Evaluator().LeftOutBy(page, doc); again.String() != filter.String() || other != left {
			t.Fatalf("%q is written as %q and then as %q, left out by %q and %q", expression, filter, again, left, other)
		}
	})
}

// go test -bench . ./pipeline/recipe/keep
func BenchmarkLeftOutBy(b *testing.B) {
	filter, err := New([]string{`language = "de" and gopher and not noindex and words > 100`}, facts)
	if err != nil {
		b.Fatal(err)
	}
	evaluator := filter.Evaluator()
	page, doc := rows()
	b.ReportAllocs()
	for b.Loop() {
		if evaluator.LeftOutBy(page, doc) != "" {
			b.Fatal("left out")
		}
	}
}
