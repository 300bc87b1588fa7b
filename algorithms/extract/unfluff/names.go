package unfluff

import (
	"bytes"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// marks is what the id, class and name of an element tell about it.
type marks uint8

const (
	markBad       marks = 1 << iota // clutter
	markBadDiv                      // clutter if it is a div
	markHighlight                   // a block of code
	markTaskList
	markDropCap
)

// The program removes elements one of whose names contains, is or ends with one
// of these words, in any case of letters. Longer names that contain another one
// of the list are left out.
var (
	badParts = []string{"combx", "retweet", "mediaarticlerelated", "menucontainer", "navbar",
		"partner-gravity-ad", "video-full-transcript", "storytopbar-bucket",
		"utility-bar", "inline-share-tools", "comment", "popularquestions", "contact", "foot", "cnn_strycaptiontxt",
		"cnn_html_slideshow", "cnn_strylftcntnt", "links", "shoutbox", "sponsor", "tags", "socialnetworking",
		"cnnstryhghlght", "cnn_stryspcvbx", "pagetools", "post-attributes", "welcome_form", "contenttools2",
		"the_answers", "communitypromo", "runaroundleft", "subscribe", "vcard", "articleheadings", "date", "popup",
		"author-dropdown", "tools", "byline", "konafilter", "breadcrumbs", "wp-caption-text", "legende", "ajoutvideo",
		"timestamp", "js_replies"}
	badWhole = []string{"side", "inset", "print", "fn"}
)

const badEnd = "meta"

// namesOf reads the names of the element n.
func namesOf(p *page.Page, n html.Node, tag html.Tag) (m marks) {
	if tag == html.TagArticle {
		return 0 // the program drops its names first
	}
	for _, a := range p.Attrs(n) {
		switch string(p.AttrName(a)) {
		case "id":
			m |= marksOf(p.AttrValue(a), tag)
		case "name":
			if bad(p.AttrValue(a)) {
				m |= markBad
			}
		case "class":
			if tag == html.TagBody {
				continue
			}
			value := p.AttrValue(a)
			m |= marksOf(value, tag)
			if bytes.Contains(value, []byte("highlight-")) {
				m |= markHighlight
			}
			if tag == html.TagUl && hasWord(value, "task-list") {
				m |= markTaskList
			}
			if tag == html.TagSpan && (hasWord(value, "dropcap") || hasWord(value, "drop_cap")) {
				m |= markDropCap
			}
		}
	}
	return m
}

func marksOf(value []byte, tag html.Tag) (m marks) {
	if bad(value) {
		m |= markBad
	}
	if tag == html.TagDiv && badDiv(value) {
		m |= markBadDiv
	}
	return m
}

func bad(value []byte) bool {
	if len(value) < 2 {
		return false
	}
	for _, word := range badWhole {
		if equalFold(value, word) {
			return true
		}
	}
	if n := len(value) - len(badEnd); n >= 0 && equalFold(value[n:], badEnd) {
		return true
	}
	return badNames.in(value)
}

// badDiv reports whether a name marks only a div as clutter. Here case matters.
func badDiv(value []byte) bool {
	if string(value) == "caption" || bytes.Contains(value, []byte(" google ")) || moreAtStart(value) {
		return true
	}
	return bytes.Contains(value, []byte("facebook-broadcasting")) || afterOther(value, "facebook") || afterOther(value, "twitter")
}

// moreAtStart looks for one character other than e n t r y -, followed by "more", on
// one line.
func moreAtStart(value []byte) bool {
	if len(value) < 5 || bytes.IndexByte([]byte("entry-"), value[0]) >= 0 {
		return false
	}
	size := 1
	for size < len(value) && value[size]&0xC0 == 0x80 {
		size++
	}
	return bytes.HasPrefix(value[size:], []byte("more")) && !bytes.ContainsAny(value[size:], "\n\r\u2028\u2029")
}

// afterOther looks for word after a character other than a hyphen.
func afterOther(value []byte, word string) bool {
	for i := 0; ; i++ {
		at := bytes.Index(value[i:], []byte(word))
		if at < 0 {
			return false
		}
		if i += at; i > 0 && value[i-1] != '-' {
			return true
		}
	}
}

func equalFold(value []byte, lower string) bool {
	if len(value) != len(lower) {
		return false
	}
	for i, c := range value {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// hasWord reports whether word is among the words of a class attribute.
func hasWord(value []byte, word string) bool {
	for i := 0; i < len(value); {
		j := i
		for j < len(value) && value[j] > ' ' {
			j++
		}
		if string(value[i:j]) == word {
			return true
		}
		i = j + 1
	}
	return false
}
