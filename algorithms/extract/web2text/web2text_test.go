package web2text

import (
	"bytes"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/extract/web2text/collapsed"
	"github.com/winnow/winnow/algorithms/extract/web2text/nets"
)

func TestProperties(t *testing.T) {
	algotest.Extractor(t, Extractor)
	algotest.NoGarbage(t, Extractor)
}

func TestGolden(t *testing.T) { algotest.Golden(t, Extractor) }

// TestShippedModel: the model of the program is of its features.
func TestShippedModel(t *testing.T) {
	if _, err := nets.Decode(file); err != nil {
		t.Fatal(err)
	}
	if len(file) > 200<<10 {
		t.Errorf("the model has %d bytes", len(file))
	}
}

// TestWrongModel: a file that is not a model of this program is an error, never an
// answer.
func TestWrongModel(t *testing.T) {
	damaged := bytes.Clone(file)
	damaged[len(damaged)/2] ^= 1
	other := nets.File()
	other.Features += "one more"
	for name, file := range map[string][]byte{"none": nil, "damaged": damaged, "other features": other.Encode(0, make([]float32, other.Weights))} {
		p := algotest.Pass("<p>One paragraph.")
		if err := New(file).Run(p); err == nil || !p.Out.Empty() {
			t.Errorf("%s: error %v, answer %v", name, err, p.Out.Spans)
		}
	}
}

func TestPageOfTooManyBlocks(t *testing.T) {
	p := algotest.Pass(strings.Repeat("<p>x", collapsed.MaxBlocks+1))
	if err := Extractor.Run(p); err != algorithms.ErrPageTooLarge {
		t.Errorf("error %v, want ErrPageTooLarge", err)
	}
}
