package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/eval/corpus"
)

// made makes a folder with one package of four pages, each of its own domain, and
// models of two folds: pages 0 and 1 are in fold 0, pages 2 and 3 in fold 1. The model
// of crf that was trained without fold 0 is damaged, so that it fails on every page.
func made(t *testing.T) (packages, folds string) {
	t.Helper()
	dir := t.TempDir()
	packages, folds = filepath.Join(dir, "packages"), filepath.Join(dir, "folds")
	write := func(file string, text []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	held := map[string]int{}
	for i := range 4 {
		text := strings.Repeat("The miller told the farmers that the grain of this year was better than they had feared. ", 5)
		name := filepath.Join(packages, "made", fmt.Sprint("page", i))
		write(name+".html", fmt.Appendf(nil, "<html lang=en><title>Grain %d</title><body><ul><li><a href=/>Home</a><li><a href=/x>News</a></ul><article><p>%s</p><p>%s</p></article></body></html>", i, text, text))
		write(name+".txt", []byte(text+"\n"+text))
		write(name+".json", fmt.Appendf(nil, `{"id":"page%d","url":"https://mill%d.example/","page_type":"article"}`, i, i))
		held[fmt.Sprint("page", i)] = i / 2
	}
	write(filepath.Join(packages, "made", "package.json"), []byte(`{"name":"made","title":"made pages","documents":4,"license":"CC0"}`))
	list, err := json.Marshal(map[string]any{"folds": 2, "pages": map[string]any{"made": held}})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range learners() {
		model, err := os.ReadFile(filepath.Join("../..", l.shipped))
		if err != nil {
			t.Fatal(err)
		}
		write(filepath.Join(folds, l.name, "folds.json"), list)
		for fold := range 3 {
			file := model
			if l.name == "crf" && fold == 0 {
				file = []byte("damaged")
			}
			write(filepath.Join(folds, l.name, fmt.Sprintf("fold%d.model", fold)), file)
		}
	}
	return packages, folds
}

// TestOutOfFold checks that a page is answered by the model of its fold, and that a
// result is measured again only if its model changed or if the user asks for it.
func TestOutOfFold(t *testing.T) {
	installPeers(t)
	packages, folds := made(t)
	cache, out := t.TempDir(), filepath.Join(t.TempDir(), "quality.md")
	measure := func(more ...string) error {
		args := []string{"--packages", packages, "--folds", folds, "--cache", cache, "--out", out, "--source", "../..", "--sites", "", "--keep-speed"}
		return run(context.Background(), append(args, more...), io.Discard)
	}
	// The first run measures the time of each extractor once, and the others keep it.
	if err := measure("--speed-every", "4", "--speed-rounds", "1", "--speed-run=false"); err != nil {
		t.Fatal(err)
	}
	var speed speedRecord
	if err := readJSON(filepath.Join(cache, "speed.json"), &speed); err != nil {
		t.Fatal(err)
	}
	if speed.Pages != 1 || speed.Bytes < 900 || speed.Took["winnow"] <= 0 || speed.Took[""] <= 0 {
		t.Errorf("speed %+v", speed)
	}
	read := func(name string) (a answersRecord) {
		t.Helper()
		if err := readJSON(answersFile(cache, "made", name), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := read("crf")
	for i, want := range []algorithms.Outcome{algorithms.Failed, algorithms.Failed, algorithms.OK, algorithms.OK} {
		if a.Answers[i].Outcome != want && !(want == algorithms.OK && a.Answers[i].Outcome == algorithms.Empty) {
			t.Errorf("page %d by crf: outcome %s, want %s", i, a.Answers[i].Outcome, want)
		}
	}
	for _, name := range []string{"winnow", "bte", "readability", "ensemble-majority"} {
		for i, x := range read(name).Answers {
			if x.Outcome != algorithms.OK || x.F1 < .9 {
				t.Errorf("page %d by %s: %+v", i, name, x)
			}
		}
	}

	// The cache keeps a result until the user asks for a new one or its model changes.
	for _, name := range []string{"bte", "winnow"} {
		a := read(name)
		a.Answers[0].F1 = .123
		if err := writeJSON(answersFile(cache, "made", name), a); err != nil {
			t.Fatal(err)
		}
	}
	kept := func(name string) bool { return read(name).Answers[0].F1 == .123 }
	if err := measure(); err != nil {
		t.Fatal(err)
	}
	if !kept("bte") || !kept("winnow") {
		t.Error("a second run measured what was in the cache")
	}
	list, _, err := corpus.ReadFolds(filepath.Join(folds, "winnow"))
	if err != nil {
		t.Fatal(err)
	}
	list.Add("another", "page", 0)
	if err := list.Write(filepath.Join(folds, "winnow")); err != nil {
		t.Fatal(err)
	}
	if err := measure(); err != nil {
		t.Fatal(err)
	}
	if !kept("bte") || kept("winnow") {
		t.Error("with other models of winnow, winnow alone is to be measured again")
	}
	if err := measure("--again", "bte"); err != nil {
		t.Fatal(err)
	}
	if kept("bte") {
		t.Error("--again bte took bte from the cache")
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| made | 4 | 4 |", "| `bte` | 4 | 0 | 0 | 0 | 0 |", "| `crf` | 4 | 2 | 0 |"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
}

func TestFoldsMustBeOfTheShippedModel(t *testing.T) {
	packages, folds := made(t)
	f := func(want string, args ...string) {
		t.Helper()
		err := run(context.Background(), append(args, "--cache", t.TempDir(), "--out", filepath.Join(t.TempDir(), "x")), io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one with %q", args, err, want)
		}
	}
	f("--packages", "--source", "../..")
	f("give --folds", "--packages", packages, "--source", "../..")
	last := filepath.Join(folds, "winnow", "fold2.model")
	other, err := os.ReadFile(filepath.Join(folds, "winnow", "fold2.model"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(last, other[:len(other)-1], 0o644); err != nil {
		t.Fatal(err)
	}
	f("model", "--packages", packages, "--folds", folds, "--source", "../..")
}

// installPeers builds winnow-peers and puts it on the PATH of the test.
func installPeers(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", dir, "./winnow-peers")
	build.Dir = "../../peers"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}
