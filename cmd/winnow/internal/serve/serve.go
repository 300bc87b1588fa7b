// Package serve shows the report of a run, a search over its pages and the inspector to a
// browser. The run may still be going on.
package serve

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/cmd/winnow/internal/inspector"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/report/overview"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// New returns a server of the run in store, whose extractors are in the list. blobs reads its
// inputs.
func New(ctx context.Context, blobs *blob.Client, store blob.Store, m *schemas.Manifest, extractors []*algorithms.Extractor) (*Server, error) {
	s := &Server{store: store, m: m}
	var err error
	if s.pages, err = inspector.NewRun(ctx, blobs, store, m, extractors); err != nil {
		return nil, err
	}
	if s.index, err = newPageIndex(ctx, store, m); err != nil {
		s.pages.Close()
		return nil, err
	}
	return s, nil
}

// Close ends what the server has started.
func (s *Server) Close() { s.pages.Close() }

// CheckListen returns an error if an address is not of the form that Serve takes. An empty
// address is refused, because it would mean any port of all interfaces.
func CheckListen(listen string) error {
	_, port, err := net.SplitHostPort(listen)
	if err == nil && port != "" {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil || port == "" {
		return errors.New("want HOST:PORT with a port of 0 to 65535, such as 127.0.0.1:8321")
	}
	return nil
}

// advised adds to an error of listening what the user can do.
func advised(err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%w: choose another port with --listen; port 0 is any free one", err)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("%w: choose an address of this machine with --listen, such as 127.0.0.1", err)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("%w: choose a port above 1023 with --listen", err)
	}
	return err
}

// Serve listens on an address, writes the address of the run to stdout, and answers until ctx
// ends.
func (s *Server) Serve(ctx context.Context, listen string, stdout io.Writer) error {
	l, err := service.Listen(listen)
	if err != nil {
		return fmt.Errorf("serve: %w", advised(err))
	}
	at := l.Addr().(*net.TCPAddr)
	host, elsewhere := at.String(), ""
	if at.IP.IsUnspecified() { // a browser cannot open this address
		host = net.JoinHostPort("localhost", strconv.Itoa(at.Port))
		elsewhere = "from another machine, use the name or the address of this one in place of localhost\n"
	}
	address := "http://" + host + "/"
	if s.local = at.IP.IsLoopback(); !s.local {
		s.token = rand.Text()
		address += "?token=" + s.token
	}
	h := service.NewServer(s.handler(), 10*time.Minute) // the report of a large run takes minutes
	h.BaseContext = func(net.Listener) context.Context { return ctx }
	done := make(chan error, 1)
	go func() { done <- h.Serve(l) }()
	fmt.Fprintf(stdout, "run %s is at %s\n%s", s.m.Run.ID, address, elsewhere)
	// The report of a large run takes seconds: it is made before someone asks for it. An
	// error is reported to those who do.
	var drawing sync.WaitGroup
	drawCtx, stop := context.WithCancel(ctx)
	defer func() { stop(); drawing.Wait() }()
	if !s.m.Finished.IsZero() {
		drawing.Go(func() { s.drawReport(drawCtx) })
	}
	select {
	case err = <-done:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	h.Shutdown(closing)
	<-done
	return nil
}

// Server answers requests about one run.
type Server struct {
	store blob.Store
	m     *schemas.Manifest // as it was at the beginning
	pages *inspector.Run
	index *pageIndex
	local bool   // it listens on the loopback interface
	token string // required in requests unless the server is local

	mu     sync.Mutex
	report []byte // the report, once the run has ended
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.serveReport)
	mux.HandleFunc("GET /pages", s.follow("text/html; charset=utf-8", s.listPages))
	mux.HandleFunc("GET /page", s.follow("text/html; charset=utf-8", s.inspectPage))
	mux.HandleFunc("GET /progress", s.follow("application/json", s.tellProgress))
	return s.guard(mux)
}

