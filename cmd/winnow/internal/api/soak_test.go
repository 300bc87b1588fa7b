package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow"
)

// TestSoak sends requests of all kinds for as long as WINNOW_SOAK says, and checks that the
// memory of the process, clients included, does not grow:
//
//	WINNOW_SOAK=10m go test -run Soak -timeout 15m -v ./cmd/winnow/internal/api
func TestSoak(t *testing.T) {
	long, err := time.ParseDuration(os.Getenv("WINNOW_SOAK"))
	if err != nil {
		t.Skip("WINNOW_SOAK does not say for how long")
	}
	s := New(Options{MaxPage: 1 << 20})
	h := httptest.NewServer(s.Handler())
	defer h.Close()
	random := rand.New(rand.NewPCG(1, 2))
	src := shipped(t)
	names := winnow.Extractors()
	send := func(method, path string, body []byte, patience time.Duration) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, method, h.URL+path, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := h.Client().Do(r)
		if err != nil {
			return // the client has lost its patience
		}
		defer answer.Body.Close()
		io.Copy(io.Discard, answer.Body)
	}
	resident := func() (mebibytes int) {
		var size, pages int
		text, err := os.ReadFile("/proc/self/statm")
		if err == nil {
			_, err = fmt.Sscan(string(text), &size, &pages)
		}
		if err != nil {
			t.Skip(err)
		}
		return pages * os.Getpagesize() >> 20
	}
	var warm int
	began, told := time.Now(), 0
	for n := 0; time.Since(began) < long; n++ {
		html := append(bytes.Repeat(src, random.IntN(20)), src[random.IntN(len(src)):]...)
		switch query := "/extract?extractor=" + names[random.IntN(len(names))]; random.IntN(8) {
		case 0:
			send("POST", query, html, time.Duration(random.IntN(3000))*time.Microsecond)
		case 1:
			send("POST", "/extract", bytes.Repeat(src, 200), time.Minute) // too large
		case 2:
			line := fmt.Sprintf(`{"html":%q}`, strings.ToValidUTF8(string(src), ""))
			send("POST", "/extract/batch", []byte(strings.Repeat(line+"\n", 1+random.IntN(8))), time.Minute)
		case 3:
			send("POST", query, html, time.Minute)
		default:
			send("POST", "/extract?format=html", html, time.Minute)
		}
		if tenth := int(10 * time.Since(began) / long); tenth > told || n == 0 {
			told = tenth
			t.Logf("after %v and %d requests: %d MiB", time.Since(began).Round(time.Second), n, resident())
			if tenth == 2 {
				warm = resident()
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	if end := resident(); end > warm+warm/4 {
		t.Errorf("%d MiB after a fifth of the time, %d MiB at the end", warm, end)
	}
	if len(s.requests) != 0 || len(s.pool.turns) != 0 {
		t.Errorf("%d requests and %d turns were not given back", len(s.requests), len(s.pool.turns))
	}
}
