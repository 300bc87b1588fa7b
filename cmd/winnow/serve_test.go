package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/blob"
)

// served serves a run until the test ends, and returns the address that serve printed.
func served(t testing.TB, out, listen string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := serveRun(ctx, out, listen, suite.Extractors(), blob.Options{}, w)
		w.CloseWithError(fmt.Errorf("serve ended: %v", err))
		done <- err
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, address, found := strings.Cut(strings.TrimSpace(line), " is at ")
	if !found {
		t.Fatalf("serve printed %q", line)
	}
	return address
}

// get returns the status and the body of a page.
func get(t testing.TB, client *http.Client, address string) (int, string) {
	t.Helper()
	answer, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// targets returns the links to pages in a document.
func targets(t testing.TB, body string) (out []string) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "href" && strings.HasPrefix(a.Val, "page?") {
				out = append(out, a.Val)
			}
		}
	}
	return out
}

func exampleRun(t *testing.T, scorers string) string {
	t.Helper()
	return ran(t, "--extractors", "plain,bte,density", "--scorers", scorers, "../../examples/crawl.warc.gz")
}

// Every page of the run is found by a search and is shown.
func TestServe(t *testing.T) {
	home := served(t, exampleRun(t, "vec"), "127.0.0.1:0")
	code, report := get(t, http.DefaultClient, home)
	if code != 200 || !strings.Contains(report, `<meta name="winnow-inspector" content="page">`) || !strings.Contains(report, "data-doc=") {
		t.Errorf("report: %d %.300s", code, report)
	}
	code, list := get(t, http.DefaultClient, home+"pages")
	if code != 200 || !strings.Contains(list, "1 to 50 of 62 pages.") || len(targets(t, list)) != 50 {
		t.Errorf("pages: %d, %d links", code, len(targets(t, list)))
	}
	_, rest := get(t, http.DefaultClient, home+"pages?skip=50")
	shown := append(targets(t, list), targets(t, rest)...)
	if len(shown) != 62 {
		t.Errorf("%d pages are listed, want 62", len(shown))
	}
	for _, target := range shown {
		if code, page := get(t, http.DefaultClient, home+target); code != 200 || !strings.Contains(page, `id="data"`) {
			t.Errorf("%s: %d %.200s", target, code, page)
		}
	}
	for search, want := range map[string]int{
		"q=bees-depot": 1, "q=BEES": 1, "q=nothing-of-this-name": 0, "package=lights": 6, "package=nowhere": 0,
		"outcome=ok&package=news": 17, "outcome=failed": 0, "package=lights&extractor=bte&from=0.999": 6, "package=lights&extractor=plain&from=0.999": 0, "skip=1000": 0, "skip=9223372036854775807": 0, "skip=-5&package=wiki": 15,
	} {
		if code, list := get(t, http.DefaultClient, home+"pages?"+search); code != 200 || len(targets(t, list)) != want {
			t.Errorf("%s: %d, %d pages, want %d", search, code, len(targets(t, list)), want)
		}
	}
	// Every page on which both have a figure is won, lost or even.
	_, against := get(t, http.DefaultClient, home+"pages?extractor=density&against=bte")
	var won, lost, even int
	if m := regexp.MustCompile(`density is better than bte on (\d+), worse on (\d+), the same on (\d+) \(vec\)`).FindStringSubmatch(against); m != nil {
		won, _ = strconv.Atoi(m[1])
		lost, _ = strconv.Atoi(m[2])
		even, _ = strconv.Atoi(m[3])
	}
	if won+lost+even != 58 || won == 0 || lost == 0 { // four pages have no gold text
		t.Errorf("against another: %d won, %d lost, %d even", won, lost, even)
	}
	differences := regexp.MustCompile(`<td>(-?\d\.\d{3})</td><td class="mid">\d+\.\d</td>`).FindAllStringSubmatch(against, -1)
	if len(differences) != 50 || !slices.IsSortedFunc(differences, func(a, b []string) int {
		x, _ := strconv.ParseFloat(a[1], 64)
		y, _ := strconv.ParseFloat(b[1], 64)
		return cmp.Compare(y, x)
	}) {
		t.Errorf("differences, the largest first: %q", differences)
	}
	if links := targets(t, against); len(links) != 50 || !strings.Contains(links[0], "against=bte") {
		t.Errorf("links: %q", links)
	} else if _, page := get(t, http.DefaultClient, home+links[0]); !strings.Contains(page, "chosen by both") || !strings.Contains(page, `<mark class="surplus">`) {
		t.Error("the page does not show the difference from bte")
	}
	_, up := get(t, http.DefaultClient, home+"pages?sort=up&extractor=bte")
	_, down := get(t, http.DefaultClient, home+"pages?sort=down&extractor=bte")
	if a, b := targets(t, up)[0], targets(t, down)[0]; a == b {
		t.Errorf("the lowest and the highest page are both %s", a)
	}
	for path, want := range map[string]int{"page?package=news&doc=nothing": 404, "nothing": 404, "../../etc/passwd": 404} {
		if code, _ := get(t, http.DefaultClient, home+path); code != want {
			t.Errorf("%s: %d, want %d", path, code, want)
		}
	}
	// A page of another site, whose name leads to this machine, learns nothing.
	request, _ := http.NewRequestWithContext(t.Context(), "GET", home+"pages", nil)
	request.Host = "evil.example:8321"
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("under another name: %d", answer.StatusCode)
	}
}

