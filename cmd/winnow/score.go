package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/pipeline/service"
)

// maxText bounds the size of the texts that the verb score reads.
const maxText = 64 << 20

func newScoreCommand() *cobra.Command {
	var scorers string
	var format request.Format
	cmd := &cobra.Command{
		Use:   "score [--scorers a,b] GOLD TEXT",
		Short: "Compare an extracted text with its gold",
		Long: `Compare an extracted text with the gold: precision, recall and F1 by each
scorer. GOLD and TEXT are UTF-8 files with one line a block; one of them may
be -, the standard input. Scorers that need to know where on the page a text
was found have no answer here; the table says why.`,
		Example: `  winnow score examples/page.txt extracted.txt
  winnow extract --extractors bte examples/page.html | winnow score --scorers str,vec examples/page.txt -`,
		Args: exactly("GOLD", "TEXT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			chosen, err := chooseScorers(scorers)
			if err != nil {
				return err
			}
			if args[0] == "-" && args[1] == "-" {
				return service.Usagef("score: GOLD and TEXT cannot both be the standard input")
			}
			want, err := readText(args[0], cmd.InOrStdin())
			if err != nil {
				return err
			}
			got, err := readText(args[1], cmd.InOrStdin())
			if err != nil {
				return err
			}
			scores := scorePair(chosen, want, got)
			return format.Print(cmd.OutOrStdout(), scores, func(w io.Writer) { writeScores(w, scores) })
		},
	}
	cmd.Flags().StringVar(&scorers, "scorers", "all", "scorers, separated by commas (see: winnow scorers)")
	format.Register(cmd.Flags())
	return cmd
}

// chooseScorers calls choose.Scorers and returns its errors as usage errors.
func chooseScorers(expr string) ([]*algorithms.Scorer, error) {
	chosen, err := choose.Scorers(suite.Scorers(), expr)
	if err == nil && len(chosen) == 0 {
		err = errors.New("no scorer is chosen")
	}
	if err != nil {
		return nil, service.UsageError{Err: err}
	}
	return chosen, nil
}

// readText reads a UTF-8 text. A newline at the end of the file is not part of the
// text.
func readText(name string, stdin io.Reader) ([]byte, error) {
	r := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("score: %w", err)
		}
		defer f.Close()
		r = f
	}
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("score: %s: %w", name, err)
	case len(text) > maxText:
		return nil, fmt.Errorf("score: %s: more than %s", name, service.Bytes(maxText))
	}
	text = bytes.TrimSuffix(bytes.ToValidUTF8(text, []byte("\uFFFD")), []byte("\n"))
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), nil
}

// pairScore is one line of the answer. Numbers that a scorer does not have are left
// out.
type pairScore struct {
	Scorer    string            `json:"scorer"`
	Precision *float64          `json:"precision"`
	Recall    *float64          `json:"recall"`
	F1        *float64          `json:"f1"`
	Value     *float64          `json:"value,omitempty"` // value of a scorer that does not compute an F1
	Common    int64             `json:"common"`
	Extracted int64             `json:"extracted"`
	Gold      int64             `json:"gold"`
	Method    string            `json:"method,omitempty"`
	Reason    algorithms.Reason `json:"reason,omitempty"`
}

func scorePair(scorers []*algorithms.Scorer, want, got []byte) []pairScore {
	var gold algorithms.Gold
	gold.Reset()
	gold.Text = string(want)
	var trial algorithms.Trial
	trial.Reset(&gold, got, nil, false)
	out := make([]pairScore, 0, len(scorers))
	for _, s := range scorers {
		r := s.Score(&trial)
		line := pairScore{Scorer: s.Name, Common: r.Common, Extracted: r.Extracted, Gold: r.Gold, Method: r.Method, Reason: r.Reason}
		switch {
		case r.Reason != algorithms.NoReason:
		case s.Mean == algorithms.MeanValue:
			line.Value = &r.Value
		default:
			line.Precision, line.Recall, line.F1 = &r.Precision, &r.Recall, &r.F1
		}
		out = append(out, line)
	}
	return out
}

func writeScores(w io.Writer, scores []pairScore) {
	number := func(v *float64) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprintf("%.4f", *v)
	}
	fmt.Fprintln(w, "SCORER\tPRECISION\tRECALL\tF1\tNOTE")
	for _, s := range scores {
		var notes []string
		for _, note := range []string{string(s.Reason), s.Method} {
			if note != "" {
				notes = append(notes, note)
			}
		}
		if s.Value != nil {
			notes = append(notes, "value "+number(s.Value))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", s.Scorer, number(s.Precision), number(s.Recall), number(s.F1), cmp.Or(strings.Join(notes, ", "), "-"))
	}
}
