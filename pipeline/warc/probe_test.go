package warc

import (
	"bytes"
	"errors"
	"sync"
	"testing"
)

// Probes share their buffers, one after the other. What one file holds says nothing of the
// next, whether the last one was read, failed or was shorter.
func TestProbesAreIndependent(t *testing.T) {
	page := record("response", "http://a.example/", "<p>grain</p>")
	files := []struct {
		data []byte
		want Format
		err  error
	}{
		{gz(page), FormatGzip, nil},
		{nil, FormatEmpty, nil},
		{[]byte(page), FormatPlain, nil},
		{[]byte("not an archive"), FormatUnknown, ErrNotWARC},
		{gz("not an archive"), FormatGzip, ErrNotWARC},
		{lz(page), FormatLZ4, nil},
		{gz(arcPage("http://a.example/")), FormatARCGzip, nil},
		{append(gz(page), bytes.Repeat(gz(page), 5000)...), FormatGzip, nil}, // more than the buffer
	}
	var all sync.WaitGroup
	for start := range 4 {
		all.Go(func() {
			for i := range 40 {
				f := files[(start*3+i)%len(files)]
				got, err := Probe(bytes.NewReader(f.data))
				if !errors.Is(err, f.err) || f.err == nil && got != f.want {
					t.Errorf("%s, %v; want %s, %v", got, err, f.want, f.err)
				}
			}
		})
	}
	all.Wait()
}
