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
	bind := func(run schemas.RunID) *Templates {
		t.Helper()
		s, err := q.Templates(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	a, b := bind("r.1"), bind("r-1")
	large := bytes.Repeat([]byte("template"), 100_000)
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
	if err := b.Put(t.Context(), "c.example", []byte("one")); err != nil {
		t.Fatal(err)
	}
	sites, err := a.Sites(t.Context())
	if slices.Sort(sites); err != nil || fmt.Sprint(sites) != "[a.example b.example/~ann söme site * > .]" {
		t.Error(sites, err)
	}
	run, _ := planned(t, q, "r.1", 1, 0)
	if err := q.End(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	if sites, err := a.Sites(t.Context()); err != nil || len(sites) != 0 {
		t.Errorf("templates of a forgotten run: %q, %v", sites, err)
	}
	if got, err := b.Get(t.Context(), "c.example"); err != nil || string(got) != "one" {
		t.Errorf("templates of another run: %q, %v", got, err)
	}
}

// What no message can hold stays in the output folder alone.
func TestTemplatesTooLargeForAMessage(t *testing.T) {
	q := broker(t)
	s, err := q.Templates(t.Context(), "r")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), "a.example", make([]byte, q.nc.MaxPayload())); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), "a.example"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

// A full store refuses; it does not drop what it has.
func TestFullTemplatesRefuse(t *testing.T) {
	q := broker(t)
	if err := q.Setup(t.Context(), Limits{Bytes: 10 << 20}); err != nil { // 1.5 MiB of templates
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
			if !errors.Is(err, ErrFull) || Transient(err) {
				t.Errorf("%v, want ErrFull, which does not pass by itself", err)
			}
			break
		}
		kept++
	}
	if kept == 0 || kept == 6 {
		t.Fatalf("%d of 6 templates of 512 KiB are in 1.5 MiB", kept)
	}
	for i := range kept {
		if got, err := s.Get(t.Context(), fmt.Sprint(i)); err != nil || len(got) != len(data) {
			t.Errorf("templates %d: %d bytes, %v", i, len(got), err)
		}
	}
}
