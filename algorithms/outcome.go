package algorithms

// Outcome is the end of one extractor on one page. The set is closed.
type Outcome string

const (
	OK      Outcome = "ok"
	Empty   Outcome = "empty"   // ran and found nothing: an answer
	Skipped Outcome = "skipped" // not run: a decision, with a reason
	Failed  Outcome = "failed"  // ran and did not finish, with a reason
)

// Reason is why an Outcome is Skipped or Failed. The set is closed.
type Reason string

const (
	NoReason Reason = ""

	// Failed.
	ReasonPanic   Reason = "panic"   // the extractor panicked
	ReasonError   Reason = "error"   // the extractor returned an error
	ReasonTimeout Reason = "timeout" // it used up its time on this page
	ReasonMemory  Reason = "memory"  // it used up its memory on this page
	ReasonCrash   Reason = "crash"   // its process ended
	ReasonInvalid Reason = "invalid" // its selection broke the contract

	// Skipped.
	ReasonTooLarge     Reason = "page_too_large" // the page is over the extractor's size bound
	ReasonDeclined     Reason = "declined"       // a program leaves the page out: it has no answer to give
	ReasonTooFewPages  Reason = "too_few_pages"  // the site has too few pages to learn from
	ReasonNoTemplate   Reason = "no_template"    // nothing was learned about the site
	ReasonLearnFailed  Reason = "learn_failed"   // learning the site's template failed
	ReasonOversize     Reason = "oversize"       // the template is over its size bound
	ReasonStaleVersion Reason = "stale_template" // the template is of another version
	ReasonNoMembers    Reason = "no_members"     // no member of the ensemble answered

	// Scores.
	ReasonNoGold     Reason = "no_gold"       // the page has no gold; of an oracle also why it was skipped
	ReasonNoAnswer   Reason = "no_answer"     // the extractor failed or was skipped
	ReasonNoSpans    Reason = "no_spans"      // the scorer needs spans, the extractor has none
	ReasonTooLong    Reason = "text_too_long" // beyond the scorer's size bound
	ReasonNotDefined Reason = "not_defined"   // the scorer has no value here
)
