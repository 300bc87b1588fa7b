package quality

import (
	"bytes"
	"strings"

	"github.com/winnow/winnow/algorithms/internal/eight"
)

// Texts that the sources name are searched in few lines: in those that have a word of
// such a text, known by its first letters, at the right place. A line that is suspicious
// is put into lower case, and then searched.

// starts are the first letters of a word of each text: "privacy policy" and "cookie
// policy", "uses cookies", "use of cookies" and "use cookies", "terms of use", "lorem
// ipsum", and "items in cart".
var starts = setOf(first3("pol"), first3("coo"), first3("use"), first3("ips"), first3("car"))

func first3(word string) uint64 {
	return first(eight.Load([]byte(word+padding)), len(word))
}

// suspicious reports whether the word at text[at], which has one of starts, may belong to
// such a text.
func suspicious(text []byte, at int) bool {
	switch text[at] | 0x20 {
	case 'p':
		return hasPrefixFold(text[at:], "policy")
	case 'c':
		return hasPrefixFold(text[at:], "cookie") || hasPrefixFold(text[at:], "cart")
	case 'u':
		return at >= len("of ") && hasPrefixFold(text[at-len("of "):], "of ")
	}
	return hasPrefixFold(text[at:], "ipsum")
}

// hasPrefixFold reports whether text begins with the ASCII prefix, in any case. A letter outside
// ASCII that folds to one of the prefix has more bytes than it, so it does not match.
func hasPrefixFold(text []byte, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(string(text[:len(prefix)]), prefix)
}

// indexJavascript returns where the word is in text from at on, in any case, perhaps
// within another word; the length of text if there is none.
func indexJavascript(text []byte, at int) int {
	found := len(text)
	for _, j := range []byte{'j', 'J'} {
		for i := at; ; i++ {
			next := bytes.IndexByte(text[i:found], j)
			if next < 0 {
				break
			}
			if i += next; hasPrefixFold(text[i:], "javascript") {
				found = i
				break
			}
		}
	}
	return found
}
