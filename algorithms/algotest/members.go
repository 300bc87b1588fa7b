package algotest

import (
	"slices"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// Answers runs the members of e on the page of p, as the driver does, and passes their
// answers to e. Programs and site-level extractors abstain, because only the
// driver can run them.
func Answers(t testing.TB, p *algorithms.Pass, e *algorithms.Extractor) {
	t.Helper()
	var answers []algorithms.Answer
	for _, m := range e.Members {
		a := algorithms.Answer{Extractor: m}
		if m.Run != nil && m.Scope() == algorithms.PageScope {
			Answers(t, p, m)
			p.Clear()
			if err := m.Run(p); err != nil {
				t.Fatalf("%s, member of %s: %v", m.Name, e.Name, err)
			}
			a.OK, a.Text = true, p.AppendText(nil)
			a.Selection = &page.Selection{Spans: slices.Clone(p.Out.Spans), Rows: slices.Clone(p.Out.Rows)}
		}
		answers = append(answers, a)
	}
	p.Clear()
	p.Answers = append(p.Answers[:0], answers...)
}
