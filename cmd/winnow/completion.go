package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/cmd/internal/request"
	"github.com/winnow/winnow/schemas"
)

// complete makes the shell complete the values of flags that take names from a list, in
// the verb given. The verb "completion" of cobra prints the scripts for the shells.
func complete(verb *cobra.Command) *cobra.Command {
	var extractors, scorers []string
	for _, e := range suite.Extractors() {
		extractors = append(extractors, e.Name)
	}
	for _, s := range suite.Scorers() {
		scorers = append(scorers, s.Name)
	}
	register := func(flag string, complete cobra.CompletionFunc) {
		if err := verb.RegisterFlagCompletionFunc(flag, complete); err != nil {
			panic("winnow: " + err.Error()) // impossible: the flag exists, and is registered once
		}
	}
	for flag, values := range map[string][]string{
		"extractors": append(extractors, "all", "page", "site"),
		"scorers":    append(scorers, "all", "none"),
		"texts":      append(append([]string{"none"}, schemas.TextsFormats...), schemas.TextForms...),
	} {
		if verb.Flags().Lookup(flag) != nil {
			register(flag, completeFrom(values, true))
		}
	}
	verb.Flags().VisitAll(func(f *pflag.Flag) {
		if value, is := f.Value.(*request.Value); is && value.Words != nil {
			register(f.Name, completeFrom(value.Words, false))
		}
	})
	return verb
}

// completeFrom returns a function that completes one of the values or, if list is set, the
// last element of a list of them that is separated by commas.
func completeFrom(values []string, list bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		directive := cobra.ShellCompDirectiveNoFileComp
		before := ""
		if list {
			directive |= cobra.ShellCompDirectiveNoSpace // a comma may follow
			before = typed[:strings.LastIndexByte(typed, ',')+1]
		}
		var found []string
		for _, v := range values {
			if strings.HasPrefix(v, typed[len(before):]) {
				found = append(found, before+v)
			}
		}
		return found, directive
	}
}
