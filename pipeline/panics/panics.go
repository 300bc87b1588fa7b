// Package panics keeps a defect in one piece of work from ending the others
// that the same process carries out.
//
//	err := panics.Call(func() error { return makeTables(run) })
//
// A panic within f becomes an error that holds the stack. Panics of goroutines
// that f starts are not caught: a goroutine that may meet hostile data calls Call
// itself. What f held at the panic (locks, half-made values) is lost, so the
// caller drops whatever it shared with f.
//
// This package is internal to Winnow and may change in any release.
package panics

import (
	"fmt"
	"runtime/debug"
)

// Error is a panic that was caught.
type Error struct {
	Value any
	Stack []byte
}

// Error returns the value and the stack of the panic.
func (e *Error) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// Unwrap returns the value of the panic if it is an error.
func (e *Error) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Call calls f and returns its error, or a *Error if it panics.
func Call(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &Error{v, debug.Stack()}
		}
	}()
	return f()
}
