package compare

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/panics"
	"github.com/winnow/winnow/pipeline/report/paired"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
)

// Options choose what is compared. The zero Options compare everything.
type Options struct {
	Packages, Scorers []string // empty: all
	// Want chooses further among these packages and scorers. Nil wants all.
	Want func(pkg, scorer string) bool
	// Replicates is the number of bootstrap replicates. The default is 10,000, or 100
	// for each pair of extractors if that is more. The smallest p value is
	// 2/(replicates+1), and Holm's correction multiplies it by the number of pairs.
	// With 10,000 replicates, no two of 23 extractors could be distinguished.
	Replicates int
	// MaxDocuments refuses packages with more documents with gold; 0 refuses none.
	MaxDocuments int
	// By compares within the groups of each package instead of within packages.
	By stats.Grouping
}

// significance is the level of both tests after correction.
const significance = 0.05

// MinReplicates is the least number of replicates that a person may ask for. The ends of a
// 95 % interval are then the 25th replicate from below and from above. With far fewer
// replicates a single one decides where the interval ends, and the interval of one
// replicate need not contain the mean. A thousand take less than a second.
const MinReplicates = 1000

const (
	leastReplicates   = 10_000
	replicatesPerPair = 100
)

// Replicates returns the number of replicates for the given number of extractors,
// unless Options set it.
func Replicates(extractors int) int {
	return max(leastReplicates, replicatesPerPair*extractors*(extractors-1)/2)
}

// Comparison is the result for one package and scorer.
type Comparison struct {
	Package    string   `json:"package"`
	Scorer     string   `json:"scorer"`
	Grouping   string   `json:"grouping,omitempty"`
	Group      string   `json:"group,omitempty"`
	Documents  int      `json:"documents"` // pages with gold
	Sites      int      `json:"sites"`
	Replicates int      `json:"replicates"`
	Lower      bool     `json:"lower_is_better,omitempty"`
	Mean       string   `json:"mean,omitempty"` // name of the headline figure: algorithms.Mean
	Ranking    []Method `json:"ranking"`        // best first
	// Bounds lists the extractors that read the gold. They have no rank and are in no
	// pair.
	Bounds []Method `json:"bounds,omitempty"`
	// Unranked lists the extractors without a score for any page, because they skipped
	// all.
	Unranked []string `json:"unranked,omitempty"`
	Pairs    []Pair   `json:"pairs"` // the better one of each pair first, in ranking order

	scored int // documents for which some extractor has a score
}

// Method is one extractor in the ranking.
type Method struct {
	Extractor string  `json:"extractor"`
	Documents int     `json:"documents"` // documents for which it has a score
	Mean      float64 `json:"mean"`      // mean F1 over these documents, or mean figure of a scorer without F1
	Low       float64 `json:"ci_low"`    // 95 % bootstrap interval of the mean
	High      float64 `json:"ci_high"`
	// Headline is the package figure that the scorer's source publishes, over the same
	// pages. It is null if it is not known.
	Headline *float64 `json:"headline"`
	// Resampled is the bootstrap of the headline, if that is computed from means over
	// the documents that define them. It is left out otherwise.
	Resampled *Resampled `json:"headline_resampled,omitempty"`
	// Group is a letter: extractors that share one do not differ. It is empty if the
	// extractor has fewer than stats.MinPages documents, which are too few to tell.
	Group string `json:"group"`
	// TrainedOn: the extractor was trained on pages of the package, so it is better here
	// than on pages that it has not seen.
	TrainedOn bool `json:"trained_on,omitempty"`
}

// Pair compares two extractors on the documents for which both have a score.
type Pair struct {
	A              string  `json:"a"`
	B              string  `json:"b"`
	Documents      int     `json:"documents"`
	MeanDifference float64 `json:"mean_difference"` // A - B
	Median         float64 `json:"median_difference"`
	Low            float64 `json:"ci_low"`
	High           float64 `json:"ci_high"`
	Effect         float64 `json:"effect"` // rank-biserial, -1 to 1
	Wins           int     `json:"wins"`   // pages on which A is better
	Ties           int     `json:"ties"`
	Losses         int     `json:"losses"`
	PBootstrap     float64 `json:"p_bootstrap"` // corrected by Holm
	PWilcoxon      float64 `json:"p_wilcoxon"`  // corrected by Holm
	Differ         bool    `json:"differ"`      // both below 0.05
	// Resampled is the difference of their headlines, A - B, over the same resamples of
	// their documents. It is left out if Method.Resampled is.
	Resampled *Resampled `json:"headline_resampled,omitempty"`
}

// Resampled describes a figure over 1000 resamples of documents, which are drawn one by
// one, as the scorer's own program does.
type Resampled struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"` // the number that this program prints after ±
	Low  float64 `json:"ci_low"`
	High float64 `json:"ci_high"`
}

// Run compares the extractors of a finished run. Packages, scorers and groups are in
// alphabetical order.
func Run(ctx context.Context, store blob.Store, o Options) ([]Comparison, error) {
	manifest, err := tables.Manifest(ctx, store)
	if err != nil {
		return nil, err
	}
	byTable, documents, err := load(ctx, store, manifest, o)
	if err != nil {
		return nil, err
	}
	if len(byTable) == 0 {
		return nil, fmt.Errorf("compare: no scores for the packages and scorers asked for: the run has no gold, or another name is meant")
	}
	keys := make([]tableKey, 0, len(byTable))
	for k := range byTable {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b tableKey) int {
		return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.scorer, b.scorer), cmp.Compare(a.group, b.group))
	})
	headlines, err := published(ctx, store, manifest, o)
	if err != nil {
		return nil, err
	}
	all := make([]Comparison, len(keys))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for n, k := range keys {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return panics.Call(func() error {
				c := compareTable(byTable[k], documents[k.pages()], &manifest.Run.Recipe, o.Replicates)
				c.Grouping, c.Group = string(o.By), k.group
				for _, list := range [][]Method{c.Ranking, c.Bounds} {
					for i := range list {
						m := &list[i]
						if h, known := headlines[headlineKey{k, m.Extractor}]; known {
							m.Headline = &h
						}
						m.TrainedOn = manifest.Run.Recipe.TrainedOn(m.Extractor, k.pkg)
					}
				}
				all[n] = c
				return nil
			})
		})
	}
	return all, g.Wait()
}

