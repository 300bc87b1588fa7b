package extract_test

import (
	"fmt"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/alartesilva"
	"github.com/winnow/winnow/algorithms/extract/bte"
	"github.com/winnow/winnow/algorithms/extract/lqf"
	"github.com/winnow/winnow/algorithms/page"
)

// A page is parsed once; every method reads the same Pass and leaves its
// selection in Out.
func Example() {
	var pg page.Page
	pg.Parse([]byte(`<body>
		<ul><li><a href="/">Home</a><li><a href="/farms">Farms</a></ul>
		<div><h1>Harvest</h1><p>The wheat is in, and so is the barley.</p></div>
		<p>Printed in the valley. <a href="/imprint">Imprint</a></p>`), page.Options{})
	var pass algorithms.Pass
	pass.Reset(&pg, "http://valley.example/harvest")

	five, err := alartesilva.Extractor.With(map[string]string{"c": "5"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range []*algorithms.Extractor{bte.Extractor, lqf.LQF50, five} {
		pass.Clear()
		if err := e.Run(&pass); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %q\n", e.Name, pass.AppendText(nil))
	}
	// Output:
	// bte: "The wheat is in, and so is the barley.\nPrinted in the valley."
	// lqf-50: "Harvest\nThe wheat is in, and so is the barley.\nPrinted in the valley. Imprint"
	// alarte-silva: "Home\nFarms\nHarvest\nThe wheat is in, and so is the barley.\nPrinted in the valley. Imprint"
}
