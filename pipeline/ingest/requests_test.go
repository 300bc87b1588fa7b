package ingest

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/schemas"
)

// A plan with --only-new reads a bucket of earlier runs with three requests for each run,
// and one for each thousand runs. How many files a run has does not matter.
func TestRequestsForEarlierRuns(t *testing.T) {
	var mu sync.Mutex
	counts := map[string]int{} // requests, by method and kind
	backend := s3mem.New()
	if err := backend.CreateBucket("tables"); err != nil {
		t.Fatal(err)
	}
	inner := gofakes3.New(backend).Server()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind := r.Method
		if r.Method == http.MethodGet && strings.Contains(r.URL.RawQuery, "list-type") {
			kind = "LIST"
		}
		mu.Lock()
		counts[kind]++
		mu.Unlock()
		inner.ServeHTTP(w, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	settings := "?" + url.Values{"region": {"eu-west-1"}, "endpoint": {server.URL}, "use_path_style": {"true"}}.Encode()

	inbox := t.TempDir()
	put(t, inbox, "a.warc", "WARC/1.0\r\n")
	client := blob.New(blob.Options{})
	defer client.Close()
	plan := func(client *blob.Client, id, folder string) *schemas.Run {
		o := Options{Run: schemas.RunID(id), Inputs: []string{filepath.Join(inbox, "*.warc")}, Out: t.TempDir(), Recipe: schemas.Recipe{Build: "test", Extractors: []schemas.Method{{Name: "plain"}}}}
		if folder != "" {
			o.OnlyNew = []string{"s3://tables/" + folder + settings}
		}
		run, err := Plan(t.Context(), client, o)
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	object := func(name string, data []byte) {
		t.Helper()
		if _, err := backend.PutObject("tables", name, map[string]string{"Last-Modified": time.Unix(0, 0).UTC().Format(http.TimeFormat)}, bytes.NewReader(data), int64(len(data)), nil); err != nil {
			t.Fatal(err)
		}
	}
	// measure writes the folders of earlier runs, and returns the requests of a plan.
	measure := func(root string, nights, files int) map[string]int {
		t.Helper()
		for night := range nights {
			id := fmt.Sprintf("nightly-%04d", night)
			data, err := finished(plan(client, id, "")).Encode()
			if err != nil {
				t.Fatal(err)
			}
			object(root+"/"+id+"/"+schemas.ManifestFile, data)
			object(root+"/"+id+"/"+schemas.SuccessFile, nil)
			for i := range files {
				object(fmt.Sprintf("%s/%s/documents/%06d.parquet", root, id, i), nil)
			}
		}
		object(root+"/canceled/"+schemas.ManifestFile, nil)
		mu.Lock()
		clear(counts)
		mu.Unlock()
		fresh := blob.New(blob.Options{}) // it has not reached the bucket before
		defer fresh.Close()
		if run := plan(fresh, "tonight", root); len(run.Skipped) != 1 || run.Skipped[0].Run != "nightly-0000" {
			t.Errorf("%d nights of %d files: skips %+v", nights, files, run.Skipped)
		}
		mu.Lock()
		defer mu.Unlock()
		return map[string]int{"LIST": counts["LIST"], http.MethodHead: counts[http.MethodHead], http.MethodGet: counts[http.MethodGet], "all": counts["LIST"] + counts[http.MethodHead] + counts[http.MethodGet]}
	}
	few, large, many := measure("few", 3, 1), measure("large", 3, 1200), measure("many", 40, 1)
	if fmt.Sprint(few) != fmt.Sprint(large) {
		t.Errorf("three runs of one file need the requests %v, of 1200 files %v", few, large)
	}
	if got := many["all"] - few["all"]; got != 37*3 || many["LIST"] != few["LIST"] {
		t.Errorf("37 more runs need %d more requests, want %d: %v and %v", got, 37*3, few, many)
	}
}
