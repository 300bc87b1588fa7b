package metadata

import (
	"regexp"
	"strings"

	"github.com/araddon/dateparse"
)

// maxDate bounds the bytes of a date. Longer texts are not dates.
const maxDate = 60

// zoned matches dates with a time and a zone.
var zoned = regexp.MustCompile(`\d:\d\d.*(?:Z|[+-]\d\d:?\d\d|\b(?:UTC|GMT))$`)

// day returns a date as the columns have it, "" if s is not a date.
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

// stamp is day for the form of most dates that pages state to machines, RFC 3339 with a zone
// and whole seconds. It knows no calendar, so it leaves the last days of months to anyDay.
func stamp(s string) (date string, ok bool) {
	const form = "0000-00-00T00:00:00"
	if len(s) <= len(form) {
		return "", false
	}
	clock, zone := s[:len(form)], s[len(form):]
	switch {
	case zone == "+00:00" || zone == "-00:00":
		zone = "Z"
	case zone != "Z" && (zone[0] != '+' && zone[0] != '-' || !isForm(zone[1:], "00:00") || zone[1:] > "12:00" || zone[4:] > "59"):
		return "", false
	}
	if !isForm(clock, form) || clock[5:7] < "01" || clock[5:7] > "12" || clock[8:10] < "01" || clock[8:10] > "28" ||
		clock[11:13] > "23" || clock[14:16] > "59" || clock[17:] > "59" {
		return "", false
	}
	if clock[:4] < "1990" || clock[:4] > "2100" {
		return "", true
	}
	return clock + zone, true
}

// isForm reports whether s has a digit where form has one, and is equal otherwise.
func isForm(s, form string) bool {
	if len(s) != len(form) {
		return false
	}
	for i := range len(s) {
		if form[i] == '0' && (s[i] < '0' || s[i] > '9') || form[i] != '0' && s[i] != form[i] {
			return false
		}
	}
	return true
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
