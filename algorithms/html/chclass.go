package html

// A byte of the source belongs to these classes.
const (
	chSpace   uint8 = 1 << iota // tab, line feed, form feed, carriage return, blank
	chLetter                    // ASCII letter
	chDigit                     // ASCII digit
	chFold                      // upper-case letter or NUL: a name must be rewritten
	chTagEnd                    // ends a tag name: white space / >
	chNameEnd                   // ends an attribute name: white space / > =
	chMarkup                    // begins markup after "<": letter / ! ?
	chEncoded                   // may mean something else in text: & NUL carriage return
)

// classOf has the classes of each byte.
var classOf = [256]uint8{
	0:    chFold | chEncoded,
	'\t': chSpace | chTagEnd | chNameEnd,
	'\n': chSpace | chTagEnd | chNameEnd,
	'\f': chSpace | chTagEnd | chNameEnd,
	'\r': chSpace | chTagEnd | chNameEnd | chEncoded,
	' ':  chSpace | chTagEnd | chNameEnd,
	'!':  chMarkup,
	'&':  chEncoded,
	'/':  chTagEnd | chNameEnd | chMarkup,
	'=':  chNameEnd,
	'>':  chTagEnd | chNameEnd,
	'?':  chMarkup,

	'0': chDigit, '1': chDigit, '2': chDigit, '3': chDigit, '4': chDigit,
	'5': chDigit, '6': chDigit, '7': chDigit, '8': chDigit, '9': chDigit,

	'A': chUpper, 'B': chUpper, 'C': chUpper, 'D': chUpper, 'E': chUpper, 'F': chUpper, 'G': chUpper,
	'H': chUpper, 'I': chUpper, 'J': chUpper, 'K': chUpper, 'L': chUpper, 'M': chUpper, 'N': chUpper,
	'O': chUpper, 'P': chUpper, 'Q': chUpper, 'R': chUpper, 'S': chUpper, 'T': chUpper, 'U': chUpper,
	'V': chUpper, 'W': chUpper, 'X': chUpper, 'Y': chUpper, 'Z': chUpper,

	'a': chLower, 'b': chLower, 'c': chLower, 'd': chLower, 'e': chLower, 'f': chLower, 'g': chLower,
	'h': chLower, 'i': chLower, 'j': chLower, 'k': chLower, 'l': chLower, 'm': chLower, 'n': chLower,
	'o': chLower, 'p': chLower, 'q': chLower, 'r': chLower, 's': chLower, 't': chLower, 'u': chLower,
	'v': chLower, 'w': chLower, 'x': chLower, 'y': chLower, 'z': chLower,
}

const (
	chUpper = chLetter | chMarkup | chFold
	chLower = chLetter | chMarkup
)

func isSpace(c byte) bool { return classOf[c]&chSpace != 0 }
