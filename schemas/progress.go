package schemas

// Progress is what is remembered of an item that did not succeed at first. A
// worker that finds one knows what happened to those before it.
type Progress struct {
	Version int `json:"version"`
	// Retries are attempts that ended in order: something needed was away, or
	// the worker was told to stop. They say nothing against the item.
	Retries int    `json:"retries"`
	Cause   string `json:"cause,omitempty"` // of the last retry

	// At is the record that is being worked on in careful mode, nil between
	// records; Crashes counts the attempts that ended there.
	At      *Place `json:"at,omitempty"`
	Crashes int    `json:"crashes,omitempty"`
	// GivenUp are the records at which the process ended too often.
	GivenUp []Place `json:"given_up,omitempty"`
}

// Place is the address of a record within its file.
type Place struct {
	Offset  int64 `json:"offset"`  // of the unit that holds the record
	Ordinal int32 `json:"ordinal"` // of the record within the unit
}
