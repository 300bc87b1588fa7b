package commit

import (
	"slices"

	"github.com/winnow/winnow/schemas"
)

// lostRange tracks the bytes of a file that are not in any accepted item.
type lostRange struct {
	from   int64         // every byte before it is in an accepted item or was listed
	open   bool          // an item was given up, and no later one was accepted yet
	letter *schemas.Dead // dead letter of the item that was given up last
	read   int64         // bytes in accepted items
	sum    int64         // bytes listed as lost
}

// lostRow lists a range of the current file as lost.
func (l *ledger) lostRow(from, to int64) schemas.Failure {
	l.lost.from = to
	l.lost.sum += to - from
	row := schemas.Failure{Run: string(l.run.ID), File: l.run.Files[l.at.file].URL, Offset: from, Length: to - from,
		Stage: "item", Severity: "lost"}
	if d := l.lost.letter; d != nil {
		row.Reason, row.Detail, row.Attempts = d.Reason, d.Detail, int32(d.Attempts)
	}
	return row
}

// shardSet names shards that cannot be used: reports that name one are ignored when
// they are replayed.
type shardSet map[string]bool

func (s shardSet) add(shards []schemas.Shard) {
	for _, sh := range shards {
		s[sh.Name] = true
	}
}

func (s shardSet) has(shards []schemas.Shard) bool {
	return slices.ContainsFunc(shards, func(sh schemas.Shard) bool { return s[sh.Name] })
}
