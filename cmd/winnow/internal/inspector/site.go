package inspector

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/schemas"
)

// Site describes the pages on which an extractor is worst, and the folder of the small site
// that shows them.
type Site struct {
	Extractor, Scorer string // Consensus is a scorer, too
	Against           string // the extractor to which Extractor loses most on these pages; empty for none
	Lower             bool   // small figures of the scorer are better
	Worst             int    // number of pages
	To                string // folder; WriteJSON needs none
}

// by names the figure by which the pages are the worst.
func (o *Site) by() string {
	if o.Against != "" {
		return o.Extractor + " against " + o.Against + "/" + o.Scorer
	}
	return o.Extractor + "/" + o.Scorer
}

// worstRows returns the worst pages, at least one, with their figures.
func (r *Run) worstRows(ctx context.Context, o Site) ([]schemas.Page, []stats.Page, error) {
	worst, err := r.worst(ctx, &o)
	if err != nil {
		return nil, nil, err
	}
	if len(worst) == 0 {
		return nil, nil, fmt.Errorf("inspect: no page has a figure of %s", o.by())
	}
	rows, err := r.locate(ctx, worst)
	return rows, worst, err
}

// WriteJSON writes the worst pages as JSON lines, one object a page, the worst first.
func (r *Run) WriteJSON(ctx context.Context, o Site, w io.Writer) error {
	rows, worst, err := r.worstRows(ctx, o)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range rows {
		v, err := r.View(ctx, &rows[i])
		if err != nil {
			return fmt.Errorf("inspect: %w", err)
		}
		if err := enc.Encode(struct {
			By     string  `json:"by"`
			Figure float64 `json:"figure"`
			*View
		}{o.by(), worst[i].Figure, v}); err != nil {
			return err
		}
	}
	return nil
}

// WriteSite writes the worst pages and a list of them into a folder.
func (r *Run) WriteSite(ctx context.Context, o Site, stdout io.Writer) error {
	rows, worst, err := r.worstRows(ctx, o)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.To, 0o777); err != nil {
		return err
	}
	list := List{Title: fmt.Sprintf("Run %s: the worst pages of %s by %s", r.m.Run.ID, o.Extractor, o.Scorer), Figures: []string{o.Scorer},
		Note: account.Count(len(worst), "page") + ", the worst first."}
	if o.Against != "" {
		list.Title = fmt.Sprintf("Run %s: where %s loses most to %s", r.m.Run.ID, o.Extractor, o.Against)
		list.Note = fmt.Sprintf("%s, the largest loss first. The figure is that of %s minus that of %s by %s.", account.Count(len(worst), "page"), o.Extractor, o.Against, o.Scorer)
		list.Figures = []string{"difference"}
	}
	name := func(i int) string { return fmt.Sprintf("page-%04d.html", i+1) }
	for i := range rows {
		links := []Link{{"index.html", "All pages"}}
		if i > 0 {
			links = append(links, Link{name(i - 1), "Worse page"})
		}
		if i+1 < len(rows) {
			links = append(links, Link{name(i + 1), "Better page"})
		}
		v, err := r.View(ctx, &rows[i])
		if err != nil {
			return fmt.Errorf("inspect: %w", err)
		}
		var page bytes.Buffer
		if err := v.HTML(&page, Shown{o.Extractor, o.Against}, links...); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(o.To, name(i)), page.Bytes(), 0o666); err != nil {
			return err
		}
		list.Rows = append(list.Rows, ListRow{Target: name(i), Package: rows[i].Package, ID: rows[i].DocID, URL: rows[i].URL, Bytes: rows[i].HTMLBytes, Figures: []string{fmt.Sprintf("%.3f", worst[i].Figure)}})
	}
	var page bytes.Buffer
	if err := list.HTML(&page); err != nil {
		return err
	}
	index := filepath.Join(o.To, "index.html")
	if err := os.WriteFile(index, page.Bytes(), 0o666); err != nil {
		return err
	}
	// An earlier, longer list in the same folder has left pages that this list does not have.
	for i := len(rows); ; i++ {
		if err := os.Remove(filepath.Join(o.To, name(i))); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(stdout, "the list of %s is %s\n", account.Count(len(rows), "page"), index)
	return err
}
