package blobtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow/winnow/pipeline/blob"
)

// TestStore is the suite of blob.Store. open returns a new, empty store.
func TestStore(t *testing.T, open func(t *testing.T) blob.Store) {
	tests := []struct {
		name string
		run  func(t *testing.T, s blob.Store)
	}{
		{"a committed file reads back", roundTrip},
		{"ranges read as of a file", ranges},
		{"nothing appears before commit", invisible},
		{"close discards, once committed it does not", discard},
		{"a cancelled context never publishes", cancelled},
		{"a name can be written again", replace},
		{"a missing file is not found", missing},
		{"names never leave the folder", names},
		{"listing is by prefix and sorted", listing},
		{"folders are listed without what is in them", folders},
		{"delete removes one file", deleting},
		{"writers of one name do not mix", concurrent},
		{"a copy is a file of its own", copying},
		{"a new file replaces none", adding},
		{"one of many writers of a new file wins", racing},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

func put(t *testing.T, s blob.Store, name string, data []byte) {
	t.Helper()
	if _, err := blob.WriteAll(t.Context(), s, name, data); err != nil {
		t.Fatalf("write %s: %v", name, err)
	}
}

func want(t *testing.T, s blob.Store, name string, data []byte) {
	t.Helper()
	got, err := blob.ReadAll(t.Context(), s, name, 1<<30)
	if err != nil || !bytes.Equal(got, data) {
		t.Fatalf("%s: got %d bytes, %v; want %d", name, len(got), err, len(data))
	}
}

func wantMissing(t *testing.T, s blob.Store, name string) {
	t.Helper()
	if ok, err := blob.Exists(t.Context(), s, name); ok || err != nil {
		t.Fatalf("%s: exists=%v, %v; want false", name, ok, err)
	}
}

func noise(n int, seed uint64) []byte {
	data := make([]byte, n)
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

func roundTrip(t *testing.T, s blob.Store) {
	for _, n := range []int{0, 1, 4096, 12<<20 + 7} { // the last takes several parts of an upload
		name := fmt.Sprintf("tables/part-%d.parquet", n)
		data := noise(n, uint64(n))
		w, err := s.Create(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		for rest := data; len(rest) > 0; {
			k := min(len(rest), 1<<20)
			if m, err := w.Write(rest[:k]); m != k || err != nil {
				t.Fatalf("write: %d, %v", m, err)
			}
			rest = rest[k:]
		}
		got, err := w.Commit()
		sum := sha256.Sum256(data)
		if wanted := (blob.Written{Name: name, Bytes: int64(n), SHA256: hex.EncodeToString(sum[:])}); err != nil || got != wanted {
			t.Fatalf("commit: got %+v, %v; want %+v", got, err, wanted)
		}
		want(t, s, name, data)
		if info, err := s.Stat(t.Context(), name); err != nil || info != (blob.Info{Name: name, Size: int64(n)}) {
			t.Errorf("stat: %+v, %v", info, err)
		}
	}
}

func ranges(t *testing.T, s blob.Store) {
	data := noise(100_000, 3)
	put(t, s, "x", data)
	f, err := s.Open(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Size() != int64(len(data)) {
		t.Fatalf("size %d, want %d", f.Size(), len(data))
	}
	// Readers of columnar files read several ranges at once.
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 2))
			for range 10 {
				off := r.IntN(len(data))
				p := make([]byte, r.IntN(len(data)-off)+1)
				if n, err := f.ReadAt(p, int64(off)); n != len(p) || err != nil && err != io.EOF || !bytes.Equal(p, data[off:off+n]) {
					t.Errorf("read %d at %d: %d, %v", len(p), off, n, err)
				}
			}
		})
	}
	wg.Wait()
	p := make([]byte, 10)
	if n, err := f.ReadAt(p, int64(len(data)-3)); n != 3 || err != io.EOF {
		t.Errorf("read over the end: %d, %v; want 3, EOF", n, err)
	}
	if n, err := f.ReadAt(p, int64(len(data)+3)); n != 0 || err != io.EOF {
		t.Errorf("read past the end: %d, %v; want 0, EOF", n, err)
	}
	if _, err := f.ReadAt(p, -1); err == nil {
		t.Error("read at -1: no error")
	}
}

func invisible(t *testing.T, s blob.Store) {
	w, err := s.Create(t.Context(), "a/b")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Write(noise(100_000, 4)); err != nil {
		t.Fatal(err)
	}
	wantMissing(t, s, "a/b")
	if found, err := s.List(t.Context(), ""); len(found) != 0 || err != nil {
		t.Errorf("list: %v, %v; want nothing", found, err)
	}
}

