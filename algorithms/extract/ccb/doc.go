// Package ccb is content code blurring of Gottron 2008: the page is a line of white
// (content) and black (code) cells. A cell that is still bright after blurring is
// surrounded by content and is main content.
//
//	id     cell            a tags     range   threshold
//	ccb    character       code       40      0.75
//	accb   character       left out   40      0.75
//	tccb   word or tag     code       25      0.75
//
// The cells are those of section 3.1, ranges and threshold those of section 4.1.
//
// # Steps (sections 3.2 and 3.3 of the paper)
//
// One iteration replaces every cell by the weighted mean of its neighbours at
// distance ≤ range, with weights of a Gauss distribution; iterations stop when
// values settle. A word is main content if one of its cells is above the
// threshold.
//
// # Departures
//
// The Departures of the description list them, with their reasons.
//
// At the border of long text and long code, the largest change of a cell in iteration t is
// 0.485, 0.083, 0.049, 0.035, 0.027, whatever the page. Package feature/codevector defines
// the cells.
//
// # Cost
//
// Blurring four times is blurring once with the kernel convolved four times
// with itself, and the blurred value of one cell is a sum over the runs of
// content in its window of two entries of that kernel's cumulative sum. A
// step of one cell changes the blurred value by at most the kernel's largest
// weight, 0.015 for characters, so a value far from the threshold settles all
// cells around it: most cells are never looked at.
//
// The extractor does not suit headlines and short paragraphs between dense markup, or
// comment threads. Long attribute values push text away in ccb and accb.
//
// This package is internal to Winnow and may change in any release.
package ccb
