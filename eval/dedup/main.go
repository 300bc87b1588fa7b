// Command dedup makes texts of which many are near-duplicates, from the texts of a real
// run, and measures "winnow dedup" on them:
//
//	go -C eval run ./dedup --texts 20000 OUT            recall and precision against brute force
//	go -C eval run ./dedup --texts 1000000 --to BIG OUT  a run's folder for "winnow dedup BIG"
//
// OUT is the output folder of a run with --texts parquet. The same OUT, number and seed
// make the same texts.
package main

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"log"
	"os"
	"slices"
	"time"

	"github.com/winnow/winnow/algorithms/fact/signature"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/dedup"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

func main() {
	texts := flag.Int("texts", 20_000, "number of texts")
	seed := flag.Uint64("seed", 1, "of the generator")
	to := flag.String("to", "", "write the texts to this folder instead of measuring")
	flag.Parse()
	log.SetFlags(0)
	if flag.NArg() != 1 {
		log.Fatal("want OUT, the folder of a run with --texts parquet")
	}
	if err := run(flag.Arg(0), *to, *texts, *seed); err != nil {
		log.Fatal(err)
	}
}

func run(out, to string, n int, seed uint64) error {
	ctx := context.Background()
	client := blob.New(blob.Options{})
	defer client.Close()
	store, err := client.Store(ctx, out)
	if err != nil {
		return err
	}
	m, err := tables.Manifest(ctx, store)
	if err != nil {
		return err
	}
	real := dedup.Run{Store: store, Manifest: m}
	if err := real.Check(true); err != nil {
		return err
	}
	g := newGenerator(seed)
	for t, err := range dedup.Texts(ctx, []dedup.Run{real}, nil, true) {
		if err != nil {
			return err
		}
		g.learn(t.Content)
	}
	if to == "" {
		return measure(ctx, g, n)
	}
	folder, err := client.Store(ctx, to)
	if err != nil {
		return err
	}
	rows := func(yield func(*schemas.Text, error) bool) {
		var row schemas.Text
		for i := range n {
			id := fmt.Sprintf("%08d", i)
			row = schemas.Text{Run: "generated", Package: "generated", DocID: id, URL: "https://example.org/" + id, Extractor: "generated", Text: g.next()}
			if !yield(&row, nil) {
				return
			}
		}
	}
	made := schemas.Manifest{Version: m.Version, Run: m.Run, Started: time.Now()}
	made.Run.ID = "generated"
	file, err := tables.Write(ctx, folder, columnar.Texts, schemas.PartName(schemas.TableTexts, 0, 1)+".parquet", &made.Run, columnar.PartSize, rows)
	if err != nil {
		return err
	}
	made.Parts, made.Finished = []schemas.Part{{Files: []schemas.Shard{*file}}}, time.Now()
	return manifest.Create(ctx, folder, &made)
}

// threshold is the Jaccard similarity of near-duplicates.
const threshold = .8

// measure compares the clusters with those of all pairs, compared by brute force.
func measure(ctx context.Context, g *generator, n int) error {
	var texts []string
	for range n {
		texts = append(texts, g.next())
	}
	similar := bruteForce(texts)
	truth := make([]int, n) // the cluster of each text, by its first one
	for i := range truth {
		truth[i] = i
	}
	find := func(x int) int {
		for truth[x] != x {
			x = truth[x]
		}
		return x
	}
	for _, p := range similar {
		a, b := find(p[0]), find(p[1])
		truth[max(a, b)] = min(a, b)
	}
	fmt.Printf("| texts | pairs at %.1f or more | how | found | precision | recall | seconds |\n|--:|--:|---|--:|--:|--:|--:|\n", threshold)
	for _, exact := range []bool{false, true} {
		cluster := make([]int64, n) // by text; 0 if it has no duplicate
		position := map[string]int{}
		all := func() iter.Seq2[*dedup.Text, error] {
			return func(yield func(*dedup.Text, error) bool) {
				for i, text := range texts {
					id := fmt.Sprint(i)
					position[id] = i
					if !yield(&dedup.Text{DocID: id, Content: text}, nil) {
						return
					}
				}
			}
		}
		start := time.Now()
		_, err := dedup.Find(ctx, all, dedup.Options{Threshold: threshold, Exact: exact, TempDir: os.TempDir()}, func(row *schemas.Duplicate) error {
			cluster[position[row.DocID]] = row.Cluster
			return nil
		})
		if err != nil {
			return err
		}
		seconds := time.Since(start).Seconds()
		found := 0
		for _, p := range similar {
			if c := cluster[p[0]]; c != 0 && c == cluster[p[1]] {
				found++
			}
		}
		members := map[int64][]int{}
		for text, c := range cluster {
			if c != 0 {
				members[c] = append(members[c], text)
			}
		}
		joined, right := 0, 0
		for _, m := range members {
			for i, a := range m {
				for _, b := range m[:i] {
					joined++
					if find(a) == find(b) {
						right++
					}
				}
			}
		}
		how := "estimated"
		if exact {
			how = "exact"
		}
		fmt.Printf("| %d | %d | %s | %d | %.2f %% | %.2f %% | %.1f |\n", n, len(similar), how, found,
			100*float64(right)/float64(max(joined, 1)), 100*float64(found)/float64(max(len(similar), 1)), seconds)
	}
	return nil
}

// bruteForce returns all pairs of texts whose similarity reaches the threshold. It counts
// the common shingles of every pair that has one.
func bruteForce(texts []string) (pairs [][2]int) {
	var signer signature.Signer
	with := map[uint64][]int32{} // the texts that have a shingle
	common, sizes := make([]int32, len(texts)), make([]int32, len(texts))
	var shingles []uint64
	var touched []int32
	for i, text := range texts {
		shingles = signer.AppendShingles(shingles[:0], []byte(text))
		slices.Sort(shingles)
		shingles = slices.Compact(shingles)
		sizes[i] = int32(len(shingles))
		touched = touched[:0]
		for _, s := range shingles {
			for _, j := range with[s] {
				if common[j] == 0 {
					touched = append(touched, j)
				}
				common[j]++
			}
			with[s] = append(with[s], int32(i))
		}
		for _, j := range touched {
			if c := common[j]; float64(c) >= threshold*float64(sizes[i]+sizes[j]-c) {
				pairs = append(pairs, [2]int{int(j), i})
			}
			common[j] = 0
		}
	}
	return pairs
}
