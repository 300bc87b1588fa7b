package account

import "fmt"

// Count returns a number with the noun for it: "1 page", "2 pages". The plural of the noun
// must end in s.
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
