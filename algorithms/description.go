package algorithms

// Description holds what an Extractor, a Scorer and a Fact have in common: their names,
// their sources and how closely they follow these.
type Description struct {
	Name       string // published short name: "bte", "lqf-50"
	Family     string // variants of one algorithm share it: "lqf"
	Doc        string // what it does (of a scorer: what it measures; of a fact: what it finds), a phrase without a period
	Cite       Cite
	Fidelity   Fidelity
	Departures []string // differences from the source and choices that it leaves open, with reasons; the only list of them
	Cost       Cost
	Params     []Param
}

// Cite is the publication that an extractor or scorer comes from.
type Cite struct {
	Authors string `json:"authors"` // "Finn, Kushmerick, Smyth"
	Title   string `json:"title"`
	Venue   string `json:"venue"`
	Year    int    `json:"year"`
	URL     string `json:"url,omitempty"` // DOI or address; empty if there is none
}

// Fidelity tells how closely an extractor or scorer follows its source.
type Fidelity string

const (
	Exact         Fidelity = "exact"         // the source states every step, or its code shows it
	Partial       Fidelity = "partial"       // the source states the method, but leaves choices open that were made here
	Reconstructed Fidelity = "reconstructed" // the core is rebuilt from descriptions
	Wrapped       Fidelity = "wrapped"       // a program of another project, run as it is
	Experimental  Fidelity = "experimental"  // a new method, or one not yet compared with its source
)

// Cost is how time grows with the size n of the page.
type Cost string

const (
	Linear      Cost = "n"
	NLogN       Cost = "n log n"
	Superlinear Cost = "more" // may be skipped on large pages, with a reason
)

// Param is one setting of an extractor or scorer, with the value it runs with.
type Param struct {
	Name  string `json:"name"`
	Value string `json:"value"` // as published, or as chosen here where the source leaves it open; written as With accepts it
	Doc   string `json:"doc"`
}
