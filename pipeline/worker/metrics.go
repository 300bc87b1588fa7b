package worker

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/winnow/winnow/pipeline/queue"
)

// Metrics holds what a worker counts for Prometheus. Labels have a bounded set of
// values: tables, stages and reasons, never a URL, host or record.
type Metrics struct {
	inputBytes   *prometheus.CounterVec
	outputBytes  *prometheus.CounterVec
	item         prometheus.Histogram
	inFlight     prometheus.Gauge
	redeliveries prometheus.Counter
	retries      prometheus.Counter
	deadLetters  *prometheus.CounterVec
}

// NewMetrics registers a worker's metrics in a registry. If it is nil, they are not
// registered.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	m := &Metrics{
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
	// Prometheus cannot compute a rate from a series' first sample, so these counters
	// are exported as 0 from the start.
	for _, stage := range []string{queue.StageItem, "record"} {
		m.deadLetters.WithLabelValues(stage, "crash")
	}
	if reg != nil {
		reg.MustRegister(m.inputBytes, m.outputBytes, m.item, m.inFlight, m.redeliveries, m.retries, m.deadLetters)
	}
	return m
}
