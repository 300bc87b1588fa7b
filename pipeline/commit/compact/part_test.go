package compact

import "testing"

func TestWithUnverified(t *testing.T) {
	for flags, want := range map[string]string{
		"":                                 "unverified",
		"unverified":                       "unverified",
		"truncated,unverified,segmented":   "truncated,unverified,segmented",
		"truncated,over-limit":             "truncated,over-limit,unverified",
		"length,after-resync,chunk-cut":    "length,unverified,after-resync,chunk-cut",
		"segmented":                        "unverified,segmented",
		"http-header-odd,charset-replaced": "unverified,http-header-odd,charset-replaced",
	} {
		if got := withUnverified(flags); got != want {
			t.Errorf("%q: %q, want %q", flags, got, want)
		}
	}
}
