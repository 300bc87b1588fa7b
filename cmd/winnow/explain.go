package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/schemas"
)

// beginning is the number of characters of a piece that explain shows.
const beginning = 70

// explain writes a line for every piece of a page as e classified it: whether it was
// chosen (+), its probability, its first words, and the features that changed the
// probability most.
func explain(w io.Writer, e *algorithms.Extractor, pg *page.Page, url string) error {
	var pass algorithms.Pass
	pass.Reset(pg, url)
	pieces, err := e.Explain(&pass)
	if err != nil {
		return err
	}
	for _, j := range pieces {
		sign := "-"
		if j.Chosen {
			sign = "+"
		}
		fmt.Fprintf(w, "%s %.3f %s\n", sign, j.Probability, schemas.Shorten(strings.Join(strings.Fields(string(pass.Body.All.Text[j.Start:j.End])), " "), beginning))
		for _, b := range j.Evidence {
			fmt.Fprintf(w, "        %+.2f  %s = %d\n", b.LogOdds, b.Feature, b.Value)
		}
	}
	return nil
}
