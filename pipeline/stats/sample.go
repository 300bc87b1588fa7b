package stats

import (
	"math"
	"slices"
)

const (
	// exactSize is the number of values that a sample keeps unchanged. A larger sample
	// has a histogram and sums instead, so that it never takes more than 82 kB. The
	// specification has exact percentiles for up to 10^7 rows, by another pass over all
	// parts. The error of a percentile from the histogram is at most 5·10^-5, an
	// eightieth of the standard error of a mean over so many pages.
	exactSize = 4096
	// histBins is the number of bins of the histogram, one for each multiple of
	// 10^-4.
	histBins = 10_001

	// replicatesSmall and replicatesLarge are the numbers of bootstrap replicates for
	// samples of up to exactSize documents and for larger ones. The error of an end of
	// the interval is about 0.09 and 0.19 standard errors of the mean. For large
	// samples that is small in absolute terms, and a large sample has to keep the sums
	// of every replicate.
	replicatesSmall = 1000
	replicatesLarge = 200
)

// sample holds one value in [0, 1] per document, for percentiles and for a bootstrap
// interval of their mean. Samples can be merged in any order, because they hold only
// counts and integer sums. The zero value is empty.
type sample struct {
	// For up to exactSize documents: keys and values, in the order of arrival.
	keys   []drawn
	values []uint32 // units of 10^-9

	// For more documents: the count of each multiple of 10^-4, and the sums of the
	// replicates that draw pages and of those that draw sites.
	hist           []uint32
	byPage, bySite []replicate

	site    uint64 // site of the first document
	sites   bool   // the documents come from more than one site
	grouped bool   // some document shares the key of its site
}

// drawn holds the keys by which a document is drawn in the bootstrap: its own, and that
// of its site. A document without a known site has its own key in both fields.
type drawn struct{ page, site uint64 }

// replicate holds the sums of one resample: of weights, and of weighted values.
type replicate struct{ weight, value uint64 }

func (s *sample) large() bool { return s.hist != nil }

// add adds the value, in units, of the document with a key.
func (s *sample) add(key drawn, x int64) {
	v := uint32(max(0, min(x, unit)))
	s.note(key.site, key.site != key.page)
	if s.large() {
		s.count(key, v)
		return
	}
	s.keys, s.values = append(s.keys, key), append(s.values, v)
	if len(s.keys) > exactSize {
		s.spill()
	}
}

// spill replaces kept values by counts and sums.
func (s *sample) spill() {
	if s.large() {
		return
	}
	keys, values := s.keys, s.values
	s.keys, s.values = nil, nil
	s.hist = make([]uint32, histBins)
	s.byPage, s.bySite = make([]replicate, replicatesLarge), make([]replicate, replicatesLarge)
	for i := range keys {
		s.count(keys[i], values[i])
	}
}

// note records the site of a document.
func (s *sample) note(site uint64, grouped bool) {
	if s.empty() {
		s.site = site
	}
	s.sites = s.sites || site != s.site
	s.grouped = s.grouped || grouped
}

func (s *sample) empty() bool { return !s.large() && len(s.keys) == 0 }

func (s *sample) count(key drawn, v uint32) {
	s.hist[(uint64(v)*(histBins-1)+unit/2)/unit]++
	resample(s.byPage, key.page, v)
	resample(s.bySite, key.site, v)
}

// resample adds a document to every replicate. The number of replicates is even. Its
// weight there is the weight of all documents with the same key.
func resample(replicates []replicate, key uint64, v uint32) {
	value := uint64(v)
	for ; len(replicates) >= 2; replicates = replicates[2:] {
		key += 0x9e3779b97f4a7c15
		draw := mix(key) // one hash serves two replicates
		w := poisson(uint32(draw))
		replicates[0].weight += w
		replicates[0].value += w * value
		w = poisson(uint32(draw >> 32))
		replicates[1].weight += w
		replicates[1].value += w * value
	}
}

// draws keeps the weights of documents in the replicates of small samples. They depend on
// the document's key alone, so the rows of all scorers of an extractor, and of other
// extractors, use them again. The zero draws is ready to use. It belongs to one goroutine.
type draws struct {
	of map[uint64]*[replicatesSmall]uint8 // by key; at most exactSize of them
}

// weights returns the weights that resample gives a document with the key.
func (d *draws) weights(key uint64) *[replicatesSmall]uint8 {
	if w := d.of[key]; w != nil {
		return w
	}
	if d.of == nil || len(d.of) == exactSize {
		d.of = make(map[uint64]*[replicatesSmall]uint8)
	}
	var replicates [replicatesSmall]replicate
	resample(replicates[:], key, 0)
	w := new([replicatesSmall]uint8)
	for b, r := range replicates {
		w[b] = uint8(r.weight) // a Poisson variable here is at most 12
	}
	d.of[key] = w
	return w
}

