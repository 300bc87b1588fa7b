package page

import "github.com/winnow/winnow/algorithms/html"

// class is a set of properties of an element name, as bits. Properties that are also
// flags of rows have the same bits in a Flag.
type class uint16

const (
	classBlock  = class(IsBlock) // block elements
	classAnchor = class(isA)     // a
	classLink   = class(isLink)  // a link tag of CETD
	classImg    = class(isImg)   // img
	classList   = class(isList)  // ul, ol, li

	classLeftOut   class = 1 << 0  // absent from the Body, and its content too
	classChildless class = 1 << 1  // present in the Body without its content
	classFBlock    class = 1 << 2  // elements of the set F
	classPre       class = 1 << 3  // white space is kept as written
	classBr        class = 1 << 4  // br
	classVoid      class = 1 << 6  // has neither content nor an end tag
	classRaw       class = 1 << 7  // its content is raw text for the scanner
	classMarkup    class = 1 << 13 // AppendHTML writes it
	classFrame     class = 1 << 14 // a classMarkup element that may contain only its own parts
)

// classes holds the properties of the listed names; all other names have none.
var classes = [html.TagOther]class{
	html.TagA:          classAnchor | classLink | classMarkup,
	html.TagAbbr:       classMarkup,
	html.TagAddress:    classBlock | classMarkup,
	html.TagArea:       classVoid,
	html.TagArticle:    classBlock | classMarkup,
	html.TagAside:      classBlock | classMarkup,
	html.TagB:          classMarkup,
	html.TagBase:       classVoid,
	html.TagBasefont:   classVoid,
	html.TagBdi:        classMarkup,
	html.TagBdo:        classMarkup,
	html.TagBgsound:    classVoid,
	html.TagBlockquote: classBlock | classMarkup,
	html.TagBody:       classBlock,
	html.TagBr:         classBr | classVoid | classMarkup,
	html.TagButton:     classLink,
	html.TagCaption:    classBlock | classMarkup,
	html.TagCenter:     classBlock,
	html.TagCite:       classMarkup,
	html.TagCode:       classMarkup,
	html.TagCol:        classVoid | classMarkup,
	html.TagColgroup:   classMarkup | classFrame,
	html.TagDatalist:   classChildless,
	html.TagDd:         classBlock | classMarkup,
	html.TagDel:        classMarkup,
	html.TagDetails:    classBlock | classMarkup,
	html.TagDfn:        classMarkup,
	html.TagDialog:     classBlock,
	html.TagDir:        classBlock,
	html.TagDiv:        classBlock | classFBlock | classMarkup,
	html.TagDl:         classBlock | classMarkup | classFrame,
	html.TagDt:         classBlock | classMarkup,
	html.TagEm:         classMarkup,
	html.TagEmbed:      classChildless | classVoid,
	html.TagFieldset:   classBlock,
	html.TagFigcaption: classBlock | classMarkup,
	html.TagFigure:     classBlock | classMarkup,
	html.TagFooter:     classBlock | classMarkup,
	html.TagForm:       classBlock,
	html.TagFrame:      classVoid,
	html.TagFrameset:   classBlock,
	html.TagH1:         classBlock | classMarkup,
	html.TagH2:         classBlock | classMarkup,
	html.TagH3:         classBlock | classMarkup,
	html.TagH4:         classBlock | classMarkup,
	html.TagH5:         classBlock | classMarkup,
	html.TagH6:         classBlock | classMarkup,
	html.TagHeader:     classBlock | classMarkup,
	html.TagHgroup:     classBlock | classMarkup,
	html.TagHr:         classBlock | classFBlock | classVoid | classMarkup,
	html.TagI:          classMarkup,
	html.TagIframe:     classChildless | classRaw,
	html.TagImg:        classImg | classVoid | classMarkup,
	html.TagInput:      classVoid,
	html.TagIns:        classMarkup,
	html.TagKbd:        classMarkup,
	html.TagKeygen:     classVoid,
	html.TagLegend:     classBlock,
	html.TagLi:         classBlock | classList | classMarkup,
	html.TagLink:       classVoid,
	html.TagMain:       classBlock | classMarkup,
	html.TagMark:       classMarkup,
	html.TagMath:       classChildless,
	html.TagMenu:       classBlock,
	html.TagMeta:       classVoid,
	html.TagNav:        classBlock | classMarkup,
	html.TagNoscript:   classLeftOut,
	html.TagObject:     classChildless,
	html.TagOl:         classBlock | classList | classMarkup | classFrame,
	html.TagOption:     classBlock,
	html.TagP:          classBlock | classFBlock | classMarkup,
	html.TagParam:      classVoid,
	html.TagPre:        classBlock | classPre | classMarkup,
	html.TagQ:          classMarkup,
	html.TagRp:         classMarkup,
	html.TagRt:         classMarkup,
	html.TagRuby:       classMarkup,
	html.TagS:          classMarkup,
	html.TagSamp:       classMarkup,
	html.TagScript:     classLeftOut | classRaw,
	html.TagSection:    classBlock | classMarkup,
	html.TagSelect:     classChildless | classLink,
	html.TagSmall:      classMarkup,
	html.TagSource:     classVoid,
	html.TagSpan:       classFBlock,
	html.TagStrike:     classMarkup,
	html.TagStrong:     classMarkup,
	html.TagStyle:      classLeftOut | classRaw,
	html.TagSub:        classMarkup,
	html.TagSummary:    classBlock | classMarkup,
	html.TagSup:        classMarkup,
	html.TagSvg:        classChildless,
	html.TagTable:      classBlock | classFBlock | classMarkup | classFrame,
	html.TagTbody:      classBlock | classMarkup | classFrame,
	html.TagTd:         classBlock | classMarkup,
	html.TagTemplate:   classLeftOut,
	html.TagTextarea:   classPre,
	html.TagTfoot:      classBlock | classMarkup | classFrame,
	html.TagTh:         classBlock | classMarkup,
	html.TagThead:      classBlock | classMarkup | classFrame,
	html.TagTime:       classMarkup,
	html.TagTitle:      classLeftOut | classRaw,
	html.TagTr:         classBlock | classFBlock | classMarkup | classFrame,
	html.TagTrack:      classVoid,
	html.TagTt:         classMarkup,
	html.TagU:          classMarkup,
	html.TagUl:         classBlock | classFBlock | classList | classMarkup | classFrame,
	html.TagVar:        classMarkup,
	html.TagWbr:        classVoid | classMarkup,
}

// classesOf returns the properties of the name t.
func classesOf(t html.Tag) class {
	if t < html.TagOther {
		return classes[t]
	}
	return 0
}

// IsBlockTag reports whether t is in the set B, the block-level elements.
func IsBlockTag(t html.Tag) bool { return classesOf(t)&classBlock != 0 }
