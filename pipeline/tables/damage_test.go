package tables

import (
	"errors"
	"strings"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/blob/blobtest"
	"github.com/winnow/winnow/schemas"
	"github.com/winnow/winnow/schemas/columnar"
)

// The error of a damaged table names the file, wherever the damage lies.
func TestDamagedTableIsNamed(t *testing.T) {
	store, run := new(blobtest.Memory), &schemas.Run{ID: "r", Hash: "hash"}
	const name = "links/part-00000.parquet"
	if _, err := Write(t.Context(), store, columnar.Links, name, run, columnar.Size{}, func(yield func(*schemas.LinkRow, error) bool) {
		yield(&schemas.LinkRow{Target: "http://a.example/"}, nil)
	}); err != nil {
		t.Fatal(err)
	}
	whole, err := blob.ReadAll(t.Context(), store, name, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for what, damage := range map[string]func(b []byte){
		"pages": func(b []byte) { clear(b[4:200]) }, "footer": func(b []byte) { clear(b[len(b)-100 : len(b)-8]) }, "end": func(b []byte) { clear(b[len(b)-8:]) }} {
		b := append([]byte{}, whole...)
		damage(b)
		if _, err := blob.WriteAll(t.Context(), store, name, b); err != nil {
			t.Fatal(err)
		}
		var last error
		for _, err := range Rows(t.Context(), store, columnar.Links, name) {
			last = err
		}
		if !errors.Is(last, columnar.ErrMalformed) || !strings.HasPrefix(last.Error(), name+": ") {
			t.Errorf("damaged %s: %v", what, last)
		}
	}
}
