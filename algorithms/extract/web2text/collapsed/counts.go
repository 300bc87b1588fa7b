package collapsed

import (
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms/feature/stopwords"
)

// counts holds the properties of a text, or the sums of those below an element.
type counts struct {
	chars, words, sentences, punct, digits, stops, capitals, linkChars, wordChars int32

	endsPunct, endsQuestion, ended    bool // ended: the two before are known
	copyright, email, url, year, form bool
}

// read fills c from a text without blanks at its ends.
func (c *counts) read(s []byte, stops *stopwords.List) {
	form := c.form
	*c = counts{form: form, ended: true}
	open := false // a sentence has begun
	for i := 0; i < len(s); {
		if isWord(s[i]) {
			from, number := i, true
			for i < len(s) && isWord(s[i]) {
				if isDigit(s[i]) {
					c.digits++
				} else {
					number = false
				}
				i++
			}
			word := s[from:i]
			c.words++
			c.wordChars += int32(len(word))
			c.chars += int32(len(word))
			c.year = c.year || number && len(word) == 4
			if 'A' <= word[0] && word[0] <= 'Z' {
				c.capitals++
			}
			if stops.Has(word) {
				c.stops++
			}
			open = true
			continue
		}
		switch b := s[i]; b {
		case '.', '!', '?', ',', ';', ':':
			c.punct++
			if (b == '.' || b == '!' || b == '?') && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n') {
				c.sentences++
				open = false
			} else {
				open = true
			}
			c.url = c.url || b == ':' && i > 0 && isWord(s[i-1]) && i+2 < len(s) && s[i+1] == '/' && s[i+2] == '/'
		case '@':
			c.email = c.email || i > 0 && isWord(s[i-1]) && i+1 < len(s) && isWord(s[i+1])
			open = true
		case 0xA9:
			c.copyright = c.copyright || i > 0 && s[i-1] == 0xC2
		case ' ', '\n', '\t':
		default:
			open = true
		}
		if utf8.RuneStart(s[i]) {
			c.chars++
		}
		i++
	}
	if open {
		c.sentences++
	}
	c.chars, c.sentences = max(1, c.chars), max(1, c.sentences)
	if n := len(s); n > 0 {
		c.endsQuestion = s[n-1] == '?'
		switch s[n-1] {
		case '.', '!', '?', ',', ';', ':':
			c.endsPunct = true
		}
	}
}

// add adds the counts of a child. The last child must be added first.
func (c *counts) add(d *counts) {
	c.chars += d.chars
	c.words += d.words
	c.sentences += d.sentences
	c.punct += d.punct
	c.digits += d.digits
	c.stops += d.stops
	c.capitals += d.capitals
	c.linkChars += d.linkChars
	c.wordChars += d.wordChars
	if !c.ended {
		c.endsPunct, c.endsQuestion, c.ended = d.endsPunct, d.endsQuestion, true
	}
	c.copyright = c.copyright || d.copyright
	c.email = c.email || d.email
	c.url = c.url || d.url
	c.year = c.year || d.year
	c.form = c.form || d.form
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isWord reports whether the program's pattern \w matches c.
func isWord(c byte) bool {
	return isDigit(c) || c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
