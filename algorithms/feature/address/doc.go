// Package address makes of the addresses that a page is linked by, and that it
// links to, one canonical form, so that two of them can be compared.
//
//	canonical form   host[:port]/path[?query]
//
//	HTTP://WWW.Example.org:80/a/./b/../c#top    www.example.org/a/c
//	https://example.org?x=1                     example.org/?x=1
//	http://example.org/höhe                     example.org/h%C3%B6he
//
// It is that of spec site-level, 2.3: the scheme is dropped, the host is in lower
// case and in ASCII, a default port is dropped, dot segments are resolved, the
// fragment is removed, the query is kept. Further choices:
//
//   - user and password are dropped, as is the dot that may end a host;
//   - bytes that no address may have (controls, blanks, quotes, angle brackets, what
//     is beyond ASCII) are percent-encoded, and a backslash is a slash, as browsers
//     do before they ask for a page: a crawl has the address in that form;
//   - tabs and line ends are removed, white space at both ends is trimmed.
//
// An address that is not of the web (mailto, javascript, urn, data) has no
// canonical form and stays what it is, but for its fragment.
//
// Resolving allocates nothing unless a host is not ASCII.
package address
