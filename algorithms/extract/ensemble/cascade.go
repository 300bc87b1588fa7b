package ensemble

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

// CascadeParams are the settings of a cascade.
type CascadeParams struct {
	First, Then *algorithms.Extractor
	Below       float64 // confidence of the first below which the second answers

	list []*algorithms.Extractor // the extractors that both may be chosen from
}

func (p *CascadeParams) settings() []setting.Setting {
	return []setting.Setting{
		setting.Extractor("first", &p.First, p.list, "extractor of every page, which reports its confidence"),
		setting.Extractor("then", &p.Then, p.list, "extractor of the pages on which the confidence of the first is low"),
		setting.Float("below", &p.Below, 0, 1, "confidence (the word F1 that the first expects of its answer) below which the second answers"),
	}
}

func newCascade(p CascadeParams) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name: "ensemble-cascade", Family: "ensemble",
			Doc: "answers as a first extractor where that is confident, and as a second one on the other pages, the only ones on which that runs",
			Cite: algorithms.Cite{
				Authors: "Chen, Zaharia, Zou",
				Title:   "FrugalGPT: How to use large language models while reducing cost and improving performance",
				Venue:   "arXiv", Year: 2023, URL: "https://arxiv.org/abs/2305.05176",
			},
			Fidelity: algorithms.Partial,
			Departures: []string{
				"The source chains models that answer questions; here extractors answer pages, and there are two.",
				"The source learns the order and the thresholds from a budget; here they are settings. The score of an answer is the confidence of the first extractor.",
			},
			Cost: algorithms.Linear,
		},
		Members: []*algorithms.Extractor{p.First, p.Then},
		Needs:   p.needs,
	}
	e.Run = p.run
	return setting.Tune(e, p, (*CascadeParams).settings, newCascade)
}

// needs reports whether the next member has to answer.
func (p CascadeParams) needs(before []algorithms.Answer) bool {
	return len(before) == 0 || !before[0].OK || float64(before[0].Confidence) < p.Below
}

// noteSecond is the note of a page that the second extractor answered.
const noteSecond = "second"

func (p CascadeParams) run(pass *algorithms.Pass) error {
	first, then := &pass.Answers[0], &pass.Answers[1]
	if p.needs(pass.Answers[:1]) && then.OK && then.Selection != nil {
		pass.Notes = append(pass.Notes, noteSecond)
		first = then
	}
	pass.Confidence = first.Confidence
	if first.OK && first.Selection != nil {
		var none page.Selection
		pass.Out.Union(first.Selection, &none)
	}
	if first.Aligned {
		pass.Notes = append(pass.Notes, noteAligned)
	}
	return nil
}
