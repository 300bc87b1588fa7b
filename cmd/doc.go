// Package cmd holds the programs. Each has a main of a few lines and a command
// that turns flags into the options of a stage; aggregate also goes from run to
// run (runs.go), as the stage makes the tables of one.
//
//	ingest     plan a run, publish its items, end
//	worker     items to shards; any number of them, joining and leaving
//	aggregate  reports and shards to tables; one works, others wait
//	winnow     all of that in one process, and the tools
//
// The test here runs them as processes against a NATS server of its own, and
// kills them.
package cmd
