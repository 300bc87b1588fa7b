package html

// props are the properties of an element that tree construction needs, as bits
// (standard, 13.2.4.2 and 13.2.4.3). The properties of HTML elements depend on their
// name; those of SVG and MathML elements come from foreignProps.
type props uint32

const (
	propSpecial    props = 1 << iota // category "special"
	propScope                        // bounds every scope but the table scope
	propButton                       // also bounds button scope
	propList                         // also bounds list item scope
	propTable                        // bounds table scope
	propInline                       // special, but the search for an open li, dd or dt continues past it
	propImplied                      // its end tag may be implied
	propFormatting                   // category "formatting"
	propHeading                      // h1 to h6
	propFostering                    // content that a table cannot have goes elsewhere: table, tbody, tfoot, thead, tr
	propTableText                    // text is collected before it is inserted: the same elements and template
	propForeign                      // not an HTML element
	propSVG                          // SVG element
	propTextPoint                    // MathML text integration point
	propHTMLPoint                    // HTML integration point
	propAnnotation                   // MathML annotation-xml

	// propWalls are the properties whose nearest entry each stack entry records.
	propWalls = propSpecial | propScope | propButton | propList | propTable
)

const special = propSpecial // an abbreviation, because most entries of the table begin with it

// tagProps has the properties of the names that HTML defines, as HTML elements. Any
// other name has none.
var tagProps = [TagOther]props{
	TagA:          propFormatting,
	TagAddress:    special | propInline,
	TagApplet:     special | propScope,
	TagArea:       special,
	TagArticle:    special,
	TagAside:      special,
	TagB:          propFormatting,
	TagBase:       special,
	TagBasefont:   special,
	TagBgsound:    special,
	TagBig:        propFormatting,
	TagBlockquote: special,
	TagBody:       special,
	TagBr:         special,
	TagButton:     special | propButton,
	TagCaption:    special | propScope,
	TagCenter:     special,
	TagCode:       propFormatting,
	TagCol:        special,
	TagColgroup:   special,
	TagDd:         special | propImplied,
	TagDetails:    special,
	TagDir:        special,
	TagDiv:        special | propInline,
	TagDl:         special,
	TagDt:         special | propImplied,
	TagEm:         propFormatting,
	TagEmbed:      special,
	TagFieldset:   special,
	TagFigcaption: special,
	TagFigure:     special,
	TagFont:       propFormatting,
	TagFooter:     special,
	TagForm:       special,
	TagFrame:      special,
	TagFrameset:   special,
	TagH1:         special | propHeading,
	TagH2:         special | propHeading,
	TagH3:         special | propHeading,
	TagH4:         special | propHeading,
	TagH5:         special | propHeading,
	TagH6:         special | propHeading,
	TagHead:       special,
	TagHeader:     special,
	TagHgroup:     special,
	TagHr:         special,
	TagHtml:       special | propScope | propTable,
	TagI:          propFormatting,
	TagIframe:     special,
	TagImg:        special,
	TagInput:      special,
	TagKeygen:     special,
	TagLi:         special | propImplied,
	TagLink:       special,
	TagListing:    special,
	TagMain:       special,
	TagMarquee:    special | propScope,
	TagMenu:       special,
	TagMeta:       special,
	TagNav:        special,
	TagNobr:       propFormatting,
	TagNoembed:    special,
	TagNoframes:   special,
	TagNoscript:   special,
	TagObject:     special | propScope,
	TagOl:         special | propList,
	TagOptgroup:   propImplied,
	TagOption:     propImplied,
	TagP:          special | propInline | propImplied,
	TagParam:      special,
	TagPlaintext:  special,
	TagPre:        special,
	TagRb:         propImplied,
	TagRp:         propImplied,
	TagRt:         propImplied,
	TagRtc:        propImplied,
	TagS:          propFormatting,
	TagScript:     special,
	TagSearch:     special,
	TagSection:    special,
	TagSelect:     special | propScope,
	TagSmall:      propFormatting,
	TagSource:     special,
	TagStrike:     propFormatting,
	TagStrong:     propFormatting,
	TagStyle:      special,
	TagSummary:    special,
	TagTable:      special | propScope | propTable | propFostering | propTableText,
	TagTbody:      special | propFostering | propTableText,
	TagTd:         special | propScope,
	TagTemplate:   special | propScope | propTable | propTableText,
	TagTextarea:   special,
	TagTfoot:      special | propFostering | propTableText,
	TagTh:         special | propScope,
	TagThead:      special | propFostering | propTableText,
	TagTitle:      special,
	TagTr:         special | propFostering | propTableText,
	TagTrack:      special,
	TagTt:         propFormatting,
	TagU:          propFormatting,
	TagUl:         special | propList,
	TagWbr:        special,
	TagXmp:        special,
}

