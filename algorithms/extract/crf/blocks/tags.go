package blocks

import "github.com/winnow/winnow/algorithms/html"

// tagFeatures are the features that an element counts for.
type tagFeatures struct {
	in    uint64 // containers, then classes
	split uint32 // splits, then classes
	void  bool   // it has no end tag
}

var tags = tagTable()

func tagTable() *[html.TagOther]tagFeatures {
	t := new([html.TagOther]tagFeatures)
	for i, c := range containers {
		t[c.tag].in |= 1 << (firstContainer + i)
	}
	for i, s := range splits {
		t[s.tag].split |= 1 << i
	}
	class := func(c int, members ...html.Tag) {
		for _, tag := range members {
			t[tag].in |= 1 << (containerClass + c)
			t[tag].split |= 1 << (numSplits + c)
		}
	}
	for _, h := range headings {
		class(classHeader, h.tag)
		class(classBlock, h.tag)
	}
	class(classBold, html.TagB, html.TagStrong)
	class(classItalic, html.TagI, html.TagEm, html.TagCite)
	class(classList, html.TagUl, html.TagOl, html.TagLi, html.TagDl, html.TagDt, html.TagDd)
	class(classForm, html.TagForm, html.TagInput, html.TagSelect, html.TagTextarea, html.TagButton, html.TagLabel, html.TagOption)
	class(classTable, html.TagTable, html.TagCaption, html.TagColgroup, html.TagCol, html.TagThead, html.TagTbody, html.TagTfoot,
		html.TagTr, html.TagTd, html.TagTh)
	class(classBlock, html.TagAddress, html.TagArticle, html.TagAside, html.TagBlockquote, html.TagCenter, html.TagDd,
		html.TagDetails, html.TagDialog, html.TagDir, html.TagDiv, html.TagDl, html.TagDt, html.TagFieldset, html.TagFigcaption,
		html.TagFigure, html.TagFooter, html.TagForm, html.TagHeader, html.TagHgroup, html.TagHr, html.TagLi, html.TagMain,
		html.TagMenu, html.TagNav, html.TagOl, html.TagP, html.TagPre, html.TagSection, html.TagSummary, html.TagUl)
	const blockOrTable = 1<<(containerClass+classBlock) | 1<<(containerClass+classTable)
	for tag := range t {
		// The body is around every block, so it distinguishes none.
		if t[tag].in&blockOrTable == 0 && html.Tag(tag) != html.TagBody {
			class(classInline, html.Tag(tag))
		}
	}
	for _, tag := range []html.Tag{html.TagArea, html.TagBase, html.TagBr, html.TagCol, html.TagEmbed, html.TagHr, html.TagImg,
		html.TagInput, html.TagLink, html.TagMeta, html.TagParam, html.TagSource, html.TagTrack, html.TagWbr} {
		t[tag].void = true
	}
	return t
}
