package extractor

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestServe(t *testing.T) {
	in := strings.NewReader(`{"id":1,"url":"http://example.org/","html":"<p>a</p>"}
{"id":2,"html":"fails"}
{"id":3,"html":"panics"}
`)
	var out strings.Builder
	code := Serve(Hello{Name: "upper", Version: "1", Citation: "none"}, in, &out, func(html, url string) (string, error) {
		switch html {
		case "fails":
			return "", errors.New("no article")
		case "panics":
			panic("library bug")
		}
		return url + " " + strings.ToUpper(html), nil
	})
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 || lines[0] != `{"protocol":1,"name":"upper","version":"1","citation":"none"}` {
		t.Fatalf("%q", lines)
	}
	for i, want := range []answer{
		{ID: 1, Text: "http://example.org/ <P>A</P>"}, {ID: 2, Error: "no article"}, {ID: 3, Error: "panic: library bug"},
	} {
		var got answer
		if err := json.Unmarshal([]byte(lines[i+1]), &got); err != nil {
			t.Fatal(err)
		}
		if got.NS <= 0 {
			t.Errorf("%d took %d ns", got.ID, got.NS)
		}
		if got.NS = 0; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if code := Serve(Hello{}, strings.NewReader("not JSON"), &out, nil); code != 1 {
		t.Errorf("exit code %d for a request that is not JSON", code)
	}
}
