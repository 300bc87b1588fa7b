package schemas

// Progress is what is remembered of an item that did not succeed at first. A
// worker that finds one knows what happened to those before it.
type Progress struct {
	Version int `json:"version"`
	// Attempts are all that were begun, Retries those of them that ended in
	// order: something needed was away, or the worker was told to stop. They say
	// nothing against the item. The others ended with their process.
	Attempts int    `json:"attempts"`
	Retries  int    `json:"retries,omitempty"`
	Cause    string `json:"cause,omitempty"` // of the last retry

	// At is the record that is being worked on, nil between records.
	At *Place `json:"at,omitempty"`
	// Crashes are the records at which attempts ended.
	Crashes []Crash `json:"crashes,omitempty"`
}

// Place is the address of a record within its file.
type Place struct {
	Offset  int64 `json:"offset"`  // of the unit that holds the record
	Ordinal int32 `json:"ordinal"` // of the record within the unit
}

// Crash is a record at which the process ended, and how often.
type Crash struct {
	Place
	Times int `json:"times"`
}
