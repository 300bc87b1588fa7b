package posts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms/page"
)

func describe(src string) string {
	var p page.Page
	p.Parse([]byte(src), page.Options{})
	var all page.Selection
	all.AddRow(p.Body(), 0)
	var out []string
	for _, post := range Of(&p, &all) {
		out = append(out, fmt.Sprintf("%s|%s|%s", post.Author, post.Date, strings.ReplaceAll(post.Text, "\n", " ")))
	}
	return strings.Join(out, "; ")
}

func TestPosts(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"schema.org": {`<nav>x</nav><div itemscope itemtype="https://schema.org/Question"><p>Why?</p><span itemprop="author" itemscope><b itemprop="name">Ann</b></span>
			<div itemscope itemtype="http://schema.org/Answer"><time itemprop="dateCreated" datetime="2020-01-02">2 Jan</time><p>So.</p></div></div>`,
			"Ann||Why? Ann; |2020-01-02|2 Jan So."},
		"phpBB":                   {`<div id="p1" class="post bg2"><a class="username">bob</a><time datetime="2021-05-06T01:02:03+00:00">May</time><p>one</p></div><div id="p2" class="post"><p>two</p></div>`, "bob|2021-05-06T01:02:03+00:00|bobMay one; ||two"},
		"XenForo":                 {`<article class="message message--post" data-author="eve"><p>one</p></article><article class="message message--post" data-author="dan"><p>two</p></article>`, "eve||one; dan||two"},
		"vBulletin":               {`<ul><li class="postbitlegacy postcontainer"><span class="postdate">01-02-2003</span>one</li><li class="postcontainer"><a class="bigusername">al</a> two</li></ul>`, "|01-02-2003|01-02-2003one; al||al two"},
		"discourse":               {`<div class="crawler-post"><span class="creator">kim</span> one</div><div class="crawler-post">two</div>`, "kim||kim one; ||two"},
		"h-entry":                 {`<div class="h-entry"><a class="p-author">al</a><abbr class="published" title="2001-02-03">then</abbr> a</div><div class="h-entry">b</div>`, "al|2001-02-03|althen a; ||b"},
		"one is not a discussion": {`<div class="h-entry">alone</div>`, ""},
		"an article":              {`<article><p>text</p></article><div class="post">x</div>`, ""},
	} {
		if got := describe(c.src); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Each text belongs to one post however deep posts are in each other, and what was not chosen to
// none.
func TestEachTextBelongsToOnePost(t *testing.T) {
	var p page.Page
	p.Parse([]byte(strings.Repeat(`<div class=h-entry>ab cd`, 300)), page.Options{})
	b := p.Body()
	var s page.Selection
	for i := 0; i < len(b.Text); i += 6 {
		s.AddSpan(b, page.Span{Start: int32(i), End: int32(i) + 2})
	}
	n := 0
	for _, post := range Of(&p, &s) {
		n += len(strings.ReplaceAll(post.Text, "\n", ""))
	}
	if n != s.Len() {
		t.Errorf("%d bytes in posts, %d were chosen", n, s.Len())
	}
}
