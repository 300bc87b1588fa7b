package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/winnow/winnow/pipeline/service"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print version, commit and Go release of this program",
		Args:  exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), service.Details())
			return err
		},
	}
}
