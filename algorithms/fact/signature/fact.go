package signature

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/fact"
)

// Fact is the signatures of each extractor's text.
var Fact = &fact.Fact{
	Description: algorithms.Description{
		Name: "signature", Family: "signature",
		Doc: "MinHash and SimHash of the text, by which near-duplicates are found (winnow dedup)",
		Cite: algorithms.Cite{Authors: "Broder; Dahlgaard, Knudsen & Thorup; Charikar",
			Title: "On the resemblance and containment of documents; Fast Similarity Sketching; Similarity estimation techniques from rounding algorithms", Venue: "SEQUENCES; FOCS; STOC", Year: 1997,
			URL: "https://arxiv.org/abs/1704.04370"},
		Fidelity:   algorithms.Partial,
		Departures: []string{"The sources leave the shingles, the hash functions and their number open; the package's doc states them."},
		Cost:       algorithms.Linear,
	},
	Text: &fact.Finder{Columns: []fact.Column{
		{Name: MinHashColumn, Kind: fact.KindInts, Unit: "hash values, the bits of unsigned numbers",
			Doc:  "MinHash: 128 values of the set of shingles of five words, by Fast Similarity Sketching. The share of equal values of two texts estimates their Jaccard similarity.",
			Null: "the text has no words"},
		{Name: "simhash", Kind: fact.KindHash, Doc: "SimHash of the shingles: similar texts differ in few of its 64 bits.", Null: "the text has no words"},
		{Name: "shingles", Kind: fact.KindInt, Unit: "shingles", Doc: "Five words in a row, each as often as they occur; one for a shorter text.", Null: "the fact failed"},
	}, Find: find},
}

// MinHashColumn is the name of the column with the values of a MinHash.
const MinHashColumn = "minhash"

func find(s *fact.Subject) error {
	sig, ok := algorithms.Scratch[Signer](s.Pass).Sign(s.Text)
	s.Out[2].SetInt(int64(sig.Shingles))
	if !ok {
		return nil
	}
	var list [Size]byte
	s.Out[0] = fact.Value{Known: true, Text: string(sig.MinHash.Append(list[:0]))}
	s.Out[1].SetHash(sig.SimHash)
	return nil
}
