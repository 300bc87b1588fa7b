package metadata

import (
	"fmt"
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
	for range 20_000 {
		s := []byte(fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d%s", 1988+random.IntN(115), random.IntN(14), random.IntN(33), random.IntN(26), random.IntN(62), random.IntN(62),
			zones[random.IntN(len(zones))]))
		if random.IntN(2) == 0 { // another character
			const others = "0123456789-:.,TZ+ tz"
			s[random.IntN(len(s))] = others[random.IntN(len(others))]
		}
		compare(string(s))
	}
	if known < 2_000 {
		t.Errorf("%d texts were taken for dates: too few to compare", known)
	}
}
