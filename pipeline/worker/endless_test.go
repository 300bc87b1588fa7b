package worker

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/pipeline/recipe"
)

// TestEndlessExtractorCostsOneRow checks that an extractor that never returns costs its
// own row on that page. The item is done, and the worker ends to be started again.
func TestEndlessExtractorCostsOneRow(t *testing.T) {
	w := newWorld(t)
	plain, err := choose.Extractors(w.tasks.Extractors, "plain")
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	endless := *plain[0]
	endless.Name, endless.With = "endless", nil
	endless.Run = func(p *algorithms.Pass) error {
		for bytes.Contains(p.Page.Source, []byte("page 1")) {
			select {
			case <-over:
				return nil
			default:
			}
		}
		return plain[0].Run(p)
	}
	w.equip(TaskOptions{Extractors: []*algorithms.Extractor{&endless, plain[0]}})
	w.opt.Slots, w.opt.Restarted = 1, true
	w.plan.Recipe.Extractors, w.plan.Recipe.Scorers = recipe.Methods(w.tasks.Extractors, nil)
	w.plan.Recipe.Limits.MethodTime = 3 * time.Second
	c := newCrawl(t, w.dir, "a.warc.gz")
	for n := range 3 {
		c.page("h.example", n, "")
	}
	c.close()
	run := w.submit()
	if err := Run(t.Context(), w.opt); !errors.Is(err, errSpoiled) {
		t.Errorf("the worker ends with %v, want %v", err, errSpoiled)
	}
	reports, dead := w.reports(run)
	if len(dead) > 0 {
		t.Errorf("%d given up", len(dead))
	}
	var got []string
	for _, r := range w.documents(reports) {
		got = append(got, fmt.Sprint(r.Extractor, " ", r.Outcome, " ", r.Reason))
	}
	want := []string{"endless ok ", "plain ok ", "endless failed timeout", "plain ok ", "endless ok ", "plain ok "}
	if !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
}
