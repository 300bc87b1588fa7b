package metadata

import (
	"regexp"
	"strings"
	"time"

	"github.com/araddon/dateparse"
)

// maxDate bounds the bytes of a date. Longer texts are none.
const maxDate = 60

// zoned matches dates with a time and a zone.
var zoned = regexp.MustCompile(`\d:\d\d.*(?:Z|[+-]\d\d:?\d\d|\b(?:UTC|GMT))$`)

// day returns a date as the columns have it, "" if s is none.
func day(s string) string {
	s = strings.TrimSpace(s)
	if len(s) < 6 || len(s) > maxDate || !strings.ContainsAny(s, "0123456789") {
		return ""
	}
	if date, ok := stamp(s); ok {
		return date
	}
	return anyDay(s)
}

// stamp is day for RFC 3339 with time and zone, as nine in ten dates are that pages state
// to machines. It tells them apart fifty times as fast as anyDay, and says the same.
func stamp(s string) (date string, ok bool) {
	const shortest = len("2006-01-02T15:04:05Z")
	if len(s) < shortest || s[10] != 'T' || s[13] != ':' || s[19] == ',' {
		return "", false
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return "", false
	}
	return format(t, time.RFC3339), true
}

// anyDay is day for dates in any form. The library has panicked on odd texts, which are
// no dates either.
func anyDay(s string) (date string) {
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
	if err != nil {
		return ""
	}
	if zoned.MatchString(s) {
		return format(t, time.RFC3339)
	}
	return format(t, time.DateOnly)
}

// format returns t in the given layout, "" if it is a mistake.
func format(t time.Time, layout string) string {
	if t.Year() < 1990 || t.Year() > 2100 {
		return ""
	}
	return t.Format(layout)
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
