package main

// Why a figure differs by more than tolerance, by extractor. A sentence is
// written only after the cause was looked for on the pages; a difference that
// has none here is shown as unexplained.
var (
	becauseCleanEval = map[string]string{}
	becauseBlocks    = map[string]string{}
	becausePeers     = map[string]string{}
)
