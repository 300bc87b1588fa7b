// Package winnow extracts the main content of web pages: the article without the navigation,
// the advertisements and the footer around it, as text, Markdown, HTML or blocks, with the
// title, author, dates and language of the page.
//
//	result, err := winnow.Extract(response.Body, winnow.Options{
//		URL:         response.Request.URL.String(),
//		ContentType: response.Header.Get("Content-Type"),
//	})
//	if err != nil {
//		return err
//	}
//	fmt.Println(result.Title, result.Markdown())
//
// # Many pages
//
// New returns an Extractor, which extracts one page after another in the same memory. It
// belongs to one goroutine at a time: give each goroutine its own, or keep them in a
// sync.Pool and put one back after the last method of its Result was called (see the
// examples). The answers do not depend on what an Extractor read before.
//
// # Promises
//
// A page may be anything: any charset, broken markup, a hostile file. Extract takes time and
// memory linear in the page and bounded by Limits, and returns the text that the command
// "winnow extract" and a run of the pipeline have for it. What comes from the page never
// runs in HTML, and Markdown has no HTML in it.
//
// # What is stable
//
// This package, and the contract for extractors of your own: package algorithms, and the packages
// algorithms/page and algorithms/html, whose page an extractor reads. All other packages are
// internal to Winnow and may change in any release. This package links neither a message queue
// nor Parquet nor clouds; crawls are for the command winnow.
package winnow
