// Package process runs extractors that are programs of their own (algorithms.Extractor.Command),
// in any language, by the protocol of docs/reference/extractor-protocol.md:
//
//	program   {"protocol":1,"name":"trafilatura","version":"2.0.0","citation":"Barbaresi, ACL 2021"}
//	Winnow    {"id":1,"url":"http://example.org/","html":"<!DOCTYPE html>…"}
//	program   {"id":1,"text":"Grain and chaff","ns":1200000}
//	Winnow    {"id":2, …
//
// Each message is a line of JSON on the program's standard input or output. Processes belong
// to one slot of a worker, which has one for each program:
//
//	d, err := process.NewDriver(config) // a driver.Config
//	defer d.Close()
//	result, err := d.Page(ctx, input)
//
// A program is not trusted to be correct, because it reads hostile pages. What it writes is
// read within bounds; it is killed when it takes too much time or memory or breaks the
// protocol, and started again for the next page. Each of these is a row with a reason. Only a
// program that cannot be started at all is a fault of the machine (driver.ErrNoProcess).
//
// A program is replaced after a number of pages, so that what leaks stays small. Its first
// page is a small one of our own, because libraries prepare themselves when they are first
// used: neither this nor its start is charged to a page.
//
// The memory bound is kept on Linux, where the memory of a process can be read.
//
// This package is internal to Winnow and may change in any release.
package process
