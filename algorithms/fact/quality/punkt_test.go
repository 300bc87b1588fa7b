package quality

import (
	"strings"
	"testing"

	"github.com/neurosnap/sentences/english"
	"github.com/winnow/winnow/algorithms/algotest"
)

// TestSentencesAgainstPunkt compares the rule that counts sentences with the model that
// C4 used, in an implementation that is not ours. C4 asks whether a text has three.
func TestSentencesAgainstPunkt(t *testing.T) {
	punkt, err := english.NewSentenceTokenizer(nil)
	if err != nil {
		t.Fatal(err)
	}
	texts, same, ours, theirs := 0, 0, int64(0), int64(0)
	for _, p := range append(algotest.RealPages(t, 3, "cleaneval-dev"), algotest.RealPages(t, 20, "trafilatura-dev")...) {
		var s Signals
		n := int64(0)
		for line := range strings.SplitSeq(string(algotest.Pass(p.HTML).Body.Text), "\n") {
			kept := s.RetainedLines
			if twinC4(&s, line); s.RetainedLines > kept {
				n += int64(len(punkt.Tokenize(citations.ReplaceAllString(line, ""))))
			}
		}
		texts++
		ours, theirs = ours+s.RetainedSentences, theirs+n
		if (s.RetainedSentences >= 3) == (n >= 3) {
			same++
		}
	}
	t.Logf("%d texts, the same answer for %d; %d sentences, %d by Punkt", texts, same, ours, theirs)
	if 100*same < 99*texts {
		t.Errorf("%d of %d texts have the same answer", same, texts)
	}
	if 100*ours < 90*theirs || 100*ours > 110*theirs {
		t.Errorf("%d sentences, %d by Punkt", ours, theirs)
	}
}
