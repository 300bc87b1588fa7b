package ensemble

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// unit is the weight that a vote of weight 1 is counted with. It is divisible by the
// sizes of families up to ten, so the shares of a family's members are whole numbers
// and equal votes compare as equal.
const unit = 2520

// ballot is the working memory of a vote.
type ballot struct {
	words  page.Words
	votes  []int64 // by word
	kept   []bool  // by word
	weight []int64 // by member
}

// vote is the Run function of a vote by location on the page.
func (p Params) vote(pass *algorithms.Pass) error {
	v := algorithms.Scratch[ballot](pass)
	note(pass, true)
	total := v.weigh(p.Members, pass.Answers)
	if total == 0 {
		return nil
	}
	words := v.count(pass)
	// Subtracting half a unit makes up for the rounding of the product: the sums of
	// votes are whole numbers.
	least := p.Share*float64(total) - 0.5
	v.kept = algorithms.Zeros(v.kept, len(words.Span))
	for from := 0; from < len(words.Span); {
		to := blockEnd(&pass.Body.All, words, from)
		if p.Unit == "block" {
			sum := int64(0)
			for _, n := range v.votes[from:to] {
				sum += n
			}
			keep(v.kept[from:to], float64(sum) >= least*float64(to-from))
		} else {
			for i := from; i < to; i++ {
				v.kept[i] = float64(v.votes[i]) >= least
			}
			smooth(v.kept[from:to], p.Fill, p.Lone)
		}
		from = to
	}
	selectWords(pass, words.Span, v.kept)
	return nil
}

// count fills the votes for each word. Words of hidden text and of noscript elements that
// have no vote are not among the words that it returns: they must not count as neighbours of
// others.
func (v *ballot) count(pass *algorithms.Pass) *page.Words {
	words := pass.Body.AllWords()
	v.votes = algorithms.Zeros(v.votes, len(words.Span))
	for i := range pass.Answers {
		if w := v.weight[i]; w > 0 {
			each(words.Span, pass.Answers[i].Selection.Spans, func(word int) { v.votes[word] += w })
		}
	}
	if words == pass.Body.Words() {
		return words
	}
	v.words.Span, v.words.Row = v.words.Span[:0], v.words.Row[:0]
	kept := v.votes[:0]
	for i, r := range words.Row {
		if v.votes[i] > 0 || pass.Body.All.Flags[r]&(page.Hidden|page.InNoscript) == 0 {
			v.words.Span, v.words.Row = append(v.words.Span, words.Span[i]), append(v.words.Row, r)
			kept = append(kept, v.votes[i])
		}
	}
	v.votes = kept
	return &v.words
}

// weigh fills the weight of each member whose answer has locations on the page, and
// returns the sum of the weights.
func (v *ballot) weigh(members []setting.Member, answers []algorithms.Answer) (total int64) {
	v.weight = algorithms.Zeros(v.weight, len(answers))
	for i := range answers {
		if answers[i].Selection == nil {
			continue
		}
		family := int64(0)
		for j := range answers {
			if answers[j].Selection != nil && answers[j].Extractor.Family == answers[i].Extractor.Family {
				family++
			}
		}
		v.weight[i] = int64(members[i].Weight) * unit / family
		total += v.weight[i]
	}
	return total
}

// each calls f for every word that lies wholly in a span. Words and spans are in the
// order of the page.
func each(words, spans []page.Span, f func(word int)) {
	k := 0
	for _, s := range spans {
		for k < len(words) && words[k].Start < s.Start {
			k++
		}
		for ; k < len(words) && words[k].End <= s.End; k++ {
			f(k)
		}
	}
}

// blockEnd returns the end of the run of words that begins with word from and whose
// words have the same innermost block-level element.
func blockEnd(b *page.Table, words *page.Words, from int) int {
	block := b.Block[words.Row[from]]
	to := from + 1
	for to < len(words.Row) && b.Block[words.Row[to]] == block {
		to++
	}
	return to
}

func keep(kept []bool, value bool) {
	for i := range kept {
		kept[i] = value
	}
}

// smooth keeps runs of up to fill dropped words of a block that lie between kept words.
// It then drops the block's only run of kept words if that has up to lone words and is
// not the whole block.
func smooth(kept []bool, fill, lone int) {
	last := -1 // index of the latest kept word
	for i, k := range kept {
		if !k {
			continue
		}
		if last >= 0 && i-last-1 <= fill {
			keep(kept[last:i], true)
		}
		last = i
	}
	first, n := -1, 0
	for i, k := range kept {
		if k {
			n++
			if first < 0 {
				first = i
			}
		}
	}
	if n > 0 && n <= lone && n < len(kept) && last-first+1 == n {
		keep(kept[first:last+1], false)
	}
}

// selectWords adds the kept words to the answer.
func selectWords(pass *algorithms.Pass, words []page.Span, kept []bool) {
	for i, k := range kept {
		if k {
			pass.Out.AddSpan(pass.Body, words[i])
		}
	}
}
