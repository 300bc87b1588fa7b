package request

import (
	"encoding/json"
	"io"
	"text/tabwriter"

	"github.com/spf13/pflag"
)

// Format is the flag --format of a command that writes for people or for programs.
type Format struct{ word string }

// Register adds the flag to a command.
func (o *Format) Register(f *pflag.FlagSet) {
	RegisterChoice(f, &o.word, "format", "text", "text or json", "text", "json")
}

// JSON reports whether programs read what is written.
func (o *Format) JSON() bool { return o.word == "json" }

// Print writes v as JSON, or what text writes, whose columns end in tabs and are aligned.
func (o *Format) Print(w io.Writer, v any, text func(w io.Writer)) error {
	if o.JSON() {
		return WriteJSON(w, v)
	}
	return Align(w, text)
}

// Align writes what text writes: neighbouring lines of cells that end in tabs are columns.
func Align(w io.Writer, text func(w io.Writer)) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	text(t)
	return t.Flush()
}

// WriteJSON writes indented JSON.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
