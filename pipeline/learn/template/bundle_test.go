package template

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/winnow/winnow/pipeline/internal/cursor"
)

func bundle(name string) *Bundle {
	return &Bundle{Site: name, SiteBy: "host", Sites: "list 7", Templates: []Template{
		{Method: "iwptd", Version: 3, Learned: 1_700_000_000, Status: StatusOK, Ranks: []uint64{4, 9, 1 << 63}, Notes: []string{FlagSmallSample}, Body: []byte(name)},
		{Method: "temex:k=3", Version: 1, Status: StatusTooFewPages, Ranks: []uint64{4}, Linked: 2},
		{Method: "x", Version: 1, Status: StatusEmpty, Clusters: 2, Body: []byte{}},
	}}
}

func TestBundlesSurvive(t *testing.T) {
	want := bundle("a.example")
	data := want.Encode()
	got, err := DecodeBundle(data)
	if err != nil {
		t.Fatal(err)
	}
	got.Templates[1].Body = nil // absent and empty are one
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	// Bytes do not depend on the order of methods.
	mixed := bundle("a.example")
	slices.Reverse(mixed.Templates)
	if !bytes.Equal(mixed.Encode(), data) {
		t.Error("another order of methods gives other bytes")
	}
	if got.Find("iwptd") == nil || got.Find("temex:k=3") == nil || got.Find("i") != nil || got.Find("y") != nil {
		t.Error("Find")
	}
}

func TestTemplateIDNamesWhatWasLearned(t *testing.T) {
	b := bundle("a.example")
	id := b.TemplateID(&b.Templates[0])
	if len(id) != 16 || b.TemplateID(&b.Templates[1]) != "" {
		t.Errorf("ids %q and %q", id, b.TemplateID(&b.Templates[1]))
	}
	same := bundle("a.example")
	same.Templates[0].Learned = 5
	same.Templates[0].Notes = []string{FlagReused, FlagSmallSample}
	if same.TemplateID(&same.Templates[0]) != id {
		t.Error("the id depends on when and by whom it was learned")
	}
	for name, change := range map[string]func(*Bundle){
		"site": func(b *Bundle) { b.Site = "b.example" }, "body": func(b *Bundle) { b.Templates[0].Body = []byte("z") },
		"version": func(b *Bundle) { b.Templates[0].Version++ }, "ranks": func(b *Bundle) { b.Templates[0].Ranks[0] = 3 },
	} {
		other := bundle("a.example")
		if change(other); other.TemplateID(&other.Templates[0]) == id {
			t.Errorf("another %s has the same id", name)
		}
	}
}

func TestWrongBundlesAreErrors(t *testing.T) {
	good := bundle("a.example").Encode()
	for i := range good {
		data := bytes.Clone(good)
		data[i] ^= 1
		if _, err := DecodeBundle(data); !errors.Is(err, cursor.ErrMalformed) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
		if _, err := DecodeBundle(good[:i]); !errors.Is(err, cursor.ErrMalformed) {
			t.Fatalf("cut to %d bytes: %v", i, err)
		}
	}
	for name, change := range map[string]func(*Bundle){
		"ranks out of order":      func(b *Bundle) { b.Templates[0].Ranks = []uint64{9, 4} },
		"method twice":            func(b *Bundle) { b.Templates[1].Method = "iwptd" },
		"unknown status":          func(b *Bundle) { b.Templates[0].Status = "fine" },
		"body without a template": func(b *Bundle) { b.Templates[1].Body = []byte("x") },
		"too many pages":          func(b *Bundle) { b.Templates[0].Ranks = make([]uint64, 65) },
	} {
		b := bundle("a.example")
		change(b)
		if _, err := DecodeBundle(b.Encode()); !errors.Is(err, cursor.ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func part(t testing.TB, sites int) []byte {
	t.Helper()
	var out bytes.Buffer
	p, err := NewPart(&out)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sites {
		name := fmt.Sprintf("s%d.example", i)
		if err := p.Add(name, bundle(name).Encode()); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestPartFindsItsSites(t *testing.T) {
	data := part(t, 300)
	p, err := ReadPart(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		name := fmt.Sprintf("s%d.example", i)
		if got, err := p.Bundle(name); err != nil || !bytes.Equal(got, bundle(name).Encode()) {
			t.Fatalf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	if got, err := p.Bundle("s300.example"); got != nil || err != nil {
		t.Errorf("a site that is not there: %d bytes, %v", len(got), err)
	}
	n := 0
	for b, err := range p.All() {
		if err != nil {
			t.Fatal(err)
		}
		n += len(b.Templates)
	}
	if n != 900 {
		t.Errorf("%d templates, want 900", n)
	}
}

func TestWrongPartsAreErrors(t *testing.T) {
	good := part(t, 3)
	look := func(data []byte) error {
		p, err := ReadPart(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return err
		}
		for _, err := range p.All() {
			if err != nil {
				return err
			}
		}
		return nil
	}
	for i := range good {
		data := bytes.Clone(good)
		data[i] ^= 1
		if err := look(data); i >= len(partMagic) && !errors.Is(err, cursor.ErrMalformed) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
		if err := look(good[:i]); !errors.Is(err, cursor.ErrMalformed) {
			t.Fatalf("cut to %d bytes: %v", i, err)
		}
	}
}

// Templates come from other runs' folders: nothing in them is trusted. The
// checksum is set right, or nothing behind it would ever be reached.
func FuzzDecodeBundle(f *testing.F) {
	f.Add(bundle("a.example").Encode())
	f.Add((&Bundle{}).Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4 {
			end := len(data) - 4
			binary.BigEndian.PutUint32(data[end:], cursor.Checksum(data[:end]))
		}
		b, err := DecodeBundle(data)
		if err != nil {
			return
		}
		again, err := DecodeBundle(b.Encode())
		if err != nil || len(again.Templates) != len(b.Templates) || again.Site != b.Site {
			t.Fatalf("%+v becomes %+v: %v", b, again, err)
		}
	})
}

func FuzzReadPart(f *testing.F) {
	f.Add(part(f, 2))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ReadPart(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		p.Bundle("s1.example")
		for _, err := range p.All() {
			if err != nil {
				return
			}
		}
	})
}
