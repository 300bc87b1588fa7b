package request

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// PrintPlan writes what a run would do: a table of files, or the plan as JSON.
func PrintPlan(w io.Writer, run *schemas.Run, format string) error {
	if format == "json" {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(run)
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "ITEMS\tBYTES\t  FILE\t")
	for _, f := range run.Files {
		note := ""
		if f.Refused != "" {
			note = "  (" + f.Refused + ")"
		}
		fmt.Fprintf(tw, "%d\t%s\t  %s%s\t\n", f.Items, service.Bytes(f.Size), f.URL, note)
	}
	fmt.Fprintf(tw, "%d\t%s\t  in %d files\t\n", run.Sealed.Items, service.Bytes(run.Sealed.Bytes), run.Sealed.Files)
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nrun %s: %d extractors, %d scorers, items of about %s, output to %s\n",
		run.ID, len(run.Recipe.Extractors), len(run.Recipe.Scorers), service.Bytes(run.ItemMax), run.Out)
	return err
}
