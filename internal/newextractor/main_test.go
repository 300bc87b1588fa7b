package main

import (
	"strings"
	"testing"
)

// What an extractor cannot be called, or where it cannot be added, is an error before anything
// is written. Package suite tests what is written.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ folder, name, want string }{
		{"../..", "My_Method", `the name "My_Method" must be lower-case words`},
		{"../..", "2nd", `the name "2nd" must be`},
		{"../..", "", `the name "" must be`},
		{"../..", "func", `the name "func" must be`},
		{"../..", "plain", "algorithms/extract/plain is there already"},
		{t.TempDir(), "my-method", "the working directory must be the top of Winnow's source"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(c.folder)
			if err := add(c.name); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want an error with %q", err, c.want)
			}
		})
	}
}
