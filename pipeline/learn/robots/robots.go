// Package robots reads the files in which a host states what may be done with its pages:
// robots.txt (RFC 9309, with the lines Content-Usage and Content-Signal) and
// /.well-known/tdmrep.json (TDMRep). The phase learn makes a Files of the captures of one
// host, which is a row of the table of templates; the phase extract asks it about each page.
//
//	b := robots.NewBuilder([]string{"examplebot"})
//	b.Add(path, date, status, body)  // each capture, the latest first
//	row.Body, cut = b.Encode()
//
//	files, err := robots.Decode(row.Body, agents)
//	site := files.About(path, date)          // a *fact.Site
//
// # Which capture counts
//
// Captures are distinguished by their day (UTC), and the last one of a day counts. For a page
// it is that of the latest day not after the page's own, else that of the earliest day after
// it: the file that a crawler had when it fetched the page, as far as the archives show.
//
// # Robots
//
// A robot obeys the groups of lines that name it, all taken together, or those for "*" if
// none does. Of the rules of a group that match a path the longest one counts, and of two
// equally long ones the one that allows. A file that could not be had because of its request
// (status 4xx) allows everything, one that could not because of the server (5xx) nothing. A
// redirect says nothing. Lines Content-Usage and Content-Signal are rules of their group.
// Those with the longest matching path count, and only for robots that may fetch the page
// (draft-ietf-aipref-attach). A line without a path is about all paths.
//
// # Limits
//
// The first MaxFile bytes of a file are read, which RFC 9309 asks for. A Files that would be
// larger than MaxFiles when it is encoded leaves out the earliest captures. Of the lines
// Content-Usage and Content-Signal of a group the first maxUses count. Asking takes time
// linear in the rules, and in the path for each wildcard.
//
// This package is internal to Winnow and may change in any release.
package robots

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/jimsmart/grobotstxt"

	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/feature/website"
)

const (
	// Name is the method of a Files in the table of templates, and of the fact.
	Name = "robots"
	// Version is that of the encoding of a Files.
	Version = 1
	// SiteBy is what a site is in the rows of the table: scheme, host and port.
	SiteBy = "origin"

	// MaxFile is how many bytes of a file are read.
	MaxFile = 500 << 10
	// maxCaptures bounds the captures of one file when they are encoded, in bytes.
	maxCaptures = 512 << 10
	// MaxFiles is more than the bytes of an encoded Files.
	MaxFiles = 2*maxCaptures + 64<<10
	// MaxAgents bounds the robots that a user may name.
	MaxAgents = 16
	// maxUses bounds the preferences of a group.
	maxUses = 256

	robotsPath = "/robots.txt"
	miningPath = "/.well-known/tdmrep.json"
)

// NewAgents returns the robots that a user named as a Files has them: product tokens in lower
// case, sorted, each once.
func NewAgents(names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		if name != "*" && strings.Contains(name, "*") || name != product(name) || name == "" || len(name) > 50 {
			return nil, fmt.Errorf("robot %q: want the name by which robots.txt calls it, such as GPTBot, without its version, or * for any robot", name)
		}
		out = append(out, name)
	}
	slices.Sort(out)
	if out = slices.Compact(out); len(out) > MaxAgents {
		return nil, fmt.Errorf("%d robots: at most %d can be named", len(out), MaxAgents)
	}
	return out, nil
}

// product returns the product token with which the name of a robot begins.
func product(name string) string {
	end := strings.IndexFunc(name, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.*", r))
	})
	if end < 0 {
		return name
	}
	return name[:end]
}

// Origin returns the host that an address of one of the files speaks for, and the path to
// give to Add. ok is false if it is the address of anything else.
func Origin(url string) (origin, path string, ok bool) {
	if !strings.HasSuffix(url, robotsPath) && !strings.HasSuffix(url, miningPath) { // as of most pages
		return "", "", false
	}
	origin, path = website.Origin(url)
	return origin, path, path == robotsPath || path == miningPath
}

// Says reports whether a response with an HTTP status (0: there is none) says something.
func Says(status int) bool {
	switch status / 100 {
	case 0, 2, 4, 5:
		return true
	}
	return false
}

// Files is the content of the files of one host.
type Files encoded[capture[rules], capture[[]reservation]]

