package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
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
	"time"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/report/overview"
)

func newServeCommand() *cobra.Command {
	var listen string
	var reach request.Reach
	cmd := &cobra.Command{
		Use:   "serve [--listen HOST:PORT] OUT",
		Short: "Show the report and every page of a run in a browser",
		Long: `Serve the report of a run, a search over its pages, and the inspector, for a
browser on this machine. The run may still be going on: what it commits can be
searched a moment later.

The search reads the tables once and keeps some 200 bytes a page and 5 bytes a page
and extractor in memory. A page is read from the run's inputs when it is asked for,
by its location, and the run's page-level extractors process it again.

On the loopback interface, which is the default, anyone on this machine may look.
On other interfaces the address that is printed has a token, without which nothing
is shown; the connection is not encrypted.`,
		Example: `  winnow serve OUT
  winnow serve --listen 127.0.0.1:9000 s3://bucket/run`,
		Args: exactly("OUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return serve(cmd.Context(), args[0], listen, reach.Options(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8321", "address to listen on; port 0 is any free one")
	reach.Register(cmd.Flags())
	return cmd
}

// serve serves the run in out until ctx ends.
func serve(ctx context.Context, out, listen string, options blob.Options, stdout io.Writer) (err error) {
	client := blob.New(options)
	defer func() { err = errors.Join(err, client.Close()) }()
	store, m, err := openRun(ctx, client, out)
	if err != nil {
		return err
	}
	s := &runServer{store: store, run: string(m.Run.ID)}
	if s.pages, err = newRunPages(ctx, client, store, m); err != nil {
		return err
	}
	defer s.pages.Close()
	if s.index, err = newPageIndex(ctx, store, m); err != nil {
		return unfinished(m, out, err)
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	address := "http://" + l.Addr().String() + "/"
	if s.local = l.Addr().(*net.TCPAddr).IP.IsLoopback(); !s.local {
		s.token = rand.Text()
		address += "?token=" + s.token
	}
	h := &http.Server{Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10, BaseContext: func(net.Listener) context.Context { return ctx }}
	done := make(chan error, 1)
	go func() { done <- h.Serve(l) }()
	fmt.Fprintf(stdout, "run %s is at %s\n", m.Run.ID, address)
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

// runServer answers requests about one run.
type runServer struct {
	store blob.Store
	run   string
	pages *runPages
	index *pageIndex
	local bool   // it listens on the loopback interface
	token string // that a request must have otherwise

	mu     sync.Mutex
	report []byte // of a run that has ended
}

func (s *runServer) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.serveReport)
	mux.HandleFunc("GET /pages", s.servePages)
	mux.HandleFunc("GET /page", s.servePage)
	return s.guard(mux)
}

// cookie is the name of the cookie that holds the token.
const cookie = "winnow"

// guard refuses requests that have no right to an answer. On the loopback interface,
// where no token is needed, the name of the host must be one of this machine: a page of
// another site could otherwise read the answers under a name that leads here.
func (s *runServer) guard(next http.Handler) http.Handler {
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
			http.Redirect(w, r, r.URL.Path, http.StatusSeeOther)
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

func (s *runServer) serveReport(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	page := s.report
	if page == nil {
		var err error
		page, err = overview.Render(r.Context(), s.store, overview.Options{Inspector: "page"})
		switch {
		case errors.Is(err, overview.ErrNoTables):
			http.Redirect(w, r, "pages", http.StatusSeeOther)
			return
		case err != nil:
			fail(w, err)
			return
		}
		s.report = page // a run that has this table has ended
	}
	send(w, page)
}

func send(w http.ResponseWriter, page []byte) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(page)
}

func fail(w http.ResponseWriter, err error) {
	http.Error(w, printable(err.Error()), http.StatusInternalServerError)
}

// listed is the number of pages of a list.
const listed = 50

// search is what a list was searched for, and what it may be searched for.
type search struct {
	Text, Package, Extractor, Outcome, From, To, Sort string
	Packages, Extractors, Outcomes                    []string
	Scorer                                            string
	Before, After                                     string // targets of links; empty without one
}

func (s *runServer) servePages(w http.ResponseWriter, r *http.Request) {
	if err := s.index.refresh(r.Context()); err != nil {
		fail(w, err)
		return
	}
	form := r.URL.Query()
	f := &search{Text: form.Get("q"), Package: form.Get("package"), Extractor: form.Get("extractor"), Outcome: form.Get("outcome"), From: form.Get("from"), To: form.Get("to"), Sort: form.Get("sort"),
		Packages: s.index.packages(), Outcomes: outcomeNames[1:], Scorer: s.index.scorer.Name}
	for _, e := range s.pages.m.Run.Recipe.Extractors {
		f.Extractors = append(f.Extractors, e.Name)
	}
	if !slices.Contains(f.Extractors, f.Extractor) {
		f.Extractor = f.Extractors[0]
	}
	q := query{text: f.Text, pkg: f.Package, extractor: f.Extractor, outcome: f.Outcome, from: bound(f.From), to: bound(f.To), sort: f.Sort, most: listed}
	q.skip, _ = strconv.Atoi(form.Get("skip"))
	q.skip = max(0, q.skip)
	rows, total := s.index.find(q)
	at := func(skip int) string {
		form.Set("skip", strconv.Itoa(skip))
		return "pages?" + form.Encode()
	}
	if q.skip > 0 {
		f.Before = at(max(0, q.skip-listed))
	}
	if q.skip+listed < total {
		f.After = at(q.skip + listed)
	}
	list := pageList{Title: "Pages of run " + s.run, Links: []link{{"./", "Report"}}, Search: f, Figure: f.Scorer, Rows: rows, Note: s.note(q.skip, len(rows), total)}
	var page bytes.Buffer
	if err := listPage.Execute(&page, list); err != nil {
		fail(w, err)
		return
	}
	send(w, page.Bytes())
}

// note says which pages are listed, and how far the run has come.
func (s *runServer) note(skip, shown, total int) string {
	s.index.mu.RLock()
	defer s.index.mu.RUnlock()
	note := fmt.Sprintf("%d pages.", total)
	if shown < total {
		note = fmt.Sprintf("%d to %d of %d pages.", min(skip+1, total), skip+shown, total)
	}
	if m := s.index.m; m.Finished.IsZero() {
		items := 0
		for i := range m.Parts {
			items += len(m.Parts[i].Items)
		}
		note += fmt.Sprintf(" The run is going on: %d of %d items are committed, with %d pages.", items, m.Run.Sealed.Items, len(s.index.pages))
	}
	return note
}

func bound(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) {
		return math.NaN()
	}
	return x
}

func formatFigure(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }

// pageTarget returns the address of a page in the inspector.
func pageTarget(pkg, doc, extractor string) string {
	return "page?" + url.Values{"package": {pkg}, "doc": {doc}, "extractor": {extractor}}.Encode()
}

func (s *runServer) servePage(w http.ResponseWriter, r *http.Request) {
	if err := s.index.refresh(r.Context()); err != nil {
		fail(w, err)
		return
	}
	form := r.URL.Query()
	row, known := s.index.row(form.Get("package"), form.Get("doc"))
	if !known {
		http.Error(w, "the run has no such page", http.StatusNotFound)
		return
	}
	v, err := s.pages.view(r.Context(), &row)
	if err != nil {
		fail(w, err)
		return
	}
	var page bytes.Buffer
	if err := v.html(&page, form.Get("extractor"), link{"./", "Report"}, link{"pages", "All pages"}); err != nil {
		fail(w, err)
		return
	}
	send(w, page.Bytes())
}
