// Package model holds the learned part of winnow: forests of decision trees over the
// features of package blocks, their file format, and their application to a page.
//
// This package is internal to Winnow and may change in any release.
package model

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/winnow/winnow/algorithms/extract/winnow/blocks"
)

// Model holds everything that was learned.
type Model struct {
	Names    *blocks.NameTable
	Types    [7]Forest // forests of the page's mean row: each type against all others
	First    Forest    // first stage
	Second   Forest    // second stage, whose features include the probabilities of the first
	Comments Forest    // predicts whether a block is part of readers' comments
}

// The file is, all numbers little-endian:
//
//	"WNNW" format u32  features u64  10 × {trees u32  base i32  {nodes 31×u16  leaves 32×i16}}
//	names u32  {hash u32  value i8}  sum u64
//
// features is FeatureHash. sum is the xxHash64 of all preceding bytes. The forests are
// the seven of the types, that of the comments, and those of the first and second stage.
const (
	magic  = "WNNW"
	Format = 3

	maxTrees  = 1000 // trees of one forest
	maxNames  = 1 << 16
	treeBytes = 2 * (1<<Depth - 1 + 1<<Depth)
)

// FeatureHash identifies the names of the features and their order. A model with other
// features would misread every row.
func FeatureHash() uint64 { return xxhash.Sum64String(strings.Join(blocks.Names, " ")) }

// Encode returns the file of m.
func (m *Model) Encode() []byte {
	b := []byte(magic)
	b = binary.LittleEndian.AppendUint32(b, Format)
	b = binary.LittleEndian.AppendUint64(b, FeatureHash())
	for _, f := range m.forests() {
		b = f.append(b)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(m.Names.Entries())))
	for _, e := range m.Names.Entries() {
		b = append(binary.LittleEndian.AppendUint32(b, e.Hash), byte(e.Value))
	}
	return binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))
}

// forests returns the forests in the order of the file.
func (m *Model) forests() (all []*Forest) {
	for t := range m.Types {
		all = append(all, &m.Types[t])
	}
	return append(all, &m.Comments, &m.First, &m.Second)
}

func (f *Forest) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(f.Trees)))
	b = binary.LittleEndian.AppendUint32(b, uint32(f.Base))
	for t := range f.Trees {
		for _, n := range f.Trees[t].Nodes[1:] {
			b = binary.LittleEndian.AppendUint16(b, n)
		}
		for _, l := range f.Trees[t].Leaves {
			b = binary.LittleEndian.AppendUint16(b, uint16(l))
		}
	}
	return b
}

// Decode reads a file that Encode wrote. A file of another format or with other
// features is an error.
func Decode(file []byte) (*Model, error) {
	const head, tail = 16, 8
	if len(file) < head+tail || string(file[:4]) != magic {
		return nil, errors.New("winnow: read model: it is not a model file")
	}
	if f := binary.LittleEndian.Uint32(file[4:]); f != Format {
		return nil, fmt.Errorf("winnow: read model: its format is %d, this program reads %d", f, Format)
	}
	body, sum := file[:len(file)-tail], binary.LittleEndian.Uint64(file[len(file)-tail:])
	if xxhash.Sum64(body) != sum {
		return nil, errors.New("winnow: read model: its checksum is wrong; the file is damaged")
	}
	if h := binary.LittleEndian.Uint64(file[8:]); h != FeatureHash() {
		return nil, fmt.Errorf("winnow: read model: it was trained on other features (%016x) than this program has (%016x); train it again", h, FeatureHash())
	}
	m := new(Model)
	r := bytes.NewReader(body[head:])
	for _, f := range m.forests() {
		if err := f.read(r); err != nil {
			return nil, err
		}
	}
	if err := m.readNames(r); err != nil {
		return nil, err
	}
	if r.Len() > 0 {
		return nil, fmt.Errorf("winnow: read model: %d bytes after the names", r.Len())
	}
	return m, nil
}

func (m *Model) readNames(r *bytes.Reader) error {
	var count uint32
	if err := binary.Read(r, binary.LittleEndian, &count); err != nil {
		return fmt.Errorf("winnow: read model: names: %w", err)
	}
	const entryBytes = 5
	if count > maxNames || int(count)*entryBytes > r.Len() {
		return fmt.Errorf("winnow: read model: %d names in %d bytes", count, r.Len())
	}
	entries := make([]blocks.NameEntry, count)
	for i := range entries {
		if err := binary.Read(r, binary.LittleEndian, &entries[i]); err != nil {
			return fmt.Errorf("winnow: read model: name: %w", err)
		}
		if entries[i].Value == 0 || i > 0 && entries[i].Hash <= entries[i-1].Hash {
			return fmt.Errorf("winnow: read model: name %d is out of order or has no value", i)
		}
	}
	m.Names = blocks.NewNameTable(entries)
	return nil
}

func (f *Forest) read(r *bytes.Reader) error {
	var head struct {
		Trees uint32
		Base  int32
	}
	if err := binary.Read(r, binary.LittleEndian, &head); err != nil {
		return fmt.Errorf("winnow: read model: forest: %w", err)
	}
	if head.Trees > maxTrees || int(head.Trees)*treeBytes > r.Len() {
		return fmt.Errorf("winnow: read model: a forest of %d trees in %d bytes", head.Trees, r.Len())
	}
	f.Base, f.Trees = head.Base, make([]Tree, head.Trees)
	for t := range f.Trees {
		tree := &f.Trees[t]
		if err := errors.Join(binary.Read(r, binary.LittleEndian, tree.Nodes[1:]), binary.Read(r, binary.LittleEndian, &tree.Leaves)); err != nil {
			return fmt.Errorf("winnow: read model: tree: %w", err)
		}
	}
	return nil
}
