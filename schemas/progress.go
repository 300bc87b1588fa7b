package schemas

import "time"

// Progress is what is remembered of an item that did not succeed at first, across
// processes. It is the item's entry in the crash journal.
type Progress struct {
	Version int `json:"version"`
	// Attempts are all that were begun, Retries those of them that ended in
	// order: something needed was away, or the worker was told to stop. They say
	// nothing against the item. Nor do the others by themselves: that an attempt was
	// not settled may have many reasons.
	Attempts int    `json:"attempts"`
	Retries  int    `json:"retries,omitempty"`
	Cause    string `json:"cause,omitempty"` // of the last retry

	// Unreadable is since when the input could not be read; nil if the last attempt
	// could read it.
	Unreadable *Unreadable `json:"unreadable,omitempty"`

	// At is where the present attempt is; nil if nothing is read.
	At *Mark `json:"at,omitempty"`
	// Crashes are the locations at which attempts ended with their process.
	Crashes []Crash `json:"crashes,omitempty"`
}

// Place is the address of a record within its file.
type Place struct {
	Offset  int64 `json:"offset"`  // of the unit that holds the record
	Ordinal int32 `json:"ordinal"` // of the record within the unit
}

// Mark says where an attempt is: at a record, or reading on behind it.
type Mark struct {
	Location Place  `json:"location"`
	Behind   bool   `json:"behind,omitempty"`  // the record is done
	Alone    bool   `json:"alone,omitempty"`   // the worker works on nothing else
	Resting  bool   `json:"resting,omitempty"` // the worker works on nothing at all
	Worker   string `json:"worker,omitempty"`
}

// Crash is a location at which the process ended, and how often.
type Crash struct {
	Location Place    `json:"location"`
	Behind   bool     `json:"behind,omitempty"` // it was reading on behind the record
	Times    int      `json:"times"`
	Alone    int      `json:"alone,omitempty"` // of these, while the worker worked on nothing else
	Workers  []string `json:"workers,omitempty"`
}

// Unreadable is what is remembered of an input that cannot be read.
type Unreadable struct {
	Since   time.Time `json:"since"`
	Times   int       `json:"times"`
	Workers []string  `json:"workers"` // that could not read it
}
