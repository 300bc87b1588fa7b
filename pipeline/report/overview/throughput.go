package overview

import (
	"fmt"
	"time"

	"github.com/winnow/winnow/pipeline/report/figure"
	"github.com/winnow/winnow/schemas"
)

// throughputSteps is the number of steps into which the time of a run is divided.
const throughputSteps = 60

// throughput draws how many pages a second the run processed, from its first item to its
// last. The pages of an item are spread evenly over the time that the item took. It
// returns nil for a run of a single item, whose rate is one number.
func throughput(m *schemas.Manifest) *place {
	var begin, end time.Time
	items := 0
	timed := func(do func(c *schemas.Commit, from time.Time)) {
		for i := range m.Parts {
			for k := range m.Parts[i].Items {
				if c := &m.Parts[i].Items[k]; !c.Ended.IsZero() {
					do(c, c.Ended.Add(-c.Elapsed))
				}
			}
		}
	}
	timed(func(c *schemas.Commit, from time.Time) {
		if begin.IsZero() || from.Before(begin) {
			begin = from
		}
		if c.Ended.After(end) {
			end = c.Ended
		}
		items++
	})
	total := end.Sub(begin)
	if items < 2 || total <= 0 {
		return nil
	}
	var pages, bytes [throughputSteps]float64
	timed(func(c *schemas.Commit, from time.Time) {
		// Positions of the beginning and the end of the item, in steps.
		at := func(t time.Time) float64 { return throughputSteps * float64(t.Sub(begin)) / float64(total) }
		a, b := at(from), at(c.Ended)
		for k := int(a); k < throughputSteps && float64(k) <= b; k++ {
			share := 1.0
			if b > a {
				share = max(0, min(b, float64(k+1))-max(a, float64(k))) / (b - a)
			}
			pages[k] += share * float64(c.Pages)
			bytes[k] += share * float64(c.Next-c.First)
			if b <= a {
				break
			}
		}
	})
	unit, of := "seconds", time.Second
	switch {
	case total > 3*time.Hour:
		unit, of = "hours", time.Hour
	case total > 3*time.Minute:
		unit, of = "minutes", time.Minute
	}
	step := total.Seconds() / throughputSteps
	rates := figure.Rates{Title: "Throughput over the run", X: figure.Axis{Label: unit + " since the first item began"}, Y: figure.Axis{Label: "pages per second"}, Step: step / of.Seconds()}
	for k := range pages {
		rates.Of = append(rates.Of, figure.Rate{Value: pages[k] / step, Other: bytes[k] / 1e6 / step})
	}
	return fixedPlace("throughput", fmt.Sprintf("Pages per second over the time of the run, all workers together, for its %s items; the pages of an item are spread over the time that it took. The data have the megabytes of input read per second as well. Times are by the clocks of the workers.", grouped(int64(items))), rates.Draw("MB of input per second"))
}
