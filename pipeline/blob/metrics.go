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
	// A counter that is not there yet hides its first increase from a rate.
	for _, status := range []string{"403", "429", "500", "503", noStatus} {
		m.retries.WithLabelValues(status)
	}
	return m
}

// noStatus is the label of a request that nobody answered.
const noStatus = "none"

// retry counts that what failed with err is tried again.
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
