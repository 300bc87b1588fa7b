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

// nameList lists the names of one class. A name that ends with a hyphen represents all
// tokens that begin with it.
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

// nameSet has the names of nameLists by their hashes. A token is looked up after each
// of its letters, until no name begins with these letters.
type nameSet struct {
	prefixes filter // the first letters of all names; wrong for one of ten other sequences of letters
	begins   filter // names that have classes in knownName.begins
	is       filter // names that have classes in knownName.is
	slots    [1 << 10]knownName
}

// knownName is a name, given by its hash; 0 means none.
type knownName struct {
	hash   uint32
	begins nameClass // classes of tokens that begin with the name
	is     nameClass // classes of the token that is the name
}

var knownNames = func() *nameSet {
	t := new(nameSet)
	for _, l := range nameLists {
		for _, f := range bytes.Fields([]byte(l.names)) {
			name, begins := bytes.CutSuffix(f, []byte("-"))
			if bytes.ContainsFunc(name, func(r rune) bool { return r < 'a' || r > 'z' }) { // a token has only letters, so h1 is none
				continue
			}
			h := uint32(hashSeed)
			for _, b := range name {
				h = (h ^ uint32(b)) * hashPrime
				t.prefixes.add(h)
			}
			k := t.slot(h)
			k.hash = h
			if begins {
				k.begins |= l.class
				t.begins.add(h)
			} else {
				k.is |= l.class
				t.is.add(h)
			}
		}
	}
	return t
}()

// slot returns the slot of the name with the hash h, or the free slot that it would
// get.
func (t *nameSet) slot(h uint32) *knownName {
	const mask = uint32(len(t.slots) - 1)
	at := h & mask
	for t.slots[at].hash != 0 && t.slots[at].hash != h {
		at = (at + 1) & mask
	}
	return &t.slots[at]
}

// These bound how much of one class or id is read.
const (
	maxNames      = 48
	maxTokens     = 32 // number of tokens that determine the classes
	maxWholeBytes = 40
)

// namesIn reads a class or id. It appends the hashes of the names in it: of each word
// between blanks, with a dot before it, and of the tokens into which words are divided
// at signs, at figures and where a capital follows a small letter. It also returns the
// classes of the tokens. A token has at least two letters.
func namesIn(names []uint32, value []byte) ([]uint32, nameClass) {
	const dot = (hashSeed ^ '.') * hashPrime & (1<<32 - 1)
	token, whole := uint32(hashSeed), uint32(dot)
	letters, size, tokens := 0, 0, 0
	var classes nameClass
	known := true // whether the letters of the token may be the beginning of a name
	for i := 0; i <= len(value); {
		start := i
		for i < len(value) {
			b := value[i]
			lower := uint32(b | 0x20)
			if lower-'a' > 'z'-'a' || i > start && b < 'a' && value[i-1] >= 'a' {
				break
			}
			token = (token ^ lower) * hashPrime
			whole = (whole ^ lower) * hashPrime
			i++
			known = known && knownNames.prefixes.may(token)
			if known && knownNames.begins.may(token) && tokens < maxTokens {
				classes |= knownNames.slot(token).begins
			}
		}
		letters = i - start
		size += letters
		room := len(names) < maxNames-1
		if letters >= 2 {
			if room && letters <= 24 {
				names = append(names, token)
			}
			if tokens++; known && knownNames.is.may(token) && tokens <= maxTokens {
				classes |= knownNames.slot(token).is
			}
		}
		token, known = hashSeed, true
		b := byte(' ')
		if i < len(value) {
			if b = value[i]; uint32(b|0x20)-'a' <= 'z'-'a' {
				continue // a capital begins the next token
			}
		}
		i++
		if b > ' ' {
			whole = (whole ^ uint32(b)) * hashPrime
			size++
			continue
		}
		if room && size >= 2 && size < maxWholeBytes {
			names = append(names, whole)
		}
		whole, size = dot, 0
	}
	return names, classes
}

// lowest returns the number of the lowest class in c.
func lowest(c nameClass) uint8 { return uint8(bits.TrailingZeros32(uint32(c))) }
