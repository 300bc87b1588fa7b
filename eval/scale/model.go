package main

import (
	"errors"
	"math"
)

// linear is a cost that has a fixed part and grows with items and pages.
type linear struct{ Fixed, Item, Page float64 }

func (l linear) at(items, pages float64) float64 { return l.Fixed + l.Item*items + l.Page*pages }

// model is what small trials say about larger runs.
type model struct {
	cpu      map[string]linear // seconds, by process
	traffic  linear            // bytes of messages
	messages linear
	manifest linear // bytes of run.json
	stored   linear // bytes in the broker, most at one time
	requests map[string]map[string]linear

	// Real pages are larger than those that were made, so what grows with their bytes is
	// taken from the trial with real pages.
	workerByte float64 // seconds of a worker per byte of input
	mergePage  float64 // seconds of the aggregator per page
	outputPage float64 // bytes of output per page

	// In the trials each file is an item. In the manifest these are two things.
	planFile, partItem float64 // bytes
}

// errFew says that there are not enough figures for a model.
var errFew = errors.New("a model needs trials of --pages and of --files of two sizes each, and one of --crawl")

// build makes the model from the smallest and the largest trials of pages and of files.
// All other trials are there to check it.
func build(f figures) (*model, error) {
	pages, files, crawl := f.of(pagesKind), f.of(filesKind), f.of(crawlKind)
	if len(pages) < 2 || len(files) < 2 || len(crawl) == 0 {
		return nil, errFew
	}
	fit := func(cost func(*result) float64) linear {
		p0, p1, f0, f1 := pages[0], pages[len(pages)-1], files[0], files[len(files)-1]
		// Two equations, for what the larger trial of each kind has more than the smaller.
		a, b, c := float64(p1.Items-p0.Items), float64(p1.Pages-p0.Pages), cost(p1)-cost(p0)
		d, e, g := float64(f1.Items-f0.Items), float64(f1.Pages-f0.Pages), cost(f1)-cost(f0)
		det := a*e - b*d
		l := linear{Item: (c*e - b*g) / det, Page: (a*g - c*d) / det}
		l.Item, l.Page = math.Max(0, l.Item), math.Max(0, l.Page)
		l.Fixed = math.Max(0, cost(p0)-l.Item*float64(p0.Items)-l.Page*float64(p0.Pages))
		return l
	}
	m := &model{cpu: map[string]linear{}, requests: map[string]map[string]linear{}}
	for _, name := range append([]string{"broker"}, programs...) {
		m.cpu[name] = fit(func(r *result) float64 { return r.Processes[name].CPU })
	}
	for _, name := range programs {
		m.requests[name] = map[string]linear{}
		for _, column := range requestColumns {
			m.requests[name][column.name] = fit(func(r *result) float64 { return float64(column.of(r.Requests[name])) })
		}
	}
	m.traffic = fit(func(r *result) float64 { return float64(r.Traffic) })
	m.messages = fit(func(r *result) float64 { return float64(r.Messages) })
	m.manifest = fit(func(r *result) float64 { return float64(r.Manifest.Bytes) })
	m.stored = fit(func(r *result) float64 { return float64(r.Stored) })
	real := crawl[len(crawl)-1]
	more := func(name string) float64 {
		l := m.cpu[name]
		return math.Max(0, real.Processes[name].CPU-l.Fixed-l.Item*float64(real.Items))
	}
	m.workerByte = more("worker") / float64(real.Input)
	m.mergePage = more("aggregate") / float64(real.Pages)
	m.outputPage = float64(real.Output) / float64(real.Pages)
	most := files[len(files)-1]
	m.planFile = float64(most.Manifest.FileBytes) / float64(most.Files)
	m.partItem = float64(most.Manifest.PartBytes) / float64(most.Items)
	return m, nil
}

// requestColumns are the kinds of requests that are counted.
var requestColumns = []struct {
	name string
	of   func(traffic) int64
}{
	{"GET", func(t traffic) int64 { return t.Gets }},
	{"PUT", func(t traffic) int64 { return t.Puts }},
	{"DELETE", func(t traffic) int64 { return t.Deletes }},
	{"LIST", func(t traffic) int64 { return t.Lists }},
}

// crawl is a run that nobody has made here.
type crawl struct {
	Files, Items, Pages, Bytes float64
}

// month is one month of Common Crawl: 80,000 files of one GB, which are cut into items of
// 64 MiB to 128 MiB.
var month = crawl{Files: 80_000, Items: 80_000 * 14, Pages: 3e9, Bytes: 80e12}

// Prices in US dollars: round list prices of general-purpose machines and of object
// storage at the large providers.
const (
	coreHour  = 0.04
	thousands = 1000
	putPrice  = 0.005 / thousands // and LIST
	getPrice  = 0.0004 / thousands
	gbMonth   = 0.023
)

// need is what a crawl needs, in seconds of one core.
type need struct {
	Ingest, Workers, Aggregator, Broker float64

	Gets, Puts float64
	Output     float64 // bytes
	// Manifest is an upper bound of the bytes of run.json: the account of a file is counted
	// for each of its items.
	Manifest float64
}

func (m *model) need(c crawl) need {
	n := need{
		Ingest:     m.cpu["ingest"].at(c.Files, 0),
		Workers:    c.Bytes*m.workerByte + c.Items*m.cpu["worker"].Item,
		Aggregator: m.cpu["aggregate"].Fixed + c.Items*m.cpu["aggregate"].Item + c.Pages*m.mergePage,
		Broker:     m.cpu["broker"].at(c.Items, 0),
		Output:     c.Pages * m.outputPage,
		Manifest:   m.manifest.Fixed + c.Files*m.planFile + c.Items*m.partItem,
	}
	for _, name := range programs {
		items := c.Items
		if name == "ingest" {
			items = c.Files // it looks at each file once
		}
		// The pages of an item and of a part do not change the number of requests.
		n.Gets += m.requests[name]["GET"].at(items, 0)
		n.Puts += m.requests[name]["PUT"].at(items, 0) + m.requests[name]["LIST"].at(items, 0)
	}
	return n
}

// schedule is how long a crawl takes with so many workers of one core each.
type schedule struct {
	Workers                 int
	Hours                   float64
	Extract, Merge, Deliver float64 // hours of the three stages that go on side by side
	Limit                   string
	Aggregators             int // that would keep up with the workers
}

func (n need) with(workers int) schedule {
	s := schedule{Workers: workers, Extract: n.Workers / float64(workers) / 3600, Merge: n.Aggregator / 3600, Deliver: n.Broker / 3600, Limit: "workers"}
	s.Hours = s.Extract
	if s.Merge > s.Hours {
		s.Hours, s.Limit = s.Merge, "aggregator"
	}
	if s.Deliver > s.Hours {
		s.Hours, s.Limit = s.Deliver, "broker"
	}
	s.Hours += n.Ingest / 3600
	s.Aggregators = int(math.Max(1, math.Ceil(s.Merge/math.Max(s.Extract, s.Deliver))))
	return s
}

// price is what a crawl costs in US dollars.
type price struct{ Cores, Requests, Output float64 }

func (n need) price() price {
	const gb = 1e9
	return price{
		Cores:    (n.Ingest + n.Workers + n.Aggregator + n.Broker) / 3600 * coreHour,
		Requests: n.Gets*getPrice + n.Puts*putPrice,
		Output:   n.Output / gb * gbMonth,
	}
}
