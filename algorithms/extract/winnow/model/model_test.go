package model

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms/extract/winnow/blocks"
	"github.com/winnow/winnow/algorithms/page"
)

func randomForest(rng *rand.Rand, trees int) Forest {
	f := Forest{Base: int32(rng.IntN(2000) - 1000), Trees: make([]Tree, trees)}
	for t := range f.Trees {
		for i := 1; i < 1<<Depth; i++ {
			f.Trees[t].Nodes[i] = uint16(rng.IntN(len(blocks.Names))<<8 | rng.IntN(256))
		}
		for i := range f.Trees[t].Leaves {
			f.Trees[t].Leaves[i] = int16(rng.IntN(2000) - 1000)
		}
	}
	return f
}

func randomModel(rng *rand.Rand) *Model {
	m := &Model{Comments: randomForest(rng, 3)}
	for i := range m.Types {
		m.Types[i] = randomForest(rng, 2)
	}
	m.First, m.Second = randomForest(rng, 5), randomForest(rng, 4)
	m.Names = blocks.NewNameTable([]blocks.NameEntry{{Hash: 7, Value: -3}, {Hash: rng.Uint32()&^63 + 64, Value: 127}})
	return m
}

// slowSum follows each tree from node to node.
func slowSum(f *Forest, x *blocks.Row) int32 {
	sum := f.Base
	for _, t := range f.Trees {
		node := 1
		for node < 1<<Depth {
			feature, bound := t.Nodes[node]/256, t.Nodes[node]%256
			if uint16(x[feature]) <= bound {
				node = 2 * node
			} else {
				node = 2*node + 1
			}
		}
		sum += int32(t.Leaves[node-1<<Depth])
	}
	return sum
}

// TestForestLikeItsTwin compares all ways to add up a forest with slowSum. Features and
// bounds are often equal, and some have the largest value that exists.
func TestForestLikeItsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, trees := range []int{0, 1, 2, 50} {
		f := randomForest(rng, trees)
		f.Base = 0
		p := blocks.Page{Blocks: make([]blocks.Block, 5*blocks.Lanes), Tiles: make([]blocks.Tile, 5)}
		for t := range p.Tiles {
			for feature := range p.Tiles[t] {
				for lane := range blocks.Lanes {
					p.Tiles[t][feature][lane] = uint8(rng.IntN(256))
				}
			}
		}
		for i := range f.Trees {
			for k := range f.Trees[i].Nodes {
				node := &f.Trees[i].Nodes[k]
				switch rng.IntN(4) {
				case 0:
					*node = *node&0xff00 | uint16(p.Tiles[rng.IntN(5)][*node>>8][rng.IntN(blocks.Lanes)])
				case 1:
					*node |= 255
				}
			}
			for k := range f.Trees[i].Leaves {
				f.Trees[i].Leaves[k] = int16(rng.Uint32())
			}
		}
		start := make([]Sums, len(p.Tiles))
		for i := range p.Blocks {
			start[i/blocks.Lanes][i%blocks.Lanes] = int32(rng.IntN(1000))
		}
		for _, which := range [][]int32{nil, {3}, {4, 0}, {1, 2, 4}} { // with an odd number, one tile is in no pair
			quick, portable := slices.Clone(start), slices.Clone(start)
			add(f.Trees, p.Tiles, quick, which)
			for _, t := range which {
				addPortable(f.Trees, &p.Tiles[t], &portable[t])
			}
			for i := range p.Blocks {
				tile, lane := i/blocks.Lanes, i%blocks.Lanes
				row := p.Row(i)
				want := slowSum(&f, &row)
				if got := f.Sum(&row); got != want {
					t.Fatalf("%d trees, block %d: the sum is %d, want %d", trees, i, got, want)
				}
				if want += start[tile][lane]; !slices.Contains(which, int32(tile)) {
					want = start[tile][lane]
				}
				if quick[tile][lane] != want || portable[tile][lane] != want {
					t.Fatalf("%d trees, tiles %d, block %d: %d and %d, want %d", trees, which, i, quick[tile][lane], portable[tile][lane], want)
				}
			}
		}
	}
}

