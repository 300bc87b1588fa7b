// Package worker is the stage that does the work: it takes items from the
// queue, reads their byte range, runs the chosen methods over every page, and
// writes the rows.
//
//	item --blob, source--> pages with their gold --driver--> rows --columnar, blob--> shards
//	                                                                 then: report, settle
//
// A worker has slots, one goroutine each; a slot works on one item at a time
// and owns one driver, one page and one set of row writers, which it uses again
// for every page. What a page needs is bounded by the recipe's limits, so a
// worker's memory is slots times a constant.
//
// # Once
//
// The rows of an item are written to one shard per table, which appears whole
// or not at all, and reported only when all have appeared. A shard's name is
// made of the recipe, the item and the attempt:
//
//	shards/<recipe>/<item>-<attempt>-<table>.parquet
//
// The attempt is in it because the report names the very bytes (their SHA-256):
// two workers may hold one item when a lease was lost, and a shard that
// replaces another while the aggregator reads it would be neither. Their rows
// are the same (timings aside), the aggregator takes the first report that fits
// and removes what no report names.
//
// # Learning
//
// A run with site-level extractors has three phases, and items of each. In the
// phase scan a page is judged by its address first: one that its site has enough
// earlier pages without is neither decoded nor parsed. Of the others it is noted
// whether they may be sampled. In the phase learn an item is a range of sites;
// their sample pages are read where they are, parsed once each, and sketched by
// every method that learns. In the last phase a slot asks a cache, which all
// slots share, for what was learned about the page's site (package learn).
//
//	scan     item --> candidates, and copies of what cannot be read by its place
//	learn    item --> templates of its sites: a part, rows, the broker's store
//	extract  item --> rows, with templates from the cache
//
// What a slot holds beyond a page's needs is bounded in each: 131,072 candidates
// and 32 MiB of locations in scan; in learn 32 MiB of candidates and locations
// as stored (Options.GatherBytes; the candidates of one bucket of 1024 at least)
// and 16 MiB of sketches per method.
//
// # Faults
//
// Every error has an owner (classify). The page's or the record's is a row with a
// reason. This machine's or the output's, which every item of the run would meet here
// (a volume that is not mounted, full or read-only, no rights, no descriptors), closes
// the gate of the job: the items go back to the broker, and no more are taken until a
// probe, and then one item, succeed. Health and the log say why. The source's (a file
// that is missing though its neighbours are there, an answer of a web server) is tried
// again with growing delay by whichever worker comes; the item is given up only when one
// worker had such an answer for Options.GiveUpAfter, or two for a fifth of that. The
// broker's is waited for: a report that it has no room for waits with its item.
//
// # Bad records
//
// A bad record never stops a run. Damage is the reader's business, and ends as a
// row of the failures table. A panic is caught here, page by page, and ends
// there, too.
//
// What cannot be caught (the kernel kills the process, the stack is exhausted) leaves
// the item unsettled. That proves nothing: so do a broker that cannot write and a
// worker that is stopped. The next attempt therefore keeps a crash journal: before every
// record it notes in the queue where it is (schemas.Progress). A note that is left
// behind makes its record suspect. A suspect is worked on while the worker works on
// nothing else, and after a rest: who is killed in the rest is killed from outside, and
// the suspicion is dropped. A record at which the process ended three times alone is
// given up: a Dead, a row of the failures table with stage "record" and reason "crash",
// and everything else of the item is processed as if nothing had been. The first such
// record costs its item five deliveries beyond the last, each further one four.
//
// The design's first idea was to split a failing item in halves until the
// record is alone. The journal replaces it: halves change the plan while it is
// being carried out, they need a message per half and log(n) rounds of crashes,
// while a note per record finds it in one, and the ranges that the
// aggregator checks stay those of the plan.
//
// A site at which learning ends the process is treated like such a record: its
// templates are marked as failed, and all other sites are learned.
//
// An item whose attempts end, alone, where the reader goes on from one record, or whose
// input stays unreadable, is given up as a whole; the aggregator then lists its range as
// lost.
//
// # Ending
//
// When the context ends the worker takes no new items, finishes those it has,
// waits a minute for a broker that does not take their reports, and returns. Whoever cannot wait may kill it: the items come back.
package worker
