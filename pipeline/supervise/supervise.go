// Package supervise keeps a defect in one piece of work from ending the others
// that the same process carries out.
//
//	err := supervise.Call(func() error { return makeTables(run) })
//
// A panic within f becomes an error that holds the stack. Panics of goroutines
// that f starts are not caught: a goroutine that may meet hostile data calls Call
// itself. What f held at the panic (locks, half-made values) is lost, so the
// caller drops whatever it shared with f.
package supervise

import (
	"fmt"
	"runtime/debug"
)

// PanicError is a panic that was caught.
type PanicError struct {
	Value any
	Stack []byte
}

// Error says what the panic was about and where it happened.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// Unwrap returns the value of the panic if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Call calls f and returns its error, or a *PanicError if it panics.
func Call(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{v, debug.Stack()}
		}
	}()
	return f()
}
