package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/winnow/winnow"
)

func shipped(t testing.TB) []byte {
	t.Helper()
	src, err := os.ReadFile("../../../../examples/page.html")
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// client sends requests to a server, and checks requests and answers against the OpenAPI
// document that the server gives.
type client struct {
	t       *testing.T
	address string
	router  routers.Router
}

func start(t *testing.T, o Options) (*Server, *client) {
	t.Helper()
	s := New(o)
	h := httptest.NewServer(s.Handler())
	t.Cleanup(h.Close)
	answer, err := http.Get(h.URL + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	router, err := legacy.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	return s, &client{t: t, address: h.URL, router: router}
}

// do sends a request and returns its answer, which the document must describe.
func (c *client) do(method, target string, header map[string]string, body []byte) (*http.Response, string) {
	c.t.Helper()
	r, err := http.NewRequest(method, c.address+target, bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	for name, v := range header {
		r.Header.Set(name, v)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	r.URL.Host, r.URL.Scheme = "", ""
	route, params, err := c.router.FindRoute(r)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, target, err)
	}
	in := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route, Options: &openapi3filter.Options{IncludeResponseStatus: true}}
	if media := answer.Header.Get("Content-Type"); !strings.HasPrefix(media, "application/json") {
		in.Options.ExcludeResponseBody = true // a text
	}
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: answer.StatusCode, Header: answer.Header, Options: in.Options}
	if err := openapi3filter.ValidateResponse(c.t.Context(), out.SetBodyBytes(text)); err != nil {
		c.t.Errorf("%s %s: the document does not describe the answer: %v\n%s", method, target, err, text)
	}
	return answer, string(text)
}

// The answers in every form are those of the library.
func TestExtract(t *testing.T) {
	_, c := start(t, Options{})
	src := shipped(t)
	const address = "https://example.org/a/b"
	want, err := winnow.Extract(bytes.NewReader(src), winnow.Options{URL: address})
	if err != nil {
		t.Fatal(err)
	}
	query := "/extract?url=" + url.QueryEscape(address)
	for _, x := range []struct{ accept, media, want string }{
		{"", "text/plain", want.Text},
		{"*/*", "text/plain", want.Text},
		{"text/markdown", "text/markdown", want.Markdown()},
		{"text/html,application/xhtml+xml,*/*;q=0.8", "text/html", want.HTML()},
		{"text/plain;q=0.1, text/markdown;q=0.2", "text/markdown", want.Markdown()},
		{"text/*;q=0.5, application/json;q=0", "text/plain", want.Text},
	} {
		answer, text := c.do("POST", query, map[string]string{"Accept": x.accept}, src)
		if x.accept == "" {
			answer, text = c.do("POST", query, nil, src)
		}
		if answer.StatusCode != 200 || answer.Header.Get("Content-Type") != x.media+"; charset=utf-8" || strings.TrimRight(text, "\n") != strings.TrimRight(x.want, "\n") {
			t.Errorf("%s: %s %s, and another text than the library's:\n%s", x.accept, answer.Status, answer.Header.Get("Content-Type"), text)
		}
		if answer.Header.Get("Content-Security-Policy") == "" || answer.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: what is in the page could run in a browser", x.accept)
		}
	}
	var a Answer
	_, text := c.do("POST", query+"&format=markdown", map[string]string{"Accept": "application/json"}, src)
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatal(err)
	}
	if a.Text != want.Markdown() || a.Title != want.Title || a.Language != want.Language || math.Abs(a.Confidence-want.Confidence) > 0.0001 || a.URL != address {
		t.Errorf("%+v", a)
	}
	if _, text := c.do("POST", query+"&links=off", map[string]string{"Accept": "text/html"}, []byte(`<p>A long enough paragraph with <a href="https://example.org/x">a link</a> that stays as its text, because it is the page's content.</p>`)); !strings.Contains(text, "a link") || strings.Contains(text, "href") {
		t.Errorf("links=off: %s", text)
	}
}

