package blocks

import (
	"bytes"

	"github.com/winnow/winnow/algorithms/html"
)

// meta holds properties of the page outside of its text: those of its head, its address and its body element.
type meta struct {
	title, ogTitle wordSet
	about          wordSet // words of the description
	types          ldType  // types in its JSON-LD
	og             uint8   // og:type
	generator      uint8
	body           uint8 // class of the names in the body's class and id
	forumURL       bool
	segments       int
	urlDigits      int
	hyphens        int
	urlBytes       int
	scripts        bool
}

type ldType uint8

const (
	ldArticle ldType = 1 << iota
	ldProduct
	ldForum
	ldList
	ldOrganization
	ldQuestions
)

var ldTypes = []struct {
	part string
	is   ldType
}{
	{"Article", ldArticle}, {"BlogPosting", ldArticle}, {"Report", ldArticle}, {"Product", ldProduct},
	{"DiscussionForum", ldForum}, {"QAPage", ldForum}, {"ItemList", ldList}, {"CollectionPage", ldList},
	{"LocalBusiness", ldOrganization}, {"Organization", ldOrganization}, {"Service", ldOrganization}, {"FAQPage", ldQuestions},
}

// readMeta reads the head elements of the page in one pass over its tree.
func (p *Page) readMeta(url string) {
	m := &p.meta
	*m = meta{}
	t := &p.pg.Tree
	for n, tag := range t.Tag {
		switch tag {
		case html.TagTitle:
			if m.title.n == 0 {
				m.title.add(p.text(html.Node(n)))
			}
		case html.TagScript:
			m.scripts = true
			if v, ok := p.pg.Attr(html.Node(n), "type"); ok && bytes.HasSuffix(v, []byte("ld+json")) {
				m.types |= ldTypesOf(p.text(html.Node(n)))
			}
		case html.TagMeta:
			p.readMetaElement(html.Node(n))
		}
	}
	if p.body.Len() > 0 {
		p.readBodyNames()
	}
	m.readURL(url)
}

// text returns the text of element n if that is a single node.
func (p *Page) text(n html.Node) []byte {
	t := &p.pg.Tree
	if n+1 < t.End[n] && t.Kind[n+1] == html.KindText {
		return t.Text[t.Data[n+1].Start:t.Data[n+1].End]
	}
	return nil
}

func (p *Page) readMetaElement(n html.Node) {
	var key, content []byte
	for _, a := range p.pg.Attrs(n) {
		switch string(p.pg.AttrName(a)) {
		case "name", "property":
			key = p.pg.AttrValue(a)
		case "content":
			content = p.pg.AttrValue(a)
		}
	}
	m := &p.meta
	switch string(key) {
	case "og:title":
		m.ogTitle.add(content)
	case "description", "og:description":
		m.about.add(content)
	case "og:type":
		switch {
		case hasAny(content, "article", "blog", "news"):
			m.og = 2
		case hasAny(content, "product"):
			m.og = 3
		case hasAny(content, "website"):
			m.og = 1
		case len(content) > 0:
			m.og = 4
		}
	case "generator":
		switch {
		case hasAny(content, "vbulletin", "vBulletin", "phpBB", "Discourse", "XenForo", "MyBB", "nvision", "Flarum", "Vanilla", "NodeBB", "Question2Answer"):
			m.generator = 3
		case hasAny(content, "WooCommerce", "PrestaShop", "Shopify", "Magento", "OpenCart"):
			m.generator = 2
		case hasAny(content, "WordPress", "Blogger", "blogger", "Movable", "TypePad", "Ghost", "Drupal", "Joomla"):
			m.generator = max(m.generator, 1)
		}
	}
}

func (p *Page) readBodyNames() {
	for _, a := range p.pg.Attrs(p.body.Node[0]) {
		switch string(p.pg.AttrName(a)) {
		case "class", "id":
			v := p.pg.AttrValue(a)
			switch {
			case hasAny(v, "forum", "topic", "phpbb", "thread", "question", "discourse", "vbulletin", "xf"):
				p.meta.body = 3
			case hasAny(v, "product"):
				p.meta.body = 2
			case p.meta.body > 0:
			case hasAny(v, "single", "article", "post"):
				p.meta.body = 1
			case hasAny(v, "archive", "category", "collection", "catalog", "listing"):
				p.meta.body = 4
			}
		}
	}
}

func hasAny(s []byte, parts ...string) bool {
	for _, part := range parts {
		if bytes.Contains(s, []byte(part)) {
			return true
		}
	}
	return false
}

// ldTypesOf returns the types that a JSON-LD text names after an "@type" key. The text
// is searched instead of parsed, because on many pages it is not valid JSON.
func ldTypesOf(src []byte) (types ldType) {
	for {
		at := bytes.Index(src, []byte(`"@type"`))
		if at < 0 {
			return types
		}
		src = src[at+len(`"@type"`):]
		value := src[:min(len(src), 120)]
		if end := bytes.IndexAny(value, ",}"); end >= 0 && bytes.IndexByte(value[:end], '[') < 0 {
			value = value[:end]
		} else if end := bytes.IndexByte(value, ']'); end >= 0 {
			value = value[:end]
		}
		for _, t := range ldTypes {
			if bytes.Contains(value, []byte(t.part)) {
				types |= t.is
			}
		}
	}
}

func (m *meta) readURL(url string) {
	path := url
	if at := bytes.Index([]byte(url), []byte("://")); at >= 0 {
		path = url[at+3:]
	}
	start := len(path)
	for i := range len(path) {
		if path[i] == '/' {
			start = i
			break
		}
	}
	path = path[start:]
	m.urlBytes = len(path)
	segment := false
	for i := range len(path) {
		switch c := path[i]; {
		case c == '/':
			segment = false
			continue
		case c >= '0' && c <= '9':
			m.urlDigits++
		case c == '-':
			m.hyphens++
		}
		if !segment {
			segment = true
			m.segments++
		}
	}
	m.forumURL = hasAny([]byte(url), "forum", "thread", "topic", "discussion", "discuss", "community", "questions", "/t/", "/q/", "/r/", "boards", "answers")
}

// wordSet is a set of up to 96 words, held as hashes. It also records for each word the
// latest block that contains it, so that a word counts once for each block.
type wordSet struct {
	hash   [256]uint32
	met    [256]int32 // number of the block plus 1
	n      int
	filter filter // most words of a page are not in the set
}

func (s *wordSet) add(text []byte) {
	for i := 0; i < len(text) && s.n < 96; {
		h, size := hashWord(text[i:])
		if h != 0 {
			at := h & 255
			for s.hash[at] != 0 && s.hash[at] != h {
				at = (at + 1) & 255
			}
			if s.hash[at] == 0 {
				s.hash[at] = h
				s.filter.add(h)
				s.n++
			}
		}
		i += size
	}
}

// overlap returns the number of distinct words of the set whose hashes are among those
// of the given block.
func (s *wordSet) overlap(hashes []uint32, block int) (common int) {
	for _, h := range hashes {
		if !s.filter.may(h) {
			continue
		}
		for at := h & 255; s.hash[at] != 0; at = (at + 1) & 255 {
			if s.hash[at] == h {
				if s.met[at] != int32(block)+1 {
					s.met[at] = int32(block) + 1
					common++
				}
				break
			}
		}
	}
	return common
}

// like returns the Jaccard similarity of the set and a block's words, on the scale of
// share.
func (s *wordSet) like(hashes []uint32, block int) uint8 {
	if s.n == 0 {
		return 0
	}
	common := s.overlap(hashes, block)
	return share(common, s.n+len(hashes)-common)
}
