// Package plan prints what a run would do and what it may need.
package plan

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/winnow/winnow/cmd/internal/estimate"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// filesShown is the number of files that the text form lists. JSON has all.
const filesShown = 50

// Text writes a planned run and its estimate, which may be nil, for people.
func Text(w io.Writer, run *schemas.Run, e *estimate.Estimate) error {
	var b strings.Builder
	files(&b, run)
	if text := account.LeftOut(run.Skipped); text != "" {
		fmt.Fprintln(&b, text)
	}
	if run.Recipe.Learn != nil {
		fmt.Fprintf(&b, "\nphases: scan (%s), learn, extract (%d); sites by %s\n", account.Count(run.Sealed.Items, "item"), run.Sealed.Items, run.Recipe.SiteBy)
	}
	r := &run.Recipe
	fmt.Fprintf(&b, "\n%s, %s, %s, items of about %s\n", account.Count(len(r.Extractors), "extractor"), account.Count(len(r.Scorers), "scorer"), account.Count(len(r.Facts), "fact"), service.Bytes(run.ItemMax))
	if e != nil {
		needs(&b, e)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// files lists the input files.
func files(w io.Writer, run *schemas.Run) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "ITEMS\tBYTES\t  FILE")
	for i := range run.Files {
		if i == filesShown {
			fmt.Fprintf(t, "\t\t  and %d more (--format json lists all)\n", len(run.Files)-i)
			break
		}
		f := &run.Files[i]
		note := ""
		if f.Refused != "" {
			note = "  (" + f.Refused + ")"
		}
		fmt.Fprintf(t, "%d\t%s\t  %s%s\n", f.Items, service.Bytes(f.Length()), service.Printable(f.URL), note)
	}
	fmt.Fprintf(t, "%d\t%s\t  in %s\n", run.Sealed.Items, service.Bytes(run.Sealed.Bytes), account.Count(run.Sealed.Files, "file"))
	t.Flush()
}

// needs writes the estimate.
func needs(w io.Writer, e *estimate.Estimate) {
	s := &e.Sample
	about := "about "
	if s.Share == 1 {
		about = ""
	}
	fmt.Fprintf(w, "sample: %s of the input (%.3g %%) in %s, %s, processed with %s in %s of CPU time\n",
		service.Bytes(s.Bytes), 100*s.Share, account.Count(s.Ranges, "range"), account.Count(s.Pages, "page"), account.Count(s.Slots, "slot"), took(s.CPUSeconds))
	if n := len(s.Unsampled); n > 0 {
		fmt.Fprintf(w, "files not in the sample, because they are read as a whole and are larger than it: %d, such as %s; a larger --sample has them\n", n, service.Printable(s.Unsampled[0]))
	}
	fmt.Fprintf(w, "\npages:  %s%d\n", about, e.Pages)
	fmt.Fprintf(w, "work:   %s core-hours of CPU time, %s with %s (%s of input read)\n", figure(e.CoreHours), took(e.Hours*3600), account.Count(e.Workers, "worker slot"), service.Bytes(e.ReadBytes))
	fmt.Fprintf(w, "memory: %s in one process with %s", service.Bytes(e.MemoryBytes), account.Count(s.Slots, "slot"))
	if e.ChildBytes > 0 {
		fmt.Fprintf(w, ", and up to %s in the processes of --extractor-command", service.Bytes(e.ChildBytes))
	}
	fmt.Fprintf(w, "\noutput: %s%s\n", about, service.Bytes(e.OutputBytes))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "ROWS\tBYTES\t  TABLE")
	for _, table := range e.Tables {
		fmt.Fprintf(t, "%d\t%s\t  %s\n", table.Rows, service.Bytes(table.Bytes), table.Name)
	}
	t.Flush()
}

// figure formats a number with three digits that count.
func figure(v float64) string {
	if v >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// took formats a time as exactly as matters.
func took(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case seconds > 1e9: // beyond a Duration's range, and beyond patience
		return figure(seconds/3600/24/365) + " years"
	case d < 10*time.Second:
		return d.Round(time.Millisecond).String()
	case d < 10*time.Minute:
		return d.Round(time.Second).String()
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}