// poissonBelow[k] is 2^32 times the probability that a Poisson variable with mean 1 is
// at most k. Beyond k = 11 the probability is less than 2^-32. poissonByte has the
// variable for the upper eight bits of a draw, or poissonUnsure if these bits do not
// determine it. A look-up in that table takes 2 ns. Two branches that no processor can
// predict take 8 ns.
var poissonBelow, poissonByte = poissonTables()

const poissonUnsure = 255

func poissonTables() (below [12]uint64, byByte [256]uint8) {
	p, sum := math.Exp(-1), 0.0
	for k := range below {
		sum += p
		p /= float64(k + 1)
		below[k] = uint64(math.Round(sum * (1 << 32)))
	}
	search := func(u uint64) (k uint8) {
		for int(k) < len(below) && u >= below[k] {
			k++
		}
		return k
	}
	for i := range byByte {
		first := uint64(i) << 24
		if byByte[i] = search(first); search(first+1<<24-1) != byByte[i] {
			byByte[i] = poissonUnsure
		}
	}
	return below, byByte
}

// poisson turns uniform bits into a Poisson variable with mean 1. It is the number of
// times that a document is drawn in a resample of the same size as a large sample.
func poisson(u uint32) uint64 {
	if k := poissonByte[u>>24]; k != poissonUnsure {
		return uint64(k)
	}
	k := uint64(0)
	for k < uint64(len(poissonBelow)) && uint64(u) >= poissonBelow[k] {
		k++
	}
	return k
}

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood 2014).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// merge adds the documents of o. o must not be used afterwards.
func (s *sample) merge(o *sample) {
	if o.empty() {
		return
	}
	s.note(o.site, o.grouped)
	s.sites = s.sites || o.sites
	if !s.large() && !o.large() && len(s.keys)+len(o.keys) <= exactSize {
		s.keys, s.values = append(s.keys, o.keys...), append(s.values, o.values...)
		return
	}
	s.spill()
	o.spill()
	for i, n := range o.hist {
		s.hist[i] += n
	}
	add := func(to, from []replicate) {
		for b, r := range from {
			to[b].weight += r.weight
			to[b].value += r.value
		}
	}
	add(s.byPage, o.byPage)
	add(s.bySite, o.bySite)
}

// percentiles returns the 5th, 50th and 95th percentile: the exact ones of up to
// exactSize values, else those of the histogram. They are NaN for an empty sample.
func (s *sample) percentiles() (p05, p50, p95 float64) {
	var r ranked
	if s.large() {
		for _, c := range s.hist {
			r.n += int(c)
		}
		r.at = s.histRank
	} else if len(s.values) > 0 {
		sorted := slices.Sorted(slices.Values(s.values))
		r.n = len(sorted)
		r.at = func(rank int) float64 { return float64(sorted[rank-1]) / unit }
	}
	return r.percentile(5), r.median(), r.percentile(95)
}

// histRank returns the value with a rank, from 1, to the resolution of the histogram.
func (s *sample) histRank(rank int) float64 {
	for i, c := range s.hist {
		if rank -= int(c); rank <= 0 {
			return float64(i) / (histBins - 1)
		}
	}
	return math.NaN()
}

// interval returns the 95% percentile interval of the mean under a Poisson bootstrap.
// In replicate b, the weight of a document is a Poisson variable with mean 1 that is
// drawn from the document's key and b. The same documents therefore give the same
// interval in every order, and a document has the same weights for every extractor.
// Fewer than two documents have no interval.
//
// Pages of one site resemble each other. If there are several sites, the site's key is
// used, so that all documents of a site are drawn together. The estimate is then the
// ratio of two sums, because sites differ in size.
func (s *sample) interval(d *draws) (low, high float64) {
	replicates := s.byPage
	together := s.sites && s.grouped
	if together {
		replicates = s.bySite
	}
	if !s.large() {
		if len(s.keys) < 2 {
			return math.NaN(), math.NaN()
		}
		var small [replicatesSmall]replicate
		replicates = small[:]
		for i := range s.keys {
			key := s.keys[i].page
			if together {
				key = s.keys[i].site
			}
			value, weights := uint64(s.values[i]), d.weights(key)
			for b := range replicates {
				w := uint64(weights[b])
				replicates[b].weight += w
				replicates[b].value += w * value
			}
		}
	}
	means := make([]float64, 0, len(replicates))
	for _, r := range replicates {
		if r.weight > 0 { // the replicate of a sample of a few documents may be empty
			means = append(means, float64(r.value)/float64(r.weight)/unit)
		}
	}
	if len(means) == 0 {
		return math.NaN(), math.NaN()
	}
	slices.Sort(means)
	return interval95(means)
}
