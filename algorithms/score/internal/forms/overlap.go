package forms

// Overlap is what two bags of items have in common.
type Overlap struct {
	Common int // Σ of the smaller of the two counts

	// Of the bags as sets.
	CommonDistinct, Distinct, GoldDistinct int

	seen []int32 // count in the extraction, by id
}

func (o *Overlap) measure(g *Gold, ids []int32) {
	o.Common, o.CommonDistinct, o.Distinct, o.GoldDistinct = 0, 0, 0, g.Distinct
	for _, id := range ids {
		if id < 0 {
			continue // characters that the gold lacks: never counted as a set
		}
		for int(id) >= len(o.seen) {
			o.seen = append(o.seen, make([]int32, len(o.seen)+256)...)
		}
		o.seen[id]++
		if o.seen[id] == 1 {
			o.Distinct++
		}
		if int(id) < g.Distinct && o.seen[id] <= g.Counts[id] {
			o.Common++
			if o.seen[id] == 1 {
				o.CommonDistinct++
			}
		}
	}
	for _, id := range ids {
		if id >= 0 {
			o.seen[id] = 0
		}
	}
}
