package vector

import (
	"slices"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/site/internal/block"
)

// Page holds the vectors of a page's atomic blocks.
type Page struct {
	Pool
	Block []int32 // vector of each block; -1 for a discarded block and one without features

	words []uint32
}

// The vectors of a page, by the blocks it is cut into and by what is counted:
// occurrences, or only whether there are any (Binary).
var (
	Classic       = feature("vectors-classic", block.Classic, false)
	HTML5         = feature("vectors-html5", block.HTML5, false)
	ClassicBinary = feature("vectors-classic-binary", block.Classic, true)
	HTML5Binary   = feature("vectors-html5-binary", block.HTML5, true)
)

func feature(name string, cut *algorithms.Feature[block.Blocks], binary bool) *algorithms.Feature[Page] {
	return &algorithms.Feature[Page]{
		Name:    name,
		Doc:     "feature vectors of the page's blocks",
		Compute: func(v *Page, p *algorithms.Pass) { v.fill(cut.Of(p), canon.WordsOf.Of(p), binary) },
	}
}

// Memory that an unusually large page needed is released at the next one.
const keepFeatures = 1 << 18

func (v *Page) fill(blocks *block.Blocks, words *canon.Words, binary bool) {
	if cap(v.ids) > keepFeatures {
		*v = Page{Block: v.Block}
	}
	v.Reset()
	v.Block = v.Block[:0]
	for b := range blocks.Len() {
		at := -1
		if !blocks.Discarded(b) {
			at = v.block(blocks, words, b, binary)
		}
		v.Block = append(v.Block, int32(at))
	}
}

// block makes the vector of a block and returns its number, or -1 if it has no
// features.
func (v *Page) block(blocks *block.Blocks, words *canon.Words, b int, binary bool) int {
	most := maxCount
	if binary {
		most = 1
	}
	from := len(v.ids)
	for id, n := range [...]int32{images: blocks.Images[b], scripts: blocks.Scripts[b], links: blocks.Links[b]} {
		if n > 0 {
			v.add(uint32(id), min(int(n), most))
		}
	}
	v.words = v.words[:0]
	for _, leaf := range blocks.Leaves(b) {
		for _, hash := range words.Of(int(leaf)) {
			v.words = append(v.words, wordID(hash))
		}
	}
	slices.Sort(v.words)
	for i := 0; i < len(v.words); {
		j := i + 1
		for j < len(v.words) && v.words[j] == v.words[i] {
			j++
		}
		v.add(v.words[i], min(j-i, most))
		i = j
	}
	if len(v.ids) == from {
		return -1
	}
	v.seal()
	return v.settle()
}
