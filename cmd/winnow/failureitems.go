package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/winnow/winnow/cmd/internal/failures"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// showItems writes what was given up: a line for each, or all that is known about one item or
// file.
func (o *failuresOptions) showItems(ctx context.Context, w io.Writer, args []string, item string) error {
	letters, err := o.letters(ctx, args)
	if err != nil {
		return err
	}
	letters = slices.DeleteFunc(letters, func(l failures.Letter) bool {
		return !o.Selects(l.File) || item != "" && string(l.Item) != item && l.File != item && !slices.Contains(schemas.FileNames(l.File)[:], item)
	})
	if item == "" {
		return o.format.Print(w, letters, func(w io.Writer) { printLetters(w, letters) })
	}
	if len(letters) == 0 {
		return fmt.Errorf("failures: nothing of %s was given up: 'winnow failures --items' lists what was", item)
	}
	return o.format.Print(w, letters, func(w io.Writer) {
		for i := range letters {
			printLetter(w, &letters[i])
		}
	})
}

func (o *failuresOptions) letters(ctx context.Context, args []string) ([]failures.Letter, error) {
	if o.broker.URL == "" {
		if o.run != "" {
			return nil, service.Usagef("--run is for --nats: an output folder holds one run")
		}
		client := blob.New(blob.Options{})
		defer client.Close()
		store, m, err := openRun(ctx, client, args[0])
		if err != nil {
			return nil, err
		}
		return failures.Letters(ctx, store, m)
	}
	q, err := o.broker.Dial(ctx, "winnow failures", slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer q.Close()
	letters := []failures.Letter{}
	var unreadable error
	for d, err := range q.DeadLetters(ctx, schemas.RunID(o.run)) {
		if err != nil {
			unreadable = errors.Join(unreadable, err)
			continue
		}
		letters = append(letters, failures.FromDead(d))
	}
	return letters, unreadable
}

func printLetters(w io.Writer, letters []failures.Letter) {
	if len(letters) == 0 {
		fmt.Fprintln(w, "nothing was given up")
		return
	}
	fmt.Fprintln(w, "RUN\tITEM\tFILE\tOFFSET\tBYTES\tSTAGE\tREASON\tATTEMPTS")
	for i := range letters {
		l := &letters[i]
		item := string(l.Item)
		if item == "" {
			item = "-"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\t%s\t%d\n", l.Run, item, service.Printable(l.File), l.Offset, l.Length, service.Printable(l.Stage), service.Printable(l.Reason), l.Attempts)
	}
}

func printLetter(w io.Writer, l *failures.Letter) {
	fmt.Fprintf(w, "run %s, item %s\nfile %s, offset %d, %s\nstage %s, reason %s, %s",
		l.Run, l.Item, service.Printable(l.File), l.Offset, account.Count(l.Length, "byte"), service.Printable(l.Stage), service.Printable(l.Reason), account.Count(l.Attempts, "attempt"))
	if !l.Time.IsZero() {
		fmt.Fprintf(w, ", given up %s", l.Time.Format(time.RFC3339))
	}
	fmt.Fprintf(w, "\n%s\n", service.Printable(l.Detail))
}
