package warc

import "fmt"

// Verdict is the decision about the result of an item.
type Verdict uint8

const (
	// Accept the item's records.
	Accept Verdict = iota
	// Discard the item's records, if any: all of them lie within a record of an
	// item before.
	Discard
	// Rerun the item from the offset given with the verdict, because it began to read
	// at a wrong offset.
	Rerun
	// AcceptUnverified accepts the records although an earlier item was given up, so
	// that they may be records within a record.
	AcceptUnverified
)

// Extent is the part of an item's result that a chain needs.
type Extent struct {
	Start, End  int64 // the item's range
	First, Next int64 // first byte, and the byte after the last, of its Summary
}

// Chain decides which results of a file's items are accepted. The accepted records are
// exactly those of reading the file from front to back, however the file was split and
// however wrong the scans guessed.
//
// Let step(o) be the offset at which reading the group that starts at o ends: the
// next start, or the end of the file. It depends only on the bytes of the file from o
// on, and on the limits. Reading from front to back visits 0, step(0), step(step(0))
// and so on. The chain keeps one offset e with this invariant: e is one of the visited
// offsets, and exactly the records of the steps before e have been accepted, once each.
//
// The invariant holds at e = 0. If e lies at or after an item's end, nothing is accepted
// and nothing changes. Otherwise the item is accepted only if it began at e. It then
// applied the same step until the first offset p at or after its end, so it delivered
// the records of the steps in [e, p), and e becomes p. The invariant holds again, and e
// has grown. The last item ends with the file, so the last e is the end of the file. The
// proof uses no property of the scan: a wrong guess costs a rerun, never a record.
//
// An item that is given up breaks the proof for all later items of the file. Their
// records are accepted as unverified.
//
// The zero Chain is ready for the first item of a file.
type Chain struct {
	e       int64 // all bytes before e are accounted for
	covered int64 // end of the last item given to the chain
	unknown bool  // e is not known, because the item that led to it was given up
	doubt   bool  // an item was given up
}

// ChainFrom returns the Chain of the items of a file that begin at an offset, at which a
// record starts. Another run has accepted what lies before it.
func ChainFrom(start int64) Chain { return Chain{e: start, covered: start} }

// Next returns the verdict on the result of the item that follows the previous one. With
// Rerun it returns the offset at which the item must begin: the caller runs the item
// again with that offset as its first start and calls Next with the new result. An error
// means that the caller passed items out of order, or a result that no reader gives.
func (c *Chain) Next(it Extent) (v Verdict, from int64, err error) {
	if err := c.check(it); err != nil {
		return Discard, 0, err
	}
	switch {
	case c.unknown:
		c.covered = it.End
		if it.First < 0 {
			return Discard, 0, nil
		}
		c.e, c.unknown = it.Next, false
		return AcceptUnverified, 0, nil
	case c.e >= it.End:
		c.covered = it.End
		return Discard, 0, nil
	case it.First != c.e:
		return Rerun, c.e, nil
	}
	c.covered, c.e = it.End, it.Next
	if c.doubt {
		return AcceptUnverified, 0, nil
	}
	return Accept, 0, nil
}

func (c *Chain) check(it Extent) error {
	switch {
	case it.Start != c.covered || it.End < it.Start:
		return fmt.Errorf("warc: chain: item [%d,%d) does not follow %d", it.Start, it.End, c.covered)
	case it.First < 0:
		return nil
	case it.First < it.Start || it.First >= max(it.End, it.Start+1) || it.Next < it.End:
		return fmt.Errorf("warc: chain: item [%d,%d) cannot have read [%d,%d)", it.Start, it.End, it.First, it.Next)
	}
	return nil
}

// GiveUp skips an item that has no result. It returns the range of the file that is
// lost, which is empty if the item's records were accepted with those of an earlier item.
func (c *Chain) GiveUp(start, end int64) (lostFrom, lostTo int64, err error) {
	if start != c.covered || end < start {
		return 0, 0, fmt.Errorf("warc: chain: item [%d,%d) does not follow %d", start, end, c.covered)
	}
	c.covered = end
	switch {
	case c.unknown:
		lostFrom = start
	case c.e >= end:
		return end, end, nil
	default:
		lostFrom = c.e
	}
	c.unknown, c.doubt = true, true
	return lostFrom, end, nil
}

// Close checks that the items given to the chain cover the file up to end, and returns the
// offset up to which was read. Behind end may be more records of the file: they may have been
// accepted without proof that the first of them is not part of another record, so the last item
// may have read beyond end. That of a whole file may not.
func (c *Chain) Close(end int64, whole bool) (next int64, err error) {
	switch {
	case c.covered != end:
		return c.e, fmt.Errorf("warc: chain: items end at %d of %d", c.covered, end)
	case c.unknown:
		return end, nil
	case c.e < end || whole && c.e != end:
		return c.e, fmt.Errorf("warc: chain: records end at %d of %d", c.e, end)
	}
	return c.e, nil
}
