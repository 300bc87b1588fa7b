package main

import (
	"math/rand/v2"
	"strings"
)

// generator makes texts: two thirds are pieces of real texts put together, so that they
// share lines and paragraphs as pages of a site do; one third are edited copies of texts
// that it made before.
type generator struct {
	random *rand.Rand
	texts  [][]string // real texts, by lines
	words  []string   // of real texts, for edits
	made   []string   // the latest texts
	oldest int        // where the next text goes in made
}

// remembered is the number of texts of which copies are made.
const remembered = 10_000

func newGenerator(seed uint64) *generator {
	return &generator{random: rand.New(rand.NewPCG(seed, 13))}
}

// learn adds a real text to what texts are made of.
func (g *generator) learn(text string) {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) > 30 {
			lines = append(lines, line)
		}
	}
	if len(lines) < 3 {
		return
	}
	g.texts = append(g.texts, lines)
	if len(g.words) < 100_000 {
		g.words = append(g.words, strings.Fields(lines[0])...)
	}
}

// next makes a text.
func (g *generator) next() string {
	var text string
	if len(g.made) > 0 && g.random.IntN(3) == 0 {
		text = g.edit(g.made[g.random.IntN(len(g.made))])
	} else {
		text = g.compose()
	}
	if len(g.made) < remembered {
		g.made = append(g.made, text)
	} else {
		g.made[g.oldest] = text
		g.oldest = (g.oldest + 1) % remembered
	}
	return text
}

// compose puts two to five pieces of real texts together.
func (g *generator) compose() string {
	var lines []string
	for range 2 + g.random.IntN(4) {
		from := g.texts[g.random.IntN(len(g.texts))]
		start := g.random.IntN(len(from))
		lines = append(lines, from[start:min(len(from), start+1+g.random.IntN(5))]...)
	}
	return strings.Join(lines, "\n")
}

// edit replaces words at a rate between 0 and 4 %, and sometimes adds a line at the end.
// Each word that is replaced changes five shingles, so the similarity of the copy is
// between 1 and about .7.
func (g *generator) edit(text string) string {
	rate := .04 * g.random.Float64()
	if g.random.IntN(5) == 0 {
		rate = 0
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		words := strings.Split(line, " ")
		for j := range words {
			if g.random.Float64() < rate {
				words[j] = g.words[g.random.IntN(len(g.words))]
			}
		}
		lines[i] = strings.Join(words, " ")
	}
	if g.random.IntN(4) == 0 {
		from := g.texts[g.random.IntN(len(g.texts))]
		lines = append(lines, from[g.random.IntN(len(from))])
	}
	return strings.Join(lines, "\n")
}
