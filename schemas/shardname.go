package schemas

import (
	"fmt"
	"strings"
)

// endings are the endings of shards' names, which follow the name of the table.
var endings = map[Table]string{
	TablePages:      ".parquet",
	TableDocuments:  ".parquet",
	TableScores:     ".parquet",
	TableAgreement:  ".parquet",
	TableFailures:   ".parquet",
	TableLinks:      ".parquet",
	TableTemplates:  ".parquet",
	TableTexts:      ".parquet",
	TableCandidates: ".parquet",
	TableSamples:    ".warc.gz",
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
	if !ok || !cut || !named || !isToken(attempt, 32) || ending == "" || endings[s.Table] != ending {
		return fmt.Errorf("shard %.200q is not named as a file of table %.50q of item %s", s.Name, string(s.Table), it.ID())
	}
	return nil
}
