package corpus

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// FoldsFile names the file in a folder of models that says which pages each model was
// not trained on.
const FoldsFile = "folds.json"

// Folds is the content of FoldsFile. The models of the folder are fold0.model,
// fold1.model and so on: model k was trained without the pages of fold k. The last
// one, whose number is Folds, was trained on all pages: it is the one that is shipped.
type Folds struct {
	Folds int                       `json:"folds"`
	Pages map[string]map[string]int `json:"pages"` // by package and id: the fold in which a page is held out
}

// Add records that the page id of package pkg is held out in fold.
func (f *Folds) Add(pkg, id string, fold int) {
	if f.Pages == nil {
		f.Pages = make(map[string]map[string]int)
	}
	if f.Pages[pkg] == nil {
		f.Pages[pkg] = make(map[string]int)
	}
	f.Pages[pkg][id] = fold
}

// ReadFolds reads the folder dir: the list, and the models' files in the order of their numbers.
func ReadFolds(dir string) (*Folds, [][]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, FoldsFile))
	if err != nil {
		return nil, nil, err
	}
	f := new(Folds)
	if err := json.Unmarshal(text, f); err != nil {
		return nil, nil, fmt.Errorf("read the list of folds in %s: %w", dir, err)
	}
	models := make([][]byte, f.Folds+1)
	for k := range models {
		if models[k], err = os.ReadFile(filepath.Join(dir, ModelFile(k))); err != nil {
			return nil, nil, err
		}
	}
	return f, models, nil
}

// ModelFile names the file of the model of a fold.
func ModelFile(fold int) string { return fmt.Sprintf("fold%d.model", fold) }

// Write writes the file to the folder dir.
func (f *Folds) Write(dir string) error {
	text, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, FoldsFile), append(text, '\n'), 0o644)
}

// Keep writes models to the folder dir, the last of which was trained on all pages, and
// the list of pages that each of the others was not trained on.
func (p *Package) Keep(dir string, models [][]byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for k, m := range models {
		if err := os.WriteFile(filepath.Join(dir, ModelFile(k)), m, 0o644); err != nil {
			return err
		}
	}
	f := Folds{Folds: len(models) - 1}
	for _, d := range p.Documents {
		f.Add(p.Info.Name, d.ID, d.Fold(f.Folds))
	}
	return f.Write(dir)
}

// Split divides pages into those that a model of the fold is trained on and those that
// are held out from it.
func Split(pages []*Document, fold, folds int) (seen, held []*Document) {
	for _, d := range pages {
		if d.Fold(folds) == fold {
			held = append(held, d)
		} else {
			seen = append(seen, d)
		}
	}
	return seen, held
}
