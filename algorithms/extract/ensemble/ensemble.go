package ensemble

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/setting"
)

// Params are the settings of an ensemble.
type Params struct {
	Members []setting.Member
	Share   float64 // share of all votes from which a word is kept
	Unit    string  // the unit that is kept or dropped as a whole: "word" or "block"
	Fill    int     // longest run of dropped words between kept ones that is kept
	Lone    int     // longest run of kept words in a dropped block that is dropped
	By      string  // what the oracle chooses by: "page" or "word"

	list []*algorithms.Extractor // the extractors that members may be chosen from
}

func (p *Params) members() setting.Setting {
	return setting.Members("members", &p.Members, p.list, "extractors that vote")
}

func (p *Params) share() setting.Setting {
	return setting.Float("share", &p.Share, 0.01, 1, "share of all votes that keeps a word")
}

func (p *Params) voting() []setting.Setting {
	return []setting.Setting{
		p.members(), p.share(),
		setting.Choice("unit", &p.Unit, "what the vote keeps or drops as one", "word", "block"),
		setting.Int("fill", &p.Fill, 0, 1000, "longest run of dropped words between kept ones of a block that is kept"),
		setting.Int("lone", &p.Lone, 0, 1000, "longest run of kept words in an otherwise dropped block that is dropped"),
	}
}

func (p *Params) matching() []setting.Setting {
	return []setting.Setting{p.members(), p.share()}
}

func (p *Params) bounding() []setting.Setting {
	return []setting.Setting{
		p.members(),
		setting.Choice("by", &p.By, "what is chosen by the gold: a member's answer for the page, or words", "page", "word"),
	}
}

// These are the members of the ensembles, by name: the systems of the study that exist
// here, and the best of them; winnow votes for the libraries that are programs of their own.
// See "Default members" in the package's documentation.
const (
	all      = "plain+bte+density+unfluff+justext-bench+boilerpipe-article+winnow"
	best     = "unfluff+winnow+density+bte+justext-bench+boilerpipe-article+web2text"
	weighted = "unfluff+winnow@2+density+bte+justext-bench+boilerpipe-article+web2text"
)

// New returns the ensembles, whose members are chosen from list, which holds all other
// extractors. It returns an error if a default member is not in list.
func New(list []*algorithms.Extractor) ([]*algorithms.Extractor, error) {
	base := Params{Share: 0.66, Unit: "word", Fill: 3, Lone: 2, By: "page", list: list}
	var made []*algorithms.Extractor
	for _, e := range []struct {
		make    func(Params) *algorithms.Extractor
		members string
	}{
		{newMajority, all}, {newBest, best}, {newWeighted, weighted}, {newNGram, all}, {newOracle, all},
	} {
		x, err := e.make(base).With(map[string]string{"members": e.members})
		if err != nil {
			return nil, err
		}
		made = append(made, x)
	}
	cascade, err := newCascade(CascadeParams{First: list[0], Then: list[0], Below: 0.6, list: list}).With(map[string]string{"first": "winnow", "then": "web2text"})
	if err != nil {
		return nil, err
	}
	return append(made, cascade), nil
}

func newMajority(p Params) *algorithms.Extractor {
	return voter("ensemble-majority", "selects the words that at least a given share of many members selected", p, newMajority)
}

func newBest(p Params) *algorithms.Extractor {
	return voter("ensemble-best", "selects the words that at least a given share of the better members selected", p, newBest)
}

func newWeighted(p Params) *algorithms.Extractor {
	return voter("ensemble-weighted", "selects the words that at least a given share of the better members selected; winnow counts double", p, newWeighted)
}

func voter(name, doc string, p Params, remake func(Params) *algorithms.Extractor) *algorithms.Extractor {
	e := method(name, doc, algorithms.Partial, p)
	e.Run = p.vote
	return setting.Tune(e, p, (*Params).voting, remake)
}

func newNGram(p Params) *algorithms.Extractor {
	e := method("ensemble-ngram", "selects the words whose 5-grams occur in the texts of enough members: the published vote, for comparison", algorithms.Partial, p)
	e.Run = p.match
	return setting.Tune(e, p, (*Params).matching, newNGram)
}

func newOracle(p Params) *algorithms.Extractor {
	e := method("ensemble-oracle", "selects the member's answer that is nearest to the gold, as an upper bound; skips pages without gold text", algorithms.Reconstructed, p)
	e.Oracle = true
	e.Run = p.bound
	return setting.Tune(e, p, (*Params).bounding, newOracle)
}

func method(name, doc string, fidelity algorithms.Fidelity, p Params) *algorithms.Extractor {
	e := &algorithms.Extractor{
		Description: algorithms.Description{
			Name:   name,
			Family: "ensemble",
			Doc:    doc,
			Cite: algorithms.Cite{
				Authors: "Bevendorff, Gupta, Kiesel, Stein",
				Title:   "An empirical comparison of web content extraction algorithms",
				Venue:   "SIGIR",
				Year:    2023,
				URL:     "https://doi.org/10.1145/3539618.3591920",
			},
			Fidelity: fidelity,
			Departures: []string{
				"The default members are those extractors of Winnow that are nearest to the study's programs: unfluff replaces Goose3, density replaces Resiliparse, and plain replaces the text dumps.",
				"Members vote for words by their position on the page, which needs no threshold for repetitions; each family has one vote, and the result is smoothed within blocks. The study votes over 5-grams, as `ensemble-ngram` does.",
				"`ensemble-ngram` writes line breaks where the page has them, not only blanks.",
				"`ensemble-oracle` is not from the study: it reads the gold and shows the best result that a choice among the members could reach.",
			},
			Cost: algorithms.Linear,
		},
	}
	for _, m := range p.Members {
		e.Members = append(e.Members, m.Extractor)
	}
	return e
}

// These are the notes that an ensemble adds to a row.
const (
	noteAligned   = "aligned_members"
	noteAbstained = "members_abstained"
)

// note adds notes about the members' answers. placed reports whether the ensemble uses the
// locations of the answers on the page.
func note(pass *algorithms.Pass, placed bool) {
	aligned, abstained := false, false
	for i := range pass.Answers {
		a := &pass.Answers[i]
		abstained = abstained || !a.OK || placed && a.Selection == nil
		aligned = aligned || placed && a.Aligned
	}
	if aligned {
		pass.Notes = append(pass.Notes, noteAligned)
	}
	if abstained {
		pass.Notes = append(pass.Notes, noteAbstained)
	}
}
