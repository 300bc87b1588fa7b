package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/pipeline/retry"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// engine records what the bulk protocol does to an index. eval/search has the tests with an
// index that can be searched.
type engine struct {
	mu       sync.Mutex
	docs     map[string]map[string]any
	writes   map[string]int // by id
	requests int
	// before answers a request in place of the engine if it returns a status, and status
	// answers an action likewise.
	before func(request int, body []byte) int
	status func(request int, id string) int
}

func (e *engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.requests++
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if e.before != nil {
		if status := e.before(e.requests, body); status != 0 {
			http.Error(w, `{"error":"not now"}`, status)
			return
		}
	}
	type target struct {
		Index string `json:"_index"`
		ID    string `json:"_id"`
	}
	var items []map[string]any
	in := json.NewDecoder(strings.NewReader(string(body)))
	for {
		var named map[string]target
		if err := in.Decode(&named); err != nil {
			break
		}
		for action, to := range named {
			status := http.StatusCreated
			var doc map[string]any
			if action == "index" {
				if err := in.Decode(&doc); err != nil {
					http.Error(w, err.Error(), http.StatusBadRequest)
					return
				}
			}
			forced := 0
			if e.status != nil {
				forced = e.status(e.requests, to.ID)
			}
			switch {
			case forced != 0:
				status = forced
			case action == "index":
				e.docs[to.ID] = doc
				e.writes[to.ID]++
			case e.docs[to.ID] == nil:
				status = http.StatusNotFound
			default:
				status = http.StatusOK
				delete(e.docs, to.ID)
			}
			item := map[string]any{"_index": to.Index, "_id": to.ID, "status": status}
			if status >= 400 && status != 404 {
				item["error"] = map[string]any{"type": "mapper_parsing_exception", "reason": "failed to parse"}
			}
			items = append(items, map[string]any{action: item})
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"took": 1, "errors": true, "items": items})
}

func newEngine() *engine { return &engine{docs: map[string]map[string]any{}, writes: map[string]int{}} }

