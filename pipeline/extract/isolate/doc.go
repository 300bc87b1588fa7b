// Package isolate runs wrapped extraction libraries in a child process of the same
// program. A library that never returns or uses too much memory can then be killed
// without harm to the worker, which is not possible for a goroutine.
//
// The parent (Child) writes one request, the child (Serve) answers it, and so
// on over the child's standard input and output, each message a length and
// bytes:
//
//	request   u32 n, extractor name   u32 n, page URL   u32 n, HTML
//	answer    u8 status   u64 ns      u32 n, text or message
//
// Libraries that take a parsed page share one parse if they run on the page one after
// the other. ns is the time of that parse if an earlier request made it.
//
// The child watches its own heap, and ends with a special exit code when the heap
// exceeds the limit. A child that was killed, or has served its number of pages, is
// replaced when the next page comes. Before an extractor's first page in a child, it runs
// on a small page of our own, because libraries prepare themselves when they are first
// used. driver.Answer tells how long this and the start of the child took.
//
// A program that uses this package calls Serve at the beginning of main if Requested
// returns true. Winnow's own extractors do not need isolation, because they are linear
// in a page of bounded size.
package isolate
