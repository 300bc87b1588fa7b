package rights

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/feature/declared"
)

// Fact finds what may be done with a page.
var Fact = &fact.Fact{
	Description: algorithms.Description{
		Name: "rights", Family: "rights",
		Doc: "what robots may do with the page, whether text and data mining or the use for models is reserved, the licence, the canonical address, and whether the page is free to read",
		Cite: algorithms.Cite{Authors: "Google; W3C Text and Data Mining Reservation Protocol Community Group; IETF AI Preferences Working Group; Cloudflare; Creative Commons; schema.org",
			Title: "Robots meta tag specifications; TDM Reservation Protocol; Content-Usage; Content-Signal; rel=license; isAccessibleForFree", Venue: "public specifications", Year: 2024,
			URL: "https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240202/"},
		Fidelity: algorithms.Exact, Cost: algorithms.Linear,
	},
	Default: true,
	Page:    &fact.Finder{Columns: columns, Find: find},
}

// The columns, in order.
const (
	robots = iota
	robotsAgents
	noindex
	nofollow
	noarchive
	nosnippet
	noai
	noimageai
	tdmReservation
	tdmPolicy
	license
	ccLicense
	canonicalURL
	accessibleForFree
	contentUsage
	contentSignal
	trainAIReserved
	aiUseReserved
	searchReserved
)

const failed = "the fact failed"

var columns = []fact.Column{
	robots:            {Name: "robots", Kind: fact.KindText, Doc: "Directives for all robots, from the meta element `robots` and the header X-Robots-Tag, in lower case, comma-separated, each once.", Null: "there are none"},
	robotsAgents:      {Name: "robots_agents", Kind: fact.KindText, Doc: "Directives for named robots: `googlebot:noindex,gptbot:noai`.", Null: "there are none"},
	noindex:           flag("noindex", "all robots are told not to show the page in search results"),
	nofollow:          flag("nofollow", "all robots are told not to follow the links of the page"),
	noarchive:         flag("noarchive", "all robots are told not to show a copy of the page"),
	nosnippet:         flag("nosnippet", "all robots are told not to show a piece of the page"),
	noai:              flag("noai", "all robots are told not to use the page for training models"),
	noimageai:         flag("noimageai", "all robots are told not to use the pictures of the page for training models"),
	tdmReservation:    {Name: "tdm_reservation", Kind: fact.KindBool, Doc: "Whether the rights of text and data mining are reserved (header or meta element `tdm-reservation`, else `tdmrep.json`).", Null: "none says so"},
	tdmPolicy:         {Name: "tdm_policy", Kind: fact.KindText, Doc: "Address of the policy of text and data mining.", Null: "none is stated"},
	license:           {Name: "license", Kind: fact.KindText, Doc: "Address of the licence: the first link with the relation license, else the first to a licence of Creative Commons.", Null: "there is no such link"},
	ccLicense:         {Name: "cc_license", Kind: fact.KindText, Doc: "Short name of the licence of Creative Commons that `license` leads to: `by-sa-4.0`, `zero-1.0`.", Null: "`license` leads to none"},
	canonicalURL:      {Name: "canonical_url", Kind: fact.KindText, Doc: "Address that the page declares as its own (link or header, relation canonical), made absolute.", Null: "it declares none"},
	accessibleForFree: {Name: "accessible_for_free", Kind: fact.KindBool, Doc: "Whether the page can be read without payment or login, as it says itself (isAccessibleForFree of schema.org).", Null: "it does not say"},
	contentUsage:      {Name: "content_usage", Kind: fact.KindText, Doc: "Preferences of the header Content-Usage (IETF AIPREF), else of robots.txt, in lower case, comma-separated, each once: `train-ai=n,search=y`.", Null: "there are none"},
	contentSignal:     {Name: "content_signal", Kind: fact.KindText, Doc: "Preferences of the header Content-Signal, else of robots.txt, in the same form: `ai-train=no,search=yes`.", Null: "there are none"},
	trainAIReserved:   reserved("train_ai_reserved", "training of generative models (`train-ai`, `ai-train`)"),
	aiUseReserved:     reserved("ai_use_reserved", "use as the input of a generative model (`ai-use`, `ai-input`)"),
	searchReserved:    reserved("search_reserved", "use for a search engine (`search`)"),
}

func flag(name, doc string) fact.Column {
	return fact.Column{Name: name, Kind: fact.KindBool, Doc: "Whether " + doc + ".", Null: failed}
}

func reserved(name, use string) fact.Column {
	return fact.Column{Name: name, Kind: fact.KindBool, Doc: "Whether `content_usage` or `content_signal` disallows " + use + ".", Null: "neither says so"}
}

func find(s *fact.Subject) error {
	m := declared.Of.Of(s.Pass)
	rules(s, m)
	mining(s, m)
	usage(s)
	licence(s, m)
	canonical(s, m)
	free(s, m)
	return nil
}

