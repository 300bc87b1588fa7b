package boilerpipe

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/page"
)

// Phrases that end an article, as in the library's TerminatingBlocksFinder.
var (
	endPrefixes  = [][]byte{[]byte("comments"), []byte("© reuters"), []byte("please rate this"), []byte("post a comment")}
	endAfterNum  = [][]byte{[]byte(" comments"), []byte(" users responded in")}
	endInside    = [][]byte{[]byte("what you think..."), []byte("add your comment"), []byte("add comment"), []byte("reader views"), []byte("have your say"), []byte("reader comments"), []byte("rätta artikeln")}
	endWhole     = []byte("thanks for your comments - this feedback is now closed")
	endShortLink = []byte("Comment")
)

// markTerminators labels short blocks that announce comments or similar sections.
func (l *list) markTerminators() {
	const maxWords, minChars = 15, 8
	for i := range l.blocks {
		b := &l.blocks[i]
		text := l.text(b)
		if b.words >= maxWords || page.RuneCount(text) < minChars {
			continue
		}
		l.title.block = appendLower(l.title.block[:0], text)
		if endsArticle(l.title.block) {
			b.labels |= labelEnd
		}
	}
}

// markCommentLinks labels blocks that consist of the link "Comment", as only the
// unreleased library does.
func (l *list) markCommentLinks() {
	for i := range l.blocks {
		if b := &l.blocks[i]; b.linkDensity == 1 && bytes.Equal(l.text(b), endShortLink) {
			b.labels |= labelEnd
		}
	}
}

func endsArticle(text []byte) bool {
	for _, p := range endPrefixes {
		if bytes.HasPrefix(text, p) {
			return true
		}
	}
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	if digits > 0 {
		for _, p := range endAfterNum {
			if bytes.HasPrefix(text[digits:], p) {
				return true
			}
		}
	}
	for _, p := range endInside {
		if bytes.Contains(text, p) {
			return true
		}
	}
	return bytes.Equal(text, endWhole)
}

func appendLower(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
		i += size
	}
	return dst
}
