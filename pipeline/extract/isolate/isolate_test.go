package isolate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
)

var hoard [][]byte // keeps what "grows" allocates alive

func extractors() []*algorithms.Extractor {
	parses, began := 0, false
	parser := &algorithms.Parser{Parse: func(src []byte) (any, error) {
		parses++
		return fmt.Sprintf("%s parse %d", src, parses), nil
	}}
	return []*algorithms.Extractor{
		{Description: algorithms.Description{Name: "upper"}, Text: func(src []byte, url string) (string, error) { return url + " " + strings.ToUpper(string(src)), nil }},
		{Description: algorithms.Description{Name: "starts slowly"}, Text: func([]byte, string) (string, error) {
			if began {
				return "began before", nil
			}
			began = true
			return "begins", nil
		}},
		{Description: algorithms.Description{Name: "fails"}, Text: func([]byte, string) (string, error) { return "", errors.New("no article") }},
		{Description: algorithms.Description{Name: "panics"}, Text: func([]byte, string) (string, error) { panic("library bug") }},
		{Description: algorithms.Description{Name: "hangs"}, Text: func([]byte, string) (string, error) { select {} }},
		{Description: algorithms.Description{Name: "environment"}, Text: func([]byte, string) (string, error) { return strings.Join(os.Environ(), "\n"), nil }},
		{Description: algorithms.Description{Name: "killed"}, Text: func(src []byte, _ string) (string, error) { // so many times, by the length of a file
			text, err := os.ReadFile(string(src))
			if err != nil {
				return "", err
			}
			if len(text) == 0 {
				return "alive", nil
			}
			if err := os.WriteFile(string(src), text[1:], 0o666); err != nil {
				return "", err
			}
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			if err != nil {
				return "", err
			}
			select {}
		}},
		sharing("first of parser", parser, func(parsed any, _ string) (string, error) { return parsed.(string), nil }),
		sharing("second of parser", parser, func(parsed any, _ string) (string, error) { return parsed.(string), nil }),
		sharing("panics with parser", parser, func(any, string) (string, error) { panic("library bug") }),
		{Description: algorithms.Description{Name: "exits"}, Text: func([]byte, string) (string, error) { os.Exit(3); return "", nil }},
		{Description: algorithms.Description{Name: "overflows"}, Text: func([]byte, string) (string, error) { return overflow("x"), nil }},
		{Description: algorithms.Description{Name: "grows"}, Text: func([]byte, string) (string, error) {
			for {
				block := make([]byte, 1<<20)
				for i := range block {
					block[i] = byte(i)
				}
				hoard = append(hoard, block)
			}
		}},
	}
}

// sharing is an extractor that reads what a parser makes.
func sharing(name string, p *algorithms.Parser, from func(parsed any, url string) (string, error)) *algorithms.Extractor {
	return &algorithms.Extractor{Description: algorithms.Description{Name: name}, Parser: p, FromParsed: from, Text: func(src []byte, url string) (string, error) {
		parsed, err := p.Parse(src)
		if err != nil {
			return "", err
		}
		return from(parsed, url)
	}}
}

// overflow exhausts the stack, which no recover can stop.
func overflow(s string) string {
	if len(s) == 0 { // never, but the compiler's friends cannot know
		return s
	}
	return overflow(s+"x") + s
}

// The test binary is its own child.
func TestMain(m *testing.M) {
	if Requested() {
		os.Exit(Serve(extractors()))
	}
	os.Exit(m.Run())
}

func TestRun(t *testing.T) {
	c := New(Options{Memory: 64 << 20, Pages: 4})
	defer c.Close()
	byName := map[string]*algorithms.Extractor{}
	for _, e := range extractors() {
		byName[e.Name] = e
	}
	run := func(name string, limit time.Duration) (string, error) {
		a, err := c.Run(context.Background(), byName[name], []byte("grain"), "http://example.org/", limit)
		return a.Text, err
	}
	good := func() {
		t.Helper()
		if text, err := run("upper", time.Minute); err != nil || text != "http://example.org/ GRAIN" {
			t.Fatalf("%q, %v", text, err)
		}
	}
	good()
	if _, err := run("fails", time.Minute); err == nil || err.Error() != "no article" {
		t.Errorf("error %v", err)
	}
	var panicked *driver.PanicError
	if _, err := run("panics", time.Minute); !errors.As(err, &panicked) || panicked.Value != "library bug" {
		t.Errorf("error %v", err)
	}
	for range 9 { // past Options.Pages: the child is replaced on the way
		good()
	}
	if _, err := run("hangs", 50*time.Millisecond); !errors.Is(err, driver.ErrTime) {
		t.Errorf("error %v, want out of time", err)
	}
	good()
	if _, err := run("exits", time.Minute); !errors.Is(err, driver.ErrCrash) {
		t.Errorf("error %v, want a crash", err)
	}
	good()
	if _, err := run("grows", time.Minute); !errors.Is(err, driver.ErrMemory) {
		t.Errorf("error %v, want out of memory", err)
	}
	good()
	// The stack of the runtime may end at its own bound or at the heap's.
	if _, err := run("overflows", time.Minute); !errors.Is(err, driver.ErrCrash) && !errors.Is(err, driver.ErrMemory) {
		t.Errorf("error %v, want a crash", err)
	}
	good()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := c.Run(ctx, byName["hangs"], nil, "", time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want canceled", err)
	}
	good()
}