// A page arrives as a form, in another charset, and as curl sends it by default.
func TestBodies(t *testing.T) {
	_, c := start(t, Options{})
	const page = "<p>Die Bienen fliegen am Morgen über das Feld und kommen am Abend zurück, wie jeden Tag im Frühling.</p>"
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	w.WriteField("note", "left out")
	part, _ := w.CreateFormFile("page", "page.html")
	io.WriteString(part, page)
	w.Close()
	latin := bytes.ReplaceAll(bytes.ReplaceAll([]byte(page), []byte("ü"), []byte{0xfc}), []byte("é"), []byte{0xe9})
	for _, x := range []struct {
		media string
		body  []byte
	}{{w.FormDataContentType(), form.Bytes()}, {"text/html; charset=iso-8859-1", latin}, {"application/x-www-form-urlencoded", []byte(page)}, {"application/xhtml+xml", []byte(page)}} {
		if _, text := c.do("POST", "/extract?extractor=plain", map[string]string{"Content-Type": x.media}, x.body); !strings.Contains(text, "über das Feld") {
			t.Errorf("%s: %q", x.media, text)
		}
	}
}

func TestRefusals(t *testing.T) {
	_, c := start(t, Options{MaxPage: 10 << 10})
	src := []byte("<p>A short page.</p>")
	for _, x := range []struct {
		target, name, value string
		body                []byte
		status              int
		words               string
	}{
		{"/extract?extractor=nobody", "Accept", "*/*", src, 400, "no extractor"},
		{"/extract?comment=auto", "Accept", "*/*", src, 400, "comments=auto|include|exclude"},
		{"/extract?links=on&links=off", "Accept", "*/*", src, 400, "2 times"},
		{"/extract?extractor=bte&comments=include", "Accept", "*/*", src, 400, "no settings"},
		{"/extract", "Accept", "image/png", src, 406, "text/markdown"},
		{"/extract", "Accept", "*/*", bytes.Repeat([]byte("<p>long "), 10<<10), 413, "10240 bytes"},
		{"/extract", "Accept", "*/*", bytes.Repeat([]byte("<p>long "), 10<<7+1), 413, "10240 bytes"},
		{"/extract", "Content-Type", "application/pdf", src, 415, "application/pdf"},
		{"/extract", "Content-Encoding", "gzip", src, 415, "without compression"},
		{"/extract", "Accept", "*/*", []byte("\x89PNG\r\n\x1a\n\x00\x00"), 415, "not an HTML page"},
		{"/extract", "Content-Type", "multipart/form-data; boundary=x", []byte("--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n<p>\r\n--x--\r\n"), 400, "the form has no part"},
		{"/extract", "Content-Type", "multipart/form-data; boundary=x", []byte("--x\r\nContent-Disposition: form-data; name=\"page\"\r\n\r\n<p>cut"), 400, "could not be read"},
		{"/extract/batch?url=a", "Accept", "*/*", nil, 400, "in its line"},
	} {
		answer, text := c.do("POST", x.target, map[string]string{x.name: x.value}, x.body)
		if answer.StatusCode != x.status || !strings.Contains(text, x.words) {
			t.Errorf("%s %s=%s: %s %s", x.target, x.name, x.value, answer.Status, text)
		}
	}
	if answer, text := c.do("GET", "/extract?url=https://example.org/", nil, nil); answer.StatusCode != 403 || !strings.Contains(text, "--fetch") {
		t.Errorf("a page was fetched: %s %s", answer.Status, text)
	}
}

