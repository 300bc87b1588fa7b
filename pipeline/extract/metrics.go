package extract

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/schemas"
)

// Metrics are what the task counts for Prometheus. Labels come from closed sets:
// methods, outcomes and reasons, never a URL, host or record.
type Metrics struct {
	records       *prometheus.CounterVec
	documents     *prometheus.CounterVec
	leftOut       *prometheus.CounterVec
	extract       *prometheus.HistogramVec
	parse         prometheus.Histogram
	templateLoads prometheus.Counter
}

// NewMetrics registers the metrics. If reg is nil, they are not registered.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	// A page takes from 20 µs (a stub, one cheap method) to minutes (the limit
	// of a program).
	page := prometheus.ExponentialBuckets(20e-6, 4, 12)
	m := &Metrics{
		records: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "winnow_records_total",
			Help: "Records read, by what became of them."}, []string{"outcome", "reason"}),
		documents: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "winnow_documents_total",
			Help: "Pages times extractors, by outcome."}, []string{"extractor", "outcome"}),
		leftOut: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "winnow_texts_left_out_total",
			Help: "Texts that were not written because of the run's filter (--keep), by extractor."}, []string{"extractor"}),
		extract: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "winnow_extract_duration_seconds",
			Help: "Time of one extractor on one page.", Buckets: page}, []string{"extractor"}),
		parse: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "winnow_parse_duration_seconds",
			Help: "Time to parse one page.", Buckets: page}),
		templateLoads: prometheus.NewCounter(prometheus.CounterOpts{Name: "winnow_template_loads_total",
			Help: "Sites whose templates were loaded, because they were not in memory."}),
	}
	if reg != nil {
		reg.MustRegister(m.records, m.documents, m.leftOut, m.extract, m.parse, m.templateLoads)
	}
	return m
}

// page counts one page: looking labels up costs a few dozen nanoseconds per
// method, against the microseconds of the cheapest.
func (m *Metrics) page(r *driver.Result) {
	m.parse.Observe(float64(r.ParseNS) / 1e9)
	for i := range r.Extractions {
		x := &r.Extractions[i]
		m.documents.WithLabelValues(x.Extractor.Name, string(x.Outcome)).Inc()
		if x.Outcome != algorithms.Skipped {
			m.extract.WithLabelValues(x.Extractor.Name).Observe(float64(x.ExtractNS) / 1e9)
		}
	}
}

// item counts the records of an item that is done.
func (m *Metrics) item(c *schemas.Counts) {
	m.records.WithLabelValues("page", "").Add(float64(c.Pages))
	for reason, n := range c.NotHTML {
		m.records.WithLabelValues("not_html", reason).Add(float64(n))
	}
	for reason, n := range c.Refused {
		m.records.WithLabelValues("refused", reason).Add(float64(n))
	}
}
