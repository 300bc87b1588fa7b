package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/extract/crf"
	"github.com/winnow/winnow/algorithms/extract/web2text"
	"github.com/winnow/winnow/algorithms/extract/winnow"
	"github.com/winnow/winnow/eval/corpus"
	"github.com/winnow/winnow/eval/programs"
)

// learned is an extractor with a model, and the models that it is evaluated with.
type learned struct {
	name    string
	shipped string // file of the embedded model, relative to the root of the source
	with    func(file []byte) (*algorithms.Extractor, error)

	digest string // of all models
	folds  int
	models []*algorithms.Extractor   // by fold; the last one was trained on all pages
	pages  map[string]map[string]int // by package and id: the fold of a page
}

// learners returns the extractors that are learned from gold packages.
func learners() []*learned {
	sure := func(f func([]byte) *algorithms.Extractor) func([]byte) (*algorithms.Extractor, error) {
		return func(file []byte) (*algorithms.Extractor, error) { return f(file), nil }
	}
	return []*learned{
		{name: "winnow", shipped: "algorithms/extract/winnow/winnow.model", with: winnow.WithModel},
		{name: "crf", shipped: "algorithms/extract/crf/crf.model", with: sure(crf.New)},
		{name: "web2text", shipped: "algorithms/extract/web2text/web2text.model", with: sure(web2text.New)},
	}
}

// read reads the models of folds from the folder dir. They must belong to the embedded
// model, whose source is below root.
func (l *learned) read(dir, root string) error {
	if dir == "" {
		return errors.New("measure learned extractors: give --folds: without models of folds they would be measured on pages that they were trained on")
	}
	dir = filepath.Join(dir, l.name)
	list, models, err := corpus.ReadFolds(dir)
	if err != nil {
		return err
	}
	l.folds, l.pages = list.Folds, list.Pages
	sum := sha256.New()
	if err := json.NewEncoder(sum).Encode(list); err != nil {
		return err
	}
	for _, model := range models {
		sum.Write(model)
		e, err := l.with(model)
		if err != nil {
			return err
		}
		l.models = append(l.models, e)
	}
	shipped, err := os.ReadFile(filepath.Join(root, l.shipped))
	if err != nil {
		return err
	}
	if !bytes.Equal(shipped, models[l.folds]) {
		return fmt.Errorf("read the models of %s: %s has folds of another model than %s: train again with --keep", l.name, dir, l.shipped)
	}
	l.digest = fmt.Sprintf("%x", sum.Sum(nil)[:16])
	return nil
}

// methods holds the suite with the models of every combination of folds.
type methods struct {
	learned []*learned
	made    map[string][]*algorithms.Extractor
}

// readSuite reads the models of folds below dir.
func readSuite(dir, root string) (*methods, error) {
	s := &methods{learned: learners(), made: make(map[string][]*algorithms.Extractor)}
	for _, l := range s.learned {
		if err := l.read(dir, root); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// extractors returns the page-level extractors with the embedded models.
func (s *methods) extractors() []*algorithms.Extractor {
	var kept []*algorithms.Extractor
	for _, e := range programs.Extractors() {
		if e.Scope() == algorithms.PageScope {
			kept = append(kept, e)
		}
	}
	return kept
}

// model identifies the models that an extractor's answers depend on.
func (s *methods) model(e *algorithms.Extractor) string {
	var b strings.Builder
	for _, m := range algorithms.WithMembers([]*algorithms.Extractor{e}) {
		fmt.Fprintf(&b, "%s %v", m.Name, m.Params)
		for _, l := range s.learned {
			if l.name == m.Name {
				b.WriteString(l.digest)
			}
		}
	}
	return b.String()
}

// folds says which models answer a package's pages.
type folds struct {
	*methods
	pkg      string
	byDomain []map[string]int // by learned extractor; nil if it was not trained on the package
}

// of finds out which pages of a package were used for training. A page that is missing
// from the list of folds, because it was not usable for training, gets the fold of the
// other pages of its domain.
func (s *methods) of(pkg string, pages []Page) *folds {
	f := &folds{methods: s, pkg: pkg, byDomain: make([]map[string]int, len(s.learned))}
	for i, l := range s.learned {
		list := l.pages[pkg]
		if list == nil {
			continue
		}
		f.byDomain[i] = make(map[string]int)
		for _, p := range pages {
			if fold, held := list[p.ID]; held {
				f.byDomain[i][p.Domain] = fold
			}
		}
	}
	return f
}

// key identifies the models that answer the page p.
func (f *folds) key(p *Page) string {
	key := make([]byte, len(f.learned))
	for i, l := range f.learned {
		fold := l.folds
		if f.byDomain[i] != nil {
			var held bool
			if fold, held = l.pages[f.pkg][p.ID]; !held {
				fold = f.byDomain[i][p.Domain] // any model may answer a domain that no model was trained on
			}
		}
		key[i] = byte(fold)
	}
	return string(key)
}

// suite returns the page-level extractors with the models of a key.
func (s *methods) suite(key string) ([]*algorithms.Extractor, error) {
	if made, ok := s.made[key]; ok {
		return made, nil
	}
	var by []*algorithms.Extractor
	for i, l := range s.learned {
		by = append(by, l.models[key[i]])
	}
	all, err := programs.With(by...)
	if err != nil {
		return nil, err
	}
	var kept []*algorithms.Extractor
	for _, e := range all {
		if e.Scope() == algorithms.PageScope {
			kept = append(kept, e)
		}
	}
	s.made[key] = kept
	return kept, nil
}
