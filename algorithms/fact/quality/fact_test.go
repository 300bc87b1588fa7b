package quality

import (
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
)

func TestFact(t *testing.T) { algotest.Fact(t, Fact) }

func BenchmarkFact(b *testing.B) { algotest.BenchmarkFact(b, Fact) }

// TestColumns has a text in the middle of the road and one without words.
func TestColumns(t *testing.T) {
	pass := algotest.Pass("<p>x")
	got := algotest.Show(Fact.Text, algotest.FindOn(t, Fact.Text, pass, []byte("the cat #1\nthe cat #1\nIt { of it.")))
	for column, want := range map[string]string{
		"words": "10", "non_symbol_words": "9", "stop_words": "3", "hash_to_word_ratio": "0.2", "lines": "3", "duplicate_line_fraction": "0.3333333333333333",
		"top_3_gram_character_fraction": "0.6060606060606061", "duplicate_5_gram_character_fraction": "0", "terminal_punctuation_lines": "1", "c4_lines": "0",
		"curly_bracket": "true", "lorem_ipsum": "false", "gopher": "false", "c4": "false", "fineweb": "false", "one_word_lines": "0",
	} {
		if got[column] != want {
			t.Errorf("%s is %s, want %s", column, got[column], want)
		}
	}
	empty := algotest.Show(Fact.Text, algotest.FindOn(t, Fact.Text, pass, nil))
	if _, known := empty["mean_word_length"]; known || empty["words"] != "0" || empty["gopher"] != "false" {
		t.Errorf("a text without words has %v", empty)
	}
}
