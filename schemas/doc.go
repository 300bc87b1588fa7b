// Package schemas defines the records that cross a process or a disk: the run
// and its plan, the work item, the report of a finished item, the manifest of
// committed parts, and one row type for each table. Standard library only.
//
// Every record carries a version. Readers accept a stated range; fields are
// added, never used again for something else.
//
//	version  since
//	1        first: runs, items, reports, manifest, six tables
package schemas

// Version of all records written by this build; MinVersion is the oldest it reads.
const (
	Version    = 1
	MinVersion = 1
)
