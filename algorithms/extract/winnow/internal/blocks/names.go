package blocks

import (
	"bytes"
	"math/bits"
)

// nameClass is a set of classes of names. Names are what authors call elements: the
// tokens of the attributes class, id, itemprop and aria-label.
type nameClass uint32

const (
	nameComment nameClass = 1 << iota
	namePost
	nameRelated
	nameShare
	nameSignup
	nameTags
	nameAuthor
	nameDate
	nameCaption
	nameNav
	nameFooter
	nameSide
	nameAd
	nameContent
	nameProduct
	nameReview
	nameDialog
	namePager
	nameTitle
	nameTeaser
	nameCard
	nameDetail

	nameClasses = iota
)

// nameList lists the names of one class. A name with a hyphen at its end stands for
// all tokens that begin with it.
type nameList struct {
	class nameClass
	names string
}

var nameLists = []nameList{
	{nameComment, "comment- komment- coment- disqus- respond responses replies talkback- guestbook- intensedebate livefyre annotation- reader- usercom- feedback- opinie reacties"},
	{namePost, "post posts topic- thread- message messages msg forum forums reply answer- question- discussion- postbody viewtopic board beitrag"},
	{nameRelated, "relat- similar- recommend- upsell- crosssell- also more mehr next readmore suggest- outbrain- taboola- zergnet- associated weitere verwandt- further"},
	{nameShare, "shar- social- facebook- twitter- pinterest- whatsapp- linkedin- follow- addthis- addtoany- sharedaddy jp bookmark-"},
	{nameSignup, "newsletter- subscri- signup- mailchimp- optin- register- login- paywall- abo cta donat- form- account-"},
	{nameTags, "tag tags tagcloud taglist categor- cat keyword- topics schlagwort- filter- facet- label labels rubrik"},
	{nameAuthor, "author- byline- bio writer- autor- profile- avatar- contributor- user username about-"},
	{nameDate, "date- time- timestamp- published- meta metadata dateline- postmeta info- updated"},
	{nameCaption, "caption- credit- copyright- figcaption- photo- image- img- bild- gallery- slideshow- slide- slider- carousel- swiper- slick-"},
	{nameNav, "nav- menu- breadcrumb- topbar- toolbar- navbar- submenu- dropdown- mega- skip- tabs tab links sitemap- toc hnav"},
	{nameFooter, "foot- bottom- colophon- legal- disclaimer- imprint- impressum- siteinfo"},
	{nameSide, "side- aside- widget- rail- module- complementary secondary- tertiary- col right left rightcol leftcol sidebar- block-"},
	{nameAd, "ad ads adv advert- sponsor- promo- banner- dfp- commercial- partner- affiliate- anzeige- werbung- gpt"},
	{nameContent, "content- article- entry- story- body- text- main- maincontent- prose- richtext- rte markdown- wysiwyg- copy single- inhalt- artikel- page-"},
	{nameProduct, "product- price- cart- shop- sku- buy- basket- checkout- wishlist- stock- variant- add woocommerce- offer- warenkorb"},
	{nameReview, "review- rating- star stars testimonial- vote- votes score- bewertung-"},
	{nameDialog, "cookie- consent- gdpr- modal- popup- overlay- lightbox- dialog- notice- alert- toast- offcanvas- hidden hide sr visually- screen- drawer-"},
	{namePager, "pag pager- paging- pagination- prev previous nextprev loadmore load- sort- sorting- search- result-"},
	{nameTitle, "title- headline- heading- header- head h1 h2 hero- masthead- subtitle- lead- kicker- deck standfirst- intro- dek"},
	{nameTeaser, "teaser- excerpt- summary- snippet- preview- blurb abstract- featured- latest- popular- trending- recent- mostread- hot news- archive-"},
	{nameCard, "card- tile- grid- item- list- listing- col thumb- thumbnail- box- row- entry- catalog- collection- feed- stream-"},
	{nameDetail, "desc- description- detail- spec- specs specification- feature- attribute- ingredient- faq- accordion- collaps- panel- overview- bullet-"},
}

// nameTable has the names as a tree of letters. A state stands for the letters of a
// token read so far: state 0 for letters that no name begins with, state 1 for none.
type nameTable struct {
	next   [][27]uint16 // the state behind a letter, 1 to 26
	begins []nameClass  // of tokens that have come to the state
	is     []nameClass  // of tokens that end in it
}

const noName, anyName = 0, 1

func (t *nameTable) addState() uint16 {
	t.next = append(t.next, [27]uint16{})
	t.begins, t.is = append(t.begins, 0), append(t.is, 0)
	return uint16(len(t.next) - 1)
}

var knownNames = func() *nameTable {
	t := &nameTable{}
	t.addState()
	t.addState()
	for _, l := range nameLists {
		for _, f := range bytes.Fields([]byte(l.names)) {
			text, begins := bytes.CutSuffix(f, []byte("-"))
			if bytes.ContainsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' }) { // h1: a token has letters only
				continue
			}
			state := uint16(anyName)
			for _, b := range text {
				letter := letterOf[b]
				if t.next[state][letter] == noName {
					added := t.addState()
					t.next[state][letter] = added
				}
				state = t.next[state][letter]
			}
			if begins {
				t.begins[state] |= l.class
			} else {
				t.is[state] |= l.class
			}
		}
	}
	return t
}()

// letterOf numbers the letters of either case from 1; 0 for other bytes.
var letterOf = func() (t [256]uint8) {
	for i := range uint8(26) {
		t['a'+i], t['A'+i] = i+1, i+1
	}
	return t
}()

// classesOf are the classes of all tokens of a class or id value: cut at
// non-letters and where a capital follows a small letter, of two letters or more.
// Only the first 32 tokens are looked at.
func (t *nameTable) classesOf(value []byte) (c nameClass) {
	next, begins := t.next, t.begins
	state, letters, tokens := uint16(anyName), 0, 0
	before := byte(0)
	for _, b := range value {
		letter := letterOf[b]
		if letter == 0 || b < 'a' && before >= 'a' && before <= 'z' {
			if letters >= 2 {
				c |= t.is[state]
				if tokens++; tokens == 32 {
					return c
				}
			}
			state, letters = anyName, 0
		}
		before = b
		if letter == 0 {
			continue
		}
		state = next[state][letter]
		c |= begins[state]
		letters++
	}
	return c | t.is[state]
}

// lowest is the number of the lowest class in c.
func lowest(c nameClass) uint8 { return uint8(bits.TrailingZeros32(uint32(c))) }
