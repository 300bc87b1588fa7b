package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/warc"
	"github.com/winnow/winnow/schemas"
)

func newRunsStatusCommand() *cobra.Command {
	var o statusOptions
	cmd := &cobra.Command{
		Use:   "status [--watch] OUT | status --nats URL RUN",
		Short: "Tell how far the run of an output folder has come",
		Long: `Tell how far a run has come, finished or not, by what its output folder says is
committed: the phase, items, files, bytes and pages, and when something was committed
last, with the pages per second since the run began and the time that is left at that
speed. Nothing but the folder is asked, so this works for every run whose folder can be
read, wherever its workers are. Items are committed in parts of many, and those of the
phases scan and learn when the phase ends, so work that has been done may not be counted
yet.

With --nats, the run is named by its id, and the broker adds how many items are waiting and
being worked on, and which workers have reported items that are not committed yet.
--watch shows a line whenever --every has passed, until the run is finished.

A folder does not say whether a process is at work on it. If the last commit is longer
ago than usual, look at the log of the aggregator, or go on with 'winnow run --run ID
--out OUT'.`,
		Example: `  winnow runs status out/news
  winnow runs status s3://bucket/nightly/2026-03-01
  winnow runs status --format json out/news | jq .finished
  winnow runs status --watch --nats nats://nats:4222 may`,
		Args: exactly("OUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), args[0], cmd.OutOrStdout())
		},
	}
	o.broker.Register(cmd.Flags(), "`URL` of a broker, which knows the run by its id")
	cmd.Flags().BoolVar(&o.watch, "watch", false, "show a line from time to time until the run is finished")
	request.RegisterTime(cmd.Flags(), &o.every, "every", 5*time.Second, "with --watch: time between two lines")
	o.format.Register(cmd.Flags())
	return cmd
}

// statusOptions are the flags of the verb status.
type statusOptions struct {
	broker request.Broker
	watch  bool
	every  time.Duration
	format request.Format
}

