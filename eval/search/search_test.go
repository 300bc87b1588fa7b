// Package search tests that the texts of runs reach a search engine with an index that
// answers queries. It is in the module eval because the index is a large library.
package search

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"

	"github.com/winnow/winnow/eval/binaries"
	"github.com/winnow/winnow/pipeline/warc/write"
)

// root is the folder of the repository.
const root = "../.."

// TestSearch builds winnow once for the tests below.
func TestSearch(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program and runs it")
	}
	folder := t.TempDir()
	if err := binaries.Build(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(folder, "winnow")
	t.Run("NightlyIndex", func(t *testing.T) { testNightlyIndex(t, program) })
	t.Run("KilledPush", func(t *testing.T) { testKilledPush(t, program) })
}

// serve starts an engine with an empty index.
func serve(t *testing.T) (*engine, string) {
	t.Helper()
	e := &engine{folder: t.TempDir(), index: map[string]bleve.Index{}, writes: map[string]int{}}
	srv := httptest.NewServer(e)
	t.Cleanup(func() {
		srv.Close()
		for _, index := range e.index {
			index.Close()
		}
	})
	return e, srv.URL
}

// archive writes a WARC file with an HTML response for each URL, or with a revisit record
// where there is no status: the crawler had the same payload before.
func archive(t *testing.T, name string, pages []captured) {
	t.Helper()
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := write.NewWriter(file)
	for i, p := range pages {
		html := fmt.Sprintf("<html lang=en><head><title>%[1]s</title></head><body><nav><a href=/>Home</a> <a href=/about>Imprint</a></nav><article><h1>%[1]s</h1><p>%[2]s</p><p>%[2]s</p></article></body></html>", p.title, p.words)
		if p.status == 0 {
			if err := w.Write(&write.Record{Type: "revisit", ID: write.ID(name, fmt.Sprint(i)), Date: time.Date(2026, 11, 25, 1, 0, i, 0, time.UTC), TargetURI: p.url, ContentType: "application/http; msgtype=response", Block: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"),
				Fields: []write.Field{{Name: "WARC-Profile", Value: "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"}, {Name: "WARC-Refers-To-Target-URI", Value: p.url}}}); err != nil {
				t.Fatal(err)
			}
			continue
		}
		block := fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s", p.status, len(html), html)
		if err := w.Write(&write.Record{Type: "response", ID: write.ID(name, fmt.Sprint(i)), Date: time.Date(2026, 11, 24, 1, 0, i, 0, time.UTC), TargetURI: p.url, ContentType: "application/http; msgtype=response", Block: []byte(block)}); err != nil {
			t.Fatal(err)
		}
	}
}

type captured struct {
	url, title, words string
	status            int
}

// sentence is a paragraph about a thing, which no extractor takes for navigation.
func sentence(thing string) string {
	return "It began with a spade and no permit, when the people of the row took up the pavement and planted " + thing + " in the gravel, because the cellars had been flooded for the third time in five years and nobody had come to look at them."
}

