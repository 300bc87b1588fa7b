package blob

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"
)

// failure is an error with its class and, for a server that asked for it, the
// time to wait.
type failure struct {
	class error // ErrTransient, ErrNotFound, ErrChanged, ErrExists, ErrDenied or nil
	err   error
	wait  waitHint

	status int // status code of a web server's answer, 0 if there was none
}

func (f *failure) Error() string {
	if f.class == nil || f.class == ErrTransient || f.class == ErrDenied { // the cause says it already
		return f.err.Error()
	}
	return fmt.Sprintf("%v: %v", f.class, f.err)
}

func (f *failure) Unwrap() []error {
	if f.class == nil {
		return []error{f.err}
	}
	return []error{f.class, f.err}
}

// classed returns err with a class, or nil if err is nil.
func classed(class, err error) error {
	if err == nil {
		return nil
	}
	return &failure{class: class, err: err}
}

// changed is an ErrChanged with the difference in words.
func changed(format string, args ...any) error {
	return &failure{class: ErrChanged, err: fmt.Errorf(format, args...)}
}

// named adds the operation and the object to an error. Exported functions call it, so
// that an error is named only once.
func named(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("blob: %s %s: %w", op, PublicURL(name), err)
}

// fileError classes an error of the file system. Faults that a network file
// system or a full disk may recover from are transient.
func fileError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return classed(ErrNotFound, err)
	case errors.Is(err, syscall.ENOSPC):
		return classed(ErrTransient, fmt.Errorf("%w: the disk is full: free space there", err))
	case errors.Is(err, syscall.EIO), errors.Is(err, syscall.ESTALE), errors.Is(err, syscall.EAGAIN),
		errors.Is(err, syscall.ETIMEDOUT), errors.Is(err, syscall.EMFILE):
		return classed(ErrTransient, err)
	}
	return err
}

// networkError classes the error of a request that got no answer, or an incomplete one.
func networkError(err error) error {
	err = withoutURL(err)
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	switch {
	case errors.Is(err, errReach): // a program that may follow the redirect can read the object
		return classed(ErrDenied, err)
	case errors.As(err, &dns) && dns.IsNotFound: // says nothing about the object
		return fmt.Errorf("no address is known for the server %s: check the name, and the name server (DNS) of this machine: %w", dns.Name, err)
	case errors.As(err, &cert):
		return err
	}
	return classed(ErrTransient, err)
}
