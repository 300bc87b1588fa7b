package structure

import (
	"strings"

	"github.com/winnow/winnow/algorithms"
)

// maxNodes bounds the nodes of all tables of one side.
const maxNodes = 2000

// maxCell is how many characters of a cell are compared.
const maxCell = 1000

// tree is a table: its cells, with the number of cells of each row.
type tree struct {
	cells [][]rune
	rows  []int
}

func newTree() tree { return tree{} }

// row adds a row in Markdown.
func (t *tree) row(line string) {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	n := 0
	add := func(cell string) {
		r := []rune(strings.Join(strings.Fields(strings.ReplaceAll(cell, `\|`, "|")), " "))
		t.cells = append(t.cells, r[:min(len(r), maxCell)])
		n++
	}
	from := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			add(line[from:i])
			from = i + 1
		}
	}
	add(line[from:])
	t.rows = append(t.rows, n)
}

func (t *tree) nodes() int { return 1 + len(t.rows) + len(t.cells) }

// node is one of a tree in postorder.
type node struct {
	depth int    // 0 for the table, 1 for a row, 2 for a cell
	left  int    // its leftmost leaf
	text  []rune // text of a cell
}

func (t *tree) postorder() (all []node) {
	at := 0
	for _, n := range t.rows {
		first := len(all)
		for range n {
			all = append(all, node{2, len(all), t.cells[at]})
			at++
		}
		all = append(all, node{1, first, nil})
	}
	return append(all, node{0, 0, nil})
}

// keys returns the roots of the subtrees that are compared: of the nodes with the same leftmost
// leaf the last.
func keys(nodes []node) (all []int) {
	seen := make([]bool, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- {
		if !seen[nodes[i].left] {
			seen[nodes[i].left] = true
			all = append(all, i)
		}
	}
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	return all
}

// treeDistance returns the edit distance of two tables.
func treeDistance(s, t *tree) float64 {
	a, b := s.postorder(), t.postorder()
	n, m := len(a), len(b)
	replace := make([]float32, n*m)
	for i := range a {
		for j := range b {
			replace[i*m+j] = replaceCost(&a[i], &b[j])
		}
	}
	whole := make([]float32, n*m)          // distances of subtrees
	forest := make([]float32, (n+1)*(m+1)) // distances of the forests before the current nodes
	for _, x := range keys(a) {
		for _, y := range keys(b) {
			l, r := a[x].left, b[y].left
			width := y - r + 2
			forest[0] = 0
			for i := l; i <= x; i++ {
				forest[(i-l+1)*width] = forest[(i-l)*width] + 1
			}
			for j := r; j <= y; j++ {
				forest[j-r+1] = forest[j-r] + 1
			}
			for i := l; i <= x; i++ {
				for j := r; j <= y; j++ {
					at := (i-l+1)*width + j - r + 1
					best := min(forest[at-width], forest[at-1]) + 1
					if a[i].left == l && b[j].left == r {
						best = min(best, forest[at-width-1]+replace[i*m+j])
						whole[i*m+j] = best
					} else {
						best = min(best, forest[(a[i].left-l)*width+b[j].left-r]+whole[i*m+j])
					}
					forest[at] = best
				}
			}
		}
	}
	return float64(whole[n*m-1])
}

func replaceCost(x, y *node) float32 {
	switch longer := max(len(x.text), len(y.text)); {
	case x.depth != y.depth:
		return 1
	case longer == 0:
		return 0
	default:
		return float32(distance(x.text, y.text)) / float32(longer)
	}
}

// similarity returns the TEDS of two tables.
func similarity(s, t *tree) float64 {
	return 1 - treeDistance(s, t)/float64(max(s.nodes(), t.nodes()))
}

// tables returns the score of the tables of gold and extraction.
func tables(gold, extraction *elements) algorithms.Score {
	a, b := gold.tables, extraction.tables
	if len(a)+len(b) == 0 {
		return algorithms.Score{Reason: algorithms.ReasonNotDefined}
	}
	for _, list := range [][]tree{a, b} {
		nodes := 0
		for i := range list {
			nodes += list[i].nodes()
		}
		if nodes > maxNodes {
			return algorithms.Score{Reason: algorithms.ReasonTooLong}
		}
	}
	best := make([]float64, len(b)+1) // largest similarity of the tables of a so far with each prefix of b
	for i := range a {
		corner := 0.0
		for j := range b {
			above := best[j+1]
			best[j+1] = max(above, best[j], corner+similarity(&a[i], &b[j]))
			corner = above
		}
	}
	return algorithms.Score{Value: best[len(b)] / float64(max(len(a), len(b)))}
}
