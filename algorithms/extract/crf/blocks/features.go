// Package blocks cuts a page into the blocks of Victor and computes the features of
// each: one column of small values for every feature.
//
//	block        0        1          2                 every visible text of the page body
//	text         "Menu"   "One two"  "three."
//	in a         1        0          0                 Values[f*n : f*n+n]
//	split by p   0        1          0
//	words        1        2          1
//
// Zero is the value of most features of most blocks. It means that something is absent,
// and a model has no weight for it.
//
// This package is internal to Winnow and may change in any release.
package blocks

import (
	"strings"

	"github.com/winnow/winnow/algorithms/html"
)

// Feature is one column.
type Feature struct {
	Name   string
	Levels int // the largest value; the smallest is 0
	Reach  int // neighbours to each side that see the block's value: 0 or 2
}

// bins lists the values that a count is rounded to. The index is the number of the bin.
var bins = [...]int{0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89}

const (
	binned = len(bins) - 1 // largest value of a count
	tenths = 10            // largest value of a ratio
)

// The classes of elements follow the containers and splits that are named.
const (
	classHeader = iota
	classBold
	classItalic
	classList
	classForm
	classBlock
	classInline
	classTable
	classes
)

var classNames = [classes]string{"header", "bold", "italic", "list", "form", "block", "inline", "table"}

type named struct {
	name string
	tag  html.Tag
}

var headings = []named{{"h1", html.TagH1}, {"h2", html.TagH2}, {"h3", html.TagH3}, {"h4", html.TagH4}, {"h5", html.TagH5}, {"h6", html.TagH6}}

// containers are the elements around a block that have a feature each.
var containers = append([]named{{"a", html.TagA}, {"p", html.TagP}, {"div", html.TagDiv}, {"td", html.TagTd}, {"th", html.TagTh},
	{"tr", html.TagTr}, {"table", html.TagTable}, {"li", html.TagLi}, {"ul", html.TagUl}, {"ol", html.TagOl}, {"span", html.TagSpan},
	{"font", html.TagFont}, {"b", html.TagB}, {"strong", html.TagStrong}, {"i", html.TagI}, {"em", html.TagEm}, {"u", html.TagU},
	{"form", html.TagForm}, {"pre", html.TagPre}, {"blockquote", html.TagBlockquote}, {"center", html.TagCenter}, {"address", html.TagAddress}}, headings...)

// splits are the elements between two blocks that have a feature each.
var splits = append([]named{{"p", html.TagP}, {"br", html.TagBr}, {"hr", html.TagHr}, {"img", html.TagImg}, {"div", html.TagDiv},
	{"td", html.TagTd}, {"tr", html.TagTr}, {"table", html.TagTable}, {"a", html.TagA}, {"span", html.TagSpan}, {"li", html.TagLi}}, headings...)

const (
	numContainers = 28
	numSplits     = 17

	firstContainer = 0
	containerClass = firstContainer + numContainers
	firstSplit     = containerClass + classes
	splitClass     = firstSplit + numSplits
)

// The other features, in the order of rest.
const (
	charAlpha = splitClass + classes + iota
	charNum
	charPunct
	charWhite
	charOther
	tokenAlpha
	tokenNum
	tokenMixed
	tokenOther
	tokenAlphaShare
	tokenNumShare
	tokenMixedShare
	tokenOtherShare
	sentences
	wordLength
	wordRun
	notStarted
	notFinished
	hasURL
	hasEmail
	hasDate
	hasTime
	hasCopyright
	hasBullet
	duplicates
	firstDuplicate
	position
	pageWords
	pageSentences
	pageBlocks
	groupTd
	groupDiv
	maxTd
	maxDiv
	linkAndWords
	listAndSplit
	sentencesAndEnd
	numFeatures
)

// pairs is the largest value of a feature that combines a flag and a count.
const pairs = 2*(binned+1) - 1

var rest = []Feature{
	{"char.alpha-rel", tenths, 0}, {"char.num-rel", tenths, 0}, {"char.punct-rel", tenths, 0}, {"char.white-rel", tenths, 0}, {"char.other-rel", tenths, 0},
	{"token.alpha-abs", binned, 2}, {"token.num-abs", binned, 0}, {"token.mixed-abs", binned, 0}, {"token.other-abs", binned, 0},
	{"token.alpha-rel", tenths, 0}, {"token.num-rel", tenths, 0}, {"token.mixed-rel", tenths, 0}, {"token.other-rel", tenths, 0},
	{"sentence.count", binned, 2}, {"avg-word-length", binned, 0}, {"avg-word-run", binned, 0},
	{"sentence-not-started", 1, 0}, {"sentence-not-finished", 1, 0},
	{"regexp.url", 1, 0}, {"regexp.email", 1, 0}, {"regexp.date", 1, 0}, {"regexp.time", 1, 0}, {"regexp.copyright", 1, 0}, {"regexp.bullet", 1, 0},
	{"duplicate-count", binned, 0}, {"first-duplicate", 1, 0},
	{"position", tenths, 0}, {"document.word-count", binned, 0}, {"document.sentence-count", binned, 0}, {"document.block-count", binned, 0},
	{"td-group.word-ratio", tenths, 0}, {"div-group.word-ratio", tenths, 0}, {"max-td-group.word-ratio", tenths, 0}, {"max-div-group.word-ratio", tenths, 0},
	{"container.a+token.alpha-abs", pairs, 0}, {"container.class-list+split.class-block", pairs, 0}, {"sentence.count+sentence-not-finished", pairs, 0},
}

// Features are the columns in their order.
var Features = features()

func features() []Feature {
	var all []Feature
	for _, c := range containers {
		f := Feature{"container." + c.name, 1, 0}
		if c.tag == html.TagA {
			f.Reach = 2
		}
		all = append(all, f)
	}
	for _, c := range classNames {
		all = append(all, Feature{"container.class-" + c, 1, 2})
	}
	for _, s := range splits {
		all = append(all, Feature{"split." + s.name, binned, 2})
	}
	for _, c := range classNames {
		all = append(all, Feature{"split.class-" + c, binned, 2})
	}
	return append(all, rest...)
}

// Schema names everything that a model's weights depend on, in order: the features,
// their levels, and how far they reach.
func Schema() string {
	var b strings.Builder
	for _, f := range Features {
		b.WriteString(f.Name)
		b.WriteByte(' ')
		b.WriteByte(byte('0' + f.Levels/10))
		b.WriteByte(byte('0' + f.Levels%10))
		b.WriteByte(byte('0' + f.Reach))
		b.WriteByte('\n')
	}
	return b.String()
}

// binOf is the bin of every count up to the last one.
var binOf = func() (t [90]uint8) {
	for n := range t {
		for i, b := range bins {
			if abs(n-b) < abs(n-bins[t[n]]) {
				t[n] = uint8(i)
			}
		}
	}
	return t
}()

func abs(n int) int { return max(n, -n) }

// bin returns the number of the bin nearest to n, the lower one of two.
func bin(n int) uint8 { return binOf[min(n, len(binOf)-1)] }

// ratio returns a/b in tenths, rounded, or 0 if b is 0.
func ratio(a, b int) uint8 {
	if b == 0 {
		return 0
	}
	return uint8((20*a + b) / (2 * b))
}
