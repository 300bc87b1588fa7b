package punkt

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// token is a word of a context and what was decided about it.
type token struct {
	text  []byte
	stop  bool // it ends a sentence
	abbr  bool
	final bool // it ends in a full stop
}

// How a word occurred in the texts that the model was trained on.
const (
	beginUpper   = 1 << 1
	middleUpper  = 1 << 2
	unknownUpper = 1 << 3
	beginLower   = 1 << 4
	middleLower  = 1 << 5
	unknownLower = 1 << 6

	upper = beginUpper | middleUpper | unknownUpper
	lower = beginLower | middleLower | unknownLower
)

// The bounds of the memory of contexts: a longer context is decided again each time, and
// so is a new one once the known contexts have that many bytes.
const (
	longContext = 200
	keepBytes   = 1 << 20
)

// stopped returns breaks for a context, computed once per context.
func (s *Splitter) stopped(context []byte) bool {
	if len(context) > longContext || s.contexts.Size() > keepBytes {
		return s.breaks(context)
	}
	id := int(s.contexts.LongID(context))
	if id == len(s.stops) {
		s.stops = append(s.stops, false)
		s.stops[id] = s.breaks(context)
	}
	return s.stops[id]
}

// breaks reports whether a sentence ends within context, at any word but the last.
func (s *Splitter) breaks(context []byte) bool {
	if s.model == nil {
		s.load()
	}
	s.words = appendWords(s.words[:0], context)
	for i := range s.words {
		s.first(&s.words[i])
	}
	for i := 1; i < len(s.words); i++ {
		s.second(&s.words[i-1], &s.words[i])
		if s.words[i-1].stop {
			return true
		}
	}
	return false
}

// first decides by the word alone (section 4 of the paper, type-based).
func (s *Splitter) first(t *token) {
	w := t.text
	t.final = w[len(w)-1] == '.'
	switch {
	case len(w) == 1 && ends(w[0]):
		t.stop = true
	case !t.final || bytes.HasSuffix(w, []byte("..")):
	default:
		s.starter = appendLower(s.starter[:0], w[:len(w)-1])
		last := s.starter[bytes.LastIndexByte(s.starter, '-')+1:]
		if s.model.AbbrevTypes[string(s.starter)] != 0 || s.model.AbbrevTypes[string(last)] != 0 {
			t.abbr = true
		} else {
			t.stop = true
		}
	}
}

// second decides by the word and the next one (token-based).
func (s *Splitter) second(t, next *token) {
	if !t.final {
		return
	}
	// "type,next type" is the key of a collocation.
	s.starter = appendType(s.starter[:0], t.text)
	if len(s.starter) > 1 && s.starter[len(s.starter)-1] == '.' {
		s.starter = s.starter[:len(s.starter)-1]
	}
	isNumber := string(s.starter) == number
	comma := len(s.starter)
	s.starter = append(s.starter, ',')
	s.starter = appendType(s.starter, next.text)
	if n := len(s.starter); next.stop && n-comma > 2 && s.starter[n-1] == '.' {
		s.starter = s.starter[:n-1]
	}
	nextType := s.starter[comma+1:]

	if s.model.Collocations[string(s.starter)] != 0 {
		t.stop, t.abbr = false, true
		return
	}
	initial := isInitial(t.text)
	if (t.abbr || isEllipsis(t.text)) && !initial {
		if s.starts(next, nextType) == yes || isUpper(next.text) && s.model.SentStarters[string(nextType)] != 0 {
			t.stop = true
			return
		}
	}
	if initial || isNumber {
		switch starts := s.starts(next, nextType); {
		case starts == no,
			starts == unknown && initial && isUpper(next.text) && s.model.OrthoContext[string(nextType)]&lower == 0:
			t.stop, t.abbr = false, true
		}
	}
}

type answer uint8

const (
	unknown answer = iota
	yes
	no
)

// starts decides by its case whether t begins a sentence (section 4.1.1).
func (s *Splitter) starts(t *token, typ []byte) answer {
	if len(t.text) == 1 && bytes.IndexByte([]byte(";:,.!?"), t.text[0]) >= 0 {
		return no
	}
	seen := s.model.OrthoContext[string(typ)]
	switch {
	case isUpper(t.text) && seen&lower != 0 && seen&middleUpper == 0:
		return yes
	case isLower(t.text) && (seen&upper != 0 || seen&beginLower == 0):
		return no
	}
	return unknown
}

// number represents every number in the model.
const number = "##number##"

// appendType appends the type of a word: lower case, numbers alike.
func appendType(dst, word []byte) []byte {
	if numeric(word) {
		return append(dst, number...)
	}
	return appendLower(dst, word)
}

func appendLower(dst, word []byte) []byte {
	for len(word) > 0 {
		r, n := utf8.DecodeRune(word)
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
		word = word[n:]
	}
	return dst
}

func digit(r rune) bool { return unicode.Is(unicode.Nd, r) }

// isInitial reports whether w is a letter and a full stop.
func isInitial(w []byte) bool {
	r, n := utf8.DecodeRune(w)
	return len(w) == n+1 && w[n] == '.' && (unicode.IsLetter(r) || r == '_' || unicode.IsNumber(r) && !digit(r))
}

// isEllipsis reports whether w consists of two or more full stops.
func isEllipsis(w []byte) bool {
	return len(w) > 1 && len(bytes.Trim(w, ".")) == 0
}

func isUpper(w []byte) bool {
	r, _ := utf8.DecodeRune(w)
	return unicode.IsUpper(r) || unicode.Is(unicode.Other_Uppercase, r)
}

func isLower(w []byte) bool {
	r, _ := utf8.DecodeRune(w)
	return unicode.IsLower(r) || unicode.Is(unicode.Other_Lowercase, r)
}
