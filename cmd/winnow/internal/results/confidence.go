package results

import (
	"context"
	"math"
	"strconv"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/stats"
	"github.com/winnow/winnow/pipeline/tables"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// pagesDefault is the number of pages of each extractor in the table of confidence.
const pagesDefault = 100

// writeConfidence writes the pages for which an extractor expects the worst answers,
// the worst first, for each extractor that estimates its confidence.
func writeConfidence(ctx context.Context, out *sheet, store blob.Store, m *schemas.Manifest, o Options) error {
	most := o.Pages
	if most <= 0 {
		most = pagesDefault
	}
	byExtractor := map[string]*stats.Lowest{}
	for row, err := range tables.TableRows(ctx, store, columnar.Documents, m) {
		if err != nil {
			return err
		}
		if math.IsNaN(row.Confidence) || !o.wants(row.Package, row.Extractor) {
			continue
		}
		l := byExtractor[row.Extractor]
		if l == nil {
			l = stats.NewLowest(most)
			byExtractor[row.Extractor] = l
		}
		l.Add(stats.Page{Package: row.Package, DocID: row.DocID, URL: row.URL, Bytes: row.HTMLBytes, Figure: row.Confidence})
	}
	if err := out.header([]string{"extractor", "confidence", "package", "doc_id", "url", "html_bytes"}); err != nil {
		return err
	}
	for _, e := range m.Run.Recipe.Extractors {
		l := byExtractor[e.Name]
		if l == nil {
			continue
		}
		for _, p := range l.Pages() {
			if err := out.row([]columnar.Cell{{Text: e.Name}, columnar.FloatCell(p.Figure, -1), {Text: p.Package}, {Text: p.DocID},
				{Text: p.URL}, {Text: strconv.FormatInt(p.Bytes, 10), Number: true}}); err != nil {
				return err
			}
		}
	}
	return nil
}