// props returns the properties of the HTML element named t.
func (t Tag) props() props {
	if t < TagOther {
		return tagProps[t]
	}
	return 0
}

// rule groups the names that "in body" treats alike (standard, 13.2.6.4.7).
type rule uint8

const (
	ruleOther     rule = iota
	ruleHead           // treated by the rules of "in head"
	ruleBlock          // closes a p
	ruleHeading        // h1 to h6
	rulePre            // pre, listing
	ruleForm           //
	ruleItem           // li
	ruleTerm           // dd, dt
	rulePlain          // plaintext
	ruleButton         //
	ruleAnchor         // a
	ruleFormat         // b, i, font …
	ruleNobr           //
	ruleObject         // applet, marquee, object
	ruleTable          //
	ruleVoid           // img, br …: no content
	ruleInput          //
	ruleParam          // param, source, track
	ruleHr             //
	ruleImage          //
	ruleTextarea       //
	ruleXmp            //
	ruleIframe         //
	ruleNoembed        //
	ruleSelect         //
	ruleOption         //
	ruleOptgroup       //
	ruleRuby           // rb, rtc
	ruleRubyText       // rp, rt
	ruleForeign        // math, svg
	ruleIgnored        // parts of tables, frame, head
	ruleHtml           //
	ruleBody           //
	ruleFrameset       //
	ruleParagraph      // p, as an end tag
	ruleBr             // br, as an end tag
	ruleTemplate       // template, as an end tag
)

// startRules has the rule of a start tag, by names that HTML defines.
var startRules = [TagOther]rule{
	TagHtml: ruleHtml, TagBody: ruleBody, TagFrameset: ruleFrameset,

	TagBase: ruleHead, TagBasefont: ruleHead, TagBgsound: ruleHead, TagLink: ruleHead,
	TagMeta: ruleHead, TagNoframes: ruleHead, TagScript: ruleHead, TagStyle: ruleHead,
	TagTemplate: ruleHead, TagTitle: ruleHead,

	TagAddress: ruleBlock, TagArticle: ruleBlock, TagAside: ruleBlock, TagBlockquote: ruleBlock,
	TagCenter: ruleBlock, TagDetails: ruleBlock, TagDialog: ruleBlock, TagDir: ruleBlock,
	TagDiv: ruleBlock, TagDl: ruleBlock, TagFieldset: ruleBlock, TagFigcaption: ruleBlock,
	TagFigure: ruleBlock, TagFooter: ruleBlock, TagHeader: ruleBlock, TagHgroup: ruleBlock,
	TagMain: ruleBlock, TagMenu: ruleBlock, TagNav: ruleBlock, TagOl: ruleBlock, TagP: ruleBlock,
	TagSearch: ruleBlock, TagSection: ruleBlock, TagSummary: ruleBlock, TagUl: ruleBlock,

	TagH1: ruleHeading, TagH2: ruleHeading, TagH3: ruleHeading,
	TagH4: ruleHeading, TagH5: ruleHeading, TagH6: ruleHeading,

	TagPre: rulePre, TagListing: rulePre, TagForm: ruleForm, TagLi: ruleItem,
	TagDd: ruleTerm, TagDt: ruleTerm, TagPlaintext: rulePlain, TagButton: ruleButton,
	TagA: ruleAnchor, TagNobr: ruleNobr,

	TagB: ruleFormat, TagBig: ruleFormat, TagCode: ruleFormat, TagEm: ruleFormat, TagFont: ruleFormat,
	TagI: ruleFormat, TagS: ruleFormat, TagSmall: ruleFormat, TagStrike: ruleFormat,
	TagStrong: ruleFormat, TagTt: ruleFormat, TagU: ruleFormat,

	TagApplet: ruleObject, TagMarquee: ruleObject, TagObject: ruleObject, TagTable: ruleTable,

	TagArea: ruleVoid, TagBr: ruleVoid, TagEmbed: ruleVoid, TagImg: ruleVoid, TagKeygen: ruleVoid,
	TagWbr: ruleVoid, TagInput: ruleInput, TagParam: ruleParam, TagSource: ruleParam,
	TagTrack: ruleParam, TagHr: ruleHr, TagImage: ruleImage,

	TagTextarea: ruleTextarea, TagXmp: ruleXmp, TagIframe: ruleIframe, TagNoembed: ruleNoembed,
	TagSelect: ruleSelect, TagOption: ruleOption, TagOptgroup: ruleOptgroup,
	TagRb: ruleRuby, TagRtc: ruleRuby, TagRp: ruleRubyText, TagRt: ruleRubyText,
	TagMath: ruleForeign, TagSvg: ruleForeign,

	TagCaption: ruleIgnored, TagCol: ruleIgnored, TagColgroup: ruleIgnored, TagFrame: ruleIgnored,
	TagHead: ruleIgnored, TagTbody: ruleIgnored, TagTd: ruleIgnored, TagTfoot: ruleIgnored,
	TagTh: ruleIgnored, TagThead: ruleIgnored, TagTr: ruleIgnored,
}

