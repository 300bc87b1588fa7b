package source

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/winnow/winnow/pipeline/source/payload"
)

// Selector chooses lines of an index. The zero Selector chooses all.
type Selector struct {
	URLs     []string       // prefixes of URLs; if there are none, all URLs are chosen
	URLMatch *regexp.Regexp // pattern that must occur in the URL
	MIMEs    []string       // media types, in lower case: "text/html", "text/*"
	Statuses []string       // "200", "4xx"
	From, To string         // first and last timestamp, perhaps shortened: "2024", "20240131"

	Where string // chooses rows of indexes that are tables; see keep.Where

	// Whole means that WACZ collections are read completely. By default the records that
	// their own indexes name are read.
	Whole bool
}

// SelectorOptions are the values of a user's flags.
type SelectorOptions struct {
	URLs, MIMEs, Statuses []string
	URLMatch, From, To    string
	Where                 string
	Whole                 bool
}

// NewSelector reads the values of a user's flags.
func NewSelector(o SelectorOptions) (s Selector, err error) {
	s.URLs, s.Where, s.Whole = o.URLs, o.Where, o.Whole
	if o.URLMatch != "" {
		if s.URLMatch, err = regexp.Compile(o.URLMatch); err != nil {
			return s, fmt.Errorf("URL pattern: %w", err)
		}
	}
	for _, m := range o.MIMEs {
		m = strings.ToLower(strings.TrimSpace(m))
		if kind, sub, ok := strings.Cut(m, "/"); !ok || kind == "" || sub == "" {
			return s, fmt.Errorf("media type %q: want one such as text/html or text/*", m)
		}
		s.MIMEs = append(s.MIMEs, m)
	}
	for _, status := range o.Statuses {
		status = strings.ToLower(strings.TrimSpace(status))
		if !regexp.MustCompile(`^[1-9]([0-9][0-9]|xx)$`).MatchString(status) {
			return s, fmt.Errorf("status %q: want three digits, or one such as 4xx", status)
		}
		s.Statuses = append(s.Statuses, status)
	}
	if s.From, err = timestamp(o.From); err != nil {
		return s, err
	}
	if s.To, err = timestamp(o.To); err != nil {
		return s, err
	}
	if s.From != "" && s.To != "" && s.From > s.To+"99999999999999"[len(s.To):] {
		return s, fmt.Errorf("dates from %s to %s: the first is after the last", o.From, o.To)
	}
	return s, nil
}

// timestamp converts a date that a user gives into the form of an index, 4 to 14 digits:
// 2024-01-31 becomes 20240131.
func timestamp(date string) (string, error) {
	digits := strings.NewReplacer("-", "", ":", "", "T", "", "Z", "", " ", "").Replace(date)
	if date != "" && (len(digits) < 4 || len(digits) > 14 || len(digits)%2 != 0 || strings.Trim(digits, "0123456789") != "") {
		return "", fmt.Errorf("date %q: want as much of YYYYMMDDhhmmss as matters, such as 2024 or 2024-01-31", date)
	}
	// Dates are compared as text, so that month 13 would mean the end of its year.
	if _, err := time.Parse("20060102150405"[:len(digits)], digits); date != "" && err != nil {
		return "", fmt.Errorf("date %q: there is no such date", date)
	}
	return digits, nil
}

// All reports whether the selector chooses every line.
func (s *Selector) All() bool {
	return len(s.URLs) == 0 && s.URLMatch == nil && len(s.MIMEs) == 0 && len(s.Statuses) == 0 && s.From == "" && s.To == "" && s.Where == ""
}

// chooses reports whether the selector chooses a line. A line that lacks a value on which
// the selector has a condition is not chosen.
func (s *Selector) chooses(l *indexLine) bool {
	return (s.From == "" || l.timestamp >= s.From) &&
		(s.To == "" || l.timestamp != "" && l.timestamp[:min(len(l.timestamp), len(s.To))] <= s.To) &&
		(len(s.Statuses) == 0 || s.status(l.status)) &&
		(len(s.MIMEs) == 0 || s.mime(l.mime)) &&
		(len(s.URLs) == 0 || s.prefix(l.url)) &&
		(s.URLMatch == nil || s.URLMatch.MatchString(l.url))
}

func (s *Selector) prefix(url string) bool {
	for _, p := range s.URLs {
		if strings.HasPrefix(url, p) {
			return true
		}
	}
	return false
}

func (s *Selector) status(status string) bool {
	for _, want := range s.Statuses {
		if status == want || len(status) == 3 && want[1:] == "xx" && status[0] == want[0] {
			return true
		}
	}
	return false
}

func (s *Selector) mime(mime string) bool {
	mime = payload.MediaType(mime)
	for _, want := range s.MIMEs {
		family, any := strings.CutSuffix(want, "*")
		if mime == want || any && strings.HasPrefix(mime, family) {
			return true
		}
	}
	return false
}
