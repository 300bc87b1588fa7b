package queue

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/winnow/winnow/schemas"
)

func TestTemplatesArePutOnceAndForgotten(t *testing.T) {
	q := broker(t)
	if _, err := q.Templates(t.Context(), "r.1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a run without templates: %v", err)
	}
	for _, run := range []schemas.RunID{"r.1", "r.1", "r-1"} { // one name, were it not for the hash
		if err := q.SetupTemplates(t.Context(), run); err != nil {
			t.Fatal(run, err)
		}
	}
	a, err := q.Templates(t.Context(), "r.1")
	if err != nil {
		t.Fatal(err)
	}
	b, err := q.Templates(t.Context(), "r-1")
	if err != nil {
		t.Fatal(err)
	}
	large := bytes.Repeat([]byte("template"), 100_000) // several chunks
	for _, site := range []string{"a.example", "b.example/~ann", "söme site * > ."} {
		if _, err := a.Get(t.Context(), site); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s before it was put: %v", site, err)
		}
		for range 2 {
			if err := a.Put(t.Context(), site, append(large, site...)); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := a.Get(t.Context(), site); err != nil || !bytes.Equal(got, append(large, site...)) {
			t.Errorf("%s: %d bytes, %v", site, len(got), err)
		}
		if err := a.Put(t.Context(), site, []byte("other")); !errors.Is(err, ErrConflict) {
			t.Errorf("%s: other bytes were taken: %v", site, err)
		}
		if _, err := b.Get(t.Context(), site); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s is in another run, too: %v", site, err)
		}
	}
	sites, err := a.Sites(t.Context())
	if slices.Sort(sites); err != nil || fmt.Sprint(sites) != "[a.example b.example/~ann söme site * > .]" {
		t.Error(sites, err)
	}
	if sites, err := b.Sites(t.Context()); err != nil || len(sites) != 0 {
		t.Error(sites, err)
	}
	run, _ := planned(t, q, "r.1", 1, 0)
	if err := q.Forget(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := q.Templates(t.Context(), "r.1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("templates of a forgotten run: %v", err)
	}
	if _, err := q.Templates(t.Context(), "r-1"); err != nil {
		t.Error(err)
	}
}

// A full store refuses; it does not drop what it has.
func TestFullTemplatesRefuse(t *testing.T) {
	q := broker(t)
	if err := q.Setup(t.Context(), Limits{Bytes: 10 << 20}); err != nil {
		t.Fatal(err)
	}
	if err := q.SetupTemplates(t.Context(), "r"); err != nil { // 1.5 MiB of them
		t.Fatal(err)
	}
	s, err := q.Templates(t.Context(), "r")
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 512<<10)
	kept := 0
	for i := range 6 {
		if err := s.Put(t.Context(), fmt.Sprint(i), data); err != nil {
			break
		}
		kept++
	}
	if kept == 0 || kept == 6 {
		t.Fatalf("%d of 6 objects of 512 KiB are in 1.5 MiB", kept)
	}
	for i := range kept {
		if got, err := s.Get(t.Context(), fmt.Sprint(i)); err != nil || len(got) != len(data) {
			t.Errorf("object %d: %d bytes, %v", i, len(got), err)
		}
	}
}
