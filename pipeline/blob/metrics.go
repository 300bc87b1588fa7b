package blob

import (
	"errors"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics are what a Client counts for Prometheus. Nil counts nothing.
type Metrics struct {
	retries *prometheus.CounterVec
}

// NewMetrics registers a client's metrics.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	m := &Metrics{retries: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "winnow_fetch_retries_total",
		Help: "Requests to sources and stores that are tried again, at once or later with their item, by the status of the answer; none if there was no answer."}, []string{"status"})}
	reg.MustRegister(m.retries)
	// Prometheus cannot compute a rate from a series' first sample, so every counter is
	// exported as 0 from the start.
	for _, status := range []string{"403", "429", "500", "503", noStatus} {
		m.retries.WithLabelValues(status)
	}
	return m
}

// noStatus is the label of a request that got no answer.
const noStatus = "none"

// retry counts a retry of a request that failed with err.
func (m *Metrics) retry(err error) {
	if m == nil {
		return
	}
	status := noStatus
	var f *failure
	if errors.As(err, &f) && f.status != 0 {
		status = strconv.Itoa(f.status)
	} else if r, answered := replyOf(err); answered && r.status != 0 {
		status = strconv.Itoa(r.status)
	}
	m.retries.WithLabelValues(status).Inc()
}