// encoded is a Files, or what a Builder makes of one.
type encoded[R, M any] struct {
	Agents []string `json:"agents"` // see NewAgents
	// The captures of each file that differ from the one before, the latest first.
	Robots []R `json:"robots,omitempty"`
	Mining []M `json:"tdmrep,omitempty"`
}

// capture is the content of a file from a given day on.
type capture[T any] struct {
	Day  int64 `json:"day"` // since 1970
	Said T     `json:"said"`
}

// rules is the content of a robots.txt.
type rules struct {
	Closed bool    `json:"closed,omitempty"` // nothing may be fetched: the server failed
	Groups []group `json:"groups,omitempty"`
	Of     []int   `json:"of,omitempty"` // for each agent, the index of the group that it obeys
}

// group is the lines for one robot. Paths are in the form of pattern.
type group struct {
	Allow    []string     `json:"allow,omitempty"`
	Disallow []string     `json:"disallow,omitempty"`
	Uses     []preference `json:"uses,omitempty"`
}

// preference is a line Content-Usage or Content-Signal.
type preference struct {
	Name  string `json:"name"` // lower case
	Path  string `json:"path"`
	Value string `json:"value"`
}

// reservation is a rule of a tdmrep.json.
type reservation struct {
	Location string `json:"location"`
	Reserved string `json:"reserved"` // "0" or "1"
	Policy   string `json:"policy,omitempty"`
}

// Builder makes a Files.
type Builder struct {
	out            encoded[capture[json.RawMessage], capture[json.RawMessage]]
	robots, mining adding
}

// adding is the state of the captures of one file.
type adding struct {
	day  int64 // day of the last capture
	size int   // bytes of all
	full bool  // a capture did not fit
}

// NewBuilder returns a Builder without captures, for the agents of NewAgents.
func NewBuilder(agents []string) *Builder {
	b := new(Builder)
	b.out.Agents = agents
	return b
}

// Add adds a capture of the file at a path that Origin returned. The latest captures of each
// file come first. A date is in seconds since 1970, 0 if it is unknown. A status is that of
// HTTP, 0 if there is none.
func (b *Builder) Add(path string, date int64, status int, body []byte) {
	if !Says(status) {
		return
	}
	if status/100 != 0 && status/100 != 2 {
		body = nil
	}
	body = body[:min(len(body), MaxFile)]
	if path == miningPath {
		b.out.Mining = b.mining.add(b.out.Mining, day(date), func() any { return readMining(body) })
	} else {
		b.out.Robots = b.robots.add(b.out.Robots, day(date), func() any { return readRobots(b.out.Agents, body, status/100 == 5) })
	}
}

// day returns the day of a date.
func day(date int64) int64 { return date / (24 * 60 * 60) }

// add appends a capture, unless there is one of its day. One that says the same as the capture
// after it takes the place of that one.
func (a *adding) add(list []capture[json.RawMessage], day int64, read func() any) []capture[json.RawMessage] {
	if a.full || len(list) > 0 && day == a.day {
		return list
	}
	said := encode(read())
	if n := len(list); n > 0 && bytes.Equal(list[n-1].Said, said) {
		list[n-1].Day, a.day = day, day
		return list
	}
	if a.size += len(said); a.size > maxCaptures {
		a.full = true
		return list
	}
	a.day = day
	return append(list, capture[json.RawMessage]{day, said})
}

// Encode returns the Files in the form that Decode reads. cut reports that early captures did
// not fit.
func (b *Builder) Encode() (body []byte, cut bool) {
	return encode(b.out), b.robots.full || b.mining.full
}

func encode(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("robots: " + err.Error()) // impossible: there are strings and numbers only
	}
	return bytes.TrimSuffix(out.Bytes(), []byte{'\n'})
}

// Decode reads what Encode wrote for the same agents. The folder that holds it may have been
// written by anyone.
func Decode(body []byte, agents []string) (*Files, error) {
	f := new(Files)
	if err := json.Unmarshal(body, f); err != nil {
		return nil, fmt.Errorf("robots: %w", err)
	}
	if !slices.Equal(f.Agents, agents) {
		return nil, fmt.Errorf("robots: it is for the agents %.200q", f.Agents)
	}
	for i := range f.Robots {
		r := &f.Robots[i].Said
		if !r.Closed && len(r.Of) != len(f.Agents) || slices.ContainsFunc(r.Of, func(i int) bool { return i < 0 || i >= len(r.Groups) }) {
			return nil, errors.New("robots: a capture has not a group for each agent")
		}
	}
	return f, nil
}

