package blob

import (
	"errors"
	"net"
	"strings"
	"testing"
)

// A server without an address is told from a file that the server does not have.
func TestUnknownServerIsNotAMissingFile(t *testing.T) {
	err := networkError(&net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "crawls.invalid", IsNotFound: true}})
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrTransient) || !strings.Contains(err.Error(), "no address is known for the server crawls.invalid: check the name, and the name server (DNS)") {
		t.Errorf("%v", err)
	}
	if err := networkError(&net.DNSError{Err: "server misbehaving", Name: "crawls.invalid", IsTemporary: true}); !errors.Is(err, ErrTransient) {
		t.Errorf("a name server that fails: %v", err)
	}
}
