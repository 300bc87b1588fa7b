package service

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// short is less time than a client usually has, for tests of clients that take too long.
const short = 50 * time.Millisecond

// listening starts a server whose clients have the given time for each step, and returns its
// address.
func listening(t *testing.T, limit time.Duration, h http.Handler) string {
	t.Helper()
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := NewServer(h, time.Hour)
	for name, d := range map[string]*time.Duration{"header": &s.ReadHeaderTimeout, "request": &s.ReadTimeout, "idle": &s.IdleTimeout} {
		if *d <= 0 || *d > time.Minute {
			t.Errorf("the time for %s is %v", name, *d)
		}
		*d = limit
	}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return l.Addr().String()
}

func dial(t *testing.T, addr, say string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err == nil {
		_, err = io.WriteString(c, say)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(time.Minute))
	return c
}

// A client that sends less than a whole request, or nothing after one, loses its connection,
// whether it may have an answer or not.
func TestUnfinishedRequestsEnd(t *testing.T) {
	addr := listening(t, short, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no token", http.StatusForbidden) }))
	for what, say := range map[string]string{
		"nothing":     "",
		"half a head": "GET / HTTP/1.1\r\nHost: a\r\n",
		"no body":     "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx",
		"no chunk":    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
		"one request": "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
	} {
		if _, err := io.ReadAll(dial(t, addr, say)); err != nil {
			t.Errorf("%s: the connection is still there: %v", what, err)
		}
	}
}

// An answer that takes longer than its request may is not canceled.
func TestLongAnswers(t *testing.T) {
	addr := listening(t, short, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(200 * time.Millisecond)
		fmt.Fprint(w, r.Context().Err())
	}))
	answer, err := http.Get("http://" + addr)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if said, _ := io.ReadAll(answer.Body); string(said) != "<nil>" {
		t.Errorf("the context of the answer has ended: %s", said)
	}
}

// Connections over the bound wait until another one is closed. On a busy machine a request may
// reach the server late, and a server that closed its connection would leave the test waiting.
func TestConnectionsAreBounded(t *testing.T) {
	there := make(chan bool, 2*maxConnections)
	addr := listening(t, time.Hour, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		there <- true
		<-r.Context().Done()
	}))
	const request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
	var first net.Conn
	for i := range maxConnections {
		c := dial(t, addr, request)
		if i == 0 {
			first = c
		}
		<-there
	}
	dial(t, addr, request)
	select {
	case <-there:
		t.Error("one more connection was served")
	case <-time.After(200 * time.Millisecond):
	}
	first.Close()
	<-there
}
