package source

import (
	"bytes"
	"testing"
)

// For a folder with files of any format, either the files are read together with the
// crawl archives in it, or the format says how to have them read.
func TestEveryFormatIsReadOrGivesAdvice(t *testing.T) {
	names := map[string]bool{}
	for _, f := range formats {
		if names[f.Name()] || f.Name() == "" {
			t.Errorf("two formats are called %q", f.Name())
		}
		names[f.Name()] = true
		if _, read := f.(recordFormat); read != (f.aside() == "") {
			t.Errorf("%s: a run reads it from folders: %v; its advice is %q", f.Name(), read, f.aside())
		}
		if r, ok := f.(recordFormat); ok {
			if is, err := r.holds(bytes.NewReader(nil)); is && f != (archive{}) || err != nil {
				t.Errorf("%s holds no bytes at all: %v, %v", f.Name(), is, err)
			}
		}
	}
	for name, want := range map[string]Format{
		"a.tar.xz": goldPackage{}, "a.HTM": htmlPage{}, "cdx-00012.gz": index{}, "a.WACZ": collection{}, "a.warc.lz4": archive{}, "a.arc.gz": archive{},
		"a.warc.wet.gz": nil, "a.xz": nil, "warc": nil,
	} {
		if got := formatByName(name); got != want {
			t.Errorf("%s: %T, want %T", name, got, want)
		}
	}
}
