package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// kind is a kind of fault.
type kind string

const (
	kill      kind = "kill"      // SIGKILL; the process is started again a little later
	stop      kind = "stop"      // SIGSTOP, then SIGCONT
	restart   kind = "restart"   // SIGTERM, and a new start; ingest, which has ended, is started a second time
	cut       kind = "cut"       // all connections to a broker are cut, and new ones refused
	slow      kind = "slow"      // connections to a broker carry a few kilobytes a second
	duplicate kind = "duplicate" // items and reports are published a second time
	disk      kind = "disk"      // the file system of the output folder is full
	bucket    kind = "bucket"    // the object store fails, throttles, cuts connections
	rollback  kind = "rollback"  // the broker loses its last writes, as without sync at a loss of power
	forget    kind = "forget"    // the broker loses everything
	node      kind = "node"      // one or two of three brokers are killed, and started again
	wipe      kind = "wipe"      // one of three brokers loses its store
	clock     kind = "clock"     // the clock of a program or a broker is wrong for a while
)

var allKinds = []kind{kill, stop, restart, cut, slow, duplicate, disk, bucket, rollback, forget, node, wipe, clock}

// parseKinds reads the value of --faults.
func parseKinds(s string) ([]kind, error) {
	if s == "all" {
		return allKinds, nil
	}
	var kinds []kind
	for name := range strings.SplitSeq(s, ",") {
		k := kind(strings.TrimSpace(name))
		if !slices.Contains(allKinds, k) {
			return nil, fmt.Errorf("--faults: unknown fault %q: want all, or of %s", k, names(allKinds))
		}
		if !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	return kinds, nil
}

// event is one fault of a plan.
type event struct {
	At     time.Duration `json:"at"` // after the programs were started
	Kind   kind          `json:"fault"`
	Target string        `json:"target"` // a process, several brokers, or how an object store fails
	For    time.Duration `json:"for"`
	By     time.Duration `json:"by,omitempty"` // how far a clock is set forward, or back
}

func (e event) String() string {
	if e.By != 0 {
		return fmt.Sprintf("%.2fs %s %s by %s for %.2fs", e.At.Seconds(), e.Kind, e.Target, e.By, e.For.Seconds())
	}
	return fmt.Sprintf("%.2fs %s %s for %.2fs", e.At.Seconds(), e.Kind, e.Target, e.For.Seconds())
}

// plan says what happens in a trial.
type plan struct {
	Seed        uint64
	Task        string // a key of tasks
	Kinds       []kind
	Nodes       int  // brokers, and replicas of streams
	Sync        bool // brokers sync every write (sync_interval: always)
	Bucket      bool
	Disk        bool
	Workers     int
	Slots       int
	Aggregators int
	Events      []event
}

const (
	// The run of an undisturbed trial takes some seconds. Most faults happen meanwhile.
	lastFault = 6 * time.Second
	maxEvents = 8
)

// newPlan returns the plan of a seed: it depends on the arguments alone. The first kind of
// fault is that of the seed's number, so that consecutive seeds try all kinds equally; up
// to two others are mixed in.
func newPlan(seed uint64, kinds []kind) plan {
	rng := rand.New(rand.NewPCG(seed, 0x77696e6e6f77))
	first := kinds[seed%uint64(len(kinds))]
	p := plan{Seed: seed, Task: "pages", Kinds: []kind{first}, Nodes: 1,
		Workers: 1 + rng.IntN(3), Slots: 1 + rng.IntN(2), Aggregators: 1 + rng.IntN(2)}
	if rng.IntN(4) == 0 {
		p.Task = "sites"
	}
	for range rng.IntN(3) {
		k := kinds[rng.IntN(len(kinds))]
		if !slices.Contains(p.Kinds, k) && compatible(append(p.Kinds, k)) {
			p.Kinds = append(p.Kinds, k)
		}
	}
	if slices.ContainsFunc(p.Kinds, ofCluster) {
		p.Nodes = 3
	}
	p.Bucket, p.Disk = slices.Contains(p.Kinds, bucket), slices.Contains(p.Kinds, disk)
	events := 1 + rng.IntN(maxEvents)
	for i := range events {
		k := p.Kinds[i%len(p.Kinds)]
		if i > 0 && single(k) {
			continue
		}
		p.Events = append(p.Events, p.event(rng, k))
	}
	for _, k := range p.Kinds { // every kind happens, however few events there are
		if !slices.ContainsFunc(p.Events, func(e event) bool { return e.Kind == k }) {
			p.Events = append(p.Events, p.event(rng, k))
		}
	}
	// A broker that syncs every write loses none, so no store is taken back then.
	p.Sync = rng.IntN(2) == 0 && !slices.Contains(p.Kinds, rollback)
	slices.SortStableFunc(p.Events, func(a, b event) int { return cmp.Compare(a.At, b.At) })
	return p
}

// ofCluster reports whether a fault needs three brokers.
func ofCluster(k kind) bool { return k == node || k == wipe }

// single reports whether a fault happens once in a trial: duplicates last long, and a
// broker whose data were taken back, or a cluster that copies a store again, needs its time.
func single(k kind) bool { return k == rollback || k == forget || k == wipe || k == duplicate }

// compatible reports whether faults can be tried together. A broker that loses its data
// stands alone: of three, the others would keep them. Of three brokers at most one may be
// without its data, so a wiped one is not mixed with others being killed.
func compatible(kinds []kind) bool {
	has := func(k kind) bool { return slices.Contains(kinds, k) }
	alone := has(rollback) || has(forget)
	return !(alone && slices.ContainsFunc(kinds, ofCluster)) && !(has(rollback) && has(forget)) &&
		!(has(bucket) && has(disk)) && !(has(wipe) && (has(node) || has(kill) || has(stop) || has(restart)))
}

// event draws one fault of a kind.
func (p *plan) event(rng *rand.Rand, k kind) event {
	between := func(least, most time.Duration) time.Duration {
		return least + time.Duration(rng.Int64N(int64(most-least)))
	}
	e := event{At: between(100*time.Millisecond, lastFault), Kind: k, For: between(200*time.Millisecond, 2*time.Second)}
	pick := func(of ...string) { e.Target = of[rng.IntN(len(of))] }
	switch k {
	case kill, restart:
		pick(append(p.programs(), p.brokers()...)...)
	case stop:
		pick(append(p.programs(), p.brokers()...)...)
		e.For = between(300*time.Millisecond, 9*time.Second) // past leases, and past the time after which a broker drops a client
	case cut, slow:
		pick(p.brokers()...)
		e.For = between(200*time.Millisecond, 5*time.Second)
	case duplicate:
		e.Target, e.At, e.For = "items and reports", between(0, 2*time.Second), 10*time.Second
	case disk:
		e.Target, e.For = "output folder", between(time.Second, 6*time.Second)
	case bucket:
		pick("503", "429", "500", "403", "reset", "stall")
		e.For = between(500*time.Millisecond, 5*time.Second)
	case rollback, forget:
		e.Target, e.At = p.brokers()[0], between(time.Second, lastFault)
		e.For = between(300*time.Millisecond, 3*time.Second)
	case node:
		brokers := p.brokers()
		rng.Shuffle(len(brokers), func(i, j int) { brokers[i], brokers[j] = brokers[j], brokers[i] })
		e.Target = strings.Join(brokers[:1+rng.IntN(2)], "+")
		e.For = between(200*time.Millisecond, 6*time.Second)
	case wipe:
		pick(p.brokers()...)
	case clock:
		pick(append(p.programs(), p.brokers()...)...)
		e.For = between(300*time.Millisecond, 9*time.Second)
		e.By = []time.Duration{time.Second, 20 * time.Second, 10 * time.Minute, 2 * time.Hour, 26 * time.Hour}[rng.IntN(5)]
		if rng.IntN(2) == 0 {
			e.By = -e.By
		}
	}
	return e
}

// programs returns the names of the processes of Winnow.
func (p *plan) programs() []string {
	names := []string{"ingest"}
	for i := range p.Workers {
		names = append(names, fmt.Sprintf("worker%d", i))
	}
	for i := range p.Aggregators {
		names = append(names, fmt.Sprintf("aggregate%d", i))
	}
	return names
}

// brokers returns the names of the brokers.
func (p *plan) brokers() []string {
	var names []string
	for i := range p.Nodes {
		names = append(names, fmt.Sprintf("broker%d", i))
	}
	return names
}
