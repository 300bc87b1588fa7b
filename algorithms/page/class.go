package page

// class is a set of properties of an element name, as bits. Those that rows are
// flagged with are the same bits in a Flag.
type class uint16

const (
	classBlock  = class(IsBlock) // of the set B (spec page-level 1.3)
	classAnchor = class(isA)     // a
	classLink   = class(isLink)  // of the link tags of CETD
	classImg    = class(isImg)   // img
	classList   = class(isList)  // ul, ol, li

	classLeftOut   class = 1 << 0  // not in the Body, with all it holds
	classChildless class = 1 << 1  // in the Body without its content
	classFBlock    class = 1 << 2  // of the set F
	classPre       class = 1 << 3  // white space is kept as written
	classBr        class = 1 << 4  // br
	classVoid      class = 1 << 6  // never has content nor an end tag
	classRaw       class = 1 << 7  // content is raw text to the scanner
	classMarkup    class = 1 << 12 // AppendHTML writes it
	classFrame     class = 1 << 13 // of those, holds nothing but its own parts
)

// classes has the properties of the listed names; any other name has none.
var classes = [TagOther]class{
	TagA:          classAnchor | classLink | classMarkup,
	TagAbbr:       classMarkup,
	TagAddress:    classBlock | classMarkup,
	TagArea:       classVoid,
	TagArticle:    classBlock | classMarkup,
	TagAside:      classBlock | classMarkup,
	TagB:          classMarkup,
	TagBase:       classVoid,
	TagBasefont:   classVoid,
	TagBdi:        classMarkup,
	TagBdo:        classMarkup,
	TagBgsound:    classVoid,
	TagBlockquote: classBlock | classMarkup,
	TagBody:       classBlock,
	TagBr:         classBr | classVoid | classMarkup,
	TagButton:     classLink,
	TagCaption:    classBlock | classMarkup,
	TagCenter:     classBlock,
	TagCite:       classMarkup,
	TagCode:       classMarkup,
	TagCol:        classVoid | classMarkup,
	TagColgroup:   classMarkup | classFrame,
	TagDatalist:   classChildless,
	TagDd:         classBlock | classMarkup,
	TagDel:        classMarkup,
	TagDetails:    classBlock | classMarkup,
	TagDfn:        classMarkup,
	TagDialog:     classBlock,
	TagDir:        classBlock,
	TagDiv:        classBlock | classFBlock | classMarkup,
	TagDl:         classBlock | classMarkup | classFrame,
	TagDt:         classBlock | classMarkup,
	TagEm:         classMarkup,
	TagEmbed:      classChildless | classVoid,
	TagFieldset:   classBlock,
	TagFigcaption: classBlock | classMarkup,
	TagFigure:     classBlock | classMarkup,
	TagFooter:     classBlock | classMarkup,
	TagForm:       classBlock,
	TagFrame:      classVoid,
	TagFrameset:   classBlock,
	TagH1:         classBlock | classMarkup,
	TagH2:         classBlock | classMarkup,
	TagH3:         classBlock | classMarkup,
	TagH4:         classBlock | classMarkup,
	TagH5:         classBlock | classMarkup,
	TagH6:         classBlock | classMarkup,
	TagHeader:     classBlock | classMarkup,
	TagHgroup:     classBlock | classMarkup,
	TagHr:         classBlock | classFBlock | classVoid | classMarkup,
	TagI:          classMarkup,
	TagIframe:     classChildless | classRaw,
	TagImg:        classImg | classVoid | classMarkup,
	TagInput:      classVoid,
	TagIns:        classMarkup,
	TagKbd:        classMarkup,
	TagKeygen:     classVoid,
	TagLegend:     classBlock,
	TagLi:         classBlock | classList | classMarkup,
	TagLink:       classVoid,
	TagMain:       classBlock | classMarkup,
	TagMark:       classMarkup,
	TagMath:       classChildless,
	TagMenu:       classBlock,
	TagMeta:       classVoid,
	TagNav:        classBlock | classMarkup,
	TagNoscript:   classLeftOut,
	TagObject:     classChildless,
	TagOl:         classBlock | classList | classMarkup | classFrame,
	TagOption:     classBlock,
	TagP:          classBlock | classFBlock | classMarkup,
	TagParam:      classVoid,
	TagPre:        classBlock | classPre | classMarkup,
	TagQ:          classMarkup,
	TagRp:         classMarkup,
	TagRt:         classMarkup,
	TagRuby:       classMarkup,
	TagS:          classMarkup,
	TagSamp:       classMarkup,
	TagScript:     classLeftOut | classRaw,
	TagSection:    classBlock | classMarkup,
	TagSelect:     classChildless | classLink,
	TagSmall:      classMarkup,
	TagSource:     classVoid,
	TagSpan:       classFBlock,
	TagStrike:     classMarkup,
	TagStrong:     classMarkup,
	TagStyle:      classLeftOut | classRaw,
	TagSub:        classMarkup,
	TagSummary:    classBlock | classMarkup,
	TagSup:        classMarkup,
	TagSvg:        classChildless,
	TagTable:      classBlock | classFBlock | classMarkup | classFrame,
	TagTbody:      classBlock | classMarkup | classFrame,
	TagTd:         classBlock | classMarkup,
	TagTemplate:   classLeftOut,
	TagTextarea:   classPre,
	TagTfoot:      classBlock | classMarkup | classFrame,
	TagTh:         classBlock | classMarkup,
	TagThead:      classBlock | classMarkup | classFrame,
	TagTime:       classMarkup,
	TagTitle:      classLeftOut | classRaw,
	TagTr:         classBlock | classFBlock | classMarkup | classFrame,
	TagTrack:      classVoid,
	TagTt:         classMarkup,
	TagU:          classMarkup,
	TagUl:         classBlock | classFBlock | classList | classMarkup | classFrame,
	TagVar:        classMarkup,
	TagWbr:        classVoid | classMarkup,
}

// class of the name t.
func (t Tag) class() class {
	if t < TagOther {
		return classes[t]
	}
	return 0
}

// IsBlock says whether t is in the set B, the block-level elements.
func (t Tag) IsBlock() bool { return t.class()&classBlock != 0 }
