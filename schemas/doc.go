// Package schemas defines the records that cross a process or a disk: the run
// and its plan, the work item, the report of a finished item, the manifest of
// committed parts, and one row type for each table. Standard library only.
//
// Every record carries a version, and readers refuse any other. A field keeps its
// meaning from version to version; a new meaning is a new field.
//
//	version  since
//	1        the first version: runs, items, reports, manifest, seven tables
//
// Gold records have a version of their own (GoldVersion), because they are kept in
// archives for longer than any run.
//
// This package is internal to Winnow and may change in any release.
package schemas

// Version of all records that this build writes and reads.
const Version = 1
