package language

import (
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/winnow/winnow/algorithms"
)

const (
	// leastLetters is what a text must have: shorter ones are guesses.
	leastLetters = 20
	// A text is read in this many windows of this many bytes, all of it if it is not
	// longer; eval/facts.md compares other choices.
	windows     = 16
	windowBytes = 200
	// leastShare is the share of a second language from which on it is reported.
	leastShare = .1
	// clearly is how many times the score of the main language another one must have for
	// a window to be in it. Windows are short, and trigrams of related languages similar.
	clearly = 1.3
)

// found is the result of detect for a text.
type found struct {
	code       string // "" if the text is too short or two languages are equally near
	confidence float64
	second     string // "" if there is none
	share      float64
}

// detect returns the languages of a text.
func detect(p *algorithms.Pass, text []byte) found {
	return algorithms.Scratch[buffer](p).detect(text, windows, windowBytes)
}

// buffer is the working memory for one text.
type buffer struct {
	profiles [scripts]*profiles // those of the scripts that were met
	runes    []rune
	script   script
	scores   scores
	windows  []window
	distinct scores   // number of different trigrams of the text that a language has
	seen     []uint32 // by slot of the profiles: the turn in which a trigram was seen
	turn     uint32
	byWindow scores // letters of the windows that are clearly in a language
}

// scores are the sums of the weights that the trigrams of a text have in each language.
type scores [maxLanguages]int32

// window is the result for a part of a text.
type window struct {
	letters int32
	scores  scores
}

func (b *buffer) detect(text []byte, windows, size int) (f found) {
	all := tallyOf(text)
	if all.letters < leastLetters {
		return f
	}
	if f.code, f.confidence = of[all.first], float64(all.letters)/float64(all.all); f.code == "" {
		b.read(text, all.first, windows, size)
		if f.code, f.confidence = b.best(); f.code == "" {
			return found{}
		}
		f.second, f.share = b.other(f.code)
		f.share *= float64(all.letters) / float64(all.all)
	}
	if share := float64(all.secondLetters) / float64(all.all); share >= leastShare && share > f.share && all.secondLetters >= leastLetters {
		code := of[all.second]
		if code == "" {
			b.read(text, all.second, windows, size)
			code, _ = b.best()
		}
		if code != "" {
			f.second, f.share = code, share
		}
	}
	if f.share < leastShare {
		f.second, f.share = "", 0
	}
	return f
}

// read scores the windows of a text, which are spread evenly over it.
func (b *buffer) read(text []byte, s script, windows, size int) {
	b.reset(s)
	if len(text) <= windows*size {
		for at := 0; at < len(text); {
			end := word(text, min(at+size, len(text)))
			b.add(text[at:end])
			at = end
		}
		return
	}
	for i := range windows {
		at := 0
		if i > 0 {
			at = word(text, (len(text)-size)/(windows-1)*i)
		}
		b.add(text[at:word(text, min(at+size, len(text)))])
	}
}

// score scores a text as one window.
func (b *buffer) score(text []byte, s script) {
	b.reset(s)
	b.add(text)
}

func (b *buffer) reset(s script) {
	b.script = s
	b.scores, b.distinct, b.windows = scores{}, scores{}, b.windows[:0]
	if b.profiles[s] == nil {
		b.profiles[s] = newProfiles(s)
	}
	if slots := len(b.profiles[s].slots); len(b.seen) < slots {
		b.seen = make([]uint32, slots)
	}
	if b.turn++; b.turn == 0 {
		clear(b.seen)
		b.turn = 1
	}
}