func TestFetch(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/gone":
			http.NotFound(w, r)
		case "/large":
			w.Write(bytes.Repeat([]byte("<p>long "), 100<<10))
		default:
			w.Header().Set("Content-Type", "text/html")
			w.Write(shipped(t))
		}
	}))
	defer web.Close()
	_, inside := start(t, Options{Fetch: true, AllowPrivate: true, MaxPage: 100 << 10})
	if answer, text := inside.do("GET", "/extract?url="+url.QueryEscape(web.URL), map[string]string{"Accept": "application/json"}, nil); answer.StatusCode != 200 || !strings.Contains(text, `"title"`) {
		t.Errorf("%s %s", answer.Status, text)
	}
	for target, status := range map[string]int{"/gone": 502, "/large": 413} {
		if answer, text := inside.do("GET", "/extract?url="+url.QueryEscape(web.URL+target), nil, nil); answer.StatusCode != status {
			t.Errorf("%s: %s %s", target, answer.Status, text)
		}
	}
	_, outside := start(t, Options{Fetch: true})
	for target, status := range map[string]int{web.URL: 403, "http://169.254.169.254/latest/": 403, "http://[::1]/": 403, "file:///etc/passwd": 502, "": 400} {
		if answer, text := outside.do("GET", "/extract?url="+url.QueryEscape(target), nil, nil); answer.StatusCode != status {
			t.Errorf("%s: %s %s", target, answer.Status, text)
		}
	}
}

