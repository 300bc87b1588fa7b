package learn

import "github.com/prometheus/client_golang/prometheus"

// Metrics holds what the task learn counts for Prometheus. Labels have a bounded set of
// values: learners and statuses.
type Metrics struct {
	learned       *prometheus.CounterVec
	templateBytes *prometheus.HistogramVec
}

// NewMetrics registers the metrics in a registry. If it is nil, they are not
// registered.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	m := &Metrics{
		learned: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "winnow_templates_learned_total",
			Help: "Sites times learners, by what became of them."}, []string{"learner", "status"}),
		// A template should have at most 64 KiB, and must have at most 256 KiB.
		templateBytes: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "winnow_template_bytes",
			Help: "Sizes of learned templates.", Buckets: []float64{1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10}}, []string{"learner"}),
	}
	if reg != nil {
		reg.MustRegister(m.learned, m.templateBytes)
	}
	return m
}