// endRules has the rule of an end tag, by names that HTML defines.
var endRules = [TagOther]rule{
	TagBody: ruleBody, TagHtml: ruleHtml, TagForm: ruleForm, TagP: ruleParagraph,
	TagLi: ruleItem, TagDd: ruleTerm, TagDt: ruleTerm, TagBr: ruleBr, TagTemplate: ruleTemplate,

	TagAddress: ruleBlock, TagArticle: ruleBlock, TagAside: ruleBlock, TagBlockquote: ruleBlock,
	TagButton: ruleBlock, TagCenter: ruleBlock, TagDetails: ruleBlock, TagDialog: ruleBlock,
	TagDir: ruleBlock, TagDiv: ruleBlock, TagDl: ruleBlock, TagFieldset: ruleBlock,
	TagFigcaption: ruleBlock, TagFigure: ruleBlock, TagFooter: ruleBlock, TagHeader: ruleBlock,
	TagHgroup: ruleBlock, TagListing: ruleBlock, TagMain: ruleBlock, TagMenu: ruleBlock,
	TagNav: ruleBlock, TagOl: ruleBlock, TagPre: ruleBlock, TagSearch: ruleBlock,
	TagSection: ruleBlock, TagSelect: ruleBlock, TagSummary: ruleBlock, TagUl: ruleBlock,

	TagH1: ruleHeading, TagH2: ruleHeading, TagH3: ruleHeading,
	TagH4: ruleHeading, TagH5: ruleHeading, TagH6: ruleHeading,

	TagA: ruleFormat, TagB: ruleFormat, TagBig: ruleFormat, TagCode: ruleFormat, TagEm: ruleFormat,
	TagFont: ruleFormat, TagI: ruleFormat, TagNobr: ruleFormat, TagS: ruleFormat, TagSmall: ruleFormat,
	TagStrike: ruleFormat, TagStrong: ruleFormat, TagTt: ruleFormat, TagU: ruleFormat,

	TagApplet: ruleObject, TagMarquee: ruleObject, TagObject: ruleObject,
}

func startRule(t Tag) rule {
	if t < TagOther {
		return startRules[t]
	}
	return ruleOther
}

func endRule(t Tag) rule {
	if t < TagOther {
		return endRules[t]
	}
	return ruleOther
}
