package page

// class is a set of properties of an element name, as bits.
type class uint16

const (
	classLeftOut   class = 1 << iota // not in the Body, with all it holds
	classChildless                   // in the Body without its content
	classBlock                       // of the set B (spec page-level 1.3)
	classFBlock                      // of the set F
	classAnchor                      // a
	classLink                        // of the link tags of CETD
	classImg                         // img
	classList                        // ul, ol, li
	classPre                         // white space is kept as written
	classBr                          // br
	classVoid                        // never has content nor an end tag
	classRaw                         // content is raw text to the scanner
)

// classes has the properties of the listed names; any other name has none.
var classes = [TagOther]class{
	TagA:          classAnchor | classLink,
	TagAddress:    classBlock,
	TagArea:       classVoid,
	TagArticle:    classBlock,
	TagAside:      classBlock,
	TagBase:       classVoid,
	TagBasefont:   classVoid,
	TagBgsound:    classVoid,
	TagBlockquote: classBlock,
	TagBody:       classBlock,
	TagBr:         classBr | classVoid,
	TagButton:     classLink,
	TagCaption:    classBlock,
	TagCenter:     classBlock,
	TagCol:        classVoid,
	TagDatalist:   classChildless,
	TagDd:         classBlock,
	TagDetails:    classBlock,
	TagDialog:     classBlock,
	TagDir:        classBlock,
	TagDiv:        classBlock | classFBlock,
	TagDl:         classBlock,
	TagDt:         classBlock,
	TagEmbed:      classChildless | classVoid,
	TagFieldset:   classBlock,
	TagFigcaption: classBlock,
	TagFigure:     classBlock,
	TagFooter:     classBlock,
	TagForm:       classBlock,
	TagFrame:      classVoid,
	TagFrameset:   classBlock,
	TagH1:         classBlock,
	TagH2:         classBlock,
	TagH3:         classBlock,
	TagH4:         classBlock,
	TagH5:         classBlock,
	TagH6:         classBlock,
	TagHeader:     classBlock,
	TagHgroup:     classBlock,
	TagHr:         classBlock | classFBlock | classVoid,
	TagIframe:     classChildless | classRaw,
	TagImg:        classImg | classVoid,
	TagInput:      classVoid,
	TagKeygen:     classVoid,
	TagLegend:     classBlock,
	TagLi:         classBlock | classList,
	TagLink:       classVoid,
	TagMain:       classBlock,
	TagMath:       classChildless,
	TagMenu:       classBlock,
	TagMeta:       classVoid,
	TagNav:        classBlock,
	TagNoscript:   classLeftOut,
	TagObject:     classChildless,
	TagOl:         classBlock | classList,
	TagOption:     classBlock,
	TagP:          classBlock | classFBlock,
	TagParam:      classVoid,
	TagPre:        classBlock | classPre,
	TagScript:     classLeftOut | classRaw,
	TagSection:    classBlock,
	TagSelect:     classChildless | classLink,
	TagSource:     classVoid,
	TagSpan:       classFBlock,
	TagStyle:      classLeftOut | classRaw,
	TagSummary:    classBlock,
	TagSvg:        classChildless,
	TagTable:      classBlock | classFBlock,
	TagTbody:      classBlock,
	TagTd:         classBlock,
	TagTemplate:   classLeftOut,
	TagTextarea:   classPre,
	TagTfoot:      classBlock,
	TagTh:         classBlock,
	TagThead:      classBlock,
	TagTr:         classBlock | classFBlock,
	TagTrack:      classVoid,
	TagUl:         classBlock | classFBlock | classList,
	TagWbr:        classVoid,
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

// IsVoid says whether elements named t have no content and no end tag.
func (t Tag) IsVoid() bool { return t.class()&classVoid != 0 }
