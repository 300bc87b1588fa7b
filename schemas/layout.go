package schemas

import (
	"fmt"
	"strings"
)

// The layout of an output folder. The constants below name its files and folders, but for
// selection/ (SelectionFolder) and the folders of tables, which are named like their table.
// "winnow run" keeps its broker's data and its lock in a folder .winnow beside them.
//
//	run.json                 the manifest
//	commits/                 the changes of the manifest, until the run is done
//	shards/HASH/             files that attempts at items wrote, until they are committed
//	shards/HASH/candidates-00000.parquet
//	                         the candidates of all sites, sorted, until the phase learn is
//	                         done
//	selection/               which records of its inputs the run reads, if an index says so;
//	                         the captures of pages in earlier runs with which it compares
//	inputs/                  archives that were made of inputs which are folders of pages or
//	                         gold packages; only reading pages again needs them when the run
//	                         is done
//	pages/ documents/ scores/ links/ texts/ failures/ agreement/ templates/
//	                         the parts of the tables: documents/part-00000.parquet,
//	                         texts/language=de/part-00000-0000.jsonl.zst
//	records/                 copies of the records that an index named, if the recipe wants them
//	packages.parquet         the tables that are made of all parts
//	speed.parquet
//	agreement.parquet
//	failures.parquet
//	templates.json           the parts of the table of templates, and how they were learned
//	_SUCCESS                 empty; it appears last
//	ended.json               the run was canceled, or failed; it has no _SUCCESS then
//	retried.json             the run that does again what this one gave up, if there is one
//	pushed/                  how far the texts were sent to search engines ("winnow push")
//	duplicates.parquet       near-duplicates among the texts, if "winnow dedup" was called
const (
	// ManifestFile is the manifest.
	ManifestFile = "run.json"
	// CommitsFolder holds the changes of a manifest until the run is done.
	CommitsFolder = "commits"
	// ShardFolder holds the files that workers write before they are committed. They can
	// be deleted when the run is done.
	ShardFolder = "shards"
	// InputsFolder holds the archives that were made of inputs.
	InputsFolder = "inputs"

	// PushedFolder holds a file for each search engine to which texts were sent.
	PushedFolder = "pushed"

	// TemplateIndexFile is the TemplateIndex.
	TemplateIndexFile = "templates.json"

	// PackagesFile, SpeedFile, AgreementFile and FailuresFile are the tables that are
	// made of all parts.
	PackagesFile  = "packages.parquet"
	SpeedFile     = "speed.parquet"
	AgreementFile = "agreement.parquet"
	FailuresFile  = "failures.parquet"

	// DuplicatesFile is the table that "winnow dedup" writes for a run that is done.
	DuplicatesFile = "duplicates.parquet"

	// RetriedFile names the run that does again what the run of the folder gave up
	// (RunLink). It is written once.
	RetriedFile = "retried.json"

	// EndedFile exists if the run ended without tables (Ended). It is written once.
	EndedFile = "ended.json"

	// SuccessFile is empty. It is the last file that a run writes.
	SuccessFile = "_SUCCESS"
)

// PartTables are the tables whose rows are in parts, each in a folder of its own.
var PartTables = []Table{TablePages, TableDocuments, TableScores, TableLinks, TableTexts, TableFailures, TableAgreement, TableTemplates, TableRecords}

// PartName returns the beginning of the names of the files of part seq of a table.
// Every term (see Manifest.Aggregators) has names of its own, so that an aggregator that
// does not know yet that it was replaced neither writes nor deletes a file of its
// successor.
func PartName(table Table, seq, term int) string {
	name := fmt.Sprintf("%s/part-%05d", table, seq)
	if term > 1 {
		name += fmt.Sprintf("-t%d", term)
	}
	return name
}

// TextsName returns the beginning of the name of file n of the texts of part seq, in the
// folder of a group of texts (TextGroups.Folder). No two files of a part have one number,
// so their names differ also where a file system does not tell A from a.
func TextsName(folder string, seq, term, n int) string {
	return fmt.Sprintf("%s/%s%s-%04d", TableTexts, folder, strings.TrimPrefix(PartName(TableTexts, seq, term), string(TableTexts)+"/"), n)
}

// PushedName returns the name of the file that records how far texts were sent to a search
// engine. id has 16 hexadecimal digits.
func PushedName(id string) string { return PushedFolder + "/" + id + ".json" }

// CandidatesName returns the name of file seq of the sorted candidates of a run, as the
// aggregator of a term writes it.
func CandidatesName(hash string, seq, term int) string {
	return fmt.Sprintf("%s/%s/%s-%05d-t%d.parquet", ShardFolder, hash, TableCandidates, seq, term)
}
