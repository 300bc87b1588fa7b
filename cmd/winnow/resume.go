package main

import (
	"context"
	"net/url"
	"strings"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest"
)

// resumes begins the hint that has a complete command.
const resumes = "to go on: winnow run"

// goOn returns what to do to go on with a run that has not ended: the complete command, if
// the run is recorded and everything that the command needs is stored. It returns ""
// if the output folder holds another run, or one that is finished.
func (o *runOptions) goOn(ctx context.Context, blobs *blob.Client, flags *pflag.FlagSet) string {
	again := "to go on: give the same command with --run " + quoted(o.request.ID) + " --out " + quoted(o.request.Out)
	store, err := blobs.Store(ctx, o.request.Out)
	if err != nil {
		return again
	}
	m, err := manifest.Load(ctx, store)
	switch {
	case err != nil:
		return again
	case string(m.Run.ID) != o.request.ID || !m.Finished.IsZero():
		return ""
	}
	if o.broker.URL == "" {
		private := m.Run.Recipe.GoldPrivate
		for i := range m.Run.Files {
			private = private || m.Run.Files[i].Private
		}
		if private {
			return again + " (a password or a signature of its inputs is stored nowhere)"
		}
	}
	return resumes + resumption(o.request.ID, o.request.Out, flags, o.request.Describes)
}

// resumption returns the flags that let winnow run go on with a run, with the flags that were given
// except for those that describe the run, because the run has recorded what they say.
func resumption(id, out string, flags *pflag.FlagSet, describes func(flag string) bool) string {
	command := " --run " + quoted(id) + " --out " + quoted(out)
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Changed || describes(f.Name) {
			return
		}
		value := f.Value.String()
		if u, err := url.Parse(value); f.Name == "nats" && err == nil && u.User != nil {
			value = "URL" // without its password
		}
		values := []string{value}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			command += " --" + f.Name + "=" + quoted(v)
		}
	})
	return command
}

// quoted returns a word as a shell reads it.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@%+,", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
