package api

import "github.com/prometheus/client_golang/prometheus"

type metrics struct {
	requests *prometheus.CounterVec // by endpoint and code
	pages    *prometheus.CounterVec // by outcome
	inFlight prometheus.Gauge
	bytes    prometheus.Counter
	duration prometheus.Histogram
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "winnow_api_requests_total", Help: "Requests that were answered, by endpoint and status code.",
		}, []string{"endpoint", "code"}),
		pages: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "winnow_api_pages_total", Help: "Pages by what became of them: ok, empty, or the status code of the error.",
		}, []string{"outcome"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "winnow_api_requests_in_flight", Help: "Requests in progress.",
		}),
		bytes: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "winnow_api_input_bytes_total", Help: "Bytes of the pages that were extracted.",
		}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "winnow_api_page_duration_seconds", Help: "Time to extract a page, without waiting for a turn.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 2, 16),
		}),
	}
	r.MustRegister(m.requests, m.pages, m.inFlight, m.bytes, m.duration)
	return m
}