// add scores a window.
func (b *buffer) add(text []byte) {
	b.normalize(text)
	p := b.profiles[b.script]
	w := window{}
	r1, r2 := ' ', ' '
	for i, r3 := range b.runes {
		if r3 != ' ' {
			w.letters++
		}
		if i > 0 && !(r2 == ' ' && (r1 == ' ' || r3 == ' ')) {
			at := p.find(keyOf(r1, r2, r3))
			g := &p.slots[at]
			for _, x := range p.weights[g.from:g.to] {
				w.scores[x.language] += int32(x.weight)
			}
			if b.seen[at] != b.turn {
				b.seen[at] = b.turn
				for _, x := range p.weights[g.from:g.to] {
					b.distinct[x.language]++
				}
			}
		}
		r1, r2 = r2, r3
	}
	for i, s := range w.scores {
		b.scores[i] += s
	}
	b.windows = append(b.windows, w)
}

// normalize sets the buffer to the letters of a text that belong to the script, in lower
// case, with a space in place of what is between them, and one at the end.
func (b *buffer) normalize(text []byte) {
	b.runes = b.runes[:0]
	var r reader
	for at := 0; at < len(text); {
		c, n := rune(text[at]), 1
		if c >= utf8.RuneSelf {
			c, n = utf8.DecodeRune(text[at:])
		}
		at += n
		switch {
		case r.script(c) != b.script || c >= utf8.RuneSelf && (unicode.IsPunct(c) || unicode.IsSymbol(c) || unicode.IsDigit(c)):
			if k := len(b.runes); k > 0 && b.runes[k-1] != ' ' {
				b.runes = append(b.runes, ' ')
			}
		case c < utf8.RuneSelf:
			b.runes = append(b.runes, c|0x20)
		default:
			b.runes = append(b.runes, unicode.ToLower(c))
		}
	}
	b.runes = append(b.runes, ' ')
}

// best returns the language with the highest score and, by the formula of whatlanggo, how
// far ahead of the second it is: 1 from a lead on that is the larger the fewer trigrams
// the text has.
func (b *buffer) best() (code string, confidence float64) {
	first, second := -1, int32(0)
	for i := range b.profiles[b.script].codes {
		switch score := b.scores[i]; {
		case first < 0 || score > b.scores[first]:
			if first >= 0 {
				second = b.scores[first]
			}
			first = i
		case score > second:
			second = score
		}
	}
	score := b.scores[first]
	switch {
	case score == second:
		return "", 0
	case second == 0:
		confidence = float64(min(score/500, 1))
	default:
		lead := float64(score-second) / float64(second)
		enough := 12/float64(b.distinct[first]) + .05
		confidence = math.Round(min(lead/enough, 1)*100) / 100
	}
	if confidence == 0 {
		return "", 0
	}
	return b.profiles[b.script].codes[first], confidence
}

// other returns the language, other than main, that most letters are in by the windows
// that are clearly in it, and its share of the letters. A single window is not a sign of one
// unless the text has few.
func (b *buffer) other(main string) (code string, share float64) {
	codes := b.profiles[b.script].codes
	known := 0
	for i := range codes {
		if codes[i] == main {
			known = i
		}
	}
	b.byWindow = scores{}
	letters := int32(0)
	for i := range b.windows {
		w := &b.windows[i]
		letters += w.letters
		best := known
		for k := range codes {
			if w.scores[k] > w.scores[best] {
				best = k
			}
		}
		if best != known && w.letters >= 2*leastLetters && float64(w.scores[best]) > clearly*float64(w.scores[known]) {
			b.byWindow[best] += w.letters
		}
	}
	most := known
	for k := range codes {
		if b.byWindow[k] > b.byWindow[most] {
			most = k
		}
	}
	if most == known {
		return "", 0
	}
	return codes[most], float64(b.byWindow[most]) / float64(letters)
}

// longestWord bounds the bytes that are looked at for the end of a word.
const longestWord = 40

// word returns the end of the word at a place in a text, or a place between characters
// near it if there are no spaces.
func word(text []byte, at int) int {
	for i := at; i < min(at+longestWord, len(text)); i++ {
		if text[i] <= ' ' {
			return i
		}
	}
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}
