package algorithms

import "errors"

const (
	// MaxSample is the most pages of one site that a Sample may have: a page's
	// place in it is a bit of a uint64.
	MaxSample = 64
	// MaxLinked is the most link candidates of a Sample.
	MaxLinked = 16
	// MaxSketch bounds what one page contributes, in bytes as Sketch returns them.
	MaxSketch = 512 << 10
	// MaxTemplate bounds what is learned about one site, in bytes as Finish
	// returns them. It is a bound before compression, so that what is evicted
	// does not hang on a version of the compressor.
	MaxTemplate = 256 << 10
)

var (
	// ErrPageTooLarge means that a page is over an extractor's bound. When learning
	// the page is left out of the sample, when extracting it is skipped.
	ErrPageTooLarge = errors.New("page is over the extractor's size bound")
	// ErrOversize means that a template cannot be cut down to MaxTemplate.
	ErrOversize = errors.New("template is over its size bound")
	// ErrTooFewPages means that Finish needs more pages than it was given, beyond
	// Learner.MinPages: for example two that link to each other.
	ErrTooFewPages = errors.New("too few pages to learn from")
)

// Notes that several site-level extractors leave on what they learned or chose.
const (
	// NoteTruncated means that the template was cut down to its size bound.
	NoteTruncated = "truncated"
	// NoteNoMatch means that nothing on the page is template; in most cases the page was
	// made with another template.
	NoteNoMatch = "no_match"
)

// Learner is how a site-level extractor learns a template from sample pages of one
// site. Sketch and Finish are pure, and their results deterministic bytes that
// cross processes: map order, floating point that may be fused, and pointers
// must not show in them.
type Learner struct {
	Version  int // version of the bytes of Sketch and Finish
	MinPages int // fewer usable sample pages: no template

	// As names what is learned where several extractors apply the same template
	// ("temex" for both temex and conex); it must then hold the settings that
	// matter to learning. Empty means that the template is the extractor's own.
	As string

	// Pages is how many pages a sample has if the site has enough, at most
	// MaxSample; 0 means the default of 25.
	Pages int

	// LeaveOneOut means that Run ignores what the page itself contributed to the template
	// (Template.Page).
	LeaveOneOut bool

	// Linked asks for the pages that the sample links to most as well
	// (Sample.Linked).
	Linked bool

	// Sketch is what one page, without a template, contributes: at most MaxSketch
	// bytes. ErrPageTooLarge leaves the page out.
	Sketch func(p *Pass) ([]byte, error)

	// Finish folds the sketches into a template. ErrOversize and ErrTooFewPages
	// mean that there is none; other errors are defects.
	Finish func(s *Sample) (Learned, error)

	// Open decodes a Learned.Body into the form that Run reads, once for all pages of a
	// site. Goroutines share the value, so it must not change. The bytes may come from
	// outside: Open validates them and limits what they may cost.
	Open func(body []byte) (any, error)
}

// Sample holds the sketches of one site's pages.
type Sample struct {
	Pages  []Sketched // ascending by rank, at most MaxSample; a page's index is its place
	Linked []Sketched // for a Learner with Linked: best candidate first, at most MaxLinked; may repeat pages of Pages
}

// Sketched is one page of a Sample.
type Sketched struct {
	Rank uint64 // rank of its canonical URL, or of a redirect to it that pages link to: names the page, smaller is earlier
	Data []byte // what Sketch returned
}

// Learned is the result of Finish.
type Learned struct {
	Body     []byte   // at most MaxTemplate bytes
	Notes    []string // from a closed set that the extractor documents: "truncated", "cs_fallback"
	Clusters int      // number of clusters of pages, for extractors that cluster; else 0
	Nothing  bool     // learning succeeded, and nothing was found to be template
}

// Template is what a Learner learned, ready to be applied to a page.
type Template struct {
	Value any      // as Learner.Open returned it
	Ranks []uint64 // ranks of the sample's pages, in order

	// Page is the index in the sample of the page being extracted, or -1. An extractor
	// that counts pages leaves this one out, so that pages inside and outside the sample
	// are treated alike.
	Page int

	// Cluster is set by Run to the number, from 1, of the cluster of pages that this page
	// belongs to; 0 if it belongs to none or the extractor has no clusters.
	Cluster int
}
