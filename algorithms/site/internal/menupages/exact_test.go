package menupages

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/algotest"
	"github.com/winnow/winnow/algorithms/feature/canon"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/site/internal/equaltopdown"
	"github.com/winnow/winnow/algorithms/site/internal/labeltree"
)

// doc is a page as it is mapped.
type doc struct {
	tree   labeltree.Tree
	leaves []canon.Node
}

func docOf(p *algorithms.Pass) (d doc, ok bool) {
	t, err := canon.Of(p)
	if err != nil || t.Len() == 0 {
		return d, false
	}
	d.tree = labeltree.Tree{Label: slices.Clone(canon.IDC.Of(p).Label), End: slices.Clone(t.End)}
	for _, l := range t.Leaves {
		d.leaves = append(d.leaves, l.Node)
	}
	return d, true
}

func clone(t *labeltree.Tree) *labeltree.Tree {
	return &labeltree.Tree{Label: slices.Clone(t.Label), End: slices.Clone(t.End)}
}

// exact is the papers' loop: what of the page stays mapped through each chosen
// page in turn.
func exact(d doc, chosen []doc) []bool {
	var m equaltopdown.Mapper
	tree := clone(&d.tree)
	place := make([]int, tree.Len()) // where each node of tree is in the page
	for n := range place {
		place[n] = n
	}
	for i := range chosen {
		mapped := make([]bool, tree.Len())
		m.Map(equaltopdown.NewSide(tree), equaltopdown.NewSide(&chosen[i].tree), mapped)
		var left []int
		for n, in := range mapped {
			if in {
				left = append(left, place[n])
			}
		}
		tree.Restrict(mapped)
		place = left
	}
	out := make([]bool, d.tree.Len())
	for _, n := range place {
		out[n] = true
	}
	return out
}

// folded is what this package does.
func folded(d doc, chosen []doc) []bool {
	var m equaltopdown.Mapper
	tree := clone(&chosen[0].tree)
	for i := range chosen[1:] {
		mapped := make([]bool, tree.Len())
		m.Map(equaltopdown.NewSide(tree), equaltopdown.NewSide(&chosen[i+1].tree), mapped)
		tree.Restrict(mapped)
	}
	out := make([]bool, d.tree.Len())
	m.Map(equaltopdown.NewSide(&d.tree), equaltopdown.NewSide(tree), out)
	return out
}

// agreement compares the two on all pages, for as many choices of pages as there
// are pages.
func agreement(t *testing.T, name string, docs []doc) {
	t.Helper()
	leaves, same, mapped := 0, 0, 0
	for first := range docs {
		var chosen []doc
		for i := range min(defaultPages, len(docs)) {
			chosen = append(chosen, docs[(first+i)%len(docs)])
		}
		for _, d := range docs {
			a, b := exact(d, chosen), folded(d, chosen)
			for _, n := range d.leaves {
				leaves++
				if a[n] == b[n] {
					same++
				}
				if b[n] {
					mapped++
				}
			}
		}
	}
	t.Logf("%s: %d pages, %d of %d leaves agree (%.3f %%), %d are mapped", name, len(docs), same, leaves, 100*float64(same)/float64(leaves), mapped)
	if 100*same < 99*leaves {
		t.Errorf("%s: only %d of %d leaves agree: the pages themselves should be stored", name, same, leaves)
	}
	if mapped == 0 || mapped == leaves {
		t.Errorf("%s: %d of %d leaves are mapped: that tells nothing", name, mapped, leaves)
	}
}

// TestFoldAgreesWithExact is the condition under which the common part may replace
// the chosen pages: both ways agree on 99 % of the leaves.
func TestFoldAgreesWithExact(t *testing.T) {
	var docs []doc
	for _, p := range algotest.Website() {
		d, _ := docOf(algotest.Pass(p.HTML))
		docs = append(docs, d)
	}
	agreement(t, "imaginary site", docs)
}

// TestExact: fold=exact is the papers' loop.
func TestExact(t *testing.T) {
	for _, equal := range []string{EqualLabel, EqualScore} {
		p := Params{Pages: 3, Equal: equal, Fold: FoldExact, CS: ChooseSite}
		l := Learner(p)
		var s algorithms.Sample
		var docs []doc
		pages := algotest.Website()
		for i, page := range pages {
			pass := algotest.Pass(page.HTML)
			data, err := l.Sketch(pass)
			if err != nil {
				t.Fatal(err)
			}
			s.Pages = append(s.Pages, algorithms.Sketched{Rank: uint64(i + 1), Data: data})
			d, _ := docOf(pass)
			docs = append(docs, d)
		}
		learned, err := l.Finish(&s)
		if err != nil {
			t.Fatal(err)
		}
		value, err := l.Open(learned.Body)
		if err != nil {
			t.Fatal(err)
		}
		var free Free
		for i, page := range pages {
			pass := algotest.Pass(page.HTML)
			pass.Template = &algorithms.Template{Value: value, Page: -1}
			if err := free.Find(pass, p); err != nil {
				t.Fatal(err)
			}
			want := exact(docs[i], docs[:3])
			for leaf, n := range docs[i].leaves {
				if equal == EqualLabel && free.Leaf[leaf] == want[n] {
					t.Errorf("page %d, leaf %d %q: free %v", i, leaf, free.Tree.Text(leaf), free.Leaf[leaf])
				}
				if equal == EqualScore && free.Leaf[leaf] && want[n] {
					t.Errorf("page %d, leaf %d %q: equal by label, not by score", i, leaf, free.Tree.Text(leaf))
				}
			}
		}
	}
}

// TestFoldAgreesOnRealPortals is the same on the gold pages of four news portals.
func TestFoldAgreesOnRealPortals(t *testing.T) {
	shared := os.Getenv("WINNOW_SHARED")
	if shared == "" {
		t.Skip("WINNOW_SHARED is not set")
	}
	f, err := os.Open(filepath.Join(shared, "packages", "cleanportaleval.tar.xz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x, err := xz.NewReader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	portals := map[string][]doc{}
	var names []string
	for r := tar.NewReader(x); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(h.Name, ".html") {
			continue
		}
		src, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		// The package wraps every page in an element whose id is the page's address.
		if _, inside, ok := bytes.Cut(src, []byte(">")); ok && bytes.HasPrefix(bytes.TrimSpace(src), []byte("<text id=")) {
			src = inside
		}
		portal := strings.TrimRight(strings.TrimSuffix(path.Base(h.Name), ".html"), "_0123456789")
		var pg page.Page
		var pass algorithms.Pass
		pg.Parse([]byte(strings.ToValidUTF8(string(src), "\uFFFD")), page.Options{})
		pass.Reset(&pg, "http://"+portal+"/")
		if d, ok := docOf(&pass); ok {
			if portals[portal] == nil {
				names = append(names, portal)
			}
			portals[portal] = append(portals[portal], d)
		}
	}
	for _, name := range names {
		agreement(t, name, portals[name])
	}
}
