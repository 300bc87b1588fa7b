package keep

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

var tableColumns = []Column{{"lang", schemas.FactText}, {"status", schemas.FactInt}, {"score", schemas.FactFloat}, {"new", schemas.FactBool}, {"mime", ""}, {"size", ""}}

func whole(n int64) (v schemas.Value) { v.SetInt(n); return v }

// TestWhere evaluates expressions on one row, in which score is null.
func TestWhere(t *testing.T) {
	row := map[string]schemas.Value{"lang": text("deu"), "status": whole(200), "new": truth(1), "mime": text("text/html"), "size": text(" 12.5")}
	for expression, want := range map[string]bool{
		`lang = 'deu' and status = 200`:            true,
		`lang = 'deu' and status in [301, 404]`:    false,
		`lang startsWith 'deu' or score > 1`:       true,
		`score > 1 or score <= 1`:                  false,
		`new`:                                      true,
		`not new`:                                  false,
		`mime = "text/html" and size > 12`:         true,
		`size in [1, 12.5]`:                        true,
		`-3 < size and size * 2 = 25`:              true,
		`mime matches "^text/"`:                    true,
		`len(mime) = 9 and not (lang != "deu")`:    true,
		`mime < 5 or mime >= 5`:                    false, // it is not a number
		`lower(upper(lang)) in ['deu', 'deu,eng']`: true,
	} {
		w, err := NewWhere(expression, tableColumns)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		names := w.Columns()
		if got := w.Chooses(func(c int) schemas.Value { return row[names[c]] }); got != want {
			t.Errorf("%s: %v", expression, got)
		}
		if _, err := NewWhere(expression, nil); err != nil {
			t.Errorf("%s, with columns that are not known: %v", expression, err)
		}
	}
}

func TestWhereErrors(t *testing.T) {
	for expression, want := range map[string]string{
		`langs = 'deu'`: `where: no column "langs" (did you mean lang?); there are: lang, `,
		`lang = 5`:      "where: ",
		`lang = `:       "where: the expression ends too early",
		``:              "where: the expression is empty",
		`upper2(lang)`:  "where: no column",
	} {
		if _, err := NewWhere(expression, tableColumns); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", expression, err)
		}
	}
	for _, expression := range []string{`lang = `, ``, `now() > 5`, `page.lang = 'x' and lang ? 1 : 2`} {
		if _, err := NewWhere(expression, nil); err == nil {
			t.Errorf("%s is accepted without columns", expression)
		}
	}
}

// A part of a table is only passed over if no row within its limits is chosen.
func TestMayAgreesWithChooses(t *testing.T) {
	texts := []string{"", "a", "ab", "abc", "b", "ba"}
	for _, expression := range []string{
		`lang = 'ab'`, `'ab' = lang`, `lang in ['a', 'ba']`, `lang < 'ab'`, `lang <= 'ab'`, `lang > 'ab'`, `lang >= 'ab'`, `lang != 'ab'`,
		`lang startsWith 'ab'`, `lang startsWith ''`, `lang contains 'b'`, `not (lang = 'ab')`, `lang = ''`,
		`status = 2`, `status in [1, 4.5]`, `status < -1`, `status <= 3`, `status > 3 and lang = 'b'`, `status >= 3 or lang = 'b'`, `status != 3`, `status * 2 = 4`,
		`lang = 'ab' or score > 1`, `new and lang = 'ab'`,
	} {
		w, err := NewWhere(expression, tableColumns)
		if err != nil {
			t.Fatal(err)
		}
		names := w.Columns()
		random := rand.New(rand.NewPCG(1, 2))
		passed := 0
		for range 2000 {
			low, high := random.IntN(len(texts)), random.IntN(len(texts))
			low, high = min(low, high), max(low, high)
			nulls := random.IntN(3) == 0
			may := w.May(func(c int) (least, greatest schemas.Value, null, known bool) {
				switch names[c] {
				case "lang":
					return text(texts[low]), text(texts[high]), nulls, true
				case "status":
					return whole(int64(low)), whole(int64(high)), nulls, true
				}
				return least, greatest, true, false
			})
			chosen := false
			for i := low; i <= high; i++ {
				for _, null := range []bool{false, nulls} {
					chosen = chosen || w.Chooses(func(c int) schemas.Value {
						switch {
						case names[c] == "lang" && !null:
							return text(texts[i])
						case names[c] == "status" && !null:
							return whole(int64(i))
						case names[c] == "new":
							return truth(1)
						}
						return schemas.Value{}
					})
				}
			}
			if chosen && !may {
				t.Fatalf("%s: rows from %q to %q, or %d to %d, are passed over (nulls: %v)", expression, texts[low], texts[high], low, high, nulls)
			}
			if !may {
				passed++
			}
		}
		for _, hopeful := range []string{"lang = 'ab'", "lang in", "lang startsWith 'ab'", "status"} {
			if strings.HasPrefix(expression, hopeful) && !strings.ContainsAny(expression, "*!") && !strings.Contains(expression, " or ") && passed == 0 {
				t.Errorf("%s: no part is passed over", expression)
			}
		}
	}
}

func BenchmarkWhere(b *testing.B) {
	w, err := NewWhere(`lang = 'deu' and status = 200`, tableColumns)
	if err != nil {
		b.Fatal(err)
	}
	var rows []schemas.Value
	for i := range 100 {
		rows = append(rows, text(strconv.Itoa(i)))
	}
	n := 0
	for b.Loop() {
		w.Chooses(func(c int) schemas.Value {
			if c == 0 {
				return rows[n%100]
			}
			return whole(200)
		})
		n++
	}
}
