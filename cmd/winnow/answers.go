package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/cmd/internal/answers"
	"github.com/winnow/winnow/cmd/internal/request"
)

// newAnswersCommand returns the program of an extractor that --answers defines.
func newAnswersCommand() *cobra.Command {
	var missing, digest string
	cmd := &cobra.Command{
		Use:    "answers RECORDING",
		Short:  "Answer pages from a recording, by the extractor protocol",
		Hidden: true,
		Args:   exactly("RECORDING"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			r, err := answers.Open(args[0])
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, r.Close()) }()
			return r.Serve(cmd.InOrStdin(), cmd.OutOrStdout(), answers.Missing(missing))
		},
	}
	request.RegisterChoice(cmd.Flags(), &missing, "missing", string(answers.Skip), "what a page without an answer counts as: skip or empty", string(answers.Skip), string(answers.Empty))
	cmd.Flags().StringVar(&digest, "digest", "", "of the recording; it tells one recording from another in the recipe of a run")
	return cmd
}