// A batch is answered while it is being sent, in its order, and every line has an answer.
func TestBatch(t *testing.T) {
	s, c := start(t, Options{MaxPage: 64 << 10})
	send, write := io.Pipe()
	r, _ := http.NewRequestWithContext(t.Context(), "POST", c.address+"/extract/batch?extractor=plain", send)
	lines := []string{
		`{"id":"first","url":"https://example.org/","html":"<title>One</title><p>First page of all of them."}`,
		``,
		`{"id":3,"html":"<p>\u00fcber alles"}`,
		`{"id":"none"}`,
		`not JSON`,
		`{"html":"` + strings.Repeat("a", 400<<10) + `"}`,
		`{"html":"` + strings.Repeat("a", 65<<10) + `"}`,
		`{"html":""}`,
		`{"html":"<p>` + strings.Repeat("word ", 10<<10) + `"}`,
	}
	go func() { io.WriteString(write, lines[0]+"\n") }()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	got := json.NewDecoder(answer.Body)
	next := func() (a LineAnswer) {
		t.Helper()
		if err := got.Decode(&a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := next(); a.Line != 1 || string(a.ID) != `"first"` || a.Answer == nil || a.Title != "One" || a.URL != "https://example.org/" {
		t.Errorf("the first line was not answered before the second was sent: %+v", a)
	}
	go func() {
		io.WriteString(write, strings.Join(lines[1:], "\n")) // the last line has no end
		write.Close()
	}()
	for i, want := range []string{"", "", "3 über alles", "no html", "not an object", "larger than", "larger than", "8 ", "9 word"} {
		if i < 2 {
			continue
		}
		a := next()
		text := ""
		switch {
		case a.Problem != nil:
			text = a.Error
		case a.Answer != nil:
			text = fmt.Sprintf("%d %s", a.Line, a.Text)
		}
		if a.Line != i+1 || !strings.Contains(text, want) {
			t.Errorf("line %d: %d %.80q, want %q", i+1, a.Line, text, want)
		}
	}
	if err := got.Decode(new(LineAnswer)); err != io.EOF {
		t.Errorf("after the last line: %v", err)
	}
	if n := testutil.ToFloat64(s.metrics.pages.WithLabelValues("empty")); n != 1 {
		t.Errorf("%v empty pages were counted", n)
	}
}

// hold occupies the only turn of a server.
func hold(t *testing.T, s *Server) (release func()) {
	t.Helper()
	w, err := s.pool.take(t.Context(), method{extractor: "plain"})
	if err != nil {
		t.Fatal(err)
	}
	return func() { s.pool.release(w, true) }
}

// Requests beyond the limit are refused at once, and those that wait too long after a while.
func TestTooMany(t *testing.T) {
	s, c := start(t, Options{Pages: 1, Requests: 1, Time: 200 * time.Millisecond})
	release := hold(t, s)
	waits := make(chan *http.Response, 1)
	go func() {
		answer, err := http.Post(c.address+"/extract", "text/html", strings.NewReader("<p>one"))
		if err != nil {
			panic(err)
		}
		waits <- answer
	}()
	for testutil.ToFloat64(s.metrics.inFlight) == 0 {
		time.Sleep(time.Millisecond)
	}
	if answer, text := c.do("POST", "/extract", nil, []byte("<p>two")); answer.StatusCode != 429 || answer.Header.Get("Retry-After") != "1" {
		t.Errorf("%s %s", answer.Status, text)
	}
	if answer := <-waits; answer.StatusCode != 503 || answer.Header.Get("Retry-After") != "1" {
		t.Error(answer.Status)
	}
	release()
	if answer, text := c.do("POST", "/extract", nil, []byte("<p>three")); answer.StatusCode != 200 {
		t.Errorf("%s %s", answer.Status, text)
	}
	if answer, text := c.do("GET", "/metrics", nil, nil); answer.StatusCode != 200 || !strings.Contains(text, `winnow_api_requests_total{code="429",endpoint="extract"} 1`) {
		t.Errorf("%s", text)
	}
}

// A client that sends its page too slowly loses its place.
func TestSlowBody(t *testing.T) {
	_, c := start(t, Options{Time: 50 * time.Millisecond})
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "POST /extract HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n<p>")
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || answer.StatusCode != 400 {
		t.Errorf("%v %v", answer, err)
	}
}

// When the server ends, requests that have begun are answered, a batch is told which of its
// lines were not, and no further request is taken.
func TestEnd(t *testing.T) {
	s := New(Options{Pages: 1, Requests: 3})
	ctx, cancel := context.WithCancel(t.Context())
	out, print := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, "127.0.0.1:0", print) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, address, _ := strings.Cut(strings.TrimSpace(line), " at ")
	body, write := io.Pipe()
	r, _ := http.NewRequest("POST", address+"/extract/batch", body)
	go io.WriteString(write, `{"html":"<p>The first page of the batch."}`+"\n")
	batch, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	lines := json.NewDecoder(batch.Body)
	var first, last LineAnswer
	if err := lines.Decode(&first); err != nil || first.Answer == nil {
		t.Fatalf("%+v %v", first, err)
	}
	release := hold(t, s)
	waits := make(chan int, 1)
	go func() {
		answer, err := http.Post(address+"/extract", "text/html", strings.NewReader("<p>one"))
		if err != nil {
			panic(err)
		}
		waits <- answer.StatusCode
	}()
	for testutil.ToFloat64(s.metrics.inFlight) < 2 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := lines.Decode(&last); err != nil || last.Problem == nil || last.Status != 503 || last.Line != 2 {
		t.Errorf("the batch ends with %+v (%v), want the line that was not read", last, err)
	}
	if err := lines.Decode(new(LineAnswer)); !errors.Is(err, io.EOF) {
		t.Errorf("after the last answer: %v", err)
	}
	release()
	if status := <-waits; status != 200 {
		t.Errorf("a request that had begun was answered with %d", status)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := http.Get(address + "/healthz"); err == nil {
		t.Error("a request was taken after the end")
	}
	if len(s.requests) != 0 || len(s.pool.turns) != 0 {
		t.Errorf("%d requests and %d turns were not given back", len(s.requests), len(s.pool.turns))
	}
}

// However many methods clients choose, few idle workers are kept.
func TestPoolIsBounded(t *testing.T) {
	s := New(Options{Pages: 2})
	for _, name := range winnow.Extractors() {
		w, err := s.pool.take(t.Context(), method{extractor: name})
		if err != nil {
			t.Fatal(err)
		}
		s.pool.release(w, true)
	}
	if len(s.pool.idle) != 2 {
		t.Errorf("%d idle workers", len(s.pool.idle))
	}
	w, err := s.pool.take(t.Context(), s.pool.idle[0].method)
	if err != nil {
		t.Fatal(err)
	}
	if s.pool.release(w, false); len(s.pool.idle) != 1 {
		t.Error("a worker that failed was kept")
	}
}
