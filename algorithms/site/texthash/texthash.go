package texthash

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/algorithms/setting"
	"github.com/winnow/winnow/algorithms/site/internal/mask"
)

// Params are the settings of the extractor.
type Params struct {
	Window int // words of a window
	Phi    int // percent of the other pages that make a window template
	Run    int // fewer words than this between two of template go with them
}

// Default has the values of the package's doc.
var Default = Params{Window: 6, Phi: 10, Run: 3}

func (p *Params) settings() []setting.Setting {
	return []setting.Setting{
		setting.Int("w", &p.Window, 1, maxWindow, "words of a window"),
		setting.Int("phi", &p.Phi, 1, 100, "percent of the site's other pages that make a window template"),
		setting.Int("r", &p.Run, 1, 1000, "fewer words than this between two of template go with them"),
	}
}

// maxWindow is the largest number of words of a window.
const maxWindow = 32

// Extractor is the extractor with its default settings.
var Extractor = New(Default)

// New returns an extractor with the given settings.
func New(p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   "text-hash",
			Family: "text-hash",
			Doc:    "selects the words outside of all stretches of words that other pages of the site also have",
			Cite: algorithms.Cite{
				Authors: "Gibson, Punera, Tomkins",
				Title:   "The volume and evolution of web page templates",
				Venue:   "WWW (special interest tracks)",
				Year:    2005,
				URL:     "https://doi.org/10.1145/1062745.1062763",
			},
			Fidelity: algorithms.Reconstructed,
			Departures: []string{
				"The length of a window, the threshold and the shortest run are choices of this package.",
				"All windows are kept; none are sampled, because a site's sample is small.",
				"Selections are of words; media are never selected.",
			},
			Cost: algorithms.Linear,
		},
		Run: p.run,
		Learn: &algorithms.Learner{
			Version:     1,
			MinPages:    5,
			LeaveOneOut: true,
			As:          fmt.Sprintf("text-hash:w=%d:phi=%d", p.Window, p.Phi),
			Sketch:      p.sketch,
			Finish:      func(s *algorithms.Sample) (algorithms.Learned, error) { return wrap(mask.Learn(s, p.Phi)) },
			Open:        func(body []byte) (any, error) { return wrap(mask.Open(body)) },
		},
	}
	return setting.Tune(e, p, (*Params).settings, New)
}

// wrap puts the name of the extractor in front of an error.
func wrap[T any](v T, err error) (T, error) {
	if err != nil {
		err = fmt.Errorf("text-hash: %w", err)
	}
	return v, err
}

type scratch struct {
	words   []byte   // hashes of the words, 8 bytes each
	windows []uint64 // the one that begins at each word; none at the last words
}

// Memory that an unusually large page needed is released at the next one.
const keepWords = 1 << 18

// fill hashes the windows of the page.
func (s *scratch) fill(b *page.Body, window int) {
	if cap(s.windows) > keepWords {
		*s = scratch{}
	}
	s.words, s.windows = s.words[:0], s.windows[:0]
	for _, at := range b.Words().Span {
		s.words = binary.LittleEndian.AppendUint64(s.words, xxhash.Sum64(b.Text[at.Start:at.End]))
	}
	for i := 0; i+8*window <= len(s.words); i += 8 {
		s.windows = append(s.windows, xxhash.Sum64(s.words[i:i+8*window]))
	}
}

func (p Params) sketch(pass *algorithms.Pass) ([]byte, error) {
	s := algorithms.Scratch[scratch](pass)
	if pass.Body.Len() == 0 {
		return mask.Sketch(nil)
	}
	s.fill(pass.Body, p.Window)
	return mask.Sketch(s.windows)
}

func (p Params) run(pass *algorithms.Pass) error {
	b := pass.Body
	if b.Len() == 0 {
		return nil
	}
	table := pass.Template.Value.(*mask.Table)
	others := mask.Without(table.Pages, pass.Template.Page)
	least := mask.Threshold(p.Phi, others.N)
	s := algorithms.Scratch[scratch](pass)
	s.fill(b, p.Window)
	words := len(b.Words().Span)
	from, found := 0, false // words from `from` on are not covered yet
	for i, key := range s.windows {
		if others.Count(table.Of(key)) < least {
			continue
		}
		// A short run between two template sequences is dropped with them.
		if i > from && (!found || i-from >= p.Run) {
			pass.Out.AddWords(b, from, i)
		}
		from, found = i+p.Window, true
	}
	pass.Out.AddWords(b, from, words)
	if !found && words > 0 {
		pass.Notes = append(pass.Notes, algorithms.NoteNoMatch)
	}
	return nil
}
