package html

// Tag is an element name. Names that HTML defines are constants; any other name
// is numbered per page from TagOther on, see Document.TagName.
type Tag uint16

const (
	TagNone Tag = iota
	TagText     // a text row of a Body
	TagA
	TagAbbr
	TagAcronym
	TagAddress
	TagApplet
	TagArea
	TagArticle
	TagAside
	TagAudio
	TagB
	TagBase
	TagBasefont
	TagBdi
	TagBdo
	TagBgsound
	TagBig
	TagBlink
	TagBlockquote
	TagBody
	TagBr
	TagButton
	TagCanvas
	TagCaption
	TagCenter
	TagCite
	TagCode
	TagCol
	TagColgroup
	TagCommand
	TagData
	TagDatalist
	TagDd
	TagDel
	TagDetails
	TagDfn
	TagDialog
	TagDir
	TagDiv
	TagDl
	TagDt
	TagEm
	TagEmbed
	TagFieldset
	TagFigcaption
	TagFigure
	TagFont
	TagFooter
	TagForm
	TagFrame
	TagFrameset
	TagH1
	TagH2
	TagH3
	TagH4
	TagH5
	TagH6
	TagHead
	TagHeader
	TagHgroup
	TagHr
	TagHtml
	TagI
	TagIframe
	TagImage
	TagImg
	TagInput
	TagIns
	TagIsindex
	TagKbd
	TagKeygen
	TagLabel
	TagLegend
	TagLi
	TagLink
	TagListing
	TagMain
	TagMap
	TagMark
	TagMarquee
	TagMath
	TagMenu
	TagMenuitem
	TagMeta
	TagMeter
	TagMulticol
	TagNav
	TagNextid
	TagNobr
	TagNoembed
	TagNoframes
	TagNoscript
	TagObject
	TagOl
	TagOptgroup
	TagOption
	TagOutput
	TagP
	TagParam
	TagPicture
	TagPlaintext
	TagPre
	TagProgress
	TagQ
	TagRb
	TagRp
	TagRt
	TagRtc
	TagRuby
	TagS
	TagSamp
	TagScript
	TagSearch
	TagSection
	TagSelect
	TagSlot
	TagSmall
	TagSource
	TagSpacer
	TagSpan
	TagStrike
	TagStrong
	TagStyle
	TagSub
	TagSummary
	TagSup
	TagSvg
	TagTable
	TagTbody
	TagTd
	TagTemplate
	TagTextarea
	TagTfoot
	TagTh
	TagThead
	TagTime
	TagTitle
	TagTr
	TagTrack
	TagTt
	TagU
	TagUl
	TagVar
	TagVideo
	TagWbr
	TagXmp

	// TagOther is the first number given to a name that is not listed here.
	TagOther
)

// tagNames has the names that HTML defines, by number.
var tagNames = [TagOther]string{
	TagText:       "#text",
	TagA:          "a",
	TagAbbr:       "abbr",
	TagAcronym:    "acronym",
	TagAddress:    "address",
	TagApplet:     "applet",
	TagArea:       "area",
	TagArticle:    "article",
	TagAside:      "aside",
	TagAudio:      "audio",
	TagB:          "b",
	TagBase:       "base",
	TagBasefont:   "basefont",
	TagBdi:        "bdi",
	TagBdo:        "bdo",
	TagBgsound:    "bgsound",
	TagBig:        "big",
	TagBlink:      "blink",
	TagBlockquote: "blockquote",
	TagBody:       "body",
	TagBr:         "br",
	TagButton:     "button",
	TagCanvas:     "canvas",
	TagCaption:    "caption",
	TagCenter:     "center",
	TagCite:       "cite",
	TagCode:       "code",
	TagCol:        "col",
	TagColgroup:   "colgroup",
	TagCommand:    "command",
	TagData:       "data",
	TagDatalist:   "datalist",
	TagDd:         "dd",
	TagDel:        "del",
	TagDetails:    "details",
	TagDfn:        "dfn",
	TagDialog:     "dialog",
	TagDir:        "dir",
	TagDiv:        "div",
	TagDl:         "dl",
	TagDt:         "dt",
	TagEm:         "em",
	TagEmbed:      "embed",
	TagFieldset:   "fieldset",
	TagFigcaption: "figcaption",
	TagFigure:     "figure",
	TagFont:       "font",
	TagFooter:     "footer",
	TagForm:       "form",
	TagFrame:      "frame",
	TagFrameset:   "frameset",
	TagH1:         "h1",
	TagH2:         "h2",
	TagH3:         "h3",
	TagH4:         "h4",
	TagH5:         "h5",
	TagH6:         "h6",
	TagHead:       "head",
	TagHeader:     "header",
	TagHgroup:     "hgroup",
	TagHr:         "hr",
	TagHtml:       "html",
	TagI:          "i",
	TagIframe:     "iframe",
	TagImage:      "image",
	TagImg:        "img",
	TagInput:      "input",
	TagIns:        "ins",
	TagIsindex:    "isindex",
	TagKbd:        "kbd",
	TagKeygen:     "keygen",
	TagLabel:      "label",
	TagLegend:     "legend",
	TagLi:         "li",
	TagLink:       "link",
	TagListing:    "listing",
	TagMain:       "main",
	TagMap:        "map",
	TagMark:       "mark",
	TagMarquee:    "marquee",
	TagMath:       "math",
	TagMenu:       "menu",
	TagMenuitem:   "menuitem",
	TagMeta:       "meta",
	TagMeter:      "meter",
	TagMulticol:   "multicol",
	TagNav:        "nav",
	TagNextid:     "nextid",
	TagNobr:       "nobr",
	TagNoembed:    "noembed",
	TagNoframes:   "noframes",
	TagNoscript:   "noscript",
	TagObject:     "object",
	TagOl:         "ol",
	TagOptgroup:   "optgroup",
	TagOption:     "option",
	TagOutput:     "output",
	TagP:          "p",
	TagParam:      "param",
	TagPicture:    "picture",
	TagPlaintext:  "plaintext",
	TagPre:        "pre",
	TagProgress:   "progress",
	TagQ:          "q",
	TagRb:         "rb",
	TagRp:         "rp",
	TagRt:         "rt",
	TagRtc:        "rtc",
	TagRuby:       "ruby",
	TagS:          "s",
	TagSamp:       "samp",
	TagScript:     "script",
	TagSearch:     "search",
	TagSection:    "section",
	TagSelect:     "select",
	TagSlot:       "slot",
	TagSmall:      "small",
	TagSource:     "source",
	TagSpacer:     "spacer",
	TagSpan:       "span",
	TagStrike:     "strike",
	TagStrong:     "strong",
	TagStyle:      "style",
	TagSub:        "sub",
	TagSummary:    "summary",
	TagSup:        "sup",
	TagSvg:        "svg",
	TagTable:      "table",
	TagTbody:      "tbody",
	TagTd:         "td",
	TagTemplate:   "template",
	TagTextarea:   "textarea",
	TagTfoot:      "tfoot",
	TagTh:         "th",
	TagThead:      "thead",
	TagTime:       "time",
	TagTitle:      "title",
	TagTr:         "tr",
	TagTrack:      "track",
	TagTt:         "tt",
	TagU:          "u",
	TagUl:         "ul",
	TagVar:        "var",
	TagVideo:      "video",
	TagWbr:        "wbr",
	TagXmp:        "xmp",
}
