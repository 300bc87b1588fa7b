package panics

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestCallTurnsPanicsIntoErrors(t *testing.T) {
	if err := Call(func() error { return io.EOF }); err != io.EOF {
		t.Errorf("an error became %v", err)
	}
	if err := Call(func() error { return nil }); err != nil {
		t.Errorf("no error became %v", err)
	}
	var list []int
	err := Call(func() error { list[3]++; return nil })
	var caught *Error
	if !errors.As(err, &caught) || !strings.Contains(err.Error(), "out of range") || !strings.Contains(err.Error(), "TestCallTurnsPanicsIntoErrors") {
		t.Errorf("%v is not the panic with its stack", err)
	}
	if err := Call(func() error { panic(io.ErrUnexpectedEOF) }); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v does not wrap the panic's error", err)
	}
}
