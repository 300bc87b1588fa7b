package aggregate

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/winnow/winnow/pipeline/queue"
)

// Metrics of what the broker holds.
var (
	backlogDesc     = prometheus.NewDesc("winnow_queue_backlog_items", "Items of all runs that wait for a worker or are worked on.", nil, nil)
	itemsDesc       = prometheus.NewDesc("winnow_queue_items", "Items of all runs in the broker: waiting, working.", []string{"state"}, nil)
	limitDesc       = prometheus.NewDesc("winnow_queue_working_limit_items", "Items that may be worked on at once, over all runs.", nil, nil)
	streamDesc      = prometheus.NewDesc("winnow_queue_stream_bytes", "Size of a stream of the broker.", []string{"stream"}, nil)
	streamLimitDesc = prometheus.NewDesc("winnow_queue_stream_limit_bytes", "Size at which a stream of the broker refuses messages.", []string{"stream"}, nil)
)

// loadWait bounds how long a scrape waits for the broker.
const loadWait = 5 * time.Second

// brokerLoad exports how many items of all runs and phases the broker holds at the time
// of a scrape. The aggregator exports these figures because it always runs, while the
// number of workers follows them: workers are scaled by winnow_queue_backlog_items. It
// exports nothing while the broker does not answer, because zeros would make the autoscaler
// stop all workers.
func brokerLoad(q *queue.Queue, log *slog.Logger) prometheus.CollectorFunc {
	return func(ch chan<- prometheus.Metric) {
		if q.Ready() != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), loadWait)
		defer cancel()
		load, err := q.Load(ctx)
		if err != nil {
			log.Warn("the broker does not say what it holds", "reason", err)
			return
		}
		gauge := func(d *prometheus.Desc, v float64, labels ...string) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
		}
		b := load.Backlog
		gauge(backlogDesc, float64(b.Waiting+b.Working))
		gauge(itemsDesc, float64(b.Waiting), "waiting")
		gauge(itemsDesc, float64(b.Working), "working")
		gauge(limitDesc, float64(load.WorkingLimit))
		for _, s := range load.Streams {
			gauge(streamDesc, float64(s.Bytes), s.Name)
			gauge(streamLimitDesc, float64(s.Limit), s.Name)
		}
	}
}
