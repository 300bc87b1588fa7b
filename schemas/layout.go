package schemas

import "fmt"

// The layout of an output folder. Every file and folder of it is named here, and
// nowhere else:
//
//	run.json                 the manifest
//	commits/                 the changes of the manifest, until the run is done
//	shards/HASH/             what attempts at items wrote, until it is committed
//	shards/HASH/scan.json    what the phase scan left, until the phase learn is done
//	selection/               which records of its inputs the run reads, if an index says so
//	templates/               templates of sites, and index.json, which names them
//	documents/ scores/ texts/ failures/ agreement/
//	                         the parts of the tables: documents/part-00000.parquet
//	packages.parquet         the tables that are made of all parts
//	agreement.parquet
//	failures.parquet
//	templates.parquet        what was learned about which site
//	_SUCCESS                 empty; it appears last
const (
	// ManifestFile is the manifest.
	ManifestFile = "run.json"
	// CommitsFolder holds the changes of a manifest until the run is done.
	CommitsFolder = "commits"
	// ShardFolder holds what workers write, before it is committed. What is in it
	// can be deleted when the run is done.
	ShardFolder = "shards"
	// ScanIndexFile is the name of a run's ScanIndex below the folder of its shards.
	ScanIndexFile = "scan.json"

	// TemplatesFolder holds the templates of a run, and TemplateIndexFile is the name
	// of the TemplateIndex that names them.
	TemplatesFolder   = "templates"
	TemplateIndexFile = TemplatesFolder + "/index.json"

	// PackagesFile, AgreementFile and FailuresFile are the tables that are made of
	// all parts; TemplatesFile is made when the phase learn ends.
	PackagesFile  = "packages.parquet"
	AgreementFile = "agreement.parquet"
	FailuresFile  = "failures.parquet"
	TemplatesFile = "templates.parquet"

	// SuccessFile appears last, and is empty.
	SuccessFile = "_SUCCESS"
)

// PartTables are the tables whose rows are in parts, each in a folder of its own.
var PartTables = []Table{TableDocuments, TableScores, TableTexts, TableFailures, TableAgreement}

// PartName is how the names of the files of part seq of a table begin. Every term
// (see Maker) has names of its own: an aggregator that does not know yet that it
// was replaced neither writes nor deletes a file of the one that replaced it.
func PartName(table Table, seq, term int) string {
	name := fmt.Sprintf("%s/part-%05d", table, seq)
	if term > 1 {
		name += fmt.Sprintf("-t%d", term)
	}
	return name
}

// BundlesName is the name of the templates that item seq of the phase learn made.
func BundlesName(seq int) string { return fmt.Sprintf("%s/part-%05d.bundles", TemplatesFolder, seq) }
