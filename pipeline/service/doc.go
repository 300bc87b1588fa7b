// Package service holds what every program of Winnow shares as a process: how it starts
// (flags, environment, logger), what it serves while it runs (health, metrics) and how
// it ends (signals, exit code). It does not depend on what the program does.
//
// # Ending
//
// The first SIGINT or SIGTERM cancels the context that Main passes on: the program then
// takes no new work, finishes what it has begun, and returns. A second signal ends the
// process at once. That is safe at any moment, because no stage relies on an orderly end
// of a process.
//
// # Memory
//
// A small heap may grow to four times what lives on before garbage is collected, a large
// one to twice. GOGC and GOMEMLIMIT override this.
//
// # Settings
//
// A flag that was not given takes its value from the environment: --item-size
// from WINNOW_ITEM_SIZE. There are no other sources. Variables that belong to
// no flag are left alone, because a cluster puts its own there
// (WINNOW_NATS_SERVICE_HOST for a service called winnow-nats).
//
// This package is internal to Winnow and may change in any release.
package service