// Pages are found by their titles, other facts and texts, and by an expression over columns.
func TestServeSearch(t *testing.T) {
	home := served(t, ran(t, "--extractors", "winnow,plain", "--scorers", "none", "--facts", "metadata,language", "--texts", "parquet", "../../examples/crawl.warc.gz"), "127.0.0.1:0")
	for _, search := range []struct {
		query string
		want  func(n int, list string) bool
	}{
		{"q=bees-depot", func(n int, _ string) bool { return n == 1 }},
		{"q=" + url.QueryEscape("THE BEES"), func(n int, list string) bool { return n >= 1 && n < 10 && strings.Contains(list, "bees-depot") }},
		{"q=biscuits", func(n int, _ string) bool { return n < 3 }}, // the word is in advertisements, which winnow leaves out
		{"q=biscuits&extractor=plain", func(n int, list string) bool { return n > 3 && strings.Contains(list, "class=\"found\"") }},
		{"where=" + url.QueryEscape(`language = "en" and text_chars > 10`), func(n int, _ string) bool { return n > 20 && n < 62 }},
		{"where=" + url.QueryEscape(`text_chars < 0`), func(n int, _ string) bool { return n == 0 }},
		{"where=nothing", func(n int, list string) bool { return n == 0 && strings.Contains(list, `role="alert"`) }},
		{"extractor=winnow&against=plain", func(n int, list string) bool { return n > 0 && strings.Contains(list, "(consensus)") }},
	} {
		code, list := get(t, http.DefaultClient, home+"pages?"+search.query)
		total := 0
		if m := regexp.MustCompile(`<p>(?:\d+ to \d+ of )?(\d+) pages?\.`).FindStringSubmatch(list); m != nil {
			total, _ = strconv.Atoi(m[1])
		}
		if code != 200 || !search.want(total, list) {
			t.Errorf("%s: %d, %d pages, %d listed", search.query, code, total, len(targets(t, list)))
		}
	}
}