// compareTable ranks the extractors of one matrix and tests all pairs.
func compareTable(t *gathered, documents *pages, recipe *schemas.Recipe, replicates int) Comparison {
	sites := documents.site
	c := Comparison{Package: t.pkg, Scorer: t.scorer, Documents: len(sites), Lower: t.lower, Mean: t.mean}
	c.Unranked = t.unranked()
	everywhere := make([]int, len(sites))
	for i := range everywhere {
		everywhere[i] = i
	}
	_, c.Sites = clusters(sites, everywhere)

	sets := newSets(t.values)
	c.scored = sets.scored(len(sites))
	var order, bounds []int
	means, ranked := make([]float64, len(t.extractors)), make([]float64, len(t.extractors))
	for m, name := range t.extractors {
		means[m] = mean(pick(t.values[m], sets.of[m]))
		ranked[m] = stats.RankedFigure(means[m], int64(len(sets.of[m])), int64(c.scored-len(sets.of[m])), t.lower)
		if recipe.Bound(name) {
			bounds = append(bounds, m)
		} else {
			order = append(order, m)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if t.lower {
			a, b = b, a
		}
		return cmp.Compare(ranked[b], ranked[a])
	})
	n := len(order)
	order = append(order, bounds...)
	if c.Replicates = replicates; replicates <= 0 {
		c.Replicates = Replicates(n)
	}
	rank := make([]int, len(order))
	at := map[[2]int]int{} // pair of ranks to its index in c.Pairs
	for i, a := range order {
		rank[a] = i
		c.Ranking = append(c.Ranking, Method{Extractor: t.extractors[a], Documents: len(sets.of[a]), Mean: means[a]})
		sets.common(a, a)
		for j := i + 1; j < n; j++ {
			at[[2]int{i, j}] = len(at)
			s := sets.common(a, order[j])
			s.pairs = append(s.pairs, rivals{a, order[j], at[[2]int{i, j}]})
		}
	}
	c.Pairs = make([]Pair, len(at))
	for _, s := range sets.all {
		s.test(t, sets, sites, rank, &c)
		s.resample(t, sets, documents.ids, rank, &c)
	}
	correct(c.Pairs)
	var enough []int // ranks of the extractors that can be distinguished
	for i := range n {
		if c.Ranking[i].Documents >= stats.MinPages {
			enough = append(enough, i)
		}
	}
	groups := paired.Groups(len(enough), func(i, j int) bool { return c.Pairs[at[[2]int{enough[min(i, j)], enough[max(i, j)]}]].Differ })
	for i, r := range enough {
		c.Ranking[r].Group = groups[i]
	}
	c.Ranking, c.Bounds = c.Ranking[:n], c.Ranking[n:]
	return c
}

// unranked removes the extractors without any score from the matrix and returns their
// names.
func (t *gathered) unranked() (names []string) {
	var ranked []int
	for m, values := range t.values {
		if slices.ContainsFunc(values, func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }) {
			ranked = append(ranked, m)
		} else {
			names = append(names, t.extractors[m])
		}
	}
	t.keep(ranked)
	return names
}

func testPair(t *gathered, a, b int, common []int, boot *paired.Bootstrap, ia, ib int) Pair {
	p := Pair{A: t.extractors[a], B: t.extractors[b], Documents: len(common)}
	d := make([]float64, len(common))
	for i, at := range common {
		d[i] = t.values[a][at] - t.values[b][at]
	}
	w := paired.Wilcoxon(d)
	p.Effect, p.Wins, p.Ties, p.Losses, p.PWilcoxon = w.Effect(), w.Wins, w.Ties, w.Losses, w.P
	if t.lower {
		p.Wins, p.Losses = p.Losses, p.Wins
	}
	p.MeanDifference, p.Low, p.High, p.PBootstrap = boot.Difference(ia, ib)
	if len(d) > 0 {
		p.Median = stats.Median(d)
	}
	return p
}

func correct(pairs []Pair) {
	boot, wilcoxon := make([]float64, len(pairs)), make([]float64, len(pairs))
	for i := range pairs {
		boot[i], wilcoxon[i] = pairs[i].PBootstrap, pairs[i].PWilcoxon
	}
	boot, wilcoxon = paired.Holm(boot), paired.Holm(wilcoxon)
	for i := range pairs {
		pairs[i].PBootstrap, pairs[i].PWilcoxon = boot[i], wilcoxon[i]
		pairs[i].Differ = boot[i] < significance && wilcoxon[i] < significance
	}
}

// seedOf returns a seed that depends on what is compared, and not on the time.
func seedOf(pkg, scorer string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(pkg + "|" + scorer))
	return h.Sum64()
}

func pick(values []float64, places []int) []float64 {
	out := make([]float64, len(places))
	for i, at := range places {
		out[i] = values[at]
	}
	return out
}

// intersect returns the intersection of two ascending lists.
func intersect(a, b []int) []int {
	var out []int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			out = append(out, a[i])
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return out
}

// mean returns the mean of the values, or 0 if there are none.
func mean(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum / math.Max(1, float64(len(values)))
}
