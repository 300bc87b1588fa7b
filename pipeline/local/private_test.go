package local

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/schemas"
)

// TestARunOverPrivateFilesGoesOn checks that a run over private files continues when
// they are given again, no matter who signed their URLs and when, and that otherwise it
// reports what is missing.
func TestARunOverPrivateFilesGoesOn(t *testing.T) {
	in, out := crawl(t, 10), t.TempDir()
	files := http.FileServer(http.Dir(in))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("sig") == "" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	file := server.URL + "/a.example.warc.gz?sig="
	begun := options(out, file+"old", "r")
	store, err := begun.Blobs.Store(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	begun.Plan.Out = store.URL()
	run, err := ingest.Plan(t.Context(), begun.Blobs, begun.Plan)
	if err != nil {
		t.Fatal(err)
	}
	if err := manifest.Create(t.Context(), store, &schemas.Manifest{Version: schemas.Version, Run: *run, Started: run.Created}); err != nil {
		t.Fatal(err)
	}

	if _, err := Run(t.Context(), options(out, "", "r")); err == nil || !strings.Contains(err.Error(), "give the INPUT again") {
		t.Errorf("without the signature: %v", err)
	}
	mustRun(t, options(out, file+"new", "r"))
	mustRun(t, options(out, "", "r")) // a finished run needs no signature

	same := t.TempDir()
	mustRun(t, options(same, filepath.Join(in, "a.example.warc.gz"), "r"))
	if strings.ReplaceAll(tables(t, out), server.URL+"/", "file://"+in+"/") != tables(t, same) {
		t.Error("the rows are not those of the same file on a disk")
	}
	if _, err := blob.ReadAll(t.Context(), store, "_SUCCESS", 1); err != nil {
		t.Error(err)
	}
}
