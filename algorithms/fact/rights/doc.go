// Package rights finds what a page and its server say about the use of the page: which
// robots may do what with it, whether text and data mining is reserved, its licence, its
// canonical address, and whether it can be read without payment.
//
// # Robots
//
// Directives come from meta elements and from the header X-Robots-Tag. Those that name
// no agent hold for all; of several that differ the restrictive one holds, so a column
// is true if any of them says so. "none" means noindex and nofollow, "nocache" for
// noarchive, and max-snippet:0 for nosnippet, as the search engines document it.
// noai and noimageai are those of DeviantArt (2022), which others have taken over; noml is
// that of Mojeek (noml.info, 2023) and counts as noai.
//
// Directives for named agents are kept as they are in robots_agents, because what they
// mean depends on who reads the table. A meta element names an agent if its name is
// that of a known robot or ends like one ("...bot"), and everything it says is a
// directive. A header names one by "agent:" before its directives.
//
// # Text and data mining
//
// The protocol of the W3C community group (TDMRep) has a header and a meta element of
// the same name, with 1 for reserved and 0 for not. If both are there and differ, the
// rights are reserved. The third place is a file of the site (fact.Site). It counts for
// pages that say nothing themselves, as the protocol has it.
//
// # Preferences of use
//
// The header Content-Usage (draft-ietf-aipref-attach-04, labels of draft-ietf-aipref-vocab-06
// and of its working copy: train-ai, ai-use, search, with y or n) and the header
// Content-Signal of Cloudflare (2025: ai-train, ai-input, search, with yes or no) mean the
// same uses and are read together. As section "Combining Preferences" of the vocabulary has it, what any
// statement disallows is disallowed, so of several members with one label the restrictive one
// holds, though in a dictionary of RFC 9651 it would be the last one. Other labels and values
// are kept in the text and mean nothing to the columns. The same lines in robots.txt
// (fact.Site) count for pages without the header of their name.
//
// # Licence
//
// A link with the relation license names the licence. If there is none, a link to a
// licence of Creative Commons does, wherever it is on the page; it may then be that
// of a picture. cc_license has its short name in either case, such as by-sa-4.0 or
// zero-1.0.
//
// This package is internal to Winnow and may change in any release.
package rights
