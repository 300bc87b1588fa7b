package blobtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/winnow/winnow/pipeline/blob"
)

// Memory is a blob.Store in memory. The zero value is empty and ready.
type Memory struct {
	mu    sync.Mutex // guards files; their contents never change
	files map[string][]byte
}

var _ blob.Store = (*Memory)(nil)

// URL implements blob.Store.
func (m *Memory) URL() string { return "memory:" }

// Create implements blob.Store.
func (m *Memory) Create(ctx context.Context, name string) (*blob.Writer, error) {
	if err := errors.Join(blob.ValidName(name), context.Cause(ctx)); err != nil {
		return nil, err
	}
	return blob.NewWriter(ctx, name, &memorySink{store: m, name: name}), nil
}

// CreateNew implements blob.Store.
func (m *Memory) CreateNew(ctx context.Context, name string) (*blob.Writer, error) {
	if err := errors.Join(blob.ValidName(name), context.Cause(ctx)); err != nil {
		return nil, err
	}
	return blob.NewWriter(ctx, name, &memorySink{store: m, name: name, fresh: true}), nil
}

type memorySink struct {
	bytes.Buffer
	store *Memory
	name  string
	fresh bool
}

func (s *memorySink) Commit() error {
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	if s.store.files == nil {
		s.store.files = map[string][]byte{}
	}
	if _, ok := s.store.files[s.name]; ok && s.fresh {
		return fmt.Errorf("memory: %s: %w", s.name, blob.ErrExists)
	}
	s.store.files[s.name] = bytes.Clone(s.Bytes())
	return nil
}

func (s *memorySink) Abort() error { return nil }

type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error { return nil }

// Open implements blob.Store.
func (m *Memory) Open(ctx context.Context, name string) (blob.File, error) {
	data, err := m.get(ctx, name)
	if err != nil {
		return nil, err
	}
	return memoryFile{bytes.NewReader(data)}, nil
}

func (m *Memory) get(ctx context.Context, name string) ([]byte, error) {
	if err := errors.Join(blob.ValidName(name), context.Cause(ctx)); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.files[name]
	if !ok {
		return nil, fmt.Errorf("memory: %s: %w", name, blob.ErrNotFound)
	}
	return data, nil
}

// Stat implements blob.Store.
func (m *Memory) Stat(ctx context.Context, name string) (blob.Info, error) {
	data, err := m.get(ctx, name)
	return blob.Info{Name: name, Size: int64(len(data))}, err
}

// List implements blob.Store.
func (m *Memory) List(ctx context.Context, prefix string) ([]blob.Info, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []blob.Info
	for name, data := range m.files {
		if strings.HasPrefix(name, prefix) {
			found = append(found, blob.Info{Name: name, Size: int64(len(data))})
		}
	}
	slices.SortFunc(found, func(a, b blob.Info) int { return strings.Compare(a.Name, b.Name) })
	return found, nil
}

// Folders implements blob.Store.
func (m *Memory) Folders(ctx context.Context) ([]string, error) {
	files, err := m.List(ctx, "")
	var found []string
	for _, f := range files {
		if folder, _, below := strings.Cut(f.Name, "/"); below {
			found = append(found, folder)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), err
}

// Delete implements blob.Store.
func (m *Memory) Delete(ctx context.Context, name string) error {
	if err := errors.Join(blob.ValidName(name), context.Cause(ctx)); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.files, name)
	return nil
}

// Files returns the contents of all files, by name.
func (m *Memory) Files() map[string][]byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := map[string][]byte{}
	for name, data := range m.files {
		all[name] = data
	}
	return all
}

var _ io.ReaderAt = memoryFile{}
