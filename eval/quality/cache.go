package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/eval/programs"
)

// The folder of results has these files:
//
//	packages.json            names of the packages, in the order of the page
//	PACKAGE/pages.json       packageRecord
//	PACKAGE/EXTRACTOR.json   answersRecord
//	speed.json               speedRecord
//	sites.json               sitesRecord

// packageRecord describes a package without its texts.
type packageRecord struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
	Title  string `json:"title"`
	Pages  []Page `json:"pages"`
}

// answersRecord has the answers of one extractor to a package.
type answersRecord struct {
	Key     string   `json:"key"` // hash of what the answers depend on; a record with another key is outdated
	Answers []Answer `json:"answers"`
}

// Answer describes the answer to one page.
type Answer struct {
	Outcome algorithms.Outcome `json:"outcome"`
	Reason  algorithms.Reason  `json:"reason,omitempty"` // of a failure, or why the page was skipped

	// These are figures of wcxb-word-f1, if the gold has a text.
	Precision float64 `json:"p,omitempty"`
	Recall    float64 `json:"r,omitempty"`
	F1        float64 `json:"f,omitempty"`

	// These are counts of snippet, if the gold has segments: the wanted ones that were
	// found, and all that were found.
	Found    int64 `json:"found,omitempty"`
	FoundAll int64 `json:"all,omitempty"`
}

// record holds everything that the page is made from.
type record struct {
	packages []*packageRecord
	answers  []map[string][]Answer // by package, by extractor
	methods  []*algorithms.Extractor
	speed    speedRecord
	sites    sitesRecord
}

// readRecord reads the folder of results.
func readRecord(dir string) (*record, error) {
	r := &record{}
	var names []string
	if err := readJSON(filepath.Join(dir, "packages.json"), &names); err != nil {
		return nil, err
	}
	for _, name := range names {
		p := new(packageRecord)
		if err := readJSON(filepath.Join(dir, name, "pages.json"), p); err != nil {
			return nil, err
		}
		r.packages = append(r.packages, p)
		r.answers = append(r.answers, make(map[string][]Answer))
	}
	for _, e := range programs.Extractors() {
		if e.Scope() != algorithms.PageScope {
			continue
		}
		known := false
		for i, p := range r.packages {
			var a answersRecord
			err := readJSON(answersFile(dir, p.Name, e.Name), &a)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err == nil && len(a.Answers) != len(p.Pages) {
				err = fmt.Errorf("read the answers of %s: there are %d to %d pages of %s", e.Name, len(a.Answers), len(p.Pages), p.Name)
			}
			if err != nil {
				return nil, err
			}
			r.answers[i][e.Name] = a.Answers
			known = true
		}
		if known {
			r.methods = append(r.methods, e)
		}
	}
	if err := readJSON(filepath.Join(dir, "speed.json"), &r.speed); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := readJSON(filepath.Join(dir, "sites.json"), &r.sites); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return r, nil
}

// keyOf returns a hash of what the answers of e to a package depend on, except for
// code.
func (s *methods) keyOf(e *algorithms.Extractor, pkg string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(pkg+" "+s.model(e))))[:32]
}

func answersFile(dir, pkg, extractor string) string {
	return filepath.Join(dir, pkg, extractor+".json")
}

func writeList(dir string, names []string) error {
	return writeJSON(filepath.Join(dir, "packages.json"), names)
}

func readJSON(name string, v any) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

func writeJSON(name string, v any) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o644)
}
