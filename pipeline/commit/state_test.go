package commit

import (
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/winnow/winnow/schemas"
)

// Every state and every event: where it leads, or that it is impossible. The rows are
// in the order of the states, the columns in that of the events.
func TestTransitions(t *testing.T) {
	const none = "-"
	table := []string{
		// report     letter       exhausted    fits        misfits      fails      unusable     rewound      committed
		"planned:     received     received     abandoned   -            -          -            -            -            -",
		"received:    received     received     -           accepted     requested  dead         -            -            -",
		"requested:   received     received     abandoned   accepted     requested  dead         -            -            -",
		"abandoned:   abandoned    abandoned    -           accepted     -          dead         -            -            -",
		"accepted:    accepted     accepted     abandoned   -            -          -            requested    received     committed",
		"dead:        dead         dead         -           -            -          -            -            abandoned    committed",
		"committed:   committed    committed    -           -            -          -            -            -            -",
	}
	if len(table) != len(stateNames) {
		t.Fatalf("the table has %d states, there are %d", len(table), len(stateNames))
	}
	for i, line := range table {
		fields := strings.Fields(line)
		s := state(i)
		if name := dashed(s); fields[0] != name+":" {
			t.Fatalf("row %d is %s, want %s", i, fields[0], name)
		}
		if len(fields)-1 != len(eventNames) {
			t.Fatalf("%s: %d events, there are %d", s, len(fields)-1, len(eventNames))
		}
		for j, want := range fields[1:] {
			got := none
			next, err := s.after(event(j))
			if err == nil {
				got = dashed(next)
			} else if next != s {
				t.Errorf("%s, %s: an impossible event leads to %s", s, event(j), next)
			}
			if got != want {
				t.Errorf("%s, %s: leads to %s, want %s", s, event(j), got, want)
			}
		}
	}
}

func dashed(s state) string { return strings.ReplaceAll(s.String(), " ", "-") }

// The drawing in the package comment has every state and every event.
func TestDrawingIsComplete(t *testing.T) {
	data, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "\n// ", " ")
	for _, name := range slices.Concat(stateNames[:], eventNames[:]) {
		if !strings.Contains(text, name) {
			t.Errorf("doc.go does not name %q", name)
		}
	}
}

// ledgerRun has one file of four items of 100 bytes.
func ledgerRun() *schemas.Run {
	return &schemas.Run{Version: schemas.Version, ID: "r", Hash: "hash", Phase: schemas.PhaseExtract,
		Files: []schemas.File{{URL: "file:///0.warc", Size: 400, Items: 4}}}
}

// reportOf is a report of an attempt at item seq that read [first,next).
func reportOf(run *schemas.Run, seq int, start, first, next int64) *schemas.Done {
	it := run.Item(0, seq)
	it.File.First = start
	return &schemas.Done{Version: schemas.Version, Item: it, ID: it.ID(), First: first, Next: next,
		Shards: []schemas.Shard{{Name: schemas.ShardPrefix("hash", it.ID()) + "documents"}}}
}

func letterOf(run *schemas.Run, seq int, start int64) *schemas.Dead {
	it := run.Item(0, seq)
	it.File.First = start
	return newLetter(it, "crash", "it ends the process", 3)
}

func newTestLedger(run *schemas.Run) *ledger {
	return newLedger(run, shardSet{}, func(*schemas.Done) error { return nil })
}

// settleAll takes what can be taken, and returns the states of the items and those
// that must be run again.
func settleAll(t *testing.T, l *ledger) (states string, again []schemas.ItemID) {
	t.Helper()
	for {
		it, request, err := l.next()
		if err != nil {
			t.Fatal(err)
		}
		if request != nil {
			again = append(again, request.ID())
		}
		if it == nil && request == nil {
			return statesOf(l), again
		}
	}
}

func statesOf(l *ledger) string {
	var names []string
	for seq := range l.run.Files[0].Items {
		names = append(names, l.stateOf(itemKey{0, seq}).String())
	}
	return strings.Join(names, ", ")
}

// The chain of a file is repaired: an item that began elsewhere is requested once, and
// accepted when it begins where the item before ended.
func TestLedgerRequestsWhatDoesNotFit(t *testing.T) {
	run := ledgerRun()
	l := newTestLedger(run)
	receive := func(d *schemas.Done) {
		t.Helper()
		if _, err := l.receive(d); err != nil {
			t.Fatal(err)
		}
	}
	step := func(want string, wantAgain ...schemas.ItemID) {
		t.Helper()
		if got, again := settleAll(t, l); got != want || !slices.Equal(again, wantAgain) {
			t.Errorf("%s; run again %v\nwant %s; %v", got, again, want, wantAgain)
		}
	}
	receive(reportOf(run, 1, -1, 105, 200)) // a guess in the middle of a record
	receive(reportOf(run, 3, -1, 300, 400))
	step("planned, received, planned, received")
	receive(reportOf(run, 0, -1, 0, 130))
	step("accepted, requested, planned, received", "f00000-i00001-s130")
	receive(reportOf(run, 1, -1, 107, 200)) // another attempt with a wrong guess
	step("accepted, requested, planned, received")
	receive(reportOf(run, 1, 130, 130, 320)) // it ends with a record that reaches into the last item
	step("accepted, accepted, planned, received")
	receive(reportOf(run, 2, -1, 210, 320)) // item 2 holds no start of a record: its report is discarded
	step("accepted, accepted, accepted, requested", "f00000-i00003-s320")
	if waiting := slices.Collect(first(l.waiting())); len(waiting) != 1 || waiting[0].ID() != "f00000-i00003-s320" {
		t.Errorf("waits for %v", waiting)
	}
	if err := l.receiveLetter(letterOf(run, 3, -1)); err != nil { // about the first attempt
		t.Fatal(err)
	}
	step("accepted, accepted, accepted, requested")
	if err := l.receiveLetter(letterOf(run, 3, 320)); err != nil {
		t.Fatal(err)
	}
	step("accepted, accepted, accepted, dead")
	if !l.settled() {
		t.Error("the ledger still waits")
	}
	if err := l.commit(); err != nil || statesOf(l) != "committed, committed, committed, committed" || len(l.items) != 0 {
		t.Errorf("%s, %d records, %v", statesOf(l), len(l.items), err)
	}
	if superfluous, err := l.receive(reportOf(run, 1, 130, 130, 320)); !superfluous || err != nil {
		t.Errorf("a report about a committed item is superfluous: %v, %v", superfluous, err)
	}
}

