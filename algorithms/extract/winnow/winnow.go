package winnow

import (
	_ "embed"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/winnow/blocks"
	"github.com/winnow/winnow/algorithms/extract/winnow/model"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
)

//go:embed winnow.model
var file []byte

// shipped is the model that is embedded in the program; errShipped says why there is
// none.
var shipped, errShipped = model.Decode(file)

// trainedOn has the packages that the embedded model was trained on: see its card.
var trainedOn = []string{"wcxb-dev", "multilingual-dev", "forums-dev", "readability"}

// Params are the settings of the extractor.
type Params struct {
	Comments string // what happens to readers' comments: auto, include or exclude

	model *model.Model // nil for the embedded model
}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Choice("comments", &p.Comments, "readers' comments: auto leaves them out but where the page is a discussion",
			string(model.Auto), string(model.Include), string(model.Exclude)),
	}
}

// Default has the settings of Extractor.
var Default = Params{Comments: string(model.Auto)}

// Extractor is winnow with its default settings.
var Extractor = New(Default)

// New returns the extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "winnow",
			Family: "winnow",
			Doc:    "selects the blocks with the best expected F1, from probabilities that decision trees estimate",
			Cite: algorithms.Cite{
				Authors: "Winnow authors",
				Title:   "Model card of the winnow extractor (docs/models/winnow.md)",
				Venue:   "github.com/winnow/winnow",
				Year:    2026,
			},
			Fidelity: algorithms.Exact,
			Cost:     algorithms.Linear,
		},
		Run:     p.run,
		Explain: p.explain,
	}
	if p.model == nil {
		e.TrainedOn = trainedOn
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

// WithModel returns the extractor with default settings and the model in the given
// file. It is for models of folds, which are evaluated on pages that they were not
// trained on.
func WithModel(file []byte) (*algorithms.Extractor, error) {
	m, err := model.Decode(file)
	if err != nil {
		return nil, err
	}
	p := Default
	p.model = m
	return New(p), nil
}

// state is the working memory of one worker.
type state struct {
	blocks     blocks.Page
	model      *model.Model
	prediction model.Prediction
	in         []bool  // by block: whether it is part of the answer
	worded     []int32 // the blocks with words
}

func (p *Params) run(pass *algorithms.Pass) error {
	s, err := p.predict(pass)
	if err != nil {
		return err
	}
	pass.Confidence = s.prediction.Expected
	for i := range s.blocks.Blocks {
		k := &s.blocks.Blocks[i]
		span := page.Span{Start: k.Start, End: k.End}
		if s.in[i] {
			pass.Out.AddSpan(pass.Body, span)
		}
		pass.Probabilities = append(pass.Probabilities, algorithms.Probability{Span: span, P: s.prediction.P[i]})
	}
	return nil
}

func (p *Params) predict(pass *algorithms.Pass) (*state, error) {
	s := algorithms.Scratch[state](pass)
	if s.model = p.model; s.model == nil {
		if errShipped != nil {
			return nil, errShipped
		}
		s.model = shipped
	}
	if !s.blocks.Fill(pass.Page, pass.URL) {
		return nil, algorithms.ErrPageTooLarge
	}
	s.model.Predict(&s.prediction, &s.blocks, model.Comments(p.Comments))
	s.choose(&pass.Body.All)
	return s, nil
}
