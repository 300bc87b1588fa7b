// Command frequent writes a stop list made from word frequencies, by the recipe of
// jusText's lists: words separated by white space, the most frequent first, until they
// make up half of the running words. Words with characters other than letters,
// apostrophes and hyphens are counted but not written. The list is written in lower
// case.
//
//	go run ./algorithms/feature/stopwords/internal/frequent TEXT... > words.txt
package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"
)

const coverage = 0.5

func main() {
	words, err := frequent(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "frequent:", err)
		os.Exit(1)
	}
	fmt.Println(strings.Join(words, "\n"))
}

func frequent(files []string) ([]string, error) {
	count, total := map[string]int{}, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for word := range strings.FieldsSeq(string(text)) {
			count[word]++
			total++
		}
	}
	var order []string
	for word := range count {
		order = append(order, word)
	}
	slices.SortFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	var list []string
	covered := 0
	for _, word := range order {
		if !strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) }) {
			continue
		}
		if covered += count[word]; !strings.ContainsFunc(word, other) {
			list = append(list, strings.ToLower(word))
		}
		if float64(covered) >= coverage*float64(total) {
			break
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func other(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("'’-", r) }
