package worker

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// A worker reads files and gold that are behind a password with what the broker has
// for them, and nothing else that the broker says.
func TestPrivateFiles(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	c := newCrawl(t, dir, "a.warc.gz")
	c.page("h.example", 1, "")
	c.page("h.example", 2, "")
	c.close()
	if err := os.WriteFile(filepath.Join(dir, "gold.jsonl"), []byte(`{"url":"http://h.example/2.html","package":"side","text":"Paragraph 1"}`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if _, pw, _ := r.BasicAuth(); pw != "SESAME" {
			rw.WriteHeader(http.StatusForbidden)
			return
		}
		files.ServeHTTP(rw, r)
	}))
	defer server.Close()
	private := "http://reader:SESAME@" + strings.TrimPrefix(server.URL, "http://")
	side, err := source.ReadGold(t.Context(), w.client, private+"/gold.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	w.plan.Inputs = []string{private + "/a.warc.gz"}
	r := &w.plan.Recipe
	r.Gold, r.GoldPrivate, r.GoldDigest = server.URL+"/gold.jsonl", true, side.Digest
	reports, dead := w.work()
	rows := table(w, columnar.Scores, reports)
	if len(dead) > 0 || len(rows) != 2 || rows[0].Reason != "" || rows[0].Package != "side" {
		t.Errorf("%v, %+v", dead, rows)
	}

	// What is kept for one file opens no other.
	run := &schemas.Run{ID: "other", Access: map[string]string{server.URL + "/b": private + "/a.warc.gz"}}
	if err := w.q.ShareAccess(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	blobs := blob.New(blob.Options{})
	defer blobs.Close()
	other := Job{Run: run, Queue: w.q, Blobs: blobs}
	for _, public := range []string{server.URL + "/b", server.URL + "/unknown"} {
		if err := other.Admit(t.Context(), public); err == nil || strings.Contains(err.Error(), "SESAME") {
			t.Errorf("%s: %v", public, err)
		}
	}
}
