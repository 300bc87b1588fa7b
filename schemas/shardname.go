package schemas

import (
	"fmt"
	"slices"
	"strings"
)

// IndexEnding is the ending of the index (CDXJ) of an archive of copied records, which has the
// same name but for the ending.
const IndexEnding = ".cdxj"

// recordEndings are the endings of shards of TableRecords: those of archives, by the form of the
// file from which the records are copied, and that of their index.
var recordEndings = []string{".warc.gz", ".warc", ".warc.zst", IndexEnding}

// isEnding reports whether the names of a table's shards may end so, after the name of the table.
func isEnding(table Table, ending string) bool {
	switch {
	case table == TableRecords:
		return slices.Contains(recordEndings, ending)
	case table == TableSamples:
		return ending == ".warc.gz"
	}
	return ending == ".parquet" && (table == TableCandidates || slices.Contains(PartTables, table))
}

// Ending returns the part of a shard's name that follows the name of the table.
func (s *Shard) Ending() string {
	mark := "-" + string(s.Table)
	return s.Name[strings.LastIndex(s.Name, mark)+len(mark):]
}

// ShardPrefix returns the beginning of the names of all shards of an item:
// "shards/HASH/ITEM-". The name of the attempt, "-", the table and the ending follow.
func ShardPrefix(hash string, id ItemID) string {
	return ShardFolder + "/" + hash + "/" + string(id) + "-"
}

// checkName verifies that an attempt at the item could give the shard's name to a file
// of its table. A report can then not name files of another item, or files that are no
// shards.
func (s *Shard) checkName(it *Item) error {
	rest, ok := strings.CutPrefix(s.Name, ShardPrefix(it.Hash, it.ID()))
	attempt, file, cut := strings.Cut(rest, "-")
	ending, named := strings.CutPrefix(file, string(s.Table))
	if !ok || !cut || !named || !isToken(attempt, 32) || !isEnding(s.Table, ending) {
		return fmt.Errorf("shard %.200q is not named as a file of table %.50q of item %s", s.Name, string(s.Table), it.ID())
	}
	return nil
}
