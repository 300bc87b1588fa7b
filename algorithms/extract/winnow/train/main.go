// Command train learns the model of the extractor winnow from gold test packages,
// and measures it.
//
//	go run ./algorithms/extract/winnow/train --packages DIR
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/winnow/winnow/algorithms/extract/winnow/internal/model"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("train", flag.ContinueOnError)
	flags.SetOutput(stderr)
	dir := flags.String("packages", "", "folder of gold test packages (folders or archives)")
	on := flags.String("on", "wcxb-dev", "packages to train on")
	measured := flags.String("measure", "", "packages to measure on alone")
	out := flags.String("out", "algorithms/extract/winnow/winnow.model", "file for the model")
	keep := flags.String("keep", "", "folder for the models of the folds; with --read they are read from there")
	readOnly := flags.Bool("read", false, "measure the models in --keep, and learn nothing")
	members := flags.Int("members", defaults.members, "models of each stage that are averaged")
	plain := flags.Bool("plain", false, "leave out rewritten pages")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var training []*document
	for _, name := range list(*on) {
		c, err := read(ctx, *dir, name)
		if err != nil {
			return err
		}
		if err := mayTrain(c.info); err != nil {
			return err
		}
		training = append(training, c.documents...)
	}
	var models [folds + 1]*model.Model
	if *readOnly {
		for o := range models {
			file, err := os.ReadFile(filepath.Join(*keep, fmt.Sprintf("fold%d.model", o)))
			if err != nil {
				return err
			}
			if models[o], err = model.Decode(file); err != nil {
				return err
			}
		}
	} else {
		started := time.Now()
		all := training
		if !*plain {
			all = append(all[:len(all):len(all)], rewrite(training)...)
		}
		d := prepare(all, stderr, started)
		s := defaults
		s.members = *members
		models = d.learn(s)
		if *keep != "" {
			for o, m := range models {
				if err := os.WriteFile(filepath.Join(*keep, fmt.Sprintf("fold%d.model", o)), m.Encode(), 0o644); err != nil {
					return err
				}
			}
		}
		if err := os.WriteFile(*out, models[none].Encode(), 0o644); err != nil {
			return err
		}
	}
	show(stdout, *on, measure(training, byModel(func(d *document) *model.Model { return models[d.fold()] }, model.Auto)))
	for _, name := range list(*measured) {
		c, err := read(ctx, *dir, name)
		if err != nil {
			return err
		}
		show(stdout, name, measure(c.documents, byModel(func(*document) *model.Model { return models[none] }, model.Auto)))
	}
	return nil
}

func list(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
}
