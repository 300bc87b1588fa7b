// Package tokens turns texts into the items that scorers count: it normalises (steps D,
// N, Z, L below), cuts into characters or words, and numbers the items.
//
//	D  decode UTF-8: every maximal invalid sequence becomes U+FFFD
//	N  Unicode normalisation form C
//	Z  drop U+00AD, U+200B–U+200D, U+2060, U+FEFF
//	W  fold each run of white space into one blank, trim   (characters)
//	X  drop white space                                    (characters)
//	L  lower case with context rules (final sigma, U+0130)
//
// White space is Unicode's White_Space and U+001C–U+001F, which is what Python
// calls white space in a str.
//
//	Words    runs of letters, numbers, marks and "_"; a Han, Hiragana, Katakana,
//	         Thai, Lao, Khmer or Myanmar character with its marks is a word
//	Python   runs of letters, numbers and "_" (\w of Python 3)
//	Fields   runs of anything but white space
//
// A tokeniser returns spans of the text. A Dict numbers words, an Alphabet
// characters; both are filled from the gold of a page and then used for every
// extraction, so that equal items have equal numbers and nothing is compared
// by hash alone.
package tokens