// finishedRun is the folder of a run of n pages, of which every tenth has no text. Their
// names are hostile.
func finishedRun(t *testing.T, n int, texts string) (blob.Store, *schemas.Manifest) {
	t.Helper()
	store := new(blobtest.Memory)
	m := &schemas.Manifest{Finished: time.Now(), Run: schemas.Run{ID: "r", Recipe: schemas.Recipe{Texts: texts}}}
	if texts == schemas.TextsBulk {
		m.Run.Recipe.Bulk = &schemas.Bulk{Index: "pages", ID: schemas.IDURL}
	}
	part := schemas.Part{}
	var rows []schemas.Text
	var documents []schemas.Document
	for i := range n {
		url := fmt.Sprintf("http://h.example/%d?\"\n\x00<é>%s", i, strings.Repeat("x", i%7*100))
		d := schemas.Document{PageID: uint64(i), URL: url, Extractor: "winnow", Outcome: string(algorithms.OK), Kept: schemas.Yes}
		switch i % 20 {
		case 0:
			d.Outcome = string(algorithms.Empty)
		case 10:
			d.Kept = schemas.No
		default:
			rows = append(rows, schemas.Text{PageID: uint64(i), URL: url, Extractor: "winnow", Form: "text", Text: fmt.Sprintf("text %d\n{\"index\":{}}\n\u2028", i)})
		}
		documents = append(documents, d)
	}
	f, err := tables.Write(t.Context(), store, columnar.Documents, "documents/part-00000.parquet", &m.Run, columnar.PartSize, each(documents))
	if err != nil {
		t.Fatal(err)
	}
	part.Files = append(part.Files, *f)
	for i := range 3 { // files
		some := rows[i*len(rows)/3 : (i+1)*len(rows)/3]
		if texts != schemas.TextsBulk {
			if f, err = tables.Write(t.Context(), store, columnar.TextsOf(&m.Run.Recipe), schemas.TextsName("", 0, 1, i)+".parquet", &m.Run, columnar.PartSize, each(some)); err != nil {
				t.Fatal(err)
			}
			part.Files = append(part.Files, *f)
			continue
		}
		name := schemas.TextsName("", 0, 1, i) + columnar.BulkSuffix
		file, err := store.Create(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := columnar.NewJSONLines(file, &m.Run.Recipe)
		for j := range some {
			if err == nil {
				err = w.Append(&some[j])
			}
		}
		if err == nil {
			err = w.Close()
		}
		if err == nil {
			_, err = file.Commit()
		}
		if err != nil {
			t.Fatal(err)
		}
		part.Files = append(part.Files, schemas.Shard{Table: schemas.TableTexts, Name: name, Rows: w.Rows()})
	}
	m.Parts = []schemas.Part{part}
	return store, m
}

func each[T any](rows []T) func(func(*T, error) bool) {
	return func(yield func(*T, error) bool) {
		for i := range rows {
			if !yield(&rows[i], nil) {
				return
			}
		}
	}
}

// options are those of a push that waits for no longer than a test can.
func options(url string, rejected *[]string) Options {
	return Options{URL: url, Form: &schemas.Bulk{Index: "pages", ID: schemas.IDURL}, Batch: 4000, Retry: retry.Policy{First: time.Microsecond, Longest: time.Millisecond, For: 20 * time.Second},
		Rejected: func(id, reason string) { *rejected = append(*rejected, id+": "+reason) }}
}

// Every text is in the index once and with its own words, from a table and from the bulk
// form, whatever the engine does with requests: busy, too large, parts of a batch refused
// for a while. What it refuses for good is listed, and nothing else.
func TestPush(t *testing.T) {
	const pages, texts = 200, 180
	for name, test := range map[string]struct {
		before func(int, []byte) int
		status func(int, string) int
		lost   int
		says   string
	}{
		"plain": {},
		"busy":  {before: func(n int, _ []byte) int { return []int{0, 429, 503, 502, 0}[n%5] }},
		"too large": {before: func(_ int, body []byte) int {
			if len(body) > 1500 {
				return http.StatusRequestEntityTooLarge
			}
			return 0
		}},
		"one too large": {before: func(_ int, body []byte) int {
			if strings.Contains(string(body), "h.example/7?") {
				return http.StatusRequestEntityTooLarge
			}
			return 0
		}, lost: 1, says: "413"},
		"some busy": {status: func(n int, id string) int {
			if (n+len(id))%3 == 0 {
				return http.StatusTooManyRequests
			}
			return 0
		}},
		"some refused": {status: func(_ int, id string) int {
			if strings.Contains(id, "h.example/7") { // 70 has no text, and the ids of 75 and 76 are hashes
				return http.StatusBadRequest
			}
			return 0
		}, lost: 8, says: "mapper_parsing_exception: failed to parse"},
	} {
		for _, format := range []string{schemas.TextsParquet, schemas.TextsBulk} {
			t.Run(name+" "+format, func(t *testing.T) {
				store, m := finishedRun(t, pages, format)
				e := newEngine()
				e.before, e.status = test.before, test.status
				srv := httptest.NewServer(e)
				defer srv.Close()
				var rejected []string
				state, err := Run(t.Context(), store, m, options(srv.URL, &rejected))
				if err != nil || state.Finished.IsZero() || state.Indexed != int64(texts-test.lost) || state.Rejected != int64(test.lost) || len(rejected) != test.lost {
					t.Fatalf("%v, %+v, %q", err, state, rejected)
				}
				for _, r := range rejected {
					if !strings.Contains(r, "h.example/7") || !strings.Contains(r, test.says) {
						t.Error(r)
					}
				}
				if len(e.docs) != texts-test.lost {
					t.Errorf("%d documents", len(e.docs))
				}
				for id, doc := range e.docs {
					var n int
					if _, err := fmt.Sscanf(doc["url"].(string), "http://h.example/%d?", &n); err != nil || doc["text"] != fmt.Sprintf("text %d\n{\"index\":{}}\n\u2028", n) || e.writes[id] != 1 || len(id) > 512 {
						t.Errorf("document %q, written %d times: %q, %v", id, e.writes[id], doc["text"], err)
					}
				}
				sent := e.requests
				if again, err := Run(t.Context(), store, m, options(srv.URL, &rejected)); err != nil || e.requests != sent || again.Indexed != state.Indexed {
					t.Errorf("a finished push sends %d requests, %v", e.requests-sent, err)
				}
				o := options(srv.URL, &rejected)
				o.Again = true
				if _, err := Run(t.Context(), store, m, o); err != nil || e.requests == sent {
					t.Errorf("a push that is asked for again sends nothing: %v", err)
				}
			})
		}
	}
}

// A push that is interrupted at any request goes on after the last answer, and leaves the
// documents that one without an interruption leaves. Deletions come first.
func TestPushGoesOn(t *testing.T) {
	const pages, texts = 200, 180
	for stop := 1; ; stop++ {
		store, m := finishedRun(t, pages, schemas.TextsParquet)
		e := newEngine()
		ctx, cancel := context.WithCancelCause(t.Context())
		killed := errors.New("killed")
		e.status = func(n int, _ string) int {
			if n == stop {
				cancel(killed) // the engine has the batch, and its answer is lost
			}
			return 0
		}
		e.docs["http://h.example/10?\"\n\x00<é>"+strings.Repeat("x", 300)] = map[string]any{}
		e.docs["http://h.example/elsewhere"] = map[string]any{}
		srv := httptest.NewServer(e)
		var rejected []string
		o := options(srv.URL, &rejected)
		o.Delete = true
		first, err := Run(ctx, store, m, o)
		cancel(nil)
		whole := err == nil
		if !whole && !errors.Is(err, killed) && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		last, err := Run(t.Context(), store, m, o)
		srv.Close()
		if err != nil || len(rejected) > 0 || last.Actions != pages || last.Actions < first.Actions {
			t.Fatalf("%v, %q, %+v", err, rejected, last)
		}
		again := 0
		for _, n := range e.writes {
			again += n - 1
		}
		if len(e.docs) != texts+1 || e.docs["http://h.example/elsewhere"] == nil || again > 60 {
			t.Fatalf("stopped at request %d: %d documents, %d written again", stop, len(e.docs), again)
		}
		if whole {
			if stop < 10 {
				t.Errorf("a push has %d requests only", stop)
			}
			return
		}
	}
}

// Errors that waiting does not mend end a push at once and say what to do.
func TestPushFails(t *testing.T) {
	answer := func(status int, body string, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if len(header) > 0 {
				w.Header().Set(header[0], header[1])
			}
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	down := httptest.NewServer(answer(200, ""))
	down.Close()
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		url     string
		says    string
	}{
		"no credentials":  {answer(401, "who are you?"), "", "give USER:PASSWORD@ in the URL, or --header"},
		"another server":  {answer(200, "<html>"), "", "is this the URL of Elasticsearch"},
		"no such path":    {answer(404, "nothing"), "", "status 404 Not Found: nothing"},
		"a redirect":      {answer(301, "", "Location", "https://other.example/"), "", `redirects to "https://other.example/": give that URL`},
		"a wrong address": {nil, "localhost:9200", "want the URL of a search engine, such as http://localhost:9200"},
		"a dead server":   {nil, down.URL, "connection refused"},
		"a busy server":   {answer(429, "full"), "", "status 429"},
	} {
		t.Run(name, func(t *testing.T) {
			store, m := finishedRun(t, 20, schemas.TextsParquet)
			url := test.url
			if test.handler != nil {
				srv := httptest.NewServer(test.handler)
				defer srv.Close()
				url = srv.URL
			}
			var rejected []string
			o := options(url, &rejected)
			o.Retry.Attempts = 3
			if _, err := Run(t.Context(), store, m, o); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%v", err)
			}
		})
	}
}

// A password is sent, and is in no file and in no message.
func TestPushKeepsSecrets(t *testing.T) {
	store, m := finishedRun(t, 20, schemas.TextsParquet)
	e := newEngine()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "me" || password != "s3cret" || r.Header.Get("X-Tenant") != "t" || r.URL.Path != "/es/_bulk" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		e.ServeHTTP(w, r)
	}))
	defer srv.Close()
	var rejected []string
	o := options(strings.Replace(srv.URL, "http://", "http://me:s3cret@", 1)+"/es", &rejected)
	o.Headers = map[string]string{"X-Tenant": "t"}
	if _, err := Run(t.Context(), store, m, o); err != nil {
		t.Fatal(err)
	}
	files, err := store.List(t.Context(), schemas.PushedFolder+"/")
	if err != nil || len(files) != 1 || !m.Run.Writes(files[0].Name) {
		t.Fatal(files, err)
	}
	if data, err := blob.ReadAll(t.Context(), store, files[0].Name, 1<<20); err != nil || strings.Contains(string(data), "s3cret") {
		t.Errorf("%s, %v", data, err)
	}
	o.URL = strings.Replace(o.URL, "/es", "/other", 1)
	if _, err := Run(t.Context(), store, m, o); err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Error(err)
	}
}
