package blob

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// meta are the characters that make a name a pattern.
const meta = "*?[{"

// isPattern reports whether a name has characters of a pattern.
func isPattern(name string) bool { return strings.ContainsAny(name, meta) }

// compilePattern turns a pattern over slash-separated names into a test of whole names,
// and returns the folder that contains all names that can match. Patterns are the same
// for disks and buckets.
//
//   - any run of characters but /
//     ?      one character but /
//     [a-z]  one character of the class, [!a-z] or [^a-z] one outside of it
//     {a,b}  one of the alternatives
//     **/    any folders, or none
func compilePattern(pattern string) (match func(string) bool, root string, err error) {
	if !doublestar.ValidatePattern(pattern) {
		return nil, "", fmt.Errorf("pattern %q: a [ or { has no end", pattern)
	}
	if i := strings.IndexAny(pattern, meta+`\`); i >= 0 {
		root = pattern[:strings.LastIndexByte(pattern[:i], '/')+1]
	}
	return func(name string) bool { return doublestar.MatchUnvalidated(pattern, name) }, root, nil
}
