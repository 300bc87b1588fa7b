package commit

import "fmt"

// state of an item within the run's current phase. The package comment draws the
// transitions.
type state uint8

const (
	// planned: the item is published, and no usable report of it was received.
	planned state = iota
	// received: reports or dead letters wait for the item's turn in its file's chain.
	received
	// requested: the item was published again, because no report fits the item before
	// it, or because its shards could not be used.
	requested
	// abandoned: the committer stopped waiting for a usable report.
	abandoned
	// accepted: one report was accepted. Its rows belong to the part that is being
	// gathered.
	accepted
	// dead: the item has no result. Its bytes are listed as lost in the part that
	// is being gathered.
	dead
	// committed: the item is in a part of the manifest.
	committed
)

var stateNames = [...]string{"planned", "received", "requested", "abandoned", "accepted", "dead", "committed"}

func (s state) String() string { return stateNames[s] }

// event is what may happen to an item.
type event uint8

const (
	// reportReceived: a report came that fits the plan and adds up.
	reportReceived event = iota
	// letterReceived: a dead letter about the item came.
	letterReceived
	// attemptsExhausted: too many attempts left nothing that can be used.
	attemptsExhausted
	// turnFits: it is the item's turn, and a report begins where the item before ended.
	turnFits
	// turnMisfits: it is the item's turn, and every report begins elsewhere.
	turnMisfits
	// turnFails: it is the item's turn, no report fits, and nothing more will come.
	turnFails
	// shardsUnusable: the shards of the accepted report are gone, damaged or not as
	// reported.
	shardsUnusable
	// partRewound: shards of another item of the same part are unusable, so the part
	// is gathered again.
	partRewound
	// partCommitted: the part that holds the item is in the manifest.
	partCommitted
)

var eventNames = [...]string{"report received", "dead letter received", "attempts exhausted", "turn fits", "turn misfits",
	"turn fails", "shards unusable", "part rewound", "part committed"}

func (e event) String() string { return eventNames[e] }

// transitions has the next state for each state and possible event.
var transitions = map[state]map[event]state{
	planned: {
		reportReceived:    received,
		letterReceived:    received,
		attemptsExhausted: abandoned,
	},
	received: {
		reportReceived: received,
		letterReceived: received,
		turnFits:       accepted,
		turnMisfits:    requested,
		turnFails:      dead,
	},
	requested: {
		reportReceived:    received,
		letterReceived:    received,
		attemptsExhausted: abandoned,
		turnFits:          accepted, // an attempt that was reported before the request
		turnMisfits:       requested,
		turnFails:         dead,
	},
	abandoned: {
		reportReceived: abandoned,
		letterReceived: abandoned,
		turnFits:       accepted, // a good report that came late
		turnFails:      dead,
	},
	accepted: {
		reportReceived:    accepted, // kept, in case the accepted shards are unusable
		letterReceived:    accepted,
		attemptsExhausted: abandoned,
		shardsUnusable:    requested,
		partRewound:       received,
		partCommitted:     committed,
	},
	dead: {
		reportReceived: dead,
		letterReceived: dead,
		partRewound:    abandoned,
		partCommitted:  committed,
	},
	committed: {
		reportReceived: committed, // its shards are superfluous
		letterReceived: committed,
	},
}

// after returns the state that follows s when e happens. An error means that e cannot
// happen in s, which is a defect of this package.
func (s state) after(e event) (state, error) {
	next, ok := transitions[s][e]
	if !ok {
		return s, fmt.Errorf("the event %q is impossible in the state %q", e, s)
	}
	return next, nil
}