// Without the token nothing is shown where other machines can ask.
func TestServeToken(t *testing.T) {
	address, err := url.Parse(served(t, exampleRun(t, "none"), "0.0.0.0:0"))
	if err != nil {
		t.Fatal(err)
	}
	token := address.Query().Get("token")
	if len(token) < 20 {
		t.Fatalf("token %q", token)
	}
	home := "http://127.0.0.1:" + address.Port() + "/"
	for _, path := range []string{"", "pages", "page?package=news&doc=bees-depot", "?token=", "?token=" + token[1:], "pages?token=x"} {
		if code, body := get(t, http.DefaultClient, home+path); code != http.StatusForbidden || strings.Contains(body, "news") {
			t.Errorf("%s: %d %.100s", path, code, body)
		}
	}
	// With the token in its address, a path is never the name of another host.
	request, _ := http.NewRequestWithContext(t.Context(), "GET", home+"/evil.example/x?token="+token, nil)
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if to := answer.Header.Get("Location"); answer.StatusCode != http.StatusSeeOther || to != "/" {
		t.Errorf("//evil.example/x leads to %q with status %d", to, answer.StatusCode)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	if code, body := get(t, client, home+"?token="+token); code != 200 || strings.Contains(body, token) {
		t.Errorf("with the token: %d", code)
	}
	if code, _ := get(t, client, home+"pages"); code != 200 {
		t.Errorf("with the cookie: %d", code)
	}
}

// goingOn makes a finished run one that goes on: it has parts but no end, and no tables of
// the whole run. The function that it returns lets it end.
func goingOn(t *testing.T, out string) (end func()) {
	t.Helper()
	file, table := filepath.Join(out, "run.json"), filepath.Join(out, "packages.parquet")
	finished, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(finished, &m); err != nil {
		t.Fatal(err)
	}
	delete(m, "finished")
	unfinished, err := json.Marshal(m)
	if err == nil {
		err = os.WriteFile(file, unfinished, 0o666)
	}
	if err == nil {
		err = os.Rename(table, table+".later")
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := errors.Join(os.Rename(table+".later", table), os.WriteFile(file+".new", finished, 0o666), os.Rename(file+".new", file)); err != nil {
			t.Fatal(err)
		}
	}
}

// A run that goes on has no report yet; what is committed can be searched. When it has
// ended, it has one.
func TestServeWhileTheRunGoesOn(t *testing.T) {
	out := exampleRun(t, "vec")
	end := goingOn(t, out)
	home := served(t, out, "127.0.0.1:0")
	code, body := get(t, http.DefaultClient, home)
	if code != 200 || !strings.Contains(body, "The run is going on: 1 of 1 item committed, with 62 pages.") {
		t.Errorf("%d %.600s", code, body)
	}
	for _, script := range active(t, []byte(body)) {
		if script == "<script>" {
			t.Error("the list has a script that its policy does not allow")
		}
	}
	progress := func() (state struct {
		Progress string
		Finished bool
	}) {
		t.Helper()
		code, body := get(t, http.DefaultClient, home+"progress")
		if err := json.Unmarshal([]byte(body), &state); code != 200 || err != nil {
			t.Fatalf("progress: %d %v %s", code, err, body)
		}
		return state
	}
	if state := progress(); state.Finished || state.Progress != "The run is going on: 1 of 1 item committed, with 62 pages." {
		t.Errorf("progress: %+v", state)
	}
	end()
	for t.Context().Err() == nil && !progress().Finished {
		time.Sleep(10 * time.Millisecond) // the server looks at the run every two seconds
	}
	if state := progress(); !strings.HasPrefix(state.Progress, "The run has ended, with 62 pages.") {
		t.Errorf("progress: %+v", state)
	}
	if code, body := get(t, http.DefaultClient, home); code != 200 || !strings.Contains(body, "<title>Winnow: run r</title>") {
		t.Errorf("report: %d %.300s", code, body)
	}
}

// Names of a hostile crawl stay text, and lead to their pages.
func TestServeHostilePages(t *testing.T) {
	home := served(t, ran(t, "--extractors", "plain,bte", "--scorers", "vec", hostileArchive(t)), "127.0.0.1:0")
	_, list := get(t, http.DefaultClient, home+"pages")
	links := targets(t, list)
	if len(links) != len(hostileNames) {
		t.Errorf("%d pages are listed, want %d", len(links), len(hostileNames))
	}
	for _, target := range links {
		code, page := get(t, http.DefaultClient, home+target)
		if code != 200 || strings.Contains(page, "<script>alert") || strings.Contains(page, "<img") || strings.Count(page, "<iframe") != 1 {
			t.Errorf("%s: %d", target, code)
		}
	}
	if strings.Contains(list, "<script") || strings.Contains(list, "<img") {
		t.Error("a name is markup")
	}
	if code, list := get(t, http.DefaultClient, home+"pages?q=%22%3E%3Cscript%3Ealert(1)&package=%22%3E%3Cimg%3E"); code != 200 || strings.Contains(list, "<script") || strings.Contains(list, "<img") {
		t.Errorf("%d: what is searched for is markup", code)
	}
}

// The error of an address that cannot be used says what to do.
func TestServeWhereNobodyCanListen(t *testing.T) {
	out := exampleRun(t, "none")
	address, err := url.Parse(served(t, out, "127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	if err := serveRun(t.Context(), out, address.Host, suite.Extractors(), blob.Options{}, io.Discard); err == nil || !strings.Contains(err.Error(), "choose another port with --listen") {
		t.Errorf("an address in use: %v", err)
	}
	if err := serveRun(t.Context(), out, "203.0.113.1:0", suite.Extractors(), blob.Options{}, io.Discard); err == nil || !strings.Contains(err.Error(), "choose an address of this machine") {
		t.Errorf("an address of another machine: %v", err)
	}
	all, err := url.Parse(served(t, out, ":0"))
	if err != nil || all.Hostname() != "localhost" || all.Query().Get("token") == "" {
		t.Errorf("all interfaces: %v, %v", all, err)
	}
}
