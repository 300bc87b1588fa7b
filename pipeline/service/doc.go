// Package service is the life of a process: how it begins (flags, environment,
// logger), what it shows while it runs (health, metrics) and how it ends
// (signals, exit code). It knows nothing of Winnow's work.
//
// # Ending
//
// The first SIGINT or SIGTERM ends the context that Main hands out: whoever
// holds it stops taking new work, finishes what is begun, and returns. A second
// signal ends the process at once. That is safe at any moment, because nothing
// depends on a process ending in order.
//
// # Settings
//
// A flag that was not given takes its value from the environment: --item-size
// from WINNOW_ITEM_SIZE. There are no other sources. Variables that belong to
// no flag are left alone, because a cluster puts its own there
// (WINNOW_NATS_SERVICE_HOST for a service called winnow-nats).
package service
