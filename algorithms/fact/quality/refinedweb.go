package quality

import "bytes"

// flag counts a line that RefinedWeb would correct or discard, and says whether it is one.
func (m *Meter) flag(s *Signals, l *line, words []span) bool {
	switch {
	case 2*l.upper > l.cased:
		s.UppercaseLines++
	case l.all&digit != 0 && l.cased == 0 && l.all&(other|caseless) == 0:
		s.NumericLines++
	case len(words) == 2 && isCounter(m.lower[:words[0].end-words[0].start], m.lower[words[1].start-words[0].start:]):
		s.CounterLines++
	case len(words) == 1:
		s.OneWordLines++
	case len(words) <= 10 && hasPattern(m.lower):
		s.PatternLines++
	default:
		return false
	}
	return true
}

// isCounter says whether the two words are a number and what is counted: "1.2k views".
func isCounter(number, unit []byte) bool {
	number = bytes.TrimRight(number, "km+")
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
	atStart  = [][]byte{[]byte("sign in"), []byte("sign-in"), []byte("sign up"), []byte("log in"), []byte("login")}
	atEnd    = [][]byte{[]byte("read more"), []byte("read more..."), []byte("read more…"), []byte("read more »")}
	anywhere = [][]byte{[]byte("items in cart"), []byte("item in cart"), []byte("items in your cart"), []byte("item in your cart")}
)

func hasPattern(lower []byte) bool {
	for _, p := range atStart {
		if bytes.HasPrefix(lower, p) {
			return true
		}
	}
	for _, p := range atEnd {
		if bytes.HasSuffix(lower, p) {
			return true
		}
	}
	for _, p := range anywhere {
		if bytes.Contains(lower, p) {
			return true
		}
	}
	return false
}
