package aggregate

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/winnow/winnow/pipeline/queue"
)

// brokerLoad exports how many items of all runs and phases the broker holds at the time
// of a scrape. The aggregator exports these figures because it always runs, while the
// number of workers follows them: workers are scaled by winnow_queue_backlog_items.
type brokerLoad struct {
	q   *queue.Queue
	log *slog.Logger

	backlog, items, limit, bytes, bytesLimit *prometheus.Desc
}

// loadWait bounds how long a scrape waits for the broker.
const loadWait = 5 * time.Second

func newBrokerLoad(q *queue.Queue, log *slog.Logger) *brokerLoad {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	return &brokerLoad{
		q: q, log: log,
		backlog: desc("winnow_queue_backlog_items", "Items of all runs that wait for a worker or are worked on."),
		items:   desc("winnow_queue_items", "Items of all runs in the broker: waiting, working.", "state"),
		limit:   desc("winnow_queue_working_limit_items", "Items that may be worked on at once, over all runs."),
		bytes:   desc("winnow_queue_stream_bytes", "Size of a stream of the broker.", "stream"),
		bytesLimit: desc("winnow_queue_stream_limit_bytes",
			"Size at which a stream of the broker refuses messages.", "stream"),
	}
}

// Describe implements prometheus.Collector.
func (l *brokerLoad) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{l.backlog, l.items, l.limit, l.bytes, l.bytesLimit} {
		ch <- d
	}
}

// Collect implements prometheus.Collector. It exports nothing while the broker does not
// answer, because zeros would make the autoscaler stop all workers.
func (l *brokerLoad) Collect(ch chan<- prometheus.Metric) {
	if l.q.Ready() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), loadWait)
	defer cancel()
	load, err := l.q.Load(ctx)
	if err != nil {
		l.log.Warn("the broker does not say what it holds", "reason", err)
		return
	}
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	b := load.Backlog
	gauge(l.backlog, float64(b.Waiting+b.Working))
	gauge(l.items, float64(b.Waiting), "waiting")
	gauge(l.items, float64(b.Working), "working")
	gauge(l.limit, float64(load.WorkingLimit))
	for _, s := range load.Streams {
		gauge(l.bytes, float64(s.Bytes), s.Name)
		gauge(l.bytesLimit, float64(s.Limit), s.Name)
	}
}
