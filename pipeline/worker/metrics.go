package worker

import (
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/schemas"
)

// Metrics are what a worker counts for Prometheus. Labels come from closed
// sets: methods, outcomes and reasons, never a URL, host or record.
type Metrics struct {
	records      *prometheus.CounterVec
	documents    *prometheus.CounterVec
	extract      *prometheus.HistogramVec
	parse        prometheus.Histogram
	inputBytes   *prometheus.CounterVec
	outputBytes  *prometheus.CounterVec
	item         prometheus.Histogram
	inFlight     prometheus.Gauge
	redeliveries prometheus.Counter
	retries      prometheus.Counter
	deadLetters  *prometheus.CounterVec
	// Of runs that learn.
	learned       *prometheus.CounterVec
	templateBytes *prometheus.HistogramVec
	templateLoads prometheus.Counter
}

// NewMetrics registers a worker's metrics. Nil registers them nowhere.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	// A page takes from 20 µs (a stub, one cheap method) to minutes (the limit
	// of a wrapped library).
	page := prometheus.ExponentialBuckets(20e-6, 4, 12)
	m := &Metrics{
		records: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "winnow_records_total",
			Help: "Records read, by what became of them."}, []string{"outcome", "reason"}),
		documents: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "winnow_documents_total",
			Help: "Pages times extractors, by outcome."}, []string{"extractor", "outcome"}),
		extract: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "winnow_extract_duration_seconds",
			Help: "Time of one extractor on one page.", Buckets: page}, []string{"extractor"}),
		parse: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "winnow_parse_duration_seconds",
			Help: "Time to parse one page.", Buckets: page}),
		inputBytes: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "winnow_input_bytes_total",
			Help: "Bytes read: compressed, as they lie in the file; raw, as HTML."}, []string{"stage"}),
		outputBytes: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "winnow_output_bytes_total",
			Help: "Bytes of published shards, by table."}, []string{"table"}),
		item: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "winnow_work_item_duration_seconds",
			Help: "Time of one item, from taking it to settling it.", Buckets: prometheus.ExponentialBuckets(0.05, 2, 14)}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "winnow_work_items_in_flight",
			Help: "Items being worked on."}),
		redeliveries: prometheus.NewCounter(prometheus.CounterOpts{Name: "winnow_redeliveries_total",
			Help: "Items that had been delivered before."}),
		retries: prometheus.NewCounter(prometheus.CounterOpts{Name: "winnow_work_item_retries_total",
			Help: "Items given back to be tried again."}),
		deadLetters: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "winnow_dead_letters_total",
			Help: "Items and records given up."}, []string{"stage", "reason"}),
	}
	for _, stage := range []string{queue.StageItem, "record"} { // a rate does not see the first increase of what was not there
		m.deadLetters.WithLabelValues(stage, "crash")
	}
	m.learned = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "winnow_templates_learned_total",
		Help: "Sites times learned methods, by what became of them."}, []string{"method", "status"})
	// 64 KiB is more than a template should have, 256 KiB the most it may
	// (spec site-level, 2.6).
	m.templateBytes = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "winnow_template_bytes",
		Help: "Sizes of learned templates.", Buckets: []float64{1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10}}, []string{"method"})
	m.templateLoads = prometheus.NewCounter(prometheus.CounterOpts{Name: "winnow_template_loads_total",
		Help: "Sites whose templates were loaded, because they were not in memory."})
	if reg != nil {
		reg.MustRegister(m.learned, m.templateBytes, m.templateLoads, m.records, m.documents, m.extract, m.parse, m.inputBytes, m.outputBytes,
			m.item, m.inFlight, m.redeliveries, m.retries, m.deadLetters)
	}
	return m
}

// page counts one page: looking labels up costs a few dozen nanoseconds per
// method, against the microseconds of the cheapest.
func (m *Metrics) page(r *driver.Result) {
	m.parse.Observe(float64(r.ParseNS) / 1e9)
	m.inputBytes.WithLabelValues("raw").Add(float64(r.HTMLBytes))
	for i := range r.Extractions {
		x := &r.Extractions[i]
		m.documents.WithLabelValues(x.Extractor.Name, string(x.Outcome)).Inc()
		if x.Outcome != algorithms.Skipped {
			m.extract.WithLabelValues(x.Extractor.Name).Observe(float64(x.ExtractNS) / 1e9)
		}
	}
}

// Stats are a worker's running totals, for whoever watches it in the same
// process. What an abandoned attempt had added is taken back.
type Stats struct {
	Bytes    atomic.Int64 // of the input files, as far as pages have come
	Scanned  atomic.Int64 // the same, of the phase scan
	Learned  atomic.Int64 // buckets of sites, of the phase learn
	Pages    atomic.Int64
	Failures atomic.Int64 // records refused, and extractions that failed
}

// tally is what one attempt has added to Stats.
type tally struct {
	stats                  *Stats
	phase                  schemas.Phase
	bytes, pages, failures int64
	buckets                int64
}

func (t *tally) add(bytes, pages, failures int64) {
	t.bytes, t.pages, t.failures = t.bytes+bytes, t.pages+pages, t.failures+failures
	if t.phase == schemas.PhaseScan { // what fails here fails again, and counts then
		t.stats.Scanned.Add(bytes)
		return
	}
	t.stats.Bytes.Add(bytes)
	t.stats.Pages.Add(pages)
	t.stats.Failures.Add(failures)
}

// undo takes everything back.
func (t *tally) undo() {
	t.add(-t.bytes, -t.pages, -t.failures)
	t.learned(-t.buckets)
}

// learned adds buckets whose sites were learned.
func (t *tally) learned(buckets int64) {
	t.buckets += buckets
	t.stats.Learned.Add(buckets)
}
