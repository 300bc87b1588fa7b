package ingest

import (
	"slices"
	"testing"
)

// TestNames: files are called by as little as tells them apart.
func TestNames(t *testing.T) {
	f := func(urls, want []string) {
		t.Helper()
		if got := names(urls); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", urls, got, want)
		}
	}
	f([]string{"file:///c/a.warc.gz", "file:///c/b.warc.gz"}, []string{"a", "b"})
	f([]string{"file:///c/en0000/00.warc.gz", "file:///c/en0001/00.warc.gz", "file:///c/en0001/01.warc.gz"}, []string{"en0000/00", "en0001/00", "01"})
	f([]string{"file:///c/a.warc", "file:///c/a.warc.gz"}, []string{"a.warc", "a.warc.gz"})
	f([]string{"file:///x/a.warc", "file:///x/a.warc.gz", "file:///y/a.warc"}, []string{"x/a.warc", "x/a.warc.gz", "y/a.warc"})
	f([]string{"file:///1/x/a.warc", "file:///2/x/a.warc"}, []string{"1/x/a", "2/x/a"})
	f([]string{"s3://one/a.warc", "s3://two/a.warc"}, []string{"one/a", "two/a"})
	// No name but the URL, and a name that another group has.
	f([]string{"s3://one/a.warc", "gs://one/a.warc"}, []string{"s3://one/a.warc", "gs://one/a.warc"})
	f([]string{"file:///c/a.warc", "file:///c/a.warc.gz", "file:///c/a.warc.warc.gz"},
		[]string{"file:///c/a.warc", "a.warc.gz", "file:///c/a.warc.warc.gz"})
	f(nil, []string{})
}