// follow returns a handler that answers with what answer writes, when the index has all that the
// run has committed.
func (s *Server) follow(contentType string, answer func(ctx context.Context, form url.Values, w io.Writer) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		err := s.index.refresh(r.Context())
		if err == nil {
			err = answer(r.Context(), r.URL.Query(), &body)
		}
		if err != nil {
			fail(w, err)
			return
		}
		send(w, contentType, body.Bytes())
	}
}

// cookie is the name of the cookie that holds the token.
const cookie = "winnow"

// guard refuses requests that have no right to an answer. On the loopback interface,
// where no token is needed, the name of the host must be one of this machine: a page of
// another site could otherwise read the answers under a name that leads here.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if s.local {
			if !ofThisMachine(r.Host) {
				http.Error(w, "the name of the host is not one of this machine", http.StatusMisdirectedRequest)
				return
			}
			next.ServeHTTP(w, r)
			return
		}
		if given := r.URL.Query().Get("token"); given != "" && subtle.ConstantTimeCompare([]byte(given), []byte(s.token)) == 1 {
			http.SetCookie(w, &http.Cookie{Name: cookie, Value: s.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
			http.Redirect(w, r, "/", http.StatusSeeOther) // not to the path, which may begin with "//" and a host
			return
		}
		if c, err := r.Cookie(cookie); err != nil || subtle.ConstantTimeCompare([]byte(c.Value), []byte(s.token)) != 1 {
			http.Error(w, "no token: use the address that winnow serve printed", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func ofThisMachine(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	if name == "localhost" {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}

func (s *Server) serveReport(w http.ResponseWriter, r *http.Request) {
	page, err := s.drawReport(r.Context())
	switch {
	case errors.Is(err, overview.ErrNoTables):
		http.Redirect(w, r, "pages", http.StatusSeeOther)
	case err != nil:
		fail(w, err)
	default:
		send(w, "text/html; charset=utf-8", page)
	}
}

// drawReport returns the report. A run that has a report has ended, so it is made once.
func (s *Server) drawReport(ctx context.Context) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.report == nil {
		page, err := overview.Render(ctx, s.store, overview.Options{Inspector: "page"})
		if err != nil {
			return nil, err
		}
		s.report = page
	}
	return s.report, nil
}

func send(w http.ResponseWriter, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Write(body)
}

// errNoPage is the error of a page that the run does not have.
var errNoPage = errors.New("the run has no such page")

func fail(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	if errors.Is(err, errNoPage) {
		status = http.StatusNotFound
	}
	http.Error(w, service.Printable(err.Error()), status)
}

// listed is the number of pages of a list.
const listed = 50

// listPages writes a list of pages.
func (s *Server) listPages(ctx context.Context, form url.Values, w io.Writer) error {
	f := &inspector.Search{Text: form.Get("q"), Where: form.Get("where"), Package: form.Get("package"), Extractor: form.Get("extractor"), Against: form.Get("against"), Outcome: form.Get("outcome"), From: form.Get("from"), To: form.Get("to"), Sort: form.Get("sort"),
		Packages: s.index.packages(), Outcomes: outcomeNames[1:], Sorted: s.index.scorer.Name}
	for _, e := range s.m.Run.Recipe.Extractors {
		f.Extractors = append(f.Extractors, e.Name)
	}
	if !slices.Contains(f.Extractors, f.Extractor) {
		f.Extractor = f.Extractors[0]
	}
	if !slices.Contains(f.Extractors, f.Against) {
		f.Against = ""
	}
	if f.Against != "" {
		f.Sorted = "difference"
		if f.Sort == "" && !form.Has("sort") {
			f.Sort = "down"
		}
	}
	q := query{pkg: f.Package, extractor: f.Extractor, against: f.Against, outcome: f.Outcome, from: bound(f.From), to: bound(f.To), sort: f.Sort, most: listed}
	q.skip, _ = strconv.Atoi(form.Get("skip"))
	q.skip = max(0, q.skip)
	matches, err := s.index.matches(ctx, wanted{text: f.Text, where: f.Where, extractor: f.Extractor})
	var wrong errExpression
	switch {
	case errors.As(err, &wrong):
		f.Wrong, matches = wrong.Error(), new(findings)
	case err != nil:
		return err
	}
	q.found = matches
	got := s.index.find(q)
	q.skip = min(q.skip, got.total)
	at := func(skip int) string {
		form.Set("skip", strconv.Itoa(skip))
		return "pages?" + form.Encode()
	}
	if q.skip > 0 {
		f.Before = at(max(0, q.skip-listed))
	}
	if q.skip+listed < got.total {
		f.After = at(q.skip + listed)
	}
	list := inspector.List{Title: fmt.Sprintf("Pages of run %s", s.m.Run.ID), Links: []inspector.Link{{Target: "./", Text: "Report"}}, Search: f, Figures: []string{f.Sorted}, Rows: got.rows, Note: note(q.skip, len(got.rows), got.total)}
	if f.Against != "" {
		list.Title = fmt.Sprintf("Run %s: %s against %s", s.m.Run.ID, f.Extractor, f.Against)
		list.Figures = []string{f.Extractor, f.Against, f.Sorted}
		list.Note += fmt.Sprintf(" %s is better than %s on %d, worse on %d, the same on %d (%s).", f.Extractor, f.Against, got.won, got.lost, got.even, s.index.scorer.Name)
	}
	if progress, finished := s.progress(); !finished {
		list.Progress = progress
	}
	return list.HTML(w)
}

// note returns a sentence about which pages are listed.
func note(skip, shown, total int) string {
	if shown < total {
		return fmt.Sprintf("%d to %d of %s.", min(skip+1, total), skip+shown, account.Count(total, "page"))
	}
	return account.Count(total, "page") + "."
}

// progress returns a sentence about how far the run has come.
func (s *Server) progress() (text string, finished bool) {
	s.index.mu.RLock()
	defer s.index.mu.RUnlock()
	m, pages := s.index.m, len(s.index.pages)
	if !m.Finished.IsZero() {
		return fmt.Sprintf("The run has ended, with %s. Load this page again to search all of them.", account.Count(pages, "page")), true
	}
	items := 0
	for i := range m.Parts {
		items += len(m.Parts[i].Items)
	}
	return fmt.Sprintf("The run is going on: %d of %s committed, with %s.", items, account.Count(m.Run.Sealed.Items, "item"), account.Count(pages, "page")), false
}

// tellProgress tells the script of a list how far the run has come.
func (s *Server) tellProgress(_ context.Context, _ url.Values, w io.Writer) error {
	text, finished := s.progress()
	return json.NewEncoder(w).Encode(map[string]any{"progress": text, "finished": finished})
}

func bound(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) {
		return math.NaN()
	}
	return x
}

// formatFigure returns a figure with three digits, and nothing for one that is not known.
func formatFigure(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

// pageTarget returns the address of a page in the inspector. against may be empty.
func pageTarget(pkg, doc, extractor, against string) string {
	values := url.Values{"package": {pkg}, "doc": {doc}, "extractor": {extractor}}
	if against != "" {
		values.Set("against", against)
	}
	return "page?" + values.Encode()
}

// inspectPage writes what extractors chose of a page.
func (s *Server) inspectPage(ctx context.Context, form url.Values, w io.Writer) error {
	row, known := s.index.row(form.Get("package"), form.Get("doc"))
	if !known {
		return errNoPage
	}
	v, err := s.pages.View(ctx, &row)
	if err != nil {
		return err
	}
	return v.HTML(w, inspector.Shown{Extractor: form.Get("extractor"), Against: form.Get("against")}, inspector.Link{Target: "./", Text: "Report"}, inspector.Link{Target: "pages", Text: "All pages"})
}