func discard(t *testing.T, s blob.Store) {
	w, err := s.Create(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("x"))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(); err == nil {
		t.Error("commit after close: no error")
	}
	if _, err := w.Write([]byte("x")); err == nil {
		t.Error("write after close: no error")
	}
	wantMissing(t, s, "a")
	w, err = s.Create(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("y"))
	if _, err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(); err == nil {
		t.Error("second commit: no error")
	}
	want(t, s, "a", []byte("y"))
}

func cancelled(t *testing.T, s blob.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	w, err := s.Create(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("x"))
	cancel()
	if _, err := w.Commit(); !errors.Is(err, context.Canceled) {
		t.Errorf("commit: %v, want %v", err, context.Canceled)
	}
	w.Close()
	wantMissing(t, s, "a")
	if _, err := s.Create(ctx, "b"); !errors.Is(err, context.Canceled) {
		t.Errorf("create: %v, want %v", err, context.Canceled)
	}
}

func replace(t *testing.T, s blob.Store) {
	put(t, s, "d/a", noise(50_000, 5))
	put(t, s, "d/a", []byte("short"))
	want(t, s, "d/a", []byte("short"))
}

func missing(t *testing.T, s blob.Store) {
	ctx := t.Context()
	if _, err := s.Open(ctx, "no/such"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("open: %v, want %v", err, blob.ErrNotFound)
	}
	if _, err := s.Stat(ctx, "no"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("stat: %v, want %v", err, blob.ErrNotFound)
	}
	if err := s.Delete(ctx, "no"); err != nil {
		t.Errorf("delete: %v, want nil", err)
	}
	if found, err := s.List(ctx, "no/"); len(found) != 0 || err != nil {
		t.Errorf("list: %v, %v; want nothing", found, err)
	}
	put(t, s, "folder/file", nil)
	if _, err := s.Open(ctx, "folder"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("open of a folder: %v, want %v", err, blob.ErrNotFound)
	}
	if err := s.Delete(ctx, "folder"); err != nil {
		t.Errorf("delete of a folder: %v, want nil", err)
	}
	want(t, s, "folder/file", []byte{})
}

func names(t *testing.T, s blob.Store) {
	ctx := t.Context()
	for _, name := range []string{"", ".", "..", "../x", "a/../../x", "/etc/x", "a//b", "a/", "./a", ".hidden", "a/.b",
		`a\..\b`, "c:x", "a\x00b", "a\nb", "\xff", strings.Repeat("n", 201), strings.Repeat("a/", 600) + "a"} {
		if w, err := s.Create(ctx, name); err == nil {
			w.Close()
			t.Errorf("create %q: no error", name)
		}
		if f, err := s.Open(ctx, name); err == nil {
			f.Close()
			t.Errorf("open %q: no error", name)
		}
		if _, err := s.Stat(ctx, name); err == nil {
			t.Errorf("stat %q: no error", name)
		}
		if err := s.Delete(ctx, name); err == nil {
			t.Errorf("delete %q: no error", name)
		}
	}
	for _, name := range []string{"a b", "ä/ö", "x=1/y", "f00001-i00002-s33.documents.parquet", "%2e%2e", "a+b&c?d#e"} {
		put(t, s, name, []byte(name))
		want(t, s, name, []byte(name))
	}
}

func listing(t *testing.T, s blob.Store) {
	all := []string{"b/1", "a-b", "a/b", "a/c/d", "ab"}
	for _, name := range all {
		put(t, s, name, []byte(name))
	}
	f := func(prefix string, wanted ...string) {
		t.Helper()
		found, err := s.List(t.Context(), prefix)
		var got []string
		for _, i := range found {
			got = append(got, i.Name)
			if i.Size != int64(len(i.Name)) {
				t.Errorf("%s: size %d", i.Name, i.Size)
			}
		}
		if err != nil || !slices.Equal(got, wanted) {
			t.Errorf("list %q: %v, %v; want %v", prefix, got, err, wanted)
		}
	}
	f("", "a-b", "a/b", "a/c/d", "ab", "b/1")
	f("a", "a-b", "a/b", "a/c/d", "ab")
	f("a/", "a/b", "a/c/d")
	f("a/c", "a/c/d")
	f("a/x")
	f("../")
}

func folders(t *testing.T, s blob.Store) {
	if found, err := s.Folders(t.Context()); len(found) != 0 || err != nil {
		t.Errorf("an empty store has the folders %q, %v", found, err)
	}
	for _, name := range []string{"b/1", "a-b/x", "a/b", "a/c/d", "a/c/e", "c"} {
		put(t, s, name, nil)
	}
	found, err := s.Folders(t.Context())
	if want := []string{"a", "a-b", "b"}; err != nil || !slices.Equal(found, want) {
		t.Errorf("folders %q, %v; want %q", found, err, want)
	}
}

func deleting(t *testing.T, s blob.Store) {
	put(t, s, "d/a", []byte("a"))
	put(t, s, "d/ab", []byte("ab"))
	if err := s.Delete(t.Context(), "d/a"); err != nil {
		t.Fatal(err)
	}
	wantMissing(t, s, "d/a")
	want(t, s, "d/ab", []byte("ab"))
}

