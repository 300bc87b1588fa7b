// Package ingest plans a run and submits it to the aggregators.
//
//	inputs --Plan--> run: files with size, identity and number of items
//	       --Submit--> run.json in the output folder, one message in the queue
//
// Inputs that are HTML files or gold packages are first packed into archives in the output
// folder (package pack), and every program reads those. For other inputs planning costs
// one stat and one look at the first bytes per file, never a pass over it: an item is a
// byte range, and the worker finds the first record in it. Whatever cannot be read (a file that is missing, or that holds no
// records) is named here, before any work starts.
//
// Submit can be repeated. It writes the manifest before anything else, so that a run
// that anyone can see in the queue has one; from then on the manifest is the
// aggregator's to write. Submitted again, with the same run id and the same plan, it
// publishes the message again if the broker has lost it. With another plan it refuses,
// because the rows of two plans must not meet.
//
// This package is internal to Winnow and may change in any release.
package ingest
