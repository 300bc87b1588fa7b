// Package cmd holds the programs. Each program has a main function of a few lines and a
// command that turns flags into the options of a package below pipeline.
//
//	ingest     plans a run, publishes its items and ends
//	worker     turns items into shards; any number of workers may join and leave
//	aggregate  turns reports and shards into tables; one works, others wait
//	winnow     does all of that in one process, and has the tools
//
// The tests here run them as processes against a NATS server of its own, and
// kill them.
//
// This package is internal to Winnow and may change in any release.
package cmd
