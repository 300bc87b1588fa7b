// Package keep decides which texts of a run are written: those for which an expression
// over the columns of their page and of the text is true (winnow run --keep).
//
//	filter, err := keep.New([]string{`language = "de" and gopher and not noindex`}, recipe.Facts)
//	evaluator := filter.Evaluator()     // for one goroutine
//	clause := evaluator.LeftOutBy(&page, &document) // "" if the text is kept
//
// A filter never decides which rows are in the tables. The row of a text that is left out
// names the clause that it failed by its number and the beginning of its text ("clause 2:
// gopher"): a clause is an operand of the outermost "and", and the first that is false
// counts. The recipe has the whole expression.
//
// The same language chooses rows of tables that other programs made (winnow run --where): a
// Where is an expression over the columns of such a table.
//
//	where, err := keep.NewWhere("content_languages = 'deu'", columns)
//	chosen := where.Chooses(func(column int) schemas.Value { … })
//
// # The language
//
// It is a part of that of github.com/expr-lang/expr, which parses, checks and evaluates
// it. There are columns, texts in quotes, numbers, true and false; and, or, not; =, ==,
// !=, <, <=, >, >=; in with a list of constants; contains, startsWith, endsWith; matches
// with a constant regular expression; +, -, *, /; len, lower and upper. A single = is read
// as ==. Everything else that the library offers (loops, variables, time, conversions) is
// an error, so that the time of a filter is linear in the values that it reads and no
// evaluation can fail.
//
// A column is called by its name. Where a fact has the same column for the page and for
// the text, as "language" has, the name alone is that of the text, and page.language is
// that of the page.
//
// # Null
//
// A truth value that is null is false, a text that is null is "", and a number that is null
// is not a number: every comparison with it is false, except that it differs (!=) from
// everything. If a fact that a filter reads has failed on a page (facts_failed), its columns
// say nothing about the page, and the text is left out with the clause "fact NAME failed".
//
// This package is internal to Winnow and may change in any release.
package keep
