package winnow

import (
	_ "embed"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/winnow/internal/blocks"
	"github.com/winnow/winnow/algorithms/extract/winnow/internal/model"
	"github.com/winnow/winnow/algorithms/page"
)

//go:embed winnow.model
var file []byte

// shipped is the model that is embedded in the program; errShipped says why there is
// none.
var shipped, errShipped = model.Decode(file)

// trainedOn has the packages that the embedded model was trained on: see its card.
var trainedOn = []string{"wcxb-dev"}

// Params are the settings of the extractor.
type Params struct {
	Comments string // what happens to readers' comments: auto, include or exclude

	model *model.Model // nil for the embedded model
}

func (p *Params) settings() []algorithms.Setting {
	return []algorithms.Setting{
		algorithms.ChoiceSetting("comments", &p.Comments, "readers' comments: auto leaves them out but where the page is a discussion",
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
	return algorithms.Tune(e, p, (*Params).settings, New)
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
	e := New(p)
	e.Explain = nil // explanations always use the embedded model
	return e, nil
}

// state is the working memory of one worker.
type state struct {
	blocks     blocks.Page
	model      *model.Model
	prediction model.Prediction
	page       *page.Page // the page of the pass, or the page in the content of an unclosed title
	rest       page.Page
}

func (p *Params) run(pass *algorithms.Pass) error {
	s, err := p.predict(pass)
	if err != nil {
		return err
	}
	pass.Confidence = s.prediction.Expected
	s.answer(pass)
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
	s.page = pass.Page
	if lost := blocks.Lost(s.page); lost != nil {
		s.rest.Parse(lost, page.Options{})
		s.page = &s.rest
	}
	if !s.blocks.Fill(s.page, pass.URL) {
		return nil, algorithms.ErrPageTooLarge
	}
	s.model.Predict(&s.prediction, &s.blocks, model.Comments(p.Comments))
	return s, nil
}

// chosen reports whether block i is part of the answer.
func (s *state) chosen(i int) bool {
	return s.prediction.P[i] >= s.prediction.From && s.blocks.Blocks[i].Words > 0
}

// answer selects the rows of the chosen blocks that Body shows. If chosen blocks have
// other rows too, answer writes the text of all chosen blocks.
func (s *state) answer(pass *algorithms.Pass) {
	whole, body := s.page.Whole(), pass.Body
	more := s.page != pass.Page
	at := page.Row(0) // a row of body at or before those that follow
	for i := range s.blocks.Blocks {
		if !s.chosen(i) || s.page != pass.Page {
			continue
		}
		k := &s.blocks.Blocks[i]
		for r := k.First; r <= k.Last; r++ {
			if whole.Flags[r]&page.IsText == 0 {
				continue
			}
			for int(at) < body.Len() && body.Node[at] < whole.Node[r] {
				at++
			}
			if int(at) == body.Len() || body.Node[at] != whole.Node[r] || body.Flags[at]&page.Hidden != 0 {
				more = true
				continue
			}
			pass.Out.AddSpan(body, page.Span{Start: body.TextStart[at], End: body.TextEnd[at]})
		}
	}
	if !more {
		return
	}
	for i := range s.blocks.Blocks {
		if k := &s.blocks.Blocks[i]; s.chosen(i) {
			if len(pass.Text) > 0 {
				pass.Text = append(pass.Text, '\n')
			}
			pass.Text = append(pass.Text, whole.Text[k.Start:k.End]...)
		}
	}
}
