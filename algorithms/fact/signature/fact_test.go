package signature

import (
	"testing"

	"github.com/winnow/winnow/algorithms/algotest"
)

func TestFact(t *testing.T) { algotest.Fact(t, Fact) }

func BenchmarkFact(b *testing.B) { algotest.BenchmarkFact(b, Fact) }

func TestColumns(t *testing.T) {
	pass := algotest.Pass("<p>x")
	values := algotest.FindOn(t, Fact.Text, pass, []byte("The quick brown fox jumps over the lazy dog."))
	list := values[0].Ints()
	if len(list) != Functions || uint32(list[0]) != 0xc3d07d57 || values[1].Number != 0xd9641cb66f495a5b || values[2].Int() != 5 {
		t.Errorf("%d values, %x, simhash %x, %d shingles", len(list), uint32(list[0]), values[1].Number, values[2].Int())
	}
	if empty := algotest.FindOn(t, Fact.Text, pass, []byte(" -- ")); empty[0].Known || empty[1].Known || empty[2].Int() != 0 {
		t.Errorf("a text without words has %v", empty)
	}
}
