package fe

import "github.com/winnow/winnow/algorithms/html"

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
func featureOf(t html.Tag) feature {
	switch t {
	case html.TagA:
		return links
	case html.TagImg, html.TagPicture, html.TagVideo, html.TagAudio,
		html.TagCanvas, html.TagObject, html.TagEmbed:
		return media
	case html.TagLi, html.TagDt, html.TagDd:
		return items
	case html.TagForm, html.TagInput, html.TagButton, html.TagSelect, html.TagTextarea:
		return fields
	case html.TagTd, html.TagTh:
		return cells
	}
	return none
}
