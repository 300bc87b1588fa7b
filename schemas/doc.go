// Package schemas defines the records that cross a process or a disk: the run
// and its plan, the work item, the report of a finished item, the manifest of
// committed parts, and one row type for each table. Standard library only.
//
// Every record carries a version. Readers accept a stated range; fields are
// added, never used again for something else.
//
//	version  since
//	1        first: runs, items, reports, manifest, six tables
//	2        phases scan and learn: items of buckets, reports of what was learned;
//	         table templates; columns of documents from template_id on
//	3        methods: family, mean, top, lower; documents: consensus, consensus_f1,
//	         page_consensus; scores: common_high, universe, coverage, baseline;
//	         agreement: sum_e9; packages: all from page_type on
//	4        documents: complexity
//	5        documents: config_hash and all from site_by on; templates: site_by,
//	         version, learned
//	6        texts: record_id, date; packages: all from answered_micro_precision on
//	7        recipe: timing, reading; packages: all from extract_ns_p50 on; files and
//	         items: name; parts: inputs
//	8        recipe: statuses; documents: http_status, replaced
//
// Gold records have a version of their own (GoldVersion): they live in archives,
// longer than any run.
package schemas

// Version of all records written by this build; MinVersion is the oldest it reads.
const (
	Version    = 8
	MinVersion = 1
)
