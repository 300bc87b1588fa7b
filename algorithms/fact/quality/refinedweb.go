package quality

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// flag counts a line that RefinedWeb would correct or discard, and reports whether it is one.
func (m *Meter) flag(s *Signals, l *line, line []byte) bool {
	switch {
	case 2*l.upper > l.cased:
		s.UppercaseLines++
	case l.cased == 0 && m.isNumeric(line):
		s.NumericLines++
	case l.words == 2 && m.isCounter(line):
		s.CounterLines++
	case l.words == 1:
		s.OneWordLines++
	case l.words <= 10 && m.hasPattern(l, line):
		s.PatternLines++
	default:
		return false
	}
	return true
}

// isCounter reports whether the two words of a line are a number and what is counted: "1.2k
// views".
func (m *Meter) isCounter(line []byte) bool {
	if c := line[0]; c != '.' && c != ',' && (c < '0' || '9' < c) {
		return false
	}
	m.lower = appendLower(m.lower[:0], line)
	end := bytes.IndexFunc(m.lower, isBlank)
	number, unit := bytes.TrimRight(m.lower[:end], "km+"), bytes.TrimLeftFunc(m.lower[end:], isBlank)
	if len(number) == 0 || len(bytes.Trim(number, "0123456789.,")) > 0 {
		return false
	}
	switch string(bytes.TrimSuffix(unit, []byte{'s'})) {
	case "like", "share", "comment", "retweet", "repost", "quote", "bookmark", "upvote", "downvote", "download", "view", "follower":
		return true
	}
	return false
}

var (
	atStart  = []string{"sign in", "sign-in", "sign up", "log in", "login"}
	atEnd    = [][]byte{[]byte("read more"), []byte("read more..."), []byte("read more…"), []byte("read more »")}
	anywhere = [][]byte{[]byte("items in cart"), []byte("item in cart"), []byte("items in your cart"), []byte("item in your cart")}
)

// hasPattern reports whether a line of at most ten words has one of the patterns.
func (m *Meter) hasPattern(l *line, line []byte) bool {
	if c := line[0] | 0x20; c == 's' || c == 'l' { // as all of atStart
		for _, p := range atStart {
			if hasPrefixFold(line, p) {
				return true
			}
		}
	}
	if c := line[len(line)-1]; c|0x20 == 'e' || c == '.' || c >= utf8.RuneSelf {
		m.lower = appendLower(m.lower[:0], line)
		for _, p := range atEnd {
			if bytes.HasSuffix(m.lower, p) {
				return true
			}
		}
	}
	return l.suspicious && slices.ContainsFunc(anywhere, func(p []byte) bool { return bytes.Contains(m.lower, p) })
}
