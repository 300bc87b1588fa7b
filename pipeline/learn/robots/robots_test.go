package robots

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jimsmart/grobotstxt"

	"github.com/winnow/winnow/algorithms/fact"
)

const day0 = 20000 * 24 * 60 * 60 // a date

// filesOf returns a Files of captures, which went through its encoding.
func filesOf(t testing.TB, agents string, add func(b *Builder)) *Files {
	t.Helper()
	names, err := NewAgents(strings.Split(agents, ","))
	if err != nil {
		t.Fatal(err)
	}
	b := NewBuilder(names)
	add(b)
	body, _ := b.Encode()
	if len(body) > MaxFiles {
		t.Fatalf("%d bytes", len(body))
	}
	f, err := Decode(body, names)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// shown writes what the files say about a path.
func shown(s *fact.Site) string {
	var out []string
	for i, list := range [][]string{s.Allowed, s.Disallowed} {
		if len(list) > 0 {
			out = append(out, []string{"yes:", "no:"}[i]+strings.Join(list, ","))
		}
	}
	for _, h := range s.Headers {
		out = append(out, h.Name+":"+h.Value)
	}
	return strings.Join(out, " ")
}

func TestRobots(t *testing.T) {
	const example = "User-Agent: *\nAllow: /\nDisallow: /never/\nContent-Usage: / train-ai=n\nContent-Usage: /ai-ok/ train-ai=y\n\nUser-Agent: ExampleBot\nAllow: /\nContent-Usage: / train-ai=y\n"
	for _, c := range []struct{ agents, file, path, want string }{
		// The example of draft-ietf-aipref-attach.
		{"*", example, "/test", "yes:* content-usage:train-ai=n"},
		{"*", example, "/never/test", "no:*"},
		{"*", example, "/ai-ok/test", "yes:* content-usage:train-ai=y"},
		{"ExampleBot,other", example, "/never/test", "yes:examplebot no:other content-usage:train-ai=y"},

		// RFC 9309, 2.2.1: groups of one robot are one, its own group replaces that for all, and
		// names are compared without their case and version.
		{"foobot,barbot,bazbot,q", "User-Agent: Foobot\nDisallow: /foo/page.html\nUser-Agent: barbot\nDisallow: /bar/\n\nUser-Agent: *\nDisallow: *.gif$\n\nUser-Agent: BazBot/1.0\n",
			"/foo/page.html", "yes:barbot,bazbot,q no:foobot"},
		{"foobot,q", "User-Agent: Foobot\nDisallow: /foo/\nUser-agent: *\nDisallow: *.gif$\n", "/a.gif", "yes:foobot no:q"},
		{"a,b", "user-agent: a\nuser-agent: b\ndisallow: /x\nuser-agent: a\ndisallow: /y\n", "/y", "yes:b no:a"},
		{"a", "user-agent: a\n\nsitemap: http://e.org/s\ndisallow: /x\n", "/x", "no:a"},
		{"a", "disallow: /\nuser-agent: a\nallow: /x\n", "/y", "yes:a"}, // a rule without a group
		{"bot", "user-agent: botanist\ndisallow: /\n", "/", "yes:bot"},

		// 2.2.2 and 5.2: the longest rule counts, and an allowing one of two of one length.
		{"foobot", "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n", "/example/page/disallowed.gif", "no:foobot"},
		{"foobot", "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n", "/example/page/", "yes:foobot"},
		{"a", "user-agent: a\nallow: /p\ndisallow: /p\n", "/p", "yes:a"},
		{"a", "user-agent: a\ndisallow:\n", "/p", "yes:a"},
		{"a", "user-agent: a\ndisallow: /P\n", "/p", "yes:a"},
		{"a", "\ufeffUser agent: a\r\nDisalow: /p\r", "/p?q", "no:a"},
		{"a", "user-agent: a\ndisallow: /foo/bar/\u30C4\n", "/foo/bar/%e3%83%84", "no:a"},
		{"a", "user-agent: a\ndisallow: /foo/bar/%62%61%7A\n", "/foo/bar/baz", "no:a"},
		{"a", "user-agent: a\ndisallow: /a%2fb\n", "/a/b", "yes:a"},
		{"a", "user-agent: a\ndisallow: /path/foo-%24\n", "/path/foo-$", "no:a"},
		{"a", "user-agent: a\ndisallow: /path/foo-%2A\n", "/path/foo-x", "yes:a"},
		{"a", "user-agent: a\ndisallow: /a$b\n", "/a$b", "no:a"},
		{"a", "user-agent: a\ndisallow: /*.php$\n", "/x.php/y.php", "no:a"},
		{"a", "user-agent: a\ndisallow: /*.php$\n", "/x.php?q", "yes:a"},
		{"a", "user-agent: a\ndisallow: /\xff\n", "/%ff", "no:a"},

		// What is said of the use is a rule of its group.
		{"a,b", "user-agent: *\ncontent-signal: ai-train=no\nuser-agent: a\ndisallow: /\n", "/", "yes:b no:a content-signal:ai-train=no"},
		{"a,b", "user-agent: *\nContent-Signal: ai-train=no, search=yes # all\nContent-usage: train-ai=n", "/", "yes:a,b content-usage:train-ai=n content-signal:ai-train=no, search=yes"},
		{"a", "user-agent: *\ncontent-usage: /\t train-ai=n\ncontent-usage: / train-ai=y\n", "/x", "yes:a content-usage:train-ai=n content-usage:train-ai=y"},
		{"a", "<html><p>not found: no", "/", "yes:a"},
		{"a", "", "/", "yes:a"},
	} {
		f := filesOf(t, c.agents, func(b *Builder) { b.Add(robotsPath, day0, 200, []byte(c.file)) })
		if got := shown(f.About(c.path, day0)); got != c.want {
			t.Errorf("%q, %s: %q, want %q", c.file, c.path, got, c.want)
		}
	}
}

func TestMining(t *testing.T) {
	const file = `[{"location":"/a/","tdm-reservation":1}, {"location":"/b/html/","tdm-reservation":"1","tdm-policy":"https://e.org/p?a&b"},
		{"location":"/b/*.jpg$","tdm-reservation":0}, {"location":"/b","tdm-reservation":1}, {"location":5}, 6, {"tdm-reservation":1}, {"location":"/","tdm-reservation":2}]`
	for _, c := range []struct{ file, path, want string }{
		{file, "/a/x", "tdm-reservation:1"},
		{file, "/b/html/x.jpg", "tdm-reservation:1 tdm-policy:https://e.org/p?a&b"},
		{file, "/b/x.jpg", "tdm-reservation:0"},
		{file, "/b/x.jpg?y", "tdm-reservation:1"},
		{file, "/c", ""},
		{"\ufeff" + `[{"location":"*","tdm-reservation":1}]`, "/", "tdm-reservation:1"},
		{`{"location":"/","tdm-reservation":1}`, "/", ""},
		{file[:len(file)-1], "/a/x", ""},
		{strings.Repeat("[", 1<<20), "/", ""},
	} {
		f := filesOf(t, "a", func(b *Builder) { b.Add(miningPath, day0, 200, []byte(c.file)) })
		if got := shown(f.About(c.path, day0)); got != c.want {
			t.Errorf("%.200q, %s: %q, want %q", c.file, c.path, got, c.want)
		}
	}
}

// TestCaptures: which capture counts for a page, and what a status says.
func TestCaptures(t *testing.T) {
	const day = 24 * 60 * 60
	closed := []byte("user-agent: *\ndisallow: /")
	f := filesOf(t, "a", func(b *Builder) {
		b.Add(robotsPath, day0+50*day, 301, nil) // says nothing
		b.Add(robotsPath, day0+40*day, 503, nil)
		b.Add(robotsPath, day0+30*day, 404, closed)
		b.Add(robotsPath, day0+20*day+5, 0, closed)
		b.Add(robotsPath, day0+20*day+1, 404, nil) // the last one of a day counts
		b.Add(robotsPath, day0+15*day, 200, closed)
		b.Add(miningPath, day0+10*day, 200, []byte(`[{"location":"/","tdm-reservation":1}]`))
	})
	for days, want := range map[int64]string{0: "no:a tdm-reservation:1", 15: "no:a tdm-reservation:1", 20: "no:a tdm-reservation:1", 29: "no:a tdm-reservation:1",
		30: "yes:a tdm-reservation:1", 40: "no:a tdm-reservation:1", 60: "no:a tdm-reservation:1"} {
		if got := shown(f.About("/", day0+days*day+3)); got != want {
			t.Errorf("day %d: %q, want %q", days, got, want)
		}
	}
	if len(f.Robots) != 3 { // the captures of the days 15 and 20 say the same
		t.Errorf("%d captures", len(f.Robots))
	}
	if got := shown(f.About("/", 0)); got != "no:a tdm-reservation:1" { // the earliest one
		t.Errorf("without a date: %q", got)
	}
	later := filesOf(t, "a", func(b *Builder) { b.Add(robotsPath, day0+25*day, 404, nil) })
	later.Merge(f)
	for days, want := range map[int64]string{24: "no:a tdm-reservation:1", 25: "yes:a tdm-reservation:1", 40: "no:a tdm-reservation:1"} {
		if got := shown(later.About("/", day0+days*day)); got != want {
			t.Errorf("with an earlier run, day %d: %q, want %q", days, got, want)
		}
	}
}

func TestOrigin(t *testing.T) {
	for url, want := range map[string]string{
		"HTTPS://Example.org:443/robots.txt":   "https://example.org /robots.txt true",
		"http://example.org:8080/robots.txt":   "http://example.org:8080 /robots.txt true",
		"http://e.org/.well-known/tdmrep.json": "http://e.org /.well-known/tdmrep.json true",
		"http://e.org/a/robots.txt":            "http://e.org /a/robots.txt false",
		"http://e.org/?/robots.txt":            "http://e.org /?/robots.txt false",
		"http://e.org/robots.txt?x":            "  false",
		"file:///robots.txt":                   "  false",
		"/robots.txt":                          "  false",
	} {
		origin, path, ok := Origin(url)
		if got := fmt.Sprint(origin, " ", path, " ", ok); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}

func TestAgents(t *testing.T) {
	if got, err := NewAgents([]string{" GPTBot", "ccbot", "*", "gptbot"}); err != nil || fmt.Sprint(got) != "[* ccbot gptbot]" {
		t.Error(got, err)
	}
	for _, bad := range []string{"", "a/1.0", "a b", "*a", strings.Repeat("a", 51)} {
		if _, err := NewAgents([]string{bad}); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	var many []string
	for i := range MaxAgents + 1 {
		many = append(many, fmt.Sprint("bot", i))
	}
	if _, err := NewAgents(many); err == nil {
		t.Error("too many robots are accepted")
	}
}

// TestLargeFiles: what is kept is bounded, whatever the files hold, and the latest is kept.
func TestLargeFiles(t *testing.T) {
	var large strings.Builder
	large.WriteString("user-agent: *\n")
	for i := 0; large.Len() < MaxFile; i++ {
		fmt.Fprintf(&large, "disallow: /*%d&\n", i)
	}
	names, _ := NewAgents([]string{"a", "b"})
	b := NewBuilder(names)
	b.Add(robotsPath, day0+2*86400, 200, []byte("user-agent: a\ndisallow: /x\n"+strings.Repeat(large.String(), 10)))
	b.Add(robotsPath, day0+86400, 200, []byte(large.String()))
	b.Add(robotsPath, day0, 404, nil)
	body, cut := b.Encode()
	f, err := Decode(body, names)
	if err != nil || !cut || len(body) > MaxFiles || len(f.Robots) != 1 {
		t.Fatalf("%d bytes, %d captures, cut: %t, %v", len(body), len(f.Robots), cut, err)
	}
	if got := shown(f.About("/y7&", 0)); got != "yes:a no:b" {
		t.Error(got)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, body := range []string{``, `{"agents":["b"]}`, `{"agents":["a"],"robots":[{"said":{}}]}`,
		`{"agents":["a"],"robots":[{"said":{"of":[1],"groups":[{}]}}]}`, `{"agents":["a"],"robots":[{"said":{"of":[-1]}}]}`} {
		if _, err := Decode([]byte(body), []string{"a"}); err == nil {
			t.Errorf("%s is accepted", body)
		}
	}
}

// FuzzMatches compares with the function of the library.
func FuzzMatches(f *testing.F) {
	f.Add("/a/b.php", "/*.php$")
	f.Add("/aab", "*a*ab$")
	f.Add("", "**$")
	f.Add("/a", "/a*$")
	f.Fuzz(func(t *testing.T, path, pattern string) {
		if before, _ := strings.CutSuffix(pattern, "$"); strings.Contains(before, "$") || len(path)*len(pattern) > 1<<16 {
			return // pattern encodes it
		}
		if got, want := matches(path, pattern), grobotstxt.Matches(path, pattern); got != want {
			t.Errorf("%q, %q: %t, want %t", path, pattern, got, want)
		}
	})
}

// FuzzRobots looks for files that cannot be read, and compares with the library where both
// decide alike: it has a rule of its own for index.html, compares paths without undoing their
// percent-encoding, and does not know what begins with Content-.
func FuzzRobots(f *testing.F) {
	f.Add("user-agent: *\ndisallow: /\nuser-agent: a\nallow: /x*$", "x")
	f.Add("user-agent: a\n\nuser-agent: * x\ndisallow: /p\nallow: /\x00", "p")
	f.Add("User-agent: b\nUser-agent: a\nDisallow:\n", "")
	f.Add(`[{"location":"/","tdm-reservation":1}]`, "%zz$*")
	f.Fuzz(func(t *testing.T, file, path string) {
		files := filesOf(t, "a", func(b *Builder) {
			b.Add(robotsPath, 0, 200, []byte(file))
			b.Add(miningPath, 0, 200, []byte(file))
		})
		path = "/" + path
		site := files.About(path, 0)
		if len(site.Allowed)+len(site.Disallowed) != 1 {
			t.Fatalf("%+v", site)
		}
		const letters = "abcdefghijklmnopqrstuvwxyz0123456789/"
		lower := strings.ToLower(file)
		if strings.Trim(path, letters) != "" || strings.Trim(lower, letters+" \t\r\n:*-_.,=") != "" || strings.Contains(lower, "content-") ||
			strings.Contains(lower, "index.htm") || len(file)*len(path) > 1<<16 {
			return
		}
		if want := grobotstxt.AgentAllowed(file, "a", "http://e.org"+path); want != (len(site.Allowed) == 1) {
			t.Errorf("%q, %q: the library says %t", file, path, want)
		}
	})
}

// BenchmarkHostile is the time of a page whose host has a robots.txt of many wildcards.
func BenchmarkHostile(b *testing.B) {
	file := "user-agent: *\n" + strings.Repeat("disallow:*a\n", MaxFile/12)
	f := filesOf(b, "a", func(b *Builder) { b.Add(robotsPath, 0, 200, []byte(file)) })
	path := "/" + strings.Repeat("b", 8<<10)
	for b.Loop() {
		f.About(path, 0)
	}
}
