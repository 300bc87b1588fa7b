package blocks

import (
	"slices"
	"strings"
	"testing"
)

func TestAlike(t *testing.T) {
	p := fill(t, `<div class=list><div class=item><h3>a</h3><p>b <b>c</b></p></div><div class=item><h3>d</h3><p>e</p><p class=note>f</p></div></div>
		<div><div class=item><h3>g</h3></div></div>`)
	by := make(map[int32][]string)
	for i, text := range texts(p) {
		by[p.Blocks[i].alike] = append(by[p.Blocks[i].alike], text)
	}
	var got []string
	for a := range int32(len(p.alike)) {
		if k := by[a]; len(k) > 0 {
			if a == 0 || int(p.alike[a].blocks) != len(k) {
				t.Errorf("%q: %d alike blocks of number %d", k, p.alike[a].blocks, a)
			}
			got = append(got, strings.Join(k, " "))
		}
	}
	if want := []string{"a d", "b c e", "f", "g"}; !slices.Equal(got, want) {
		t.Errorf("alike are %q, want %q", got, want)
	}
}

func TestEvenOut(t *testing.T) {
	const list = "<ul><li>a<li>b<li>c</ul>"
	for _, c := range []struct {
		html        string
		probability []float32
		want        []int32
	}{
		// The mean of the first three is 1000; two are too few.
		{"<div class=list>" + list + "</div><p>d</p><p>e</p>", make([]float32, 5), []int32{1000, 100, 1900, 70, -70}},
		// Without classes.
		{list + "<p class=x>d</p><p class=y>e</p>", make([]float32, 5), []int32{1000, -650, 2650, 70, -70}},
		// One block counts five times: (1000 - 2000 + 5 * 4000) / 7 = 2714.
		{"<div class=list>" + list + "</div><p>d</p><p>e</p>", []float32{0, 0, 1, 0, 0}, []int32{2199, 1299, 3100, 70, -70}},
	} {
		p := fill(t, c.html)
		odds := []int32{1000, -2000, 4000, 70, -70}
		if p.EvenOut(odds, c.probability); !slices.Equal(odds, c.want) {
			t.Errorf("%s: log-odds %v, want %v", c.html, odds, c.want)
		}
	}
}
