package blocks

import (
	"bytes"
	"math/bits"
)

// nameClass is a set of classes of names that authors give to elements: tokens of
// class, id, role and the like.
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

// nameList spells one class out: tokens, and beginnings of tokens, which end in
// a hyphen here.
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

// nameEntry is a token, or what tokens begin with.
type nameEntry struct {
	text   string
	begins bool
	class  nameClass
}

// nameTable has the entries by their first two letters.
type nameTable [26 * 26][]nameEntry

var knownNames = func() (t nameTable) {
	for _, l := range nameLists {
		for _, f := range bytes.Fields([]byte(l.names)) {
			text, begins := bytes.CutSuffix(f, []byte("-"))
			if len(text) < 2 || text[0] < 'a' || text[1] < 'a' { // h1: a token has letters only
				continue
			}
			at := int(text[0]-'a')*26 + int(text[1]-'a')
			t[at] = append(t[at], nameEntry{string(text), begins, l.class})
		}
	}
	return t
}()

// classOf is the set of classes that a token in lower case is of.
func (t *nameTable) classOf(token []byte) (c nameClass) {
	entries := t[int(token[0]-'a')*26+int(token[1]-'a')]
	for i := range entries {
		e := &entries[i]
		if len(token) >= len(e.text) && string(token[:len(e.text)]) == e.text && (e.begins || len(token) == len(e.text)) {
			c |= e.class
		}
	}
	return c
}

// classesOf are the classes of all tokens of a class or id value: cut at
// non-letters and where a capital follows a small letter, 2 to 24 letters long.
// Only the first 32 tokens are looked at.
func (t *nameTable) classesOf(value []byte) (c nameClass) {
	var token [24]byte
	n, tokens := 0, 0
	for i := 0; i <= len(value) && tokens < 32; i++ {
		b := byte(0)
		if i < len(value) {
			b = value[i]
		}
		lower := b | 0x20
		letter := lower >= 'a' && lower <= 'z'
		if !letter || b < 'a' && i > 0 && value[i-1] >= 'a' && value[i-1] <= 'z' {
			if n >= 2 {
				c |= t.classOf(token[:n])
				tokens++
			}
			n = 0
		}
		if letter && n < len(token) {
			token[n] = lower
			n++
		}
	}
	return c
}

// lowest is the number of the lowest class in c.
func lowest(c nameClass) uint8 { return uint8(bits.TrailingZeros32(uint32(c))) }
