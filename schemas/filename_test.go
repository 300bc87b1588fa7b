package schemas

import (
	"slices"
	"testing"
)

func TestFileNames(t *testing.T) {
	for url, want := range map[string]string{
		"file:///a/b/crawl.warc.gz":               "crawl",
		"s3://bucket/p/x.warc.zst?region=eu":      "x",
		"https://h/CC-MAIN-1.warc.gz":             "CC-MAIN-1",
		"file:///a/plain.warc":                    "plain",
		"file:///a/.gz":                           ".gz",
		"file:///a/no-end":                        "no-end",
		"file:///a/with%20space%2Fslash.warc.bz2": "slash",
		"s3://b/crawl.wacz#archive/data.warc.gz":  "data",
		"a.warc":                                  "a", "%zz": "%zz", "": "", "/": "/",
	} {
		if got := FileNames(url)[0]; got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
	if got, want := FileNames("s3://crawl/en0000/00.warc.gz"), []string{"00", "00.warc.gz", "en0000/00", "en0000/00.warc.gz",
		"crawl/en0000/00", "crawl/en0000/00.warc.gz"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := FileNames("file:///a/b"), []string{"b", "a/b"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
