package gold

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/winnow/winnow/pipeline/warc/write"
	"github.com/winnow/winnow/schemas"
)

// WriteGold writes g as a metadata record, which names the id and the target URI of the
// page's record. It must be called directly after that record was written.
func WriteGold(w *write.Writer, g *schemas.Gold, page, uri string, date time.Time, fields ...write.Field) error {
	var block bytes.Buffer
	enc := json.NewEncoder(&block)
	enc.SetEscapeHTML(false) // gold may hold a whole annotated page
	if err := enc.Encode(g); err != nil {
		return fmt.Errorf("gold: %s: %w", g.ID, err)
	}
	return w.Write(&write.Record{
		Type: "metadata", ID: write.ID("gold", g.Package, g.ID, page), Date: date, TargetURI: uri,
		ContentType: schemas.GoldMediaType,
		Fields:      append([]write.Field{{Name: "WARC-Concurrent-To", Value: "<" + page + ">"}}, fields...),
		Block:       block.Bytes(),
	})
}
