package schemas

import (
	"fmt"
	"time"
)

// Progress is an item's entry in the crash journal. It exists for items whose first
// attempt did not succeed, and is kept across processes.
type Progress struct {
	Version int `json:"version"`
	// Attempts counts all attempts that were begun. Retries counts those that ended
	// in order, because something needed was not available or the worker was told to
	// stop. Neither count shows that the item is at fault: there are many reasons why
	// an attempt may not have been settled.
	Attempts int    `json:"attempts"`
	Retries  int    `json:"retries,omitempty"`
	Cause    string `json:"cause,omitempty"` // cause of the last retry

	// Unreadable records since when the input could not be read. It is nil if the last
	// attempt could read it.
	Unreadable *Unreadable `json:"unreadable,omitempty"`

	// Note tells what the current attempt is doing. It is nil while nothing is read.
	Note *Note `json:"note,omitempty"`
	// Crashes lists the steps at which the process ended during an attempt.
	Crashes []Crash `json:"crashes,omitempty"`
}

// Location is the position of a record in its file.
type Location struct {
	Offset  int64 `json:"offset"`  // start of the compressed unit that holds the record
	Ordinal int32 `json:"ordinal"` // number of the record within the unit
}

// Activity is what an attempt does in a step.
type Activity string

// All activities.
const (
	AtBeginning Activity = "beginning"    // it has read nothing, or reads the first record
	AtRecord    Activity = "record"       // it works on the record at Step.Location
	AfterRecord Activity = "after-record" // it has worked on that record and reads on
	AtSite      Activity = "site"         // it learns Step.Site
	AfterSite   Activity = "after-site"   // it has learned that site and goes on
)

// Step is a point in an attempt at an item. Steps are compared with ==.
type Step struct {
	Activity Activity `json:"activity"`
	Location Location `json:"location,omitzero"` // location of a record
	Site     string   `json:"site,omitempty"`
}

// AtLocation returns the step of working on the record at l.
func AtLocation(l Location) Step { return Step{Activity: AtRecord, Location: l} }

// Learning returns the step of learning a site.
func Learning(site string) Step { return Step{Activity: AtSite, Site: site} }

// Between reports whether the step works on no record and no site. If the process ends
// in such a step, the cause is the reading or something outside of the process.
func (s Step) Between() bool { return s.Activity != AtRecord && s.Activity != AtSite }

// After returns the step that follows the work on a record or a site.
func (s Step) After() Step {
	switch s.Activity {
	case AtRecord:
		s.Activity = AfterRecord
	case AtSite:
		s.Activity = AfterSite
	}
	return s
}

// String returns the step for the log.
func (s Step) String() string {
	switch s.Activity {
	case AtBeginning:
		return "at the beginning of the item"
	case AtRecord:
		return fmt.Sprintf("at record %d of offset %d", s.Location.Ordinal, s.Location.Offset)
	case AfterRecord:
		return fmt.Sprintf("after record %d of offset %d", s.Location.Ordinal, s.Location.Offset)
	case AtSite:
		return "at site " + s.Site
	}
	return "after site " + s.Site
}

// Note is the current step of an attempt.
type Note struct {
	Step    Step   `json:"step"`
	Alone   bool   `json:"alone,omitempty"`   // the worker works on nothing else
	Resting bool   `json:"resting,omitempty"` // the worker works on nothing at all
	Worker  string `json:"worker,omitempty"`
}

// Crash is a step at which the process ended, and how often.
type Crash struct {
	Step    Step     `json:"step"`
	Times   int      `json:"times"`
	Alone   int      `json:"alone,omitempty"` // how many of these happened while the worker worked on nothing else
	Workers []string `json:"workers,omitempty"`
}

// Unreadable records the failures to read an input.
type Unreadable struct {
	Since   time.Time `json:"since"`
	Times   int       `json:"times"`
	Workers []string  `json:"workers"` // workers that could not read it
	// Last is the time of the last failure, by the clock of its worker. Lasted is the time
	// between all failures. It is bounded so that setting a clock changes it little.
	Last   time.Time     `json:"last"`
	Lasted time.Duration `json:"lasted_ns"`
}