// testNightlyIndex carries out the commands of the guide for three nights. The index has the
// pages of tonight: new ones, changed ones with their new words alone, those that were not
// visited or are the same, and none that is gone. A page that is the same is not sent again.
func testNightlyIndex(t *testing.T, program string) {
	text, err := os.ReadFile(root + "/docs/guide/search-index.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)<!-- checked by TestSearch -->\n```sh\n(.*?)```").FindAllSubmatch(text, -1) {
		blocks = append(blocks, string(m[1]))
	}
	if len(blocks) != 2 {
		t.Fatalf("the guide has %d blocks of commands", len(blocks))
	}
	e, address := serve(t)
	folder := t.TempDir()
	for _, name := range []string{"nights", "inbox"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	docs, err := filepath.Abs(root + "/docs")
	if err != nil {
		t.Fatal(err)
	}
	night := func(date, file string, pages ...captured) {
		t.Helper()
		archive(t, filepath.Join(folder, "inbox", file), pages)
		for line := range strings.Lines(blocks[0]) {
			line = strings.NewReplacer("2026-11-24", date, "http://localhost:9200", address, "@docs/", "@"+docs+"/").Replace(strings.TrimSpace(line))
			if rest, ok := strings.CutPrefix(line, "winnow "); ok {
				line = program + " " + rest
			} else if date != "2026-11-24" {
				continue // the index is there
			}
			shell(t, folder, line)
		}
	}
	night("2026-11-24", "monday.warc",
		captured{"http://a.example/iris", "Irises", sentence("irises"), 200},
		captured{"http://a.example/rose", "Roses", sentence("roses"), 200},
		captured{"http://a.example/fern", "Ferns", sentence("ferns"), 200},
		captured{"http://a.example/reed", "Reeds", sentence("reeds"), 200},
		captured{"http://a.example/lost", "Not found", sentence("errors"), 404})
	expect(t, address, blocks[1], "irises", "http://a.example/iris")
	expect(t, address, blocks[1], "roses", "http://a.example/rose")
	expect(t, address, blocks[1], "errors")
	expect(t, address, blocks[1], "imprint") // of the navigation
	night("2026-11-25", "tuesday.warc",
		captured{"http://a.example/iris", "Gone", sentence("errors"), 410},
		captured{"http://a.example/rose", "Roses", sentence("tulips"), 200},
		captured{url: "http://a.example/reed"}, // a revisit
		captured{"http://a.example/moss", "Mosses", sentence("mosses"), 200})
	expect(t, address, blocks[1], "irises")
	expect(t, address, blocks[1], "roses", "http://a.example/rose") // its title
	expect(t, address, blocks[1], "tulips", "http://a.example/rose")
	expect(t, address, blocks[1], "ferns", "http://a.example/fern")
	expect(t, address, blocks[1], "reeds", "http://a.example/reed")
	expect(t, address, blocks[1], "mosses", "http://a.example/moss")
	expect(t, address, blocks[1], "pavement", "http://a.example/fern", "http://a.example/moss", "http://a.example/reed", "http://a.example/rose")
	night("2026-11-26", "wednesday.warc",
		captured{"http://a.example/iris", "Irises", sentence("irises"), 200}, // it is back
		captured{"http://a.example/rose", "Roses", sentence("roses"), 200},   // as it was on Monday
		captured{"http://a.example/reed", "Reeds", sentence("reeds"), 200},   // the same, and no revisit
		captured{"http://a.example/fern", "Ferns", sentence("ferns"), 200},
		captured{"http://a.example/moss", "Not found", sentence("errors"), 404})
	expect(t, address, blocks[1], "irises", "http://a.example/iris")
	expect(t, address, blocks[1], "tulips")
	expect(t, address, blocks[1], "pavement", "http://a.example/fern", "http://a.example/iris", "http://a.example/reed", "http://a.example/rose")
	for page, want := range map[string]int{"iris": 2, "rose": 3, "reed": 1, "fern": 1, "moss": 1} {
		if n := e.writes["http://a.example/"+page]; n != want {
			t.Errorf("%s was sent %d times, want %d", page, n, want)
		}
	}
}

// shell runs one command line of the guide.
func shell(t *testing.T, folder, line string) {
	t.Helper()
	command := exec.Command("sh", "-ec", line)
	command.Dir = folder
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, text)
	}
}

// expect makes the query of the guide for another word, and compares the addresses of the
// pages found.
func expect(t *testing.T, address, query, word string, want ...string) {
	t.Helper()
	at := regexp.MustCompile(`http://[^']+`).FindString(query)
	at = strings.Replace(strings.Replace(at, "http://localhost:9200", address, 1), "irises", url.QueryEscape(word), 1)
	answer, err := http.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v\n%s", at, answer.Status, err, data)
	}
	var found struct {
		Hits struct {
			Hits []struct {
				ID string `json:"_id"`
			}
		}
	}
	if err := json.Unmarshal(data, &found); err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, hit := range found.Hits.Hits {
		got = append(got, hit.ID)
	}
	slices.Sort(got)
	if !slices.Equal(got, append([]string{}, want...)) {
		t.Errorf("%s: %q, want %q", at, got, want)
	}
}

// testKilledPush kills the process of a push in the middle of a request, again and again, and
// lets the last one end. Every document is in the index once, and only batches whose answer
// was lost are sent twice.
func testKilledPush(t *testing.T, program string) {
	e, address := serve(t)
	folder := t.TempDir()
	var pages []captured
	for i := range 120 {
		pages = append(pages, captured{fmt.Sprintf("http://a.example/%d", i), fmt.Sprint("Page ", i), sentence(fmt.Sprint("tree", i)), 200})
	}
	archive(t, filepath.Join(folder, "crawl.warc"), pages)
	shell(t, folder, program+" run --extractors winnow --scorers none --texts parquet --out out crawl.warc")
	var push *exec.Cmd
	requests := 0
	e.bulk = func() {
		if requests++; requests%4 == 0 && requests < 20 {
			_ = push.Process.Kill()
		}
	}
	kills := 0
	for {
		push = exec.Command(program, "push", "--batch", "8KiB", "--bulk", "index=pages,id=url", address, "out")
		push.Dir = folder
		var said bytes.Buffer
		push.Stdout, push.Stderr = &said, &said
		e.mu.Lock() // the engine reads push
		err := push.Start()
		e.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		if err = push.Wait(); err == nil {
			if !strings.Contains(said.String(), "120 indexed, 0 deleted, 0 rejected") {
				t.Errorf("it said %s", said.String())
			}
			break
		}
		if push.ProcessState.ExitCode() != -1 {
			t.Fatalf("%v\n%s", err, said.String())
		}
		kills++
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	count, err := e.index["pages"].DocCount()
	if err != nil || count != 120 || kills < 3 {
		t.Errorf("%d documents after %d kills, %v", count, kills, err)
	}
	twice := 0
	for _, n := range e.writes {
		twice += n - 1
	}
	if len(e.writes) != 120 || twice > 60 {
		t.Errorf("%d documents were written, %d of them again", len(e.writes), twice)
	}
}
