package blocks

import "github.com/winnow/winnow/algorithms/page"

// tagFeatures are the features that an element counts for.
type tagFeatures struct {
	in    uint64 // containers, then classes
	split uint32 // splits, then classes
	void  bool   // it has no end tag
}

var tags = tagTable()

func tagTable() *[page.TagOther]tagFeatures {
	t := new([page.TagOther]tagFeatures)
	for i, c := range containers {
		t[c.tag].in |= 1 << (firstContainer + i)
	}
	for i, s := range splits {
		t[s.tag].split |= 1 << i
	}
	class := func(c int, members ...page.Tag) {
		for _, tag := range members {
			t[tag].in |= 1 << (containerClass + c)
			t[tag].split |= 1 << (numSplits + c)
		}
	}
	for _, h := range headings {
		class(classHeader, h.tag)
		class(classBlock, h.tag)
	}
	class(classBold, page.TagB, page.TagStrong)
	class(classItalic, page.TagI, page.TagEm, page.TagCite)
	class(classList, page.TagUl, page.TagOl, page.TagLi, page.TagDl, page.TagDt, page.TagDd)
	class(classForm, page.TagForm, page.TagInput, page.TagSelect, page.TagTextarea, page.TagButton, page.TagLabel, page.TagOption)
	class(classTable, page.TagTable, page.TagCaption, page.TagColgroup, page.TagCol, page.TagThead, page.TagTbody, page.TagTfoot,
		page.TagTr, page.TagTd, page.TagTh)
	class(classBlock, page.TagAddress, page.TagArticle, page.TagAside, page.TagBlockquote, page.TagCenter, page.TagDd,
		page.TagDetails, page.TagDialog, page.TagDir, page.TagDiv, page.TagDl, page.TagDt, page.TagFieldset, page.TagFigcaption,
		page.TagFigure, page.TagFooter, page.TagForm, page.TagHeader, page.TagHgroup, page.TagHr, page.TagLi, page.TagMain,
		page.TagMenu, page.TagNav, page.TagOl, page.TagP, page.TagPre, page.TagSection, page.TagSummary, page.TagUl)
	const blockOrTable = 1<<(containerClass+classBlock) | 1<<(containerClass+classTable)
	for tag := range t {
		// The body is around every block, and says nothing of any.
		if t[tag].in&blockOrTable == 0 && page.Tag(tag) != page.TagBody {
			class(classInline, page.Tag(tag))
		}
	}
	for _, tag := range []page.Tag{page.TagArea, page.TagBase, page.TagBr, page.TagCol, page.TagEmbed, page.TagHr, page.TagImg,
		page.TagInput, page.TagLink, page.TagMeta, page.TagParam, page.TagSource, page.TagTrack, page.TagWbr} {
		t[tag].void = true
	}
	return t
}
