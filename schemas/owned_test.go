package schemas

import "testing"

func TestFilesOfARunAreToldFromOthers(t *testing.T) {
	run := &Run{Hash: "b66eaefcafdde691"}
	extract := Item{Phase: PhaseExtract, File: FileRange{Index: 123456, First: -1}, Seq: 7, Hash: run.Hash}
	again := extract
	again.File.First = 1 << 40
	scan := extract
	scan.Phase = PhaseScan
	learn := Item{Phase: PhaseLearn, Seq: 12, Hash: run.Hash}
	own := []string{
		ChangeName(0), ChangeName(1 << 40),
		"selection/000102030405060708090a0b0c0d0e0f.bin",
		"inputs/3207715b0534fa8d.json", "inputs/3207715b0534fa8d/home/someone/pages.warc.gz", "inputs/3207715b0534fa8d/pages.warc.gz",
		PushedName("0123456789abcdef"), PartName(TableRecords, 5, 2) + "-f00000-i00012.warc.zst", PartName(TableRecords, 5, 1) + "-f00000-i00012.cdxj",
		ShardPrefix(run.Hash, extract.ID()) + "0123456789ab-records.warc", ShardPrefix(run.Hash, extract.ID()) + "0123456789ab-records.cdxj",
		ProbeName(run.Hash, "0123456789ab"), CandidatesName(run.Hash, 7, 3),
		TextsName("", 5, 2, 12) + ".jsonl.zst", TextsName("language=de/date=2026-11/", 5, 1, 0) + ".warc.gz", TextsName("package=%2E%2E%2F/", 5, 1, 10000) + ".ndjson.zst", TextsName("", 0, 1, 0) + ".parquet",
	}
	for _, table := range PartTables {
		if table == TableTexts || table == TableRecords {
			continue // see above
		}
		own = append(own, PartName(table, 0, 1)+".parquet", PartName(table, 1234567, 12)+".parquet")
	}
	for _, it := range []*Item{&extract, &again, &scan, &learn} {
		for _, table := range append([]Table{TableCandidates, TableSamples}, PartTables...) {
			ending := ".parquet"
			if table == TableSamples || table == TableRecords {
				ending = ".warc.gz"
			}
			own = append(own, ShardPrefix(run.Hash, it.ID())+"0123456789ab-"+string(table)+ending)
		}
	}
	for _, name := range own {
		if !run.Writes(name) {
			t.Errorf("%s is not taken for a file of the run", name)
		}
	}
	for _, name := range []string{
		"", "notes.txt", "documents", "notes/part-00000.parquet", "part-00000.parquet",
		"documents/notes.txt", "documents/part-00000.csv", "documents/part-0.parquet", "documents/part-00000.parquet.bak",
		"documents/copy of part-00000.parquet", "documents/old/part-00000.parquet", "documents/part-00000-f00000-i00000.parquet",
		"documents/part-00000.jsonl.zst", "documents/language=de/part-00000.parquet", "texts/part-00000.parquet", "texts/old/part-00000-0000.parquet", "texts/language=../part-00000-0000.parquet/x", "packages/part-00000.parquet",
		"records/part-00000.warc.gz", "records/part-00000-f00000-i00000.parquet", "records/notes.cdxj",
		"commits/notes.txt", "commits/1.json", "commits/00000001.json.bak", "commits/old/00000001.json",
		"templates/notes.txt", "templates/part-00000.parquet.bak", "selection/notes.bin", "inputs/pages.warc.gz", "inputs/3207715b0534fa8d/notes.txt",
		"shards/notes.txt", "shards/" + run.Hash, "shards/" + run.Hash + "/notes.txt", "shards/" + run.Hash + "/probe-1", "shards/0000000000000000/scan.json",
		"shards/" + run.Hash + "/f00000-i00000-0123456789ab-documents.csv", "shards/" + run.Hash + "/f00000-i00000-0123456789ab-notes",
	} {
		if run.Writes(name) {
			t.Errorf("%s is taken for a file of the run", name)
		}
	}
}
