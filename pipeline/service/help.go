package service

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// More is the id of the group of commands that --help leaves out and --help-all shows. In
// Annotations of a command it is the key of the part of the description that only --help-all
// shows.
const More = "more"

const heading = "heading" // annotation of a flag: the heading below which the help lists it

// Group lets register add flags that the help lists below a title, in the order in which
// they are added.
func Group(to *pflag.FlagSet, title string, register func(f *pflag.FlagSet)) {
	group := pflag.NewFlagSet("", pflag.ContinueOnError)
	group.SortFlags, to.SortFlags = false, false
	register(group)
	group.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		if f.Annotations[heading] == nil {
			f.Annotations[heading] = []string{title}
		}
	})
	to.AddFlagSet(group)
}

// Rare makes only --help-all show the flags that register adds.
func Rare(to *pflag.FlagSet, title string, register func(f *pflag.FlagSet)) {
	Group(to, title, func(f *pflag.FlagSet) {
		register(f)
		f.VisitAll(func(f *pflag.Flag) { f.Annotations = map[string][]string{More: nil} })
	})
}

// Formerly makes former names of flags errors that name the successors.
func Formerly(f *pflag.FlagSet, successors map[string]string) {
	for name, successor := range successors {
		f.Func(name, "", func(string) error { return Usagef("--%s is now %s", name, successor) })
		f.Lookup(name).Hidden = true
	}
}

// setHelp gives a program the flags --help and --help-all, and their texts.
func setHelp(program *cobra.Command) {
	all := false
	persistent := program.PersistentFlags()
	Group(persistent, "Help", func(f *pflag.FlagSet) {
		f.BoolP("help", "h", false, "show what is used most")
		f.BoolFunc("help-all", "show every flag, and every command", func(string) error {
			all = true
			return persistent.Set("help", "true")
		})
	})
	program.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		w := cmd.OutOrStdout()
		text := cmd.Long
		if text == "" {
			text = cmd.Short
		}
		fmt.Fprintln(w, strings.TrimSpace(text))
		if more := cmd.Annotations[More]; all && more != "" {
			fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(more))
		}
		fmt.Fprintln(w)
		writeUsage(w, cmd, all)
	})
	program.SetUsageFunc(func(cmd *cobra.Command) error {
		writeUsage(cmd.OutOrStderr(), cmd, all)
		return nil
	})
}

// writeUsage writes how a command is called: its examples, its commands and its flags.
func writeUsage(w io.Writer, cmd *cobra.Command, all bool) {
	fmt.Fprintln(w, "Usage:")
	if cmd.Runnable() {
		fmt.Fprintf(w, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s [command]\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	writeCommands(w, cmd, all)
	writeFlags(w, cmd, all)
}

// writeCommands writes the commands of a command by their groups.
func writeCommands(w io.Writer, cmd *cobra.Command, all bool) {
	for _, group := range append(slices.Clone(cmd.Groups()), &cobra.Group{Title: "Commands"}) {
		title := "\n" + group.Title + ":\n"
		for _, c := range cmd.Commands() {
			if c.GroupID == group.ID && c.IsAvailableCommand() && (all || group.ID != More) {
				fmt.Fprintf(w, "%s  %-*s %s\n", title, c.NamePadding(), c.Name(), c.Short)
				title = ""
			}
		}
	}
}

// lineWidth is the width at which the help texts of flags are wrapped.
const lineWidth = 110

// writeFlags writes the flags of a command below their headings.
func writeFlags(w io.Writer, cmd *cobra.Command, all bool) {
	var titles []string
	groups := map[string]*pflag.FlagSet{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, rare := f.Annotations[More]; f.Hidden || rare && !all {
			return
		}
		title := "Flags"
		if given := f.Annotations[heading]; len(given) > 0 {
			title = given[0]
		}
		if groups[title] == nil {
			groups[title] = pflag.NewFlagSet("", pflag.ContinueOnError)
			groups[title].SortFlags = false
			titles = append(titles, title)
		}
		groups[title].AddFlag(f)
	})
	for _, title := range titles {
		fmt.Fprintf(w, "\n%s:\n%s", title, groups[title].FlagUsagesWrapped(lineWidth))
	}
}
