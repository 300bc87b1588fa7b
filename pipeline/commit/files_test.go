package commit

import (
	"testing"

	"github.com/winnow/winnow/pipeline/manifest/account"
	"github.com/winnow/winnow/pipeline/tables"
)

// Every byte of every file is in the account, whatever is given up and however
// the run is cut into parts.
func TestFilesAddUp(t *testing.T) {
	w := newWorld(t, 70, 60)
	w.killers[itemKey{0, 2}], w.killers[itemKey{0, 3}] = true, true
	mustAggregate(t, w.begin())
	m, err := tables.Manifest(t.Context(), w.store)
	if err != nil {
		t.Fatal(err)
	}
	files, ok := account.Files(m)
	if !ok {
		t.Fatal("no account")
	}
	var records, read int64
	for i := range files {
		records += files[i].Records
		read += files[i].BytesUnits + files[i].BytesGaps
		if files[i].BytesLost < 0 {
			t.Errorf("%+v", files[i])
		}
	}
	if records != m.Totals.Records || read != m.Totals.Bytes || files[0].Status != account.FileDamaged {
		t.Errorf("%d records and %d bytes, in the run %d and %d: %+v", records, read, m.Totals.Records, m.Totals.Bytes, files)
	}
}
