package codec

import (
	"bytes"
	"errors"
	"math"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	var w Writer
	w.Uint(0)
	w.Uint(math.MaxUint64)
	w.Int(300)
	w.Hash(0x0123456789abcdef)
	w.Word(0x89abcdef)
	w.Byte(7)
	w.Bytes([]byte("grain"))
	w.Bytes(nil)
	want := []byte{0,
		255, 255, 255, 255, 255, 255, 255, 255, 255, 1,
		0xac, 2,
		0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 1,
		0xef, 0xcd, 0xab, 0x89,
		7,
		5, 'g', 'r', 'a', 'i', 'n',
		0}
	if !bytes.Equal(w.Out, want) {
		t.Fatalf("%v", w.Out)
	}
	r := NewReader(w.Out)
	if r.Uint(0) != 0 || r.Uint(math.MaxUint64) != math.MaxUint64 || r.Int(300) != 300 || r.Hash() != 0x0123456789abcdef || r.Word() != 0x89abcdef ||
		r.Byte() != 7 || string(r.Bytes()) != "grain" || len(r.Bytes()) != 0 || r.Close() != nil {
		t.Errorf("read otherwise: %v", r.Err())
	}
	for end := range want {
		r := NewReader(want[:end])
		r.Uint(0)
		r.Uint(math.MaxUint64)
		r.Int(300)
		r.Hash()
		r.Word()
		r.Byte()
		r.Bytes()
		r.Bytes()
		if !errors.Is(r.Close(), ErrMalformed) {
			t.Errorf("%d bytes of %d were taken for whole", end, len(want))
		}
	}
}

func TestRefusals(t *testing.T) {
	for name, f := range map[string]func() error{
		"over its bound":   func() error { r := NewReader([]byte{9}); r.Int(8); return r.Close() },
		"not shortest":     func() error { r := NewReader([]byte{0x80, 0}); r.Int(8); return r.Close() },
		"too long":         func() error { r := NewReader(bytes.Repeat([]byte{255}, 11)); r.Uint(math.MaxUint64); return r.Close() },
		"count":            func() error { r := NewReader([]byte{3, 1, 2, 3, 4, 5}); r.Count(2); return r.Err() },
		"bytes behind":     func() error { r := NewReader([]byte{1, 2}); r.Byte(); return r.Close() },
		"failed by caller": func() error { r := NewReader(nil); r.Fail("x"); return r.Close() },
	} {
		if err := f(); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r := NewReader([]byte{9, 1, 1})
	r.Int(8)
	if r.Int(8) != 0 || r.Byte() != 0 || r.Hash() != 0 || r.Word() != 0 || len(r.Bytes()) != 0 {
		t.Error("something was read after an error")
	}
}

func TestUintSize(t *testing.T) {
	for _, v := range []uint64{0, 1, 127, 128, 1<<14 - 1, 1 << 14, 1<<63 - 1, 1 << 63, math.MaxUint64} {
		var w Writer
		if w.Uint(v); UintSize(v) != len(w.Out) {
			t.Errorf("%d: %d bytes, want %d", v, UintSize(v), len(w.Out))
		}
	}
}