// Libraries with the same parser share the parse of a page, and each is told its time.
func TestSharedParse(t *testing.T) {
	c := New(Options{})
	defer c.Close()
	ask := func(name, src string) (driver.Answer, error) {
		return c.Run(t.Context(), &algorithms.Extractor{Description: algorithms.Description{Name: name}}, []byte(src), "", time.Minute)
	}
	for _, name := range []string{"upper", "first of parser", "second of parser", "panics with parser"} {
		ask(name, "begin") // its first page in a child comes after one of the child's own
	}
	first, err := ask("first of parser", "begin")
	if err != nil {
		t.Fatal(err)
	}
	var parses int
	if _, err := fmt.Sscanf(first.Text, "begin parse %d", &parses); err != nil {
		t.Fatal(err)
	}
	for i, test := range []struct {
		name, src string
		want      string // its number counts from the first page
		shared    bool
	}{
		{"first of parser", "grain", "grain parse 1", false},
		{"second of parser", "grain", "grain parse 1", true},
		{"first of parser", "grain", "grain parse 1", true},
		{"first of parser", "chaff", "chaff parse 2", false},
		{"second of parser", "grain", "grain parse 3", false},
		{"panics with parser", "grain", "", false},
		{"second of parser", "grain", "grain parse 4", false}, // the tree may be half changed
		{"upper", "grain", " GRAIN", false},
		{"second of parser", "grain", "grain parse 5", false},
	} {
		a, err := ask(test.name, test.src)
		if text, number, found := strings.Cut(a.Text, " parse "); found {
			n, _ := strconv.Atoi(number)
			a.Text = fmt.Sprintf("%s parse %d", text, n-parses)
		}
		if a.Warmup != 0 {
			t.Errorf("%d: it was warm already, and was warmed up for %v", i, a.Warmup)
		}
		if (err != nil) != (test.want == "") || a.Text != test.want || (a.Shared > 0) != test.shared {
			t.Errorf("%d: %q, shared %v, %v; want %q, %v", i, a.Text, a.Shared, err, test.want, test.shared)
		}
	}
}

// What a library and its process need to start is not charged to a page: it is told
// apart, once in each child.
func TestWarmup(t *testing.T) {
	c := New(Options{Pages: 2})
	defer c.Close()
	first := &algorithms.Extractor{Description: algorithms.Description{Name: "starts slowly"}}
	for i, warm := range []bool{true, false, true, false} {
		a, err := c.Run(t.Context(), first, []byte("grain"), "", time.Minute)
		if err != nil || (a.Warmup > 0) != warm {
			t.Errorf("%d: warmed up for %v, %v", i, a.Warmup, err)
		}
		if a.Text != "began before" { // the library prepared itself on another page
			t.Errorf("%d: %q", i, a.Text)
		}
	}
}

// A library in a child sees what it needs of the environment, and no credentials.
func TestChildSeesNoCredentials(t *testing.T) {
	for _, secret := range []string{"AWS_SECRET_ACCESS_KEY", "AZURE_STORAGE_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "WINNOW_NATS", "HTTPS_PROXY"} {
		t.Setenv(secret, "sesame")
	}
	t.Setenv("TZ", "UTC")
	c := New(Options{})
	defer c.Close()
	a, err := c.Run(t.Context(), &algorithms.Extractor{Description: algorithms.Description{Name: "environment"}}, nil, "", time.Minute)
	if err != nil || strings.Contains(a.Text, "sesame") || !strings.Contains(a.Text, "TZ=UTC") {
		t.Errorf("%v, environment:\n%s", err, a.Text)
	}
}

// A child that was killed from outside says nothing about the page; a page at which
// child after child is killed does, and how they ended is told.
func TestKilledFromOutside(t *testing.T) {
	c := New(Options{})
	defer c.Close()
	var killed *algorithms.Extractor
	for _, e := range extractors() {
		if e.Name == "killed" {
			killed = e
		}
	}
	for times := range crashes + 1 {
		file := filepath.Join(t.TempDir(), "times")
		if err := os.WriteFile(file, make([]byte, times), 0o666); err != nil {
			t.Fatal(err)
		}
		a, err := c.Run(t.Context(), killed, []byte(file), "", time.Minute)
		switch {
		case times < crashes && (err != nil || a.Text != "alive"):
			t.Errorf("killed %d times: %q, %v", times, a.Text, err)
		case times == crashes && (!errors.Is(err, driver.ErrCrash) || !strings.Contains(err.Error(), "killed")):
			t.Errorf("killed %d times: %v, want a crash by a signal", times, err)
		}
	}
}

// That no child can be started is no fault of the page.
func TestNoProcess(t *testing.T) {
	c := New(Options{Binary: filepath.Join(t.TempDir(), "none")})
	if _, err := c.Run(t.Context(), extractors()[0], nil, "", time.Minute); !errors.Is(err, driver.ErrNoProcess) {
		t.Errorf("%v", err)
	}
}