// Merge adds the captures of an earlier run to f. Both are for the same agents.
func (f *Files) Merge(earlier *Files) {
	f.Robots = merge(f.Robots, earlier.Robots)
	f.Mining = merge(f.Mining, earlier.Mining)
}

// merge returns the captures of two lists, the latest first. Of two of one day, that of the
// first list comes first.
func merge[T any](list, earlier []capture[T]) []capture[T] {
	out := slices.Concat(list, earlier)
	slices.SortStableFunc(out, func(a, b capture[T]) int { return cmp.Compare(b.Day, a.Day) })
	return out
}

// captureOf returns the capture that counts for a page of a day, nil if there is none.
func captureOf[T any](list []capture[T], day int64) *T {
	for i := range list {
		if list[i].Day <= day || i+1 == len(list) {
			return &list[i].Said
		}
	}
	return nil
}

// About returns what the files say about the page at a path (website.Origin) as of a date, in
// seconds since 1970.
func (f *Files) About(path string, date int64) *fact.Site {
	s, path := new(fact.Site), normal(path, "*$")
	if r := captureOf(f.Robots, day(date)); r != nil {
		for i, agent := range f.Agents {
			if r.Closed {
				s.Disallowed = append(s.Disallowed, agent)
				continue
			}
			g := &r.Groups[r.Of[i]]
			if longest(g.Disallow, path) > longest(g.Allow, path) {
				s.Disallowed = append(s.Disallowed, agent)
				continue
			}
			s.Allowed = append(s.Allowed, agent)
			s.Headers = g.uses(s.Headers, path)
		}
	}
	if m := captureOf(f.Mining, day(date)); m != nil {
		if i := slices.IndexFunc(*m, func(m reservation) bool { return matches(path, m.Location) }); i >= 0 {
			s.Headers = append(s.Headers, fact.Header{Name: "tdm-reservation", Value: (*m)[i].Reserved})
			if policy := (*m)[i].Policy; policy != "" {
				s.Headers = append(s.Headers, fact.Header{Name: "tdm-policy", Value: policy})
			}
		}
	}
	return s
}

// longest returns the length of the longest pattern that matches a path, 0 if none does.
func longest(patterns []string, path string) (n int) {
	for _, p := range patterns {
		if len(p) > n && matches(path, p) {
			n = len(p)
		}
	}
	return n
}

// uses adds the preferences of the group for a path to headers.
func (g *group) uses(headers []fact.Header, path string) []fact.Header {
	for _, name := range [...]string{"content-usage", "content-signal"} {
		best := 0
		for _, u := range g.Uses {
			if u.Name == name && len(u.Path) > best && matches(path, u.Path) {
				best = len(u.Path)
			}
		}
		for _, u := range g.Uses {
			h := fact.Header{Name: name, Value: u.Value}
			if u.Name == name && len(u.Path) == best && matches(path, u.Path) && !slices.Contains(headers, h) {
				headers = append(headers, h)
			}
		}
	}
	return headers
}

// readRobots reads a robots.txt for agents.
func readRobots(agents []string, body []byte, closed bool) rules {
	if closed {
		return rules{Closed: true}
	}
	p := parser{agents: agents, groups: make([]group, len(agents)+1), named: make([]bool, len(agents))}
	grobotstxt.Parse(string(body), &p)
	var r rules
	for i := range agents {
		g := p.groups[len(agents)]
		if p.named[i] {
			g = p.groups[i]
		}
		of := slices.IndexFunc(r.Groups, func(o group) bool { return reflect.DeepEqual(o, g) })
		if of < 0 {
			of = len(r.Groups)
			r.Groups = append(r.Groups, g)
		}
		r.Of = append(r.Of, of)
	}
	return r
}

// parser takes the lines of a robots.txt from the library.
type parser struct {
	agents  []string
	groups  []group // groups of the agents, and last the group of any robot without one of its own
	named   []bool  // the agents that have a group of their own
	current []int   // indexes of the groups to which lines belong
	begun   bool    // rules have followed, so that a line User-agent begins other groups
}

func (p *parser) HandleRobotsStart()        {}
func (p *parser) HandleRobotsEnd()          {}
func (p *parser) HandleSitemap(int, string) {}

