package lines

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/page"
)

// line is what is measured of a line.
type line struct{ chars, tags int32 }

func split(src string, wrap Wrap) []line {
	var pg page.Page
	pg.Parse([]byte(src), page.Options{ShowHidden: true})
	var p algorithms.Pass
	p.Reset(&pg, "")
	var v View
	v.Split(&p, wrap)
	lines := make([]line, v.Len())
	for i := range lines {
		lines[i] = line{v.Chars[i], v.Tags[i]}
	}
	return lines
}

var never = Wrap{Columns: 65, Trigger: 1 << 30}

var (
	removed = regexp.MustCompile(`(?s)<!--.*?-->|<script.*?</script>|<style.*?</style>|<noscript.*?</noscript>`)
	tag     = regexp.MustCompile(`(?s)<[^>]*>`)
	uncut   = regexp.MustCompile(`(?s)</?(body|html)[^>]*>`)
)

// twin measures lines with expressions over the source, as the public programs
// do. Tags of body and html are no tags.
func twin(src string, wrap Wrap) []line {
	_, src, _ = strings.Cut(src, "<body>")
	src = removed.ReplaceAllString(src, "")
	if utf8.RuneCountInString(src) > wrap.Trigger*(strings.Count(src, "\n")+1) {
		src = fold(src, wrap.Columns)
	}
	// A tag belongs to the line it begins on: its line ends go after it.
	src = tag.ReplaceAllStringFunc(src, func(s string) string {
		return strings.ReplaceAll(s, "\n", " ") + strings.Repeat("\n", strings.Count(s, "\n"))
	})
	var lines []line
	for _, l := range strings.Split(src, "\n") {
		text := html.UnescapeString(tag.ReplaceAllString(l, ""))
		n := line{
			chars: int32(utf8.RuneCountInString(strings.Join(strings.Fields(text), " "))),
			tags:  int32(len(tag.FindAllString(uncut.ReplaceAllString(l, ""), -1))),
		}
		if n != (line{}) {
			lines = append(lines, n)
		}
	}
	return lines
}

// fold breaks src before the next tag or at the next white space once a line
// has its columns.
func fold(src string, columns int) string {
	var b strings.Builder
	n, inTag := 0, false
	for _, r := range src {
		switch {
		case r == '<':
			inTag = true
			if n >= columns {
				b.WriteByte('\n')
				n = 0
			}
		case r == '\n':
			n = -1
		case r == ' ' && !inTag && n >= columns:
			r = '\n'
			n = -1
		}
		if r == '>' {
			inTag = false
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

func TestTwin(t *testing.T) {
	for seed := range uint64(300) {
		src := algotest.Random(seed)
		for _, w := range []Wrap{never, {Columns: 20, Trigger: 0}, {Columns: 65, Trigger: 30}} {
			if got, want := split(src, w), twin(src, w); !slices.Equal(got, want) {
				t.Fatalf("page %d, %+v:\n%v, want\n%v\n%s", seed, w, got, want, src)
			}
		}
	}
}

func TestSplit(t *testing.T) {
	f := func(name, src string, wrap Wrap, want ...line) {
		t.Helper()
		if got := split(src, wrap); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	f("nothing", "", never)
	f("lines", "<body><p>one\ntwo</p>\n\n<b>three</b>", never, line{3, 1}, line{3, 1}, line{5, 2})
	f("blanks are folded", "<body>a  <b> b</b> c<i>d</i>", never, line{6, 4})
	f("no blank, no blank", "<body>a<b>b</b>", never, line{2, 2})
	f("a tag belongs to its first line", "<body>a<img\nsrc=x>b\nc", never, line{1, 1}, line{1, 0}, line{1, 0})
	f("left out", "<body>a<script>\nx\n</script>b<!--\n-->c\nd", never, line{3, 0}, line{1, 0})
	f("an end tag without its element is a tag", "<body>a</script>b", never, line{2, 1})
	f("the slash of a start tag says nothing", "<body>a<script src=x />\nx\n</script>b", never, line{2, 0})
	f("not closed", "<body>a\n<noscript>\nb", never, line{1, 0})
	f("references are characters", "<body>&eacute;&amp;", never, line{2, 0})
	f("before the body", "<title>t</title>\n<body>a", never, line{1, 0})
	f("no body tag", "a<p>b", never, line{2, 1})
	f("wrapped at white space", "<body>aaaa bb cc dddd", Wrap{Columns: 4}, line{4, 0}, line{5, 0}, line{4, 0})
	f("wrapped before tags", "<body>aaaaaa<b>bb</b>c", Wrap{Columns: 4}, line{6, 0}, line{2, 1}, line{1, 1})
	f("wrapped again in long white space", "<body>aaaa      b c", Wrap{Columns: 4}, line{4, 0}, line{3, 0})
	f("references are no white space of the source", "<body>aaaa&nbsp;bb cc", Wrap{Columns: 4}, line{7, 0}, line{2, 0})
	f("not wrapped", "<body>aaaa bb", Wrap{Columns: 4, Trigger: 7}, line{7, 0})
}

// TestTokens checks that the tokens of the lines are the words and tags.
func TestTokens(t *testing.T) {
	var pg page.Page
	pg.Parse([]byte("<body><p>one two\nthree <b>four</b>\n</p><script>x</script>five"), page.Options{})
	var p algorithms.Pass
	p.Reset(&pg, "")
	v, tokens := Default.Of(&p), pg.Tokens()
	var got []string
	for i := range v.From {
		var s []string
		for _, src := range tokens.Src[v.From[i]:v.To[i]] {
			s = append(s, string(pg.Source[src.Start:src.End]))
		}
		got = append(got, strings.Join(s, " "))
	}
	want := []string{"<p> one two", "three <b> four </b>", "</p> <script> </script> five"}
	if !slices.Equal(got, want) {
		t.Errorf("%s, want %s", fmt.Sprintf("%q", got), fmt.Sprintf("%q", want))
	}
	if v.Tags[2] != 1 {
		t.Errorf("%d tags, want 1: script is left out", v.Tags[2])
	}
}
