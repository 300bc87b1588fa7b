// Package corpustest writes small gold test packages for tests of training, and checks
// what the commands that train an extractor have in common.
//
// This package is internal to Winnow and may change in any release.
package corpustest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Write writes the package name below dir. Its pages have a menu, a few paragraphs,
// which are the gold, and a foot. marks are further fields of package.json, each with a
// comma before it.
func Write(t testing.TB, dir, name, licence, marks string) {
	t.Helper()
	folder := filepath.Join(dir, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(file, text string) {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const pages = 24
	write("package.json", fmt.Sprintf(`{"name":%q,"title":"made pages","documents":%d,"license":%q%s}`, name, pages, licence, marks))
	rng := rand.New(rand.NewPCG(1, 2))
	nouns := strings.Fields("grain harvest mill bread price winter farmer field barn rain summer village baker oven river")
	noun := func() string { return nouns[rng.IntN(len(nouns))] }
	for i := range pages {
		var gold []string
		for range 3 + rng.IntN(5) {
			words := []string{"The"}
			for range 20 + rng.IntN(20) {
				words = append(words, noun(), "of")
			}
			gold = append(gold, strings.Join(words, " ")+" the mill.")
		}
		var menu strings.Builder
		for range 10 {
			fmt.Fprintf(&menu, "<li><a href=/x>%s</a></li>", noun())
		}
		write(fmt.Sprintf("%02d.html", i), fmt.Sprintf("<html lang=en><head><title>%s</title></head><body><ul>%s</ul><div><p>%s</p></div><div>All rights <b>reserved</b></div></body></html>",
			noun(), menu.String(), strings.Join(gold, "</p><p>")))
		write(fmt.Sprintf("%02d.txt", i), strings.Join(gold, "\n"))
		write(fmt.Sprintf("%02d.json", i), fmt.Sprintf(`{"id":"%02d","url":"http://site%d.example/%d"}`, i, i/2, i))
	}
}

// CheckFolds checks a folder of models of folds. Every page of the package must be held
// out in one fold. Each fold must have a model, which differs from that of all pages.
// The last model must be the shipped file.
func CheckFolds(t testing.TB, dir, pkg, shipped string, folds int) {
	t.Helper()
	read := func(name string) []byte {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	var list struct {
		Folds int
		Pages map[string]map[string]int
	}
	if err := json.Unmarshal(read(filepath.Join(dir, "folds.json")), &list); err != nil {
		t.Fatal(err)
	}
	if list.Folds != folds || len(list.Pages[pkg]) != 24 {
		t.Errorf("%d folds of %d pages, want %d of 24", list.Folds, len(list.Pages[pkg]), folds)
	}
	whole := read(shipped)
	held := make([]int, folds)
	for id, fold := range list.Pages[pkg] {
		if fold < 0 || fold >= folds {
			t.Fatalf("page %s is in fold %d", id, fold)
		}
		held[fold]++
	}
	for fold := range folds {
		model := read(filepath.Join(dir, fmt.Sprintf("fold%d.model", fold)))
		if held[fold] > 0 && bytes.Equal(model, whole) {
			t.Errorf("the model of fold %d is that of all pages", fold)
		}
	}
	if !bytes.Equal(read(filepath.Join(dir, fmt.Sprintf("fold%d.model", folds))), whole) {
		t.Error("the last model is not that of all pages")
	}
}
