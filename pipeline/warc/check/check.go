// Package check reads WARC files with github.com/slyrz/warc, a reader that shares no
// code with package warc, so that each can verify the other.
//
//	written --+--> file
//	          +--> check.Read --> Account: records by type, bytes of blocks
//
// Winnow reads crawls with its own framer (package warc). slyrz/warc trusts every
// length and header, loses the records after the slightest damage, and copies each
// block through a buffer. To use it for crawls, every record would have to be repaired
// and serialised before it could be parsed a second time. It is used where an
// independent reader is valuable: `winnow pack` reads every archive that it has written
// with it before it reports the archive as complete, and the tests of package warc
// compare the framer with it on real crawls.
//
// Not for: damaged or hostile files. It reads one record at a time and sets no limits.
//
// This package is internal to Winnow and may change in any release.
package check

import (
	"errors"
	"fmt"
	"io"
	"strings"

	slyrz "github.com/slyrz/warc"
)

// Account holds the counts of a WARC file.
type Account struct {
	Records int64
	ByType  map[string]int64
	Blocks  int64 // bytes of all blocks together
}

// Record holds those parts of a record on which two readers can agree. It is valid until
// the function to which it was passed returns.
type Record struct {
	Type, ID, TargetURI string // ID and TargetURI without angle brackets
	Block               io.Reader
}

// Read reads a WARC file, plain or gzip, to its end. It calls each for every record,
// unless each is nil. The error comes from the reader or from each, or means that a block
// is shorter than its record announces.
func Read(r io.Reader, each func(*Record) error) (Account, error) {
	account := Account{ByType: make(map[string]int64)}
	in, err := slyrz.NewReaderMode(r, slyrz.SequentialMode)
	if err != nil {
		return account, fmt.Errorf("warc/check: %w", err)
	}
	defer in.Close()
	for {
		rec, err := in.ReadRecord()
		if errors.Is(err, io.EOF) {
			return account, nil
		}
		if err != nil {
			return account, fmt.Errorf("warc/check: record %d: %w", account.Records, err)
		}
		block := &counted{r: rec.Content}
		if each != nil {
			err = each(&Record{
				Type: strings.ToLower(rec.Header.Get("warc-type")), ID: bare(rec.Header.Get("warc-record-id")),
				TargetURI: bare(rec.Header.Get("warc-target-uri")), Block: block,
			})
		}
		if err == nil {
			_, err = io.Copy(io.Discard, block)
		}
		if want := rec.Header.Get("content-length"); err == nil && fmt.Sprint(block.n) != want {
			err = fmt.Errorf("its block has %d bytes, and %s were announced", block.n, want)
		}
		if err != nil {
			return account, fmt.Errorf("warc/check: record %d: %w", account.Records, err)
		}
		account.Records++
		account.ByType[strings.ToLower(rec.Header.Get("warc-type"))]++
		account.Blocks += block.n
	}
}

// bare returns an identifier or address without the angle brackets around it.
func bare(s string) string { return strings.TrimSuffix(strings.TrimPrefix(s, "<"), ">") }

// counted counts the bytes read from a block.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
