// Package stopwords holds the function words of some languages: articles, pronouns,
// prepositions, conjunctions, auxiliaries and the commonest adverbs. Running text is
// full of them and menus are not, which jusText and the Goose family rely on.
//
// The lists (lists/LANGUAGE.txt) were written for Winnow and have its licence. The
// English list also has the words that jusText's recipe gives on English page text: the
// most frequent words, up to half of all running words (internal/frequent). The
// published systems made all their lists that way. In the other languages, the
// densities measured here are somewhat lower than theirs.
//
//	List   open-addressing table of offsets into one string; a look-up hashes
//	       the word's bytes and compares, and allocates nothing
//
// This package is internal to Winnow and may change in any release.
package stopwords

import (
	"embed"
	"iter"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/cespare/xxhash/v2"
)

//go:embed lists/*.txt
var files embed.FS

// List is the stop list of one language. It does not change and may be shared.
type List struct {
	Language string // ISO 639-1
	words    []string
	slots    []int16 // 1 + index into words; 0 is free; a power of two long
}

// Languages returns the languages that have a list, sorted.
func Languages() []string {
	entries, err := files.ReadDir("lists")
	if err != nil {
		panic(err) // embedded: cannot fail in a program that was built
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".txt"))
	}
	sort.Strings(names)
	return names
}

// Load returns the list of a language, nil if there is none.
func Load(language string) *List {
	text, err := files.ReadFile(path.Join("lists", language+".txt"))
	if err != nil {
		return nil
	}
	return newList(language, words(string(text)))
}

// words returns the words of a file, without the lines that begin with "#".
func words(file string) (all []string) {
	for line := range strings.Lines(file) {
		if !strings.HasPrefix(line, "#") {
			all = append(all, strings.Fields(line)...)
		}
	}
	return all
}

// IsLanguage reports whether a declared code begins with two letters that stand
// alone, as codes of languages do: "en", "EN-gb", "en_US".
func IsLanguage(code []byte) bool {
	letter := func(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
	return len(code) >= 2 && letter(code[0]) && letter(code[1]) &&
		(len(code) == 2 || code[2] == '-' || code[2] == '_')
}

// Find returns the list of the language that a declared code begins with; nil if
// there is none.
func Find(lists []*List, code []byte) *List {
	if !IsLanguage(code) {
		return nil
	}
	for _, l := range lists {
		if l.Language[0] == code[0]|0x20 && l.Language[1] == code[1]|0x20 {
			return l
		}
	}
	return nil
}

// LoadAll returns all lists, sorted by language, and their union.
func LoadAll() (lists []*List, union *List) {
	var words []string
	for _, language := range Languages() {
		l := Load(language)
		lists = append(lists, l)
		words = append(words, l.words...)
	}
	return lists, newList("", words)
}

func newList(language string, words []string) *List {
	size := 16
	for size < 3*len(words) {
		size *= 2
	}
	l := &List{Language: language, slots: make([]int16, size)}
	for _, w := range words {
		if !l.Has([]byte(w)) {
			l.words = append(l.words, w)
			l.slots[l.free(xxhash.Sum64String(w))] = int16(len(l.words))
		}
	}
	return l
}

func (l *List) free(hash uint64) int {
	at := int(hash) & (len(l.slots) - 1)
	for l.slots[at] != 0 {
		at = (at + 1) & (len(l.slots) - 1)
	}
	return at
}

// Has reports whether word, in lower case, is in the list. A nil list has no words.
func (l *List) Has(word []byte) bool {
	if l == nil || len(word) == 0 || len(word) > 24 { // no function word is longer
		return false
	}
	for at := int(xxhash.Sum64(word)) & (len(l.slots) - 1); l.slots[at] != 0; at = (at + 1) & (len(l.slots) - 1) {
		if l.words[l.slots[at]-1] == string(word) {
			return true
		}
	}
	return false
}

// All are the words of l, as they are written in its list.
func (l *List) All() iter.Seq[string] { return slices.Values(l.words) }

// Len is the number of words in l.
func (l *List) Len() int { return len(l.words) }
