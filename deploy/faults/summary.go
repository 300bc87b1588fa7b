package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// result is what a trial found.
type result struct {
	Trial    int      `json:"trial"`
	Seed     uint64   `json:"seed"`
	Task     string   `json:"task"`
	Nodes    int      `json:"brokers"`
	Sync     bool     `json:"sync"` // brokers sync every write
	Kinds    []kind   `json:"faults"`
	Events   []event  `json:"events"`  // those that happened
	Seconds  float64  `json:"seconds"` // duration of the whole run
	Restarts int      `json:"restarts"`
	Rows     int      `json:"rows"`
	Problems []string `json:"problems"` // empty if the trial passed
	// Leftovers counts the messages and shards that were left after the run. They are a
	// problem unless the broker had lost its data or messages were duplicated.
	Leftovers int    `json:"leftovers"`
	Folder    string `json:"folder,omitempty"`
	Repeat    string `json:"repeat"` // the command that repeats it
}

func (r *result) passed() bool { return len(r.Problems) == 0 }

// summary counts trials.
type summary struct {
	Trials int `json:"trials"`
	Passed int `json:"passed"`
	Failed int `json:"failed"`
	// Left counts the trials that passed and left messages or shards that nothing reads.
	Left     int            `json:"left"`
	Faults   []kindCount    `json:"faults"`
	Settings []settingCount `json:"settings"`
}

// settingCount counts the trials with one setting of JetStream.
type settingCount struct {
	Nodes  int  `json:"brokers"` // and replicas
	Sync   bool `json:"sync"`
	Trials int  `json:"trials"`
	Failed int  `json:"failed"`
}

// kindCount counts the faults of one kind that happened, and the trials in which they did.
type kindCount struct {
	Kind   kind `json:"fault"`
	Trials int  `json:"trials"`
	Events int  `json:"events"`
	Failed int  `json:"failed"` // trials that failed
}

func (s *summary) add(r *result) {
	s.Trials++
	if r.passed() {
		s.Passed++
		if r.Leftovers > 0 {
			s.Left++
		}
	} else {
		s.Failed++
	}
	s.addSetting(r)
	seen := map[kind]bool{}
	for _, e := range r.Events {
		i := slices.IndexFunc(s.Faults, func(c kindCount) bool { return c.Kind == e.Kind })
		if i < 0 {
			i = len(s.Faults)
			s.Faults = append(s.Faults, kindCount{Kind: e.Kind})
		}
		s.Faults[i].Events++
		if !seen[e.Kind] {
			seen[e.Kind] = true
			s.Faults[i].Trials++
			if !r.passed() {
				s.Faults[i].Failed++
			}
		}
	}
	slices.SortFunc(s.Faults, func(a, b kindCount) int {
		return slices.Index(allKinds, a.Kind) - slices.Index(allKinds, b.Kind)
	})
}

func (s *summary) addSetting(r *result) {
	i := slices.IndexFunc(s.Settings, func(c settingCount) bool { return c.Nodes == r.Nodes && c.Sync == r.Sync })
	if i < 0 {
		i = len(s.Settings)
		s.Settings = append(s.Settings, settingCount{Nodes: r.Nodes, Sync: r.Sync})
	}
	s.Settings[i].Trials++
	if !r.passed() {
		s.Settings[i].Failed++
	}
	slices.SortFunc(s.Settings, func(a, b settingCount) int {
		return cmp.Or(cmp.Compare(a.Nodes, b.Nodes), strings.Compare(syncInterval(a.Sync), syncInterval(b.Sync)))
	})
}

// printer writes results.
type printer interface {
	trial(*result)
	summary(*summary)
}

// text prints a line for each trial, and a table at the end.
type text struct{ w io.Writer }

func (t text) trial(r *result) {
	verdict := "ok"
	if !r.passed() {
		verdict = "FAILED"
	}
	fmt.Fprintf(t.w, "%-6s trial %d, seed %d: %s, %d brokers (sync %s), %s: %d faults, %d restarts, %.1f s, %d rows, %d leftovers\n",
		verdict, r.Trial, r.Seed, r.Task, r.Nodes, syncInterval(r.Sync), names(r.Kinds), len(r.Events), r.Restarts, r.Seconds, r.Rows, r.Leftovers)
	if r.passed() {
		return
	}
	for _, p := range r.Problems {
		fmt.Fprintf(t.w, "       %s\n", strings.ReplaceAll(p, "\n", "\n       "))
	}
	for _, e := range r.Events {
		fmt.Fprintf(t.w, "       fault: %v\n", e)
	}
	if r.Folder != "" {
		fmt.Fprintf(t.w, "       kept: %s\n", r.Folder)
	}
	fmt.Fprintf(t.w, "       repeat: %s\n", r.Repeat)
}

func (t text) summary(s *summary) {
	w := tabwriter.NewWriter(t.w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nfault\ttrials\tfaults\tfailed\t")
	for _, c := range s.Faults {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t\n", c.Kind, c.Trials, c.Events, c.Failed)
	}
	fmt.Fprintln(w, "\nbrokers\tsync_interval\ttrials\tfailed\t")
	for _, c := range s.Settings {
		fmt.Fprintf(w, "%d\t%s\t%d\t%d\t\n", c.Nodes, syncInterval(c.Sync), c.Trials, c.Failed)
	}
	w.Flush()
	fmt.Fprintf(t.w, "%d trials, %d passed (%d of them left messages or shards that nothing reads), %d failed\n", s.Trials, s.Passed, s.Left, s.Failed)
}

// jsonLines prints an object for each trial, and one for the summary.
type jsonLines struct{ e *json.Encoder }

func newJSON(w io.Writer) jsonLines { return jsonLines{json.NewEncoder(w)} }

func (j jsonLines) trial(r *result)    { _ = j.e.Encode(r) }
func (j jsonLines) summary(s *summary) { _ = j.e.Encode(struct{ Summary *summary }{s}) }