func (p *parser) HandleUserAgent(_ int, name string) {
	if p.begun {
		p.current, p.begun = p.current[:0], false
	}
	enter := func(i int) {
		if !slices.Contains(p.current, i) {
			p.current = append(p.current, i)
		}
	}
	if name == "*" || len(name) > 1 && name[0] == '*' && unicode.IsSpace(rune(name[1])) {
		enter(len(p.agents))
		return
	}
	if i := slices.Index(p.agents, strings.ToLower(product(name))); i >= 0 {
		p.named[i] = true
		enter(i)
	}
}

// each calls f for the groups to which the current line belongs.
func (p *parser) each(f func(*group)) {
	p.begun = true
	for _, i := range p.current {
		f(&p.groups[i])
	}
}

func (p *parser) HandleAllow(_ int, path string) {
	p.each(func(g *group) {
		if path != "" {
			g.Allow = append(g.Allow, pattern(path))
		}
	})
}

func (p *parser) HandleDisallow(_ int, path string) {
	p.each(func(g *group) {
		if path != "" {
			g.Disallow = append(g.Disallow, pattern(path))
		}
	})
}

func (p *parser) HandleUnknownAction(_ int, name, value string) {
	name = strings.ToLower(name)
	if name != "content-usage" && name != "content-signal" {
		return
	}
	path := "/"
	if strings.HasPrefix(value, "/") {
		path, value = value, ""
		if i := strings.IndexAny(path, " \t"); i >= 0 {
			path, value = path[:i], strings.TrimLeft(path[i:], " \t")
		}
	}
	p.each(func(g *group) {
		if len(g.Uses) < maxUses {
			g.Uses = append(g.Uses, preference{name, pattern(path), value})
		}
	})
}

// readMining reads a tdmrep.json. What is not a rule of the protocol is passed over, and a
// file that is not such an array says nothing.
func readMining(body []byte) []reservation {
	var list []json.RawMessage
	if json.Unmarshal([]byte(strings.TrimPrefix(string(body), "\ufeff")), &list) != nil {
		return nil
	}
	var out []reservation
	for _, one := range list {
		var rule struct {
			Location string          `json:"location"`
			Reserved json.RawMessage `json:"tdm-reservation"`
			Policy   string          `json:"tdm-policy"`
		}
		if json.Unmarshal(one, &rule) != nil || rule.Location == "" {
			continue
		}
		if reserved := strings.Trim(string(rule.Reserved), `"`); reserved == "0" || reserved == "1" {
			out = append(out, reservation{pattern(rule.Location), reserved, rule.Policy})
		}
	}
	return out
}

// pattern puts the path of a rule into the form that matches compares: a final $ means the
// end of the path, and any other one itself.
func pattern(path string) string {
	path, end := strings.CutSuffix(path, "$")
	path = normal(path, "$")
	if end {
		path += "$"
	}
	return path
}

// normal puts a path into the form in which two of them are compared (RFC 9309, 2.2.2): bytes
// that an address does not have, and those of special, are percent-encoded, and others are not.
func normal(path, special string) string {
	out := make([]byte, 0, len(path))
	for i := 0; i < len(path); i++ {
		c := path[i]
		encode := c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>`", c) >= 0 || strings.IndexByte(special, c) >= 0
		if c == '%' && i+2 < len(path) {
			if b, err := hex.DecodeString(path[i+1 : i+3]); err == nil {
				i, c = i+2, b[0]
				encode = strings.IndexByte(unreserved, c) < 0
			}
		}
		if encode {
			out = fmt.Appendf(out, "%%%02X", c)
		} else {
			out = append(out, c)
		}
	}
	return string(out)
}

// unreserved are the bytes that mean the same if they are percent-encoded (RFC 3986, 2.3).
const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

// matches reports whether a pattern matches a path from its beginning. A * is any bytes, and a
// final $ the end of the path. The library has such a function, too; its time is the product
// of both lengths, and it allocates for each rule.
func matches(path, pattern string) bool {
	pattern, end := strings.CutSuffix(pattern, "$")
	part, rest, more := strings.Cut(pattern, "*")
	path, ok := strings.CutPrefix(path, part)
	for ok && more {
		if part, rest, more = strings.Cut(rest, "*"); end && !more {
			return strings.HasSuffix(path, part)
		}
		_, path, ok = strings.Cut(path, part)
	}
	return ok && (!end || path == "")
}
