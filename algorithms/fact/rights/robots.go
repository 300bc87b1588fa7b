package rights

import (
	"bytes"
	"slices"
	"strings"

	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/feature/declared"
)

// maxRules bounds the directives that are kept, for all robots and for named ones.
const maxRules = 64

// rules finds the directives for robots.
func rules(s *fact.Subject, m *declared.Markup) {
	var all, named []string
	add := func(agent, rule string) {
		list := &all
		if agent != "" {
			list, rule = &named, agent+":"+rule
		}
		if len(*list) < maxRules && !slices.Contains(*list, rule) {
			*list = append(*list, rule)
		}
	}
	for i := range m.Metas {
		meta := &m.Metas[i]
		switch {
		case meta.Is("robots"):
			eachRule(string(meta.Content), "", add)
		case isRobot(meta.Key) && onlyRules(string(meta.Content)):
			eachRule(string(meta.Content), strings.ToLower(string(meta.Key)), add)
		}
	}
	for _, h := range s.Headers {
		if h.Name == "x-robots-tag" {
			eachRule(h.Value, "", add)
		}
	}
	s.Out[robots].SetText(strings.Join(all, ","))
	s.Out[robotsAgents].SetText(strings.Join(named, ","))
	says := func(rules ...string) bool {
		return slices.ContainsFunc(rules, func(r string) bool { return slices.Contains(all, r) })
	}
	s.Out[noindex].SetBool(says("noindex", "none"))
	s.Out[nofollow].SetBool(says("nofollow", "none"))
	s.Out[noarchive].SetBool(says("noarchive", "nocache"))
	s.Out[nosnippet].SetBool(says("nosnippet", "max-snippet:0"))
	s.Out[noai].SetBool(says("noai", "noml"))
	s.Out[noimageai].SetBool(says("noimageai"))
}

// withValue are the directives that have a value after a colon. Any other word before a
// colon is the name of a robot.
var withValue = []string{"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}

// eachRule calls add for every directive of a list such as "noindex, nofollow" or
// "otherbot: noindex, nofollow". A name holds for the directives that follow it.
func eachRule(list, agent string, add func(agent, rule string)) {
	dated := false // the directive before was a date, which may contain commas
	for part := range strings.SplitSeq(list, ",") {
		part = strings.ToLower(strings.TrimSpace(part))
		name, value, colon := strings.Cut(part, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if dated && (part == "" || '0' <= part[0] && part[0] <= '9') {
			dated = false
			continue // the rest of "unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT"
		}
		switch {
		case colon && slices.Contains(withValue, name):
			part = name + ":" + value
			dated = name == "unavailable_after"
		case colon && isToken(name):
			agent, part = name, value
			if before, after, again := strings.Cut(value, ":"); again && slices.Contains(withValue, strings.TrimSpace(before)) {
				part = strings.TrimSpace(before) + ":" + strings.TrimSpace(after)
			}
		}
		if part != "" && len(part) <= 100 {
			add(agent, part)
		}
	}
}

// isToken reports whether s can be the name of a robot.
func isToken(s string) bool {
	return s != "" && len(s) <= 50 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-_./*") == ""
}

// robotNames are names of robots that do not end in "bot".
var robotNames = []string{"slurp", "teoma", "yandex", "baiduspider", "googlebot-news", "googlebot-image", "googlebot-video", "adsbot-google", "google-extended"}

// isRobot reports whether the name of a meta element is that of a robot.
func isRobot(key []byte) bool {
	if len(key) > 50 || !endsInBot(key) && !slices.ContainsFunc(robotNames, func(name string) bool { return len(key) == len(name) && hasPrefixFold(key, name) }) {
		return false
	}
	return isToken(string(bytes.ToLower(key)))
}

func endsInBot(key []byte) bool {
	const bot = "bot"
	return len(key) >= len(bot) && hasPrefixFold(key[len(key)-len(bot):], bot)
}

// directives are the words that a meta element for a robot may hold.
var directives = []string{"all", "none", "index", "follow", "noindex", "nofollow", "archive", "noarchive", "nocache", "snippet", "nosnippet", "noimageindex",
	"notranslate", "noodp", "noydir", "noai", "noml", "noimageai", "indexifembedded", "nositelinkssearchbox"}

// onlyRules reports whether a list has directives and nothing else.
func onlyRules(list string) bool {
	for part := range strings.SplitSeq(list, ",") {
		part = strings.ToLower(strings.TrimSpace(part))
		name, _, _ := strings.Cut(part, ":")
		if part != "" && !slices.Contains(directives, part) && !slices.Contains(withValue, strings.TrimSpace(name)) {
			return false
		}
	}
	return true
}
