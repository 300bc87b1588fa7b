package metadata

import (
	"regexp"
	"strings"

	"github.com/araddon/dateparse"
)

// maxDate bounds the bytes of a date. Longer texts are none.
const maxDate = 60

// zoned matches dates with a time and a zone.
var zoned = regexp.MustCompile(`\d:\d\d.*(?:Z|[+-]\d\d:?\d\d|\b(?:UTC|GMT))$`)

// day returns a date as the columns have it, "" if s is none. The library has panicked
// on odd texts, which are no dates either.
func day(s string) (date string) {
	s = strings.TrimSpace(s)
	if len(s) < 6 || len(s) > maxDate || !strings.ContainsAny(s, "0123456789") {
		return ""
	}
	defer func() {
		if recover() != nil {
			date = ""
		}
	}()
	for _, word := range []string{"Published", "Posted", "Updated", "on ", ":"} {
		s = strings.TrimSpace(strings.TrimPrefix(s, word))
	}
	if isNumber(s) && len(s) != 8 {
		return "" // seconds of a clock, or any other number
	}
	t, err := dateparse.ParseAny(s)
	if err != nil || t.Year() < 1990 || t.Year() > 2100 {
		return ""
	}
	if zoned.MatchString(s) {
		return t.Format("2006-01-02T15:04:05Z07:00")
	}
	return t.Format("2006-01-02")
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

// inURL matches a date in the path of an address.
var inURL = regexp.MustCompile(`/((?:19|20)\d\d)[/-](0[1-9]|1[0-2])[/-](0[1-9]|[12]\d|3[01])(?:[/-]|$)`)

// dateOfURL returns the day in an address such as http://example.org/2024/05/01/story.
func dateOfURL(url string) string {
	if m := inURL.FindStringSubmatch(url); m != nil {
		return m[1] + "-" + m[2] + "-" + m[3]
	}
	return ""
}
