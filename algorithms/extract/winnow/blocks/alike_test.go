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
	p := fill(t, "<ul><li>a<li>b<li>c</ul><p>d</p><p>e</p>")
	odds := []int32{1000, -2000, 4000, 70, -70}
	// The mean of the first three is 1000; two are too few.
	p.EvenOut(odds)
	if want := []int32{1000, -200, 2200, 70, -70}; !slices.Equal(odds, want) {
		t.Errorf("log-odds %v, want %v", odds, want)
	}
}