// A repair takes the whole part back and requests the damaged items alone, three times
// at most.
func TestLedgerRepairs(t *testing.T) {
	run := ledgerRun()
	l := newTestLedger(run)
	for seq := range 3 {
		from := int64(100 * seq)
		if _, err := l.receive(reportOf(run, seq, -1, from, from+100)); err != nil {
			t.Fatal(err)
		}
	}
	cause := map[itemKey]error{{0, 1}: errors.New("checksum")}
	for n := range maxRepairs {
		if got, _ := settleAll(t, l); got != "accepted, accepted, accepted, planned" {
			t.Fatal(got)
		}
		again, abandoned, err := l.repair(cause)
		if err != nil || len(again) != 1 || len(abandoned) != 0 {
			t.Fatalf("%d again, %d abandoned, %v", len(again), len(abandoned), err)
		}
		if got := statesOf(l); got != "received, requested, received, planned" {
			t.Fatal(got)
		}
		it := l.request(again[0])
		if it.ID() != "f00000-i00001-s100" {
			t.Errorf("%s is requested", it.ID())
		}
		d := reportOf(run, 1, 100, 100, 200)
		d.Shards[0].Name += strings.Repeat("x", n)
		if n == 0 {
			d.Shards[0].Name = reportOf(run, 1, -1, 100, 200).Shards[0].Name
			if _, err := l.receive(d); err != nil || l.stateOf(itemKey{0, 1}) != requested {
				t.Errorf("the report of the damaged attempt counts: %v", err)
			}
			d.Shards[0].Name += "-again"
		}
		if _, err := l.receive(d); err != nil {
			t.Fatal(err)
		}
	}
	settleAll(t, l)
	if again, abandoned, err := l.repair(cause); err != nil || len(again) != 0 || len(abandoned) != 1 || abandoned[0].end.Reason != reasonShards {
		t.Fatalf("%v again, %v abandoned, %v", again, abandoned, err)
	}
	if got, _ := settleAll(t, l); got != "accepted, dead, accepted, planned" {
		t.Error(got)
	}
}

// An item of which only refused reports come is abandoned when it is quiet, and not if
// one good report came.
func TestLedgerAbandonsWhatIsAlwaysRefused(t *testing.T) {
	run := ledgerRun()
	l := newTestLedger(run)
	for range maxRefusals {
		for seq := range 2 {
			it := run.Item(0, seq)
			l.refuse(&it, errors.New("it contradicts itself"))
		}
		if abandoned, err := l.quiet(); len(abandoned) > 0 != (l.items[itemKey{0, 0}].refusals == maxRefusals) || err != nil {
			t.Fatalf("%d abandoned, %v", len(abandoned), err)
		}
		if l.stateOf(itemKey{0, 1}) == planned {
			if _, err := l.receive(reportOf(run, 1, -1, 100, 200)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := statesOf(l); got != "abandoned, received, planned, planned" {
		t.Fatal(got)
	}
	if got, _ := settleAll(t, l); got != "dead, accepted, planned, planned" {
		t.Error(got)
	}
}

// Whatever order reports and letters come in, and however often, no event is
// impossible, and every item ends in the same state.
func TestLedgerTakesAnyOrder(t *testing.T) {
	run := ledgerRun()
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 7))
		l := newTestLedger(run)
		var deliver []func() error
		for seq := range 4 {
			from := int64(100 * seq)
			good := func() error { _, err := l.receive(reportOf(run, seq, -1, from, from+100)); return err }
			wrong := func() error { _, err := l.receive(reportOf(run, seq, -1, from+7, from+100)); return err }
			letter := func() error { return l.receiveLetter(letterOf(run, seq, from+7)) }
			deliver = append(deliver, good, good, wrong, letter)
		}
		r.Shuffle(len(deliver), func(i, j int) { deliver[i], deliver[j] = deliver[j], deliver[i] })
		rewound := false
		for _, f := range deliver {
			if err := f(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if r.IntN(3) > 0 {
				continue
			}
			settleAll(t, l)
			if len(l.part) > 0 && !rewound && r.IntN(3) == 0 {
				rewound = true
				if _, _, err := l.repair(nil); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			} else if r.IntN(3) == 0 {
				if err := l.commit(); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			if _, err := l.quiet(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		settleAll(t, l)
		if err := l.commit(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		// A letter about an attempt that began elsewhere ends the wait only if nothing
		// else was received: then the item is given up, and the next ones are unverified.
		if got := statesOf(l); got != "committed, committed, committed, committed" {
			t.Fatalf("seed %d: %s", seed, got)
		}
	}
}
