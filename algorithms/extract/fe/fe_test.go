package fe

import (
	"math"
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

func TestGolden(t *testing.T) { algotest.Golden(t, FE, KFE) }

func TestNoGarbage(t *testing.T) {
	algotest.NoGarbage(t, FE)
	algotest.NoGarbage(t, KFE)
}

func TestEdges(t *testing.T) {
	for _, e := range []*algorithms.Extractor{FE, KFE} {
		algotest.Edges(t, e, map[string]string{
			"empty": "", "no-body": "", "only-images": "", "only-hidden": "",
			"only-links": "", // text and links are both at their maximum
			"one-text":   "only words here", "one-word": "word", "deep": "bottom of the well",
		})
	}
}

// atomic is a block with its features, by the definition.
type atomic struct {
	nodes    []*algotest.Node
	text     float64
	features [5]float64
}

var classes = [5][]html.Tag{
	{html.TagA},
	{html.TagImg, html.TagPicture, html.TagVideo, html.TagAudio, html.TagCanvas, html.TagObject, html.TagEmbed},
	{html.TagLi, html.TagDt, html.TagDd},
	{html.TagForm, html.TagInput, html.TagButton, html.TagSelect, html.TagTextarea},
	{html.TagTd, html.TagTh},
}

var blockTags = []html.Tag{html.TagTable, html.TagTr, html.TagP, html.TagHr, html.TagUl, html.TagDiv, html.TagSpan}

// basket are the blocks in which text wins, in document order.
func basket(root *algotest.Node) []*atomic {
	var blocks []*atomic
	of := map[*algotest.Node]*atomic{}
	for _, n := range root.All() {
		b := n
		for b.Parent != nil && (b.IsText() || !slices.Contains(blockTags, b.Tag)) {
			b = b.Parent
		}
		if of[b] == nil {
			of[b] = &atomic{}
			blocks = append(blocks, of[b])
		}
		of[b].nodes = append(of[b].nodes, n)
		of[b].text += float64(n.Chars)
		for f, tags := range classes {
			if slices.Contains(tags, n.Tag) && !n.Hidden {
				of[b].features[f]++
			}
		}
	}
	var most atomic
	for _, b := range blocks {
		most.text = max(most.text, b.text)
		for f := range b.features {
			most.features[f] = max(most.features[f], b.features[f])
		}
	}
	return slices.DeleteFunc(blocks, func(b *atomic) bool {
		sum := 0.0
		for f, v := range b.features {
			if most.features[f] > 0 {
				sum += v / most.features[f]
			}
		}
		return most.text == 0 || b.text/most.text <= sum
	})
}

func selectBlocks(b *page.Body, blocks []*atomic) (s page.Selection) {
	var nodes []*algotest.Node
	for _, k := range blocks {
		nodes = append(nodes, k.nodes...)
	}
	slices.SortFunc(nodes, func(m, n *algotest.Node) int { return int(m.Row - n.Row) })
	for _, n := range nodes {
		s.AddRows(b, page.Rows{Start: n.Row, End: n.Row + 1})
	}
	return s
}

func twinFE(p *algorithms.Pass) (s page.Selection) {
	root := algotest.Tree(p.Body)
	if root == nil {
		return s
	}
	var best *atomic
	for _, b := range basket(root) {
		if best == nil || b.text > best.text {
			best = b
		}
	}
	if best == nil {
		return s
	}
	return selectBlocks(p.Body, []*atomic{best})
}

func twinKFE(params Params) func(*algorithms.Pass) page.Selection {
	return func(p *algorithms.Pass) (s page.Selection) {
		root := algotest.Tree(p.Body)
		if root == nil {
			return s
		}
		sorted := basket(root)
		if len(sorted) == 0 {
			return s
		}
		slices.SortStableFunc(sorted, func(a, b *atomic) int { return int(b.text - a.text) })
		k := min(params.K, len(sorted))
		centroids := make([]float64, k)
		for j := range centroids {
			if k > 1 {
				centroids[j] = sorted[j*(len(sorted)-1)/(k-1)].text
			} else {
				centroids[j] = sorted[0].text
			}
		}
		cluster := make([]int, len(sorted))
		for round := 0; ; round++ {
			changed := false
			for i, b := range sorted {
				best := 0
				for j, c := range centroids {
					d, least := math.Abs(b.text-c), math.Abs(b.text-centroids[best])
					if d < least || d == least && c > centroids[best] {
						best = j
					}
				}
				changed = changed || cluster[i] != best
				cluster[i] = best
			}
			if round > 0 && !changed || round == params.Rounds {
				break
			}
			for j := range centroids {
				sum, n := 0.0, 0.0
				for i, b := range sorted {
					if cluster[i] == j {
						sum, n = sum+b.text, n+1
					}
				}
				if n > 0 {
					centroids[j] = sum / n
				}
			}
		}
		order := make([]int, k)
		for j := range order {
			order[j] = j
		}
		slices.SortStableFunc(order, func(i, j int) int {
			switch {
			case centroids[i] > centroids[j]:
				return -1
			case centroids[i] < centroids[j]:
				return 1
			}
			return 0
		})
		var chosen []*atomic
		for i, b := range sorted {
			if slices.Index(order, cluster[i]) < params.Clusters {
				chosen = append(chosen, b)
			}
		}
		return selectBlocks(p.Body, chosen)
	}
}

func TestTwin(t *testing.T) {
	algotest.Twin(t, FE, 300, twinFE)
	for _, p := range []Params{Default, {K: 2, Clusters: 1, Rounds: 100}, {K: 5, Clusters: 2, Rounds: 1}, {K: 1, Clusters: 1}} {
		algotest.Twin(t, New(p), 300, twinKFE(p))
	}
}

// TestClusters works out a basket of seven blocks. Seeds are at the ranks 0, 3
// and 6: 100, 40 and 4. 70 is as far from 100 as from 40 and goes to the higher;
// 20 goes to 4, which is 16 away, not to 40.
//
//	round 1: {100 90 70} {40 36} {20 4}, centroids 86.67 38 12
//	round 2: no change
func TestClusters(t *testing.T) {
	var s scratch
	for i, chars := range []int32{100, 90, 70, 40, 36, 20, 4} {
		s.basket = append(s.basket, winner{chars, page.Row(i)})
	}
	s.cluster(Default)
	want := []level{{100, 1, 0, true}, {90, 1, 0, true}, {70, 1, 0, true},
		{40, 1, 1, true}, {36, 1, 1, true}, {20, 1, 2, false}, {4, 1, 2, false}}
	if !slices.Equal(s.levels, want) {
		t.Errorf("levels %v, want %v", s.levels, want)
	}
}

// TestBasket works out the features of a small page: the maximum of text is 24
// characters, of links 2, of list items 2.
func TestBasket(t *testing.T) {
	p := algotest.Pass("<body><div><a href=/>one</a> <a href=/>two</a></div>" + // text 6/24, links 2/2: loses
		"<p>four and twenty letters.</p>" + // 24/24, nothing else: wins
		"<p>fourteen chars <a href=/>x</a></p>" + // 15/24 = 0.625 against links 1/2: wins
		"<ul><li>a<li>b</ul></body>") // 2/24 against items 2/2: loses
	var s scratch
	s.fill(p.Body)
	if want := []winner{{24, 6}, {15, 8}}; !slices.Equal(s.basket, want) {
		t.Errorf("basket %v, want %v", s.basket, want)
	}
}

// TestHiddenFeatures: a hidden menu has no links, so the one link in the second
// paragraph is the most that a block has: 15/24 of the text against 1/1.
func TestHiddenFeatures(t *testing.T) {
	p := algotest.Pass("<body><div hidden><a href=/>one</a> <a href=/>two</a></div>" +
		"<p>four and twenty letters.</p><p>fourteen chars <a href=/>x</a></p></body>")
	var s scratch
	s.fill(p.Body)
	if want := []winner{{24, 6}}; !slices.Equal(s.basket, want) {
		t.Errorf("basket %v, want %v", s.basket, want)
	}
}

// TestEmptyCluster: the seeds 10, 10 and 5 leave the second cluster empty. It
// keeps its centroid, which is one of the two highest.
func TestEmptyCluster(t *testing.T) {
	var s scratch
	for i, chars := range []int32{10, 10, 5} {
		s.basket = append(s.basket, winner{chars, page.Row(i)})
	}
	s.cluster(Default)
	if want := []level{{10, 2, 0, true}, {5, 1, 2, false}}; !slices.Equal(s.levels, want) {
		t.Errorf("levels %v, want %v", s.levels, want)
	}
}
