package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/pipeline/account"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

func newStatusCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "status OUT",
		Short: "Tell how far the run of an output folder has come",
		Long: `Tell how far a run has come, finished or not, by what its output folder says is
committed: the phase, items, files, bytes and pages, and when something was committed
last. Nothing but the folder is asked, so this works for every run whose folder can be
read, wherever its workers are. Items are committed in parts of many, and those of the
phases scan and learn when the phase ends, so work that has been done may not be counted
yet.

A folder does not say whether a process is at work on it. If the last commit is longer
ago than usual, look at the log of the aggregator, or go on with 'winnow run --run ID
--out OUT'.`,
		Example: `  winnow status out/news
  winnow status s3://bucket/nightly/2026-03-01
  winnow status --format json out/news | jq .finished`,
		Args: exactly("OUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, "text", "json"); err != nil {
				return err
			}
			client := blob.New(blob.Options{})
			defer client.Close()
			store, m, err := openRun(cmd.Context(), client, args[0])
			if err != nil {
				return err
			}
			s := statusOf(m, time.Now())
			s.Out = store.URL()
			if format == "json" {
				return writeJSON(cmd.OutOrStdout(), s)
			}
			return s.print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

// runStatus is how far a run has come.
type runStatus struct {
	Run      schemas.RunID   `json:"run"`
	Out      string          `json:"out"`
	Finished bool            `json:"finished"`
	Phase    schemas.Phase   `json:"phase"`
	Phases   []schemas.Phase `json:"phases"`

	Items struct {
		Planned  int `json:"planned"`
		Accepted int `json:"accepted"` // and committed
		GivenUp  int `json:"given_up"`
		Open     int `json:"open"`
	} `json:"items"`
	Files struct {
		Planned int `json:"planned"`
		Refused int `json:"refused"` // when the run was planned
		Damaged int `json:"damaged"` // as far as they were read
	} `json:"files"`
	Bytes struct {
		Planned   int64 `json:"planned"`
		Committed int64 `json:"committed"`
	} `json:"bytes"`
	Parts   int   `json:"parts"`
	Records int64 `json:"records"`
	Pages   int64 `json:"pages"`
	Refused int64 `json:"refused"` // records

	Aggregator string    `json:"aggregator,omitempty"` // the last one
	Started    time.Time `json:"started"`
	Committed  time.Time `json:"committed,omitzero"`
	Ended      time.Time `json:"ended,omitzero"`
	// SinceCommit is in seconds. It is 0 for a finished run, and before the first commit.
	SinceCommit float64 `json:"since_commit_s"`
}

func statusOf(m *schemas.Manifest, now time.Time) *runStatus {
	s := &runStatus{Run: m.Run.ID, Finished: !m.Finished.IsZero(), Phase: m.Run.Phase, Phases: m.Run.Phases,
		Parts: len(m.Parts), Started: m.Started, Committed: m.Committed, Ended: m.Finished}
	s.Items.Planned = m.Run.Items()
	hurt := map[int]bool{} // files with a defect, or an item that was given up
	for i := range m.Parts {
		p := &m.Parts[i]
		for _, item := range p.Items {
			if item.Dead {
				s.Items.GivenUp++
				hurt[item.File] = true
			} else {
				s.Items.Accepted++
			}
		}
		for _, in := range p.Inputs {
			for code := range in.Defects {
				if warc.Code(code).Severity() > warc.Note {
					hurt[in.File] = true
				}
			}
		}
		s.Bytes.Committed += p.Counts.Bytes
		s.Records += p.Counts.Records
		s.Pages += p.Counts.Pages
		s.Refused += account.Sum(p.Counts.Refused)
	}
	s.Items.Open = s.Items.Planned - s.Items.Accepted - s.Items.GivenUp
	s.Files.Planned, s.Files.Damaged = len(m.Run.Files), len(hurt)
	for i := range m.Run.Files {
		s.Bytes.Planned += m.Run.Files[i].Length()
		if m.Run.Files[i].Refused != "" {
			s.Files.Refused++
		}
	}
	if n := len(m.Aggregators); n > 0 {
		s.Aggregator = m.Aggregators[n-1].Name
	}
	if !s.Finished && !m.Committed.IsZero() {
		s.SinceCommit = max(0, now.Sub(m.Committed).Seconds())
	}
	return s
}

func (s *runStatus) print(w io.Writer) error {
	state := fmt.Sprintf("not finished, phase %s", s.Phase)
	if s.Finished {
		state = "finished " + s.Ended.Format(time.RFC3339)
	}
	fmt.Fprintf(w, "run %s in %s\n%s; planned %s\n", s.Run, service.Printable(s.Out), state, s.Started.Format(time.RFC3339))
	fmt.Fprintf(w, "items: %d of %d accepted, %d given up, %d open; %d parts\n", s.Items.Accepted, s.Items.Planned, s.Items.GivenUp, s.Items.Open, s.Parts)
	fmt.Fprintf(w, "files: %d, %d of them refused, %d damaged\n", s.Files.Planned, s.Files.Refused, s.Files.Damaged)
	_, err := fmt.Fprintf(w, "bytes: %s of %s\nrecords: %d, %d of them pages, %d refused\n", service.Bytes(s.Bytes.Committed), service.Bytes(s.Bytes.Planned), s.Records, s.Pages, s.Refused)
	switch {
	case s.Finished || err != nil:
	case s.Committed.IsZero():
		_, err = fmt.Fprintln(w, "nothing is committed yet")
	default:
		_, err = fmt.Fprintf(w, "last commit: %s ago, by %s\n", time.Duration(s.SinceCommit*float64(time.Second)).Round(time.Second), service.Printable(s.Aggregator))
	}
	return err
}