// run shows the status of a run once, or until it has ended. name is its output folder,
// or its id if a broker is asked.
func (o *statusOptions) run(ctx context.Context, name string, w io.Writer) error {
	if err := o.broker.Validate(); err != nil {
		return err
	}
	client := blob.New(blob.Options{})
	defer client.Close()
	var q *queue.Queue
	if o.broker.URL != "" {
		var err error
		if q, err = o.broker.Dial(ctx, "winnow status", slog.New(slog.DiscardHandler)); err != nil {
			return err
		}
		defer q.Close()
	}
	out := name // output folder of the run, once the broker has named it
	for {
		s, err := lookUp(ctx, client, q, name, &out)
		if err != nil {
			return err
		}
		switch {
		case o.watch && o.format.JSON():
			err = json.NewEncoder(w).Encode(s)
		case o.watch:
			_, err = fmt.Fprintln(w, s.line(time.Now()))
		default:
			err = o.format.Print(w, s, s.print)
		}
		if err != nil || s.Finished || s.Mark != nil || !o.watch {
			return err
		}
		select {
		case <-time.After(o.every):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// lookUp returns the status of a run that a folder holds or, if q is not nil, that a
// broker holds, or held when out was set to its folder.
func lookUp(ctx context.Context, client *blob.Client, q *queue.Queue, name string, out *string) (*runStatus, error) {
	var queued *queueStatus
	if q != nil {
		head, err := q.Run(ctx, schemas.RunID(name))
		switch {
		case errors.Is(err, queue.ErrNotFound) && *out == name:
			return nil, unknownRun(name)
		case err == nil:
			*out = head.Out
			if queued, err = queueStatusOf(ctx, q, head); err != nil {
				return nil, err
			}
		case !errors.Is(err, queue.ErrNotFound):
			return nil, err
		}
	}
	store, m, err := openRun(ctx, client, *out)
	if err != nil {
		return nil, err
	}
	s := statusOf(m, time.Now())
	s.Out, s.Queue = store.URL(), queued
	var ended *manifest.EndedError
	if err := manifest.Ended(ctx, store); errors.As(err, &ended) && !s.Finished {
		s.Mark = &ended.Ended
	} else if err != nil && ended == nil {
		return nil, err
	}
	return s, nil
}

// queueStatusOf asks a broker about a run that it holds.
func queueStatusOf(ctx context.Context, q *queue.Queue, head *schemas.Run) (*queueStatus, error) {
	b, phase, err := begunPhase(ctx, q, head)
	if err != nil {
		return nil, err
	}
	s := &queueStatus{State: schemas.RunPlanned, Waiting: b.Waiting, Working: b.Working, Again: b.Again}
	if phase != "" {
		s.State = schemas.RunActive
	}
	s.Workers, err = q.Workers(ctx, head.ID)
	return s, err
}

// queueStatus is what a broker holds for a run that is not finished.
type queueStatus struct {
	State   schemas.RunState `json:"state"`   // planned until an aggregator has begun
	Waiting int              `json:"waiting"` // items of the current phase
	Working int              `json:"working"`
	Again   int              `json:"again"`   // items that are worked on for more than the first time
	Workers []string         `json:"workers"` // workers that have reported items
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
		Dead     int `json:"dead"`
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
	// PagesPerS is the mean from the start of the run to the last commit; Left is the time
	// in seconds that the open items take at the same speed. Both are 0 if not known.
	PagesPerS float64 `json:"pages_per_s"`
	Left      float64 `json:"left_s"`

	Mark  *schemas.Ended `json:"mark,omitempty"`  // mark of a run that was canceled, or failed
	Queue *queueStatus   `json:"queue,omitempty"` // nil without a broker, or if it holds no such run
}

func statusOf(m *schemas.Manifest, now time.Time) *runStatus {
	s := &runStatus{Run: m.Run.ID, Finished: !m.Finished.IsZero(), Phase: m.Run.Phase, Phases: m.Run.Phases,
		Parts: len(m.Parts), Started: m.Started, Committed: m.Committed, Ended: m.Finished}
	s.Items.Planned = m.Run.Items()
	hurt := map[int]bool{} // files with a defect, or a dead item
	for i := range m.Parts {
		p := &m.Parts[i]
		for _, item := range p.Items {
			if item.Dead {
				s.Items.Dead++
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
	s.Items.Open = s.Items.Planned - s.Items.Accepted - s.Items.Dead
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
	if took := m.Committed.Sub(m.Started).Seconds(); took > 0 && len(m.Parts) > 0 {
		s.PagesPerS = float64(s.Pages) / took
		if settled := s.Items.Accepted + s.Items.Dead; settled > 0 && !s.Finished {
			s.Left = took / float64(settled) * float64(s.Items.Open)
		}
	}
	return s
}

// line returns the status in one line.
func (s *runStatus) line(now time.Time) string {
	text := fmt.Sprintf("%s %s %s: %d of %s", now.Format(time.TimeOnly), s.Run, s.Phase, s.Items.Accepted+s.Items.Dead, account.Count(s.Items.Planned, "item"))
	if s.Finished {
		text = fmt.Sprintf("%s %s finished: %s", now.Format(time.TimeOnly), s.Run, account.Count(s.Items.Planned, "item"))
	}
	if q := s.Queue; q != nil && !s.Finished {
		text += fmt.Sprintf(", %d waiting, %d worked on, %s", q.Waiting, q.Working, account.Count(len(q.Workers), "worker"))
	}
	text += ", " + account.Count(s.Pages, "page")
	if s.PagesPerS > 0 {
		text += fmt.Sprintf(", %.0f/s", s.PagesPerS)
	}
	if s.Items.Dead > 0 {
		text += fmt.Sprintf(", %d dead", s.Items.Dead)
	}
	if s.Files.Damaged > 0 {
		text += fmt.Sprintf(", %s damaged", account.Count(s.Files.Damaged, "file"))
	}
	if s.Left > 0 {
		text += ", " + seconds(s.Left) + " left"
	}
	return text
}

// seconds returns a number of seconds as a person reads it.
func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(time.Second).String()
}

func (s *runStatus) print(w io.Writer) {
	state := fmt.Sprintf("not finished, phase %s", s.Phase)
	if s.Finished {
		state = "finished " + s.Ended.Format(time.RFC3339)
	}
	if s.Mark != nil {
		state = fmt.Sprintf("%s %s, in phase %s", s.Mark.State, s.Mark.Time.Format(time.RFC3339), s.Phase)
		if s.Mark.Reason != "" {
			state += ": " + service.Printable(s.Mark.Reason)
		}
	}
	fmt.Fprintf(w, "run %s in %s\n%s; planned %s\n", s.Run, service.Printable(s.Out), state, s.Started.Format(time.RFC3339))
	fmt.Fprintf(w, "items: %d of %d accepted, %d dead, %d open; %s\n", s.Items.Accepted, s.Items.Planned, s.Items.Dead, s.Items.Open, account.Count(s.Parts, "part"))
	fmt.Fprintf(w, "files: %d, %d of them refused, %d damaged\n", s.Files.Planned, s.Files.Refused, s.Files.Damaged)
	fmt.Fprintf(w, "bytes: %s of %s\nrecords: %d, %d of them pages, %d refused\n", service.Bytes(s.Bytes.Committed), service.Bytes(s.Bytes.Planned), s.Records, s.Pages, s.Refused)
	if s.PagesPerS > 0 {
		fmt.Fprintf(w, "speed: %.1f pages/s", s.PagesPerS)
		if s.Left > 0 {
			fmt.Fprintf(w, ", %s left", seconds(s.Left))
		}
		fmt.Fprintln(w)
	}
	if q := s.Queue; q != nil {
		fmt.Fprintf(w, "broker: the run is %s; %s waiting, %d worked on, %d of them again; %s reported: %s\n",
			q.State, account.Count(q.Waiting, "item"), q.Working, q.Again, account.Count(len(q.Workers), "worker"), service.Printable(strings.Join(q.Workers, ", ")))
	}
	switch {
	case s.Finished:
	case s.Committed.IsZero():
		fmt.Fprintln(w, "nothing is committed yet")
	default:
		fmt.Fprintf(w, "last commit: %s ago, by %s\n", seconds(s.SinceCommit), service.Printable(s.Aggregator))
	}
}
