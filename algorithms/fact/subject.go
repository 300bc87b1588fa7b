package fact

import (
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/page"
)

// Subject is everything that a fact may read, and where it writes.
type Subject struct {
	// Pass holds the page with the features and the working memory that extractors and
	// facts share (Feature, Scratch). A fact does not change it otherwise.
	Pass    *algorithms.Pass
	Headers []Header // fields of the HTTP response that say something about the page
	Index   []Header // fields of the index line that led to the page; none if there was no index
	// Site is what files of the page's host state about the page; nil if they were not read.
	Site *Site
	// Text is the text of the extractor, for facts of the text; nil for facts of the page.
	Text []byte
	// Main is what the first extractor of the run that selected something of the page
	// chose; nil if there is none, and for facts of the text. Extractors that failed or
	// were skipped are passed over, and so are programs (Extractor.Command), whose text is found on
	// the page afterwards.
	Main *page.Selection

	Out   []Value
	Links *Links // see Finder.Links
}

// Header is a field of an HTTP response, or of an index.
type Header struct{ Name, Value string } // Name is in lower case

// Site is what the files robots.txt and tdmrep.json of a page's host say about the page.
type Site struct {
	// Allowed and Disallowed are the robots that the user named, in lower case and in order:
	// those that may fetch the page, and those that may not. Without a robots.txt there are
	// none.
	Allowed, Disallowed []string
	// Headers are statements that a response could make, too: Content-Usage, Content-Signal,
	// TDM-Reservation and TDM-Policy.
	Headers []Header
}

// Links are the links of a page, in the order of the page. Their strings are ranges of
// Text, so that a page with a hundred links takes two allocations and no more.
type Links struct {
	Text []byte
	List []Link
}

// Link is a link of a page to another.
type Link struct {
	Target page.Span // absolute address
	Anchor page.Span // what a reader sees of the link; may be empty
	Rel    page.Span // relations of the link, in lower case; may be empty
	InMain bool      // see Subject.Main
}

// Reset empties l and keeps its memory.
func (l *Links) Reset() { l.Text, l.List = l.Text[:0], l.List[:0] }
