// Package isolate runs wrapped extraction libraries in a child process of the
// same program, so that one that never returns or eats memory can be killed
// without harm to the worker: a goroutine cannot be stopped, a process can.
//
// The parent (Child) writes one request, the child (Serve) answers it, and so
// on over the child's standard input and output, each message a length and
// bytes:
//
//	request   u32 n, extractor name   u32 n, page URL   u32 n, HTML
//	answer    u8 status   u64 ns      u32 n, text or message
//
// The libraries that run on a page one after the other and read it parsed share one
// parse; ns is its time where an earlier one made it.
//
// The child watches its own heap and ends with a code of its own when it passes
// the limit. A child that was killed or has served its number of pages is
// replaced when the next page comes; starting one costs a few milliseconds.
//
// A program that wants it calls Serve first thing in main when Requested says
// so. Not to be used for our own extractors: they are linear in a bounded page.
package isolate
