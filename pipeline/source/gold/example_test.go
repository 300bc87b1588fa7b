package gold_test

import (
	"context"
	"fmt"

	"github.com/winnow/winnow/pipeline/source/gold"
)

// A package is read document by document. A missing gold differs from an empty one.
func ExampleOpen() {
	p, err := gold.Open("testdata/small", gold.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	fmt.Println(p.Info.Name, p.Len())
	for d, err := range p.Documents(context.Background()) {
		switch {
		case err != nil:
			fmt.Println(err)
		case !d.Gold.Known():
			fmt.Println(d.ID, "has no gold")
		default:
			fmt.Printf("%s %s %q\n", d.ID, d.Gold.URL, d.Gold.Content())
		}
	}
	// Output:
	// small 3
	// 1 http://a.example/1 "Grain\nChaff is light.\n"
	// 2  ""
	// 3 has no gold
}
