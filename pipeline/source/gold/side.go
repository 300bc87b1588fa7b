package gold

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/winnow/winnow/schemas"
)

// defaultSideBytes is how many bytes of a side file are kept in memory by default.
const defaultSideBytes = 1 << 30

// SideFile holds gold for pages of any crawl: JSON lines of schemas.Gold, keyed by URL.
// The lines are kept as they were read, and a gold is decoded when it is looked up. A
// SideFile is safe for concurrent use.
type SideFile struct {
	// Digest is the SHA-256 of the lines, in hex. It is the same for a file and its
	// compressed copy.
	Digest string

	data  []byte
	lines map[string]line
}

type line struct{ number, start, end int }

// ReadSideFile reads a side file, plain or gzip. At most limit bytes are kept; a limit
// of 0 means 1 GiB. Every line is checked. A line that is not gold, has no URL, or
// contradicts an earlier line is an error that names the line.
func ReadSideFile(r io.Reader, limit int64) (*SideFile, error) {
	if limit <= 0 {
		limit = defaultSideBytes
	}
	data, err := inflateSide(r, limit)
	if err != nil {
		return nil, fmt.Errorf("gold: side file: %w", err)
	}
	sum := sha256.Sum256(data)
	s := &SideFile{Digest: hex.EncodeToString(sum[:]), data: data, lines: make(map[string]line)}
	for at, n := 0, 1; at < len(data); n++ {
		end := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end = at + i
		}
		if err := s.add(line{n, at, end}); err != nil {
			return nil, fmt.Errorf("gold: side file: line %d: %w", n, err)
		}
		at = end + 1
	}
	return s, nil
}

func inflateSide(r io.Reader, limit int64) ([]byte, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	var src io.Reader = in
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		src = z
	}
	data, err := readLimited(nil, src, limit)
	if err != nil {
		return nil, err
	}
	return bytes.TrimPrefix(data, []byte("\uFEFF")), nil
}

func (s *SideFile) add(l line) error {
	text := bytes.TrimSpace(s.data[l.start:l.end])
	if len(text) == 0 {
		return nil
	}
	g, err := schemas.DecodeGold(text)
	if err != nil {
		return err
	}
	if g.URL == "" {
		return errors.New("no url")
	}
	key := urlKey(g.URL)
	if first, twice := s.lines[key]; twice {
		if bytes.Equal(bytes.TrimSpace(s.data[first.start:first.end]), text) {
			return nil
		}
		return fmt.Errorf("url %s has another gold in line %d", g.URL, first.number)
	}
	s.lines[key] = l
	return nil
}

// Len returns the number of URLs.
func (s *SideFile) Len() int { return len(s.lines) }

// Lookup returns the gold of a page, or nil if the file has none. Two URLs are equal if
// they differ only in the fragment, in the case of scheme and host, in a default port
// or in an empty path.
func (s *SideFile) Lookup(url string) *schemas.Gold {
	l, ok := s.lines[urlKey(url)]
	if !ok {
		return nil
	}
	g, err := schemas.DecodeGold(bytes.TrimSpace(s.data[l.start:l.end]))
	if err != nil {
		return nil // impossible, because the line was checked when it was read
	}
	return g
}

// urlKey returns the form of a URL under which its gold is stored.
func urlKey(s string) string {
	s = strings.TrimSpace(s)
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return s
	}
	u.Fragment, u.RawFragment = "", ""
	u.Host = strings.ToLower(u.Host)
	switch {
	case u.Scheme == "http":
		u.Host = strings.TrimSuffix(u.Host, ":80")
	case u.Scheme == "https":
		u.Host = strings.TrimSuffix(u.Host, ":443")
	}
	if u.Path == "" {
		u.Path = "/"
	}
	return u.String()
}
