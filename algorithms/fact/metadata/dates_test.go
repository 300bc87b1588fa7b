package metadata

import (
	"math/rand/v2"
	"testing"
)

// TestStamp compares dates in RFC 3339, and what is nearly so, with what the library says
// that reads any form.
func TestStamp(t *testing.T) {
	known := 0
	compare := func(s string) {
		t.Helper()
		date, ok := stamp(s)
		if !ok {
			return
		}
		known++
		if want := anyDay(s); date != want {
			t.Errorf("%q is %q, and %q by the library", s, date, want)
		}
	}
	zones := []string{"Z", "+00:00", "-00:00", "+02:00", "-03:30", "+14:00", "-12:00", "+24:00", "+25:00", "+0200", "", " UTC", "+02:60", "z"}
	fractions := []string{"", ".1", ".12", ".123", ".1234", ".123456", ".123456789", ".1234567891", ",5", "."}
	days := []string{"2019-05-01T12:30:00", "2020-02-29T23:59:59", "2019-02-29T00:00:00", "1989-12-31T23:00:00", "1990-01-01T00:00:00", "2100-12-31T23:59:59",
		"2101-01-01T00:00:00", "0001-01-01T00:00:00", "2019-13-01T00:00:00", "2019-00-10T00:00:00", "2019-05-32T00:00:00", "2019-05-01T24:00:00", "2019-05-01T23:59:60",
		"2019-05-01T1:00:00", "2019-5-1T01:00:00", "2019-05-01T01:00:0", "2019-05-01T01:0:000"}
	for _, d := range days {
		for _, f := range fractions {
			for _, z := range zones {
				compare(d + f + z)
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 { // one or two characters of a date are others
		s := []byte("2019-05-01T12:30:00" + fractions[random.IntN(7)] + zones[random.IntN(9)])
		for range 1 + random.IntN(2) {
			const others = "0123456789-:.,TZ+ tz"
			s[random.IntN(len(s))] = others[random.IntN(len(others))]
		}
		compare(string(s))
	}
	if known < 3_000 {
		t.Errorf("%d texts were taken for dates: too few to compare", known)
	}
}