func concurrent(t *testing.T, s blob.Store) {
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			data := bytes.Repeat([]byte{byte(i)}, 20_000)
			if _, err := blob.WriteAll(context.Background(), s, "same", data); err != nil {
				t.Errorf("writer %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	got, err := blob.ReadAll(t.Context(), s, "same", 1<<20)
	if err != nil || len(got) != 20_000 || len(bytes.TrimLeft(got, string(got[:1]))) != 0 {
		t.Errorf("got %d bytes, %v; want 20000 of one writer", len(got), err)
	}
}

func adding(t *testing.T, s blob.Store) {
	ctx := t.Context()
	f := func(name string, data []byte, class error) {
		t.Helper()
		if _, err := blob.WriteNew(ctx, s, name, data); !errors.Is(err, class) {
			t.Fatalf("write %s: %v, want %v", name, err, class)
		}
	}
	f("log/1", []byte("first"), nil)
	f("log/1", []byte("second"), blob.ErrExists)
	want(t, s, "log/1", []byte("first"))
	put(t, s, "log/2", nil) // empty, and still a file
	f("log/2", []byte("x"), blob.ErrExists)
	put(t, s, "log/1", []byte("third")) // Create replaces the file
	if err := s.Delete(ctx, "log/1"); err != nil {
		t.Fatal(err)
	}
	f("log/1", []byte("fourth"), nil)
	want(t, s, "log/1", []byte("fourth"))

	w, err := s.CreateNew(ctx, "log/3")
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("late"))
	wantMissing(t, s, "log/3")
	put(t, s, "log/3", []byte("early")) // the first commit wins, not the first CreateNew
	if _, err := w.Commit(); !errors.Is(err, blob.ErrExists) {
		t.Errorf("commit: %v, want %v", err, blob.ErrExists)
	}
	want(t, s, "log/3", []byte("early"))
	if w, err = s.CreateNew(ctx, "log/4"); err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("x"))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	wantMissing(t, s, "log/4")
	if _, err := s.CreateNew(ctx, "../x"); err == nil {
		t.Error("created out of the folder")
	}
	if found, err := s.List(ctx, ""); len(found) != 3 || err != nil {
		t.Errorf("list: %v, %v; want 3 files", found, err)
	}
}

// racing starts writers that create the same files of a log at the same time, as
// processes on several machines do.
func racing(t *testing.T, s blob.Store) {
	const rounds, writers = 5, 4
	for round := range rounds {
		name := fmt.Sprintf("log/%d", round)
		var mu sync.Mutex // guards won
		var won []byte
		var wg sync.WaitGroup
		start := make(chan struct{})
		for i := range writers {
			wg.Go(func() {
				<-start
				_, err := blob.WriteNew(context.Background(), s, name, bytes.Repeat([]byte{byte('a' + i)}, 1000))
				// A store may be too busy to say who won; the writer then tries again.
				for n := 0; errors.Is(err, blob.ErrTransient) && n < 100; n++ {
					_, err = blob.WriteNew(context.Background(), s, name, bytes.Repeat([]byte{byte('a' + i)}, 1000))
				}
				switch {
				case err == nil:
					mu.Lock()
					won = append(won, byte('a'+i))
					mu.Unlock()
				case !errors.Is(err, blob.ErrExists):
					t.Errorf("writer %d: %v, want %v", i, err, blob.ErrExists)
				}
			})
		}
		close(start)
		wg.Wait()
		if len(won) != 1 {
			t.Fatalf("round %d: %d writers won (%q), want 1", round, len(won), won)
		}
		want(t, s, name, bytes.Repeat(won, 1000))
	}
}

func copying(t *testing.T, s blob.Store) {
	ctx := t.Context()
	data := noise(300_000, 6)
	put(t, s, "shards/x/a b", data)
	put(t, s, "texts/c", []byte("old"))
	for range 2 { // again, as after a crash
		if err := blob.Copy(ctx, s, "shards/x/a b", "texts/c"); err != nil {
			t.Fatal(err)
		}
	}
	want(t, s, "texts/c", data)
	put(t, s, "shards/x/a b", []byte("new")) // does not reach the copy
	want(t, s, "texts/c", data)
	if err := s.Delete(ctx, "shards/x/a b"); err != nil {
		t.Fatal(err)
	}
	want(t, s, "texts/c", data)
	if err := blob.Copy(ctx, s, "shards/x/a b", "texts/d"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("copy of nothing: %v, want %v", err, blob.ErrNotFound)
	}
	wantMissing(t, s, "texts/d")
	if err := blob.Copy(ctx, s, "texts/c", "../c"); err == nil {
		t.Error("copied out of the folder")
	}
}
