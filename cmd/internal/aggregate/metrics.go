package aggregate

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/winnow/winnow/pipeline/commit"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

// metrics are what an aggregator exports: the progress of the current run, which is the
// one that reported progress last, and the scores of the last one that ended.
type metrics struct {
	mu         sync.Mutex // for present, parts and counted: several runs report progress
	present    schemas.RunID
	parts      map[schemas.RunID]int // committed parts
	run        *prometheus.GaugeVec
	phase      *prometheus.GaugeVec
	items      *prometheus.GaugeVec
	bytes      *prometheus.GaugeVec
	pages      prometheus.Gauge
	failed     prometheus.Gauge
	counted    map[schemas.RunID]int // dead items that the counter dead includes
	dead       prometheus.Counter
	lastCommit prometheus.Gauge
	runs       *prometheus.CounterVec
	score      *prometheus.GaugeVec
	refused    prometheus.Counter
}

func newMetrics(reg prometheus.Registerer) *metrics {
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	}
	m := &metrics{parts: map[schemas.RunID]int{}, counted: map[schemas.RunID]int{},
		run: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "winnow_run_info",
			Help: "1, labelled with the present run: of those at work, the one that reported progress last."}, []string{"run"}),
		phase: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "winnow_run_phase",
			Help: "1 for the phase that the present run is in; items and bytes are of this phase."}, []string{"phase"}),
		items: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "winnow_run_items",
			Help: "Items of the present run: all, accounted for, and dead."}, []string{"state"}),
		bytes: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "winnow_run_input_bytes",
			Help: "Input bytes of the present run: all, and accounted for."}, []string{"state"}),
		pages:      gauge("winnow_run_pages", "Pages of the present run that are accounted for."),
		failed:     gauge("winnow_run_failed_extractions", "Pages times extractors of the present run that failed."),
		lastCommit: gauge("winnow_last_commit_timestamp_seconds", "When the last part was committed."),
		runs: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "winnow_runs_total",
			Help: "Runs that ended here: done, canceled, or failed because their account does not add up or by an error that is not temporary."}, []string{"outcome"}),
		score: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "winnow_score",
			Help: "Mean F1 over all documents of the last run that ended."}, []string{"extractor", "scorer"}),
	}
	m.refused = prometheus.NewCounter(prometheus.CounterOpts{Name: "winnow_reports_refused_total",
		Help: "Messages among the workers' reports that are not a report of the run, or contradict themselves or the recipe."})
	m.dead = prometheus.NewCounter(prometheus.CounterOpts{Name: "winnow_items_dead_total",
		Help: "Items that were given up, each with a dead letter, of all runs. Those of a run that goes on are counted again after a restart."})
	reg.MustRegister(m.refused, m.dead, m.run, m.phase, m.items, m.bytes, m.pages, m.failed, m.lastCommit, m.runs, m.score)
	for _, outcome := range commit.Outcomes { // Prometheus cannot compute a rate from a series' first sample
		m.runs.WithLabelValues(string(outcome))
	}
	return m
}

// begin resets the figures for a run of which nothing has been reported yet.
func (m *metrics) begin(run *schemas.Run) {
	m.mu.Lock()
	delete(m.parts, run.ID)
	delete(m.counted, run.ID)
	m.mu.Unlock()
	m.progress(commit.Progress{Run: run.ID, Phase: run.Phase, ItemsOf: run.Sealed.Items, BytesOf: run.Sealed.Bytes})
}

func (m *metrics) progress(p commit.Progress) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.present != p.Run {
		m.present = p.Run
		m.run.Reset() // only one run has figures at a time, because the number of runs is unbounded
		m.run.WithLabelValues(string(p.Run)).Set(1)
	}
	for _, phase := range schemas.Phases {
		is := 0.0
		if phase == p.Phase {
			is = 1
		}
		m.phase.WithLabelValues(string(phase)).Set(is)
	}
	m.items.WithLabelValues("planned").Set(float64(p.ItemsOf))
	m.items.WithLabelValues("done").Set(float64(p.Items))
	m.items.WithLabelValues("dead").Set(float64(p.Dead))
	if counted := m.counted[p.Run]; p.Dead > counted { // every phase of a run counts from 0
		m.dead.Add(float64(p.Dead - counted))
	}
	m.counted[p.Run] = p.Dead
	m.bytes.WithLabelValues("planned").Set(float64(p.BytesOf))
	m.bytes.WithLabelValues("done").Set(float64(p.Bytes))
	m.pages.Set(float64(p.Pages))
	m.failed.Set(float64(p.Failed))
	if p.Parts > m.parts[p.Run] {
		m.parts[p.Run] = p.Parts
		m.lastCommit.Set(float64(time.Now().Unix()))
	}
}

// scores exports the scores of a run over all packages. The scores of single packages
// are not exported, because a package may be a host, and the number of hosts is
// unbounded.
func (m *metrics) scores(s *stats.Summary) {
	m.score.Reset()
	all := s.All
	if all == nil {
		if len(s.Packages) == 0 {
			return
		}
		all = &s.Packages[0]
	}
	for _, e := range all.Extractors {
		for _, sc := range e.Scores {
			if sc.MeanF1 != nil {
				m.score.WithLabelValues(e.Extractor, sc.Scorer).Set(*sc.MeanF1)
			}
		}
	}
}
