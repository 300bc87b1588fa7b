package main

import (
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/schemas"
)

// TestStatusOfAnUnfinishedRun is worked out by hand: six items of four files, of which
// three are accepted and one is dead.
func TestStatusOfAnUnfinishedRun(t *testing.T) {
	at := time.Date(2026, 3, 1, 2, 0, 0, 0, time.UTC)
	m := &schemas.Manifest{
		Run: schemas.Run{ID: "r", Phase: schemas.PhaseExtract, Phases: schemas.Phases, Files: []schemas.File{
			{Size: 100, Items: 2}, {Size: 50, Items: 1}, {Size: 80, Items: 3}, {Size: 9, Refused: "not-warc"}}},
		Parts: []schemas.Part{
			{Items: []schemas.Commit{{File: 0, Seq: 0}, {File: 0, Seq: 1}},
				Counts: schemas.Counts{Records: 5, Pages: 2, Bytes: 100, Refused: map[string]int64{"charset": 1}},
				Inputs: []schemas.Input{{File: 0, Defects: map[string]int64{"eol-odd": 1}}}}, // a note is no damage
			{Items: []schemas.Commit{{File: 1}, {File: 2, Dead: true}},
				Counts: schemas.Counts{Records: 4, Pages: 1, Bytes: 50},
				Inputs: []schemas.Input{{File: 1, Defects: map[string]int64{"truncated": 1}}}},
		},
		Aggregators: []schemas.Aggregator{{Name: "first"}, {Name: "second"}},
		Started:     at.Add(-time.Hour), Committed: at,
	}
	s := statusOf(m, at.Add(90*time.Second))
	s.Out = "file:///out"
	var text strings.Builder
	s.print(&text)
	const want = `run r in file:///out
not finished, phase extract; planned 2026-03-01T01:00:00Z
items: 3 of 6 accepted, 1 dead, 2 open; 2 parts
files: 4, 1 of them refused, 2 damaged
bytes: 150 B of 239 B
records: 9, 3 of them pages, 1 refused
speed: 0.0 pages/s, 30m0s left
last commit: 1m30s ago, by second
`
	if got := text.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	s.Queue = &queueStatus{State: schemas.RunActive, Waiting: 1, Working: 1, Workers: []string{"w"}}
	const line = "02:02:00 r extract: 4 of 6 items, 1 waiting, 1 worked on, 1 worker, 3 pages, 0/s, 1 dead, 2 files damaged, 30m0s left"
	if got := s.line(at.Add(2 * time.Minute)); got != line {
		t.Errorf("got\n%s\nwant\n%s", got, line)
	}
	// The clock of this machine may be behind that of the aggregator.
	if s := statusOf(m, at.Add(-time.Minute)); s.SinceCommit != 0 {
		t.Errorf("%v s since the last commit", s.SinceCommit)
	}
	if s := statusOf(&schemas.Manifest{}, at); s.SinceCommit != 0 || s.Finished {
		t.Errorf("%+v", *s)
	}
}
