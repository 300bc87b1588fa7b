package stats

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestLowestKeepsThePagesOfLowestFigures(t *testing.T) {
	var pages []Page
	for i := range 40 {
		pages = append(pages, Page{Package: "p", DocID: fmt.Sprintf("%02d", i), Figure: float64(i / 2)})
	}
	want := append([]Page{}, pages[:7]...)
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 { // the order of the pages does not matter
		r.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
		l := NewLowest(7)
		for _, p := range pages {
			l.Add(p)
		}
		if got := l.Pages(); !reflect.DeepEqual(got, want) || l.More() != 33 {
			t.Fatalf("%v, %d more; want %v, 33", got, l.More(), want)
		}
	}
	l := NewLowest(0)
	l.Add(Page{})
	if len(l.Pages()) != 0 || l.More() != 1 {
		t.Errorf("none is to be kept: %v, %d", l.Pages(), l.More())
	}
}
