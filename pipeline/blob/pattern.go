package blob

import (
	"fmt"
	"regexp"
	"strings"
)

// isPattern says whether a name has characters of a pattern.
func isPattern(name string) bool { return strings.ContainsAny(name, "*?[") }

// compilePattern turns a pattern over slash-separated names into a test of
// whole names, and gives the folder that holds all that can match. One regular
// expression serves disks and buckets; it takes linear time on any name.
//
//   - any run of characters but /
//     ?      one character but /
//     [a-z]  one character of the class, [!a-z] or [^a-z] one outside of it
//     **/    any folders, or none
func compilePattern(pattern string) (match func(string) bool, root string, err error) {
	if i := strings.IndexAny(pattern, "*?["); i >= 0 {
		root = pattern[:strings.LastIndexByte(pattern[:i], '/')+1]
	}
	var re strings.Builder
	re.WriteString(`\A`)
	for i := 0; i < len(pattern); i++ {
		switch rest := pattern[i:]; {
		case strings.HasPrefix(rest, "**/"):
			re.WriteString(`(?:.*/)?`)
			i += 2
		case strings.HasPrefix(rest, "**"):
			re.WriteString(`.*`)
			i++
		case rest[0] == '*':
			re.WriteString(`[^/]*`)
		case rest[0] == '?':
			re.WriteString(`[^/]`)
		case rest[0] == '[':
			end := strings.IndexByte(rest, ']')
			if end < 2 {
				return nil, "", fmt.Errorf("pattern %q: [ without ]", pattern)
			}
			class := rest[1:end]
			if class[0] == '!' || class[0] == '^' {
				re.WriteString(`[^/`)
				class = class[1:]
			} else {
				re.WriteByte('[')
			}
			re.WriteString(strings.NewReplacer(`\`, `\\`, `[`, `\[`, `^`, `\^`).Replace(class) + `]`)
			i += end
		default:
			n := strings.IndexAny(rest, "*?[")
			if n < 0 {
				n = len(rest)
			}
			re.WriteString(regexp.QuoteMeta(rest[:n]))
			i += n - 1
		}
	}
	re.WriteString(`\z`)
	compiled, err := regexp.Compile(`(?s)` + re.String())
	if err != nil {
		return nil, "", fmt.Errorf("pattern %q: %w", pattern, err)
	}
	return compiled.MatchString, root, nil
}