// mining finds the reservation of text and data mining.
func mining(s *fact.Subject, m *declared.Markup) {
	said := func(value string) {
		switch value = strings.TrimSpace(value); {
		case value == "1":
			s.Out[tdmReservation].SetBool(true)
		case value == "0" && !s.Out[tdmReservation].Known:
			s.Out[tdmReservation].SetBool(false)
		}
	}
	policy := func(value string) {
		if !s.Out[tdmPolicy].Known {
			s.Out[tdmPolicy].SetText(strings.TrimSpace(value))
		}
	}
	for _, h := range s.Headers {
		switch h.Name {
		case "tdm-reservation":
			said(h.Value)
		case "tdm-policy":
			policy(h.Value)
		}
	}
	for i := range m.Metas {
		switch meta := &m.Metas[i]; {
		case meta.Is("tdm-reservation"):
			said(string(meta.Content))
		case meta.Is("tdm-policy"):
			policy(string(meta.Content))
		}
	}
	if s.Site == nil || s.Out[tdmReservation].Known {
		return
	}
	for _, h := range s.Site.Headers {
		switch h.Name {
		case "tdm-reservation":
			said(h.Value)
		case "tdm-policy":
			policy(h.Value)
		}
	}
}

// commons matches the address of a licence of Creative Commons.
var commons = regexp.MustCompile(`(?i)^(?:https?:)?//(?:www\.)?creativecommons\.org/(licenses|publicdomain)/([a-z+-]+)(?:/([0-9.]+))?`)

// shortName returns the name of a licence of Creative Commons, "" if href leads to none.
func shortName(href []byte) string {
	if !toCommons(href) { // the expression is slow, and few links lead there
		return ""
	}
	found := commons.FindSubmatch(href)
	if found == nil {
		return ""
	}
	name := strings.ToLower(string(found[2]))
	if version := strings.Trim(string(found[3]), "."); version != "" {
		name += "-" + version
	}
	return name
}

// toCommons reports whether href may be the address of a licence: whether its host is that of
// Creative Commons.
func toCommons(href []byte) bool {
	const host = "creativecommons.org"
	if len(href) < len("//"+host) {
		return false
	}
	for _, scheme := range []int{0, len("http:"), len("https:")} {
		if href[scheme] != '/' || href[scheme+1] != '/' {
			continue
		}
		rest := href[scheme+len("//"):]
		if c := rest[0] | 0x20; c != 'c' && c != 'w' { // as of most hosts
			return false
		}
		if hasPrefixFold(rest, "www.") {
			rest = rest[len("www."):]
		}
		return hasPrefixFold(rest, host)
	}
	return false
}

// hasPrefixFold reports whether b begins with prefix, without regard to case.
func hasPrefixFold(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && strings.EqualFold(string(b[:len(prefix)]), prefix)
}

func licence(s *fact.Subject, m *declared.Markup) {
	var chosen, short = []byte(nil), ""
	for i := range m.Links {
		l := &m.Links[i]
		if l.Has("license") {
			chosen, short = l.Href, shortName(l.Href)
			break
		}
		if chosen == nil {
			if name := shortName(l.Href); name != "" {
				chosen, short = l.Href, name
			}
		}
	}
	s.Out[license].SetText(string(chosen))
	s.Out[ccLicense].SetText(short)
}

// canonical finds the address that the page declares as its own.
func canonical(s *fact.Subject, m *declared.Markup) {
	for i := range m.Links {
		if l := &m.Links[i]; !l.Anchor && l.Has("canonical") {
			s.Out[canonicalURL].SetText(absolute(s.Pass, string(l.Href)))
			return
		}
	}
	for _, h := range s.Headers {
		if h.Name != "link" {
			continue
		}
		for link := range strings.SplitSeq(h.Value, "<") {
			href, rest, ok := strings.Cut(link, ">")
			if ok && canonicalRelation.MatchString(rest) {
				s.Out[canonicalURL].SetText(absolute(s.Pass, href))
				return
			}
		}
	}
}

var canonicalRelation = regexp.MustCompile(`(?i);\s*rel\s*=\s*(?:"[^"]*\bcanonical\b[^"]*"|canonical\b)`)

// absolute resolves ref against the address of the page and its base element. What
// cannot be resolved stays as it is.
func absolute(p *algorithms.Pass, ref string) string {
	trimmed := strings.TrimSpace(ref)
	if strings.HasPrefix(trimmed, "https:") || strings.HasPrefix(trimmed, "http:") {
		return trimmed
	}
	u, err := url.Parse(trimmed)
	if err != nil || u.IsAbs() {
		return trimmed
	}
	base, err := url.Parse(p.URL)
	if err != nil {
		return ref
	}
	if href, ok := p.Page.BaseHref(); ok {
		if b, err := base.Parse(string(bytes.TrimSpace(href))); err == nil {
			base = b
		}
	}
	if !base.IsAbs() {
		return ref
	}
	return base.ResolveReference(u).String()
}

// free finds isAccessibleForFree, in JSON-LD or in a meta element of microdata.
func free(s *fact.Subject, m *declared.Markup) {
	const part = "ForFree" // part of the property's name; the capital makes it fast to search for
	said := func(value string) {
		switch value = strings.ToLower(strings.TrimSpace(value)); {
		case value == "true" || strings.HasSuffix(value, "schema.org/true"):
			s.Out[accessibleForFree].SetBool(true)
		case value == "false" || strings.HasSuffix(value, "schema.org/false"):
			s.Out[accessibleForFree].SetBool(false)
		}
	}
	for _, script := range m.Scripts {
		if !bytes.Contains(script, []byte(part)) {
			continue
		}
		for _, o := range declared.LD.Of(s.Pass).List {
			switch v := o[declared.AccessibleForFree]; v.Kind() {
			case 't', 'f':
				s.Out[accessibleForFree].SetBool(v.Kind() == 't')
			case '"':
				said(v.String())
			}
			if s.Out[accessibleForFree].Known {
				return
			}
		}
	}
	if meta := m.Meta("isaccessibleforfree"); meta != nil {
		said(string(meta))
	}
}
