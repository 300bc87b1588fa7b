package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

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
		fmt.Fprintf(w, "%s %.3f %s\n", sign, j.Probability, beginning(j.Text))
		for _, b := range j.Evidence {
			fmt.Fprintf(w, "        %+.2f  %s = %d\n", b.LogOdds, b.Feature, b.Value)
		}
	}
	return nil
}

// beginning returns the first 70 characters of a text on one line.
func beginning(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 70 {
		return string(r[:69]) + "…"
	}
	return text
}