// TestMeanOfForests compares the mean with the values of each forest. Rounding changes
// each leaf by at most one half.
func TestMeanOfForests(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	forests := []Forest{randomForest(rng, 9), randomForest(rng, 7)}
	mean := Mean(forests)
	if len(mean.Trees) != 16 {
		t.Fatalf("%d trees, want those of both forests", len(mean.Trees))
	}
	if mean.Trees[1].Nodes != forests[1].Trees[0].Nodes {
		t.Error("the trees of the two forests do not take turns")
	}
	for range 100 {
		var row blocks.Row
		for f := range row {
			row[f] = uint8(rng.IntN(256))
		}
		got, want := float64(mean.Sum(&row)), float64(forests[0].Sum(&row)+forests[1].Sum(&row))/2
		if got < want-9 || got > want+9 {
			t.Fatalf("mean %v, want %v", got, want)
		}
	}
}

func TestProbability(t *testing.T) {
	for _, c := range []struct {
		odds float64
		want float32
	}{{0, .5}, {1, .7310586}, {-1, .2689414}, {3, .95257413}, {50, 1}, {-50, 0}} {
		if got := Probability(int32(c.odds * Unit)); got < c.want-1e-4 || got > c.want+1e-4 {
			t.Errorf("log-odds %v: %v, want %v", c.odds, got, c.want)
		}
	}
}

func TestFileIsReadAsItWasWritten(t *testing.T) {
	m := randomModel(rand.New(rand.NewPCG(3, 4)))
	got, err := Decode(m.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, m) {
		t.Error("another model than was written")
	}
	if !bytes.Equal(got.Encode(), m.Encode()) {
		t.Error("the same model is written otherwise")
	}
}

// TestWrongFileIsAnError tries files that do not fit the program in several ways.
func TestWrongFileIsAnError(t *testing.T) {
	good := randomModel(rand.New(rand.NewPCG(5, 6))).Encode()
	sealed := func(change func(b []byte)) []byte {
		b := bytes.Clone(good)
		change(b)
		binary.LittleEndian.PutUint64(b[len(b)-8:], xxhash.Sum64(b[:len(b)-8]))
		return b
	}
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "not a model file"},
		{"text", []byte(strings.Repeat("not a model ", 9)), "not a model file"},
		{"cut", good[:len(good)-9], "checksum"},
		{"flipped", func() []byte { b := bytes.Clone(good); b[200] ^= 1; return b }(), "checksum"},
		{"later format", sealed(func(b []byte) { b[4]++ }), "format is 4"},
		{"other features", sealed(func(b []byte) { b[9]++ }), "other features"},
		{"too many names", sealed(func(b []byte) { b[len(b)-20] = 1 }), "names in"},
		{"names out of order", sealed(func(b []byte) { copy(b[len(b)-13:], []byte{0, 0, 0, 0}) }), "out of order"},
		{"a name without a value", sealed(func(b []byte) { b[len(b)-9] = 0 }), "no value"},
		{"too many trees", sealed(func(b []byte) { b[17] = 255 }), "trees"},
	} {
		if _, err := Decode(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

// TestEmptyAnswer checks that the answer is empty on a page that has no likely content,
// and not if it has paragraphs.
func TestEmptyAnswer(t *testing.T) {
	for _, c := range []struct {
		odds       int32 // log-odds of every block
		paragraphs int   // number of paragraphs, each of 30 words
		empty      bool
	}{
		{-2, 3, true}, {-2, 4, false}, {-1, 3, false}, // .12 and .27 promise an F1 of .21 and .42
	} {
		unlikely := Forest{Base: c.odds * Unit}
		m := &Model{First: unlikely, Second: unlikely, Comments: Forest{Base: -9 * Unit}, Names: blocks.NewNameTable(nil)}
		for i := range m.Types {
			m.Types[i] = unlikely
		}
		var pg page.Page
		pg.Parse([]byte(strings.Repeat("<p>"+strings.Repeat("word ", 30), c.paragraphs)), page.Options{})
		var p blocks.Page
		p.Fill(&pg, "")
		var j Prediction
		m.Predict(&j, &p, Auto)
		if (j.From > 1) != c.empty {
			t.Errorf("log-odds %d in %d paragraphs: blocks from %.2f on", c.odds, c.paragraphs, j.From)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(randomModel(rand.New(rand.NewPCG(7, 8))).Encode())
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) > 28 { // correct the checksum, so that what follows it is read
			binary.LittleEndian.PutUint64(file[len(file)-8:], xxhash.Sum64(file[:len(file)-8]))
		}
		m, err := Decode(file)
		if err == nil && !bytes.Equal(m.Encode(), file) {
			t.Error("a file that is read is written otherwise")
		}
	})
}
