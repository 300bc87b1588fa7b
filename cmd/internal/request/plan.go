package request

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/winnow/winnow/pipeline/account"
	"github.com/winnow/winnow/pipeline/estimate"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// PrintPlan writes what a run would do, as a table of files or as JSON, and what it may
// cost. e may be nil. workers is 0 if the number of workers is not known.
func PrintPlan(w io.Writer, run *schemas.Run, e *estimate.Estimate, workers int, format string) error {
	if format == "json" {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(struct {
			*schemas.Run
			Estimate *estimate.Estimate `json:"estimate,omitempty"`
		}{run, e})
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "ITEMS\tBYTES\t  FILE")
	for _, f := range run.Files {
		note := ""
		if f.Refused != "" {
			note = "  (" + f.Refused + ")"
		}
		fmt.Fprintf(tw, "%d\t%s\t  %s%s\n", f.Items, service.Bytes(f.Size), f.URL, note)
	}
	fmt.Fprintf(tw, "%d\t%s\t  in %d files\n", run.Sealed.Items, service.Bytes(run.Sealed.Bytes), run.Sealed.Files)
	if err := tw.Flush(); err != nil {
		return err
	}
	if text := account.LeftOut(run.Skipped); text != "" {
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	if run.LearnItems > 0 {
		if _, err := fmt.Fprintf(w, "\nphases: scan (%d items), learn (%d), extract (%d); sites by %s\n",
			run.Sealed.Items, run.LearnItems, run.Sealed.Items, run.Recipe.SiteBy); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "\nrun %s: %d extractors, %d scorers, %d facts, items of about %s, output to %s\n",
		run.ID, len(run.Recipe.Extractors), len(run.Recipe.Scorers), len(run.Recipe.Facts), service.Bytes(run.ItemMax), run.Out)
	if err != nil || e == nil {
		return err
	}
	return printEstimate(w, e, workers)
}

// printEstimate writes how long the run may take on one core of this machine, and with
// the given number of workers if that is known.
func printEstimate(w io.Writer, e *estimate.Estimate, workers int) error {
	took := func(seconds float64) string {
		d := time.Duration(seconds * float64(time.Second))
		switch {
		case d < 10*time.Second:
			return d.Round(100 * time.Millisecond).String()
		case d < 10*time.Minute:
			return d.Round(time.Second).String()
		}
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	}
	total := took(e.CoreSeconds) + " of one core"
	if workers > 1 {
		total += ", " + took(e.CoreSeconds/float64(workers)) + fmt.Sprintf(" of %d", workers)
	}
	_, err := fmt.Fprintf(w, "about %d pages, %d rows of documents and %d of scores, %s (by %d pages, and %s of the input, on this machine)\n",
		e.Pages, e.Documents, e.Scores, total, e.Sampled, service.Bytes(e.SampledBytes))
	if err != nil || len(e.Unmeasured) == 0 {
		return err
	}
	_, err = fmt.Fprintf(w, "the time does not include %s: this program does not contain the libraries that they need; 'winnow run --dry-run' measures all extractors\n",
		strings.Join(e.Unmeasured, ", "))
	return err
}

// Estimate returns what the planned run may cost. If that cannot be estimated, it logs
// the reason and returns nil.
func Estimate(ctx context.Context, run *schemas.Run, opt estimate.Options, log *slog.Logger) *estimate.Estimate {
	e, err := estimate.Of(ctx, run, opt)
	if err != nil {
		log.Warn("no estimate", "reason", err)
	}
	return e
}
