package fe

import "github.com/winnow/winnow/algorithms/page"

// feature numbers the features that compete with text.
type feature int

const (
	links feature = iota
	media
	items
	fields
	cells
	features         // their number
	none     feature = -1
)

// featureOf returns the feature that an element counts for.
func featureOf(t page.Tag) feature {
	switch t {
	case page.TagA:
		return links
	case page.TagImg, page.TagPicture, page.TagVideo, page.TagAudio,
		page.TagCanvas, page.TagObject, page.TagEmbed:
		return media
	case page.TagLi, page.TagDt, page.TagDd:
		return items
	case page.TagForm, page.TagInput, page.TagButton, page.TagSelect, page.TagTextarea:
		return fields
	case page.TagTd, page.TagTh:
		return cells
	}
	return none
}
