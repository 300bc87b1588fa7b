package cmd

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// authority signs certificates for a test.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T, dir string) *authority {
	t.Helper()
	a := &authority{t: t, dir: dir}
	a.cert, a.key = a.issue("ca", &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

// issue writes the files NAME.pem and NAME.key.
func (a *authority) issue(name string, c *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	c.SerialNumber, c.Subject = big.NewInt(time.Now().UnixNano()), pkix.Name{CommonName: name}
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, signer)
	if err != nil {
		a.t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{name + ".pem": {Type: "CERTIFICATE", Bytes: der}, name + ".key": {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(filepath.Join(a.dir, file), pem.EncodeToMemory(block), 0o600); err != nil {
			a.t.Fatal(err)
		}
	}
	issued, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return issued, key
}

// A broker that uses TLS and verifies its clients accepts clients with a certificate
// and refuses all others.
func TestTLS(t *testing.T) {
	t.Parallel()
	setup(t)
	dir, port := t.TempDir(), freePort(t)
	a := newAuthority(t, dir)
	a.issue("server", &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	a.issue("client", &x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	file := func(name string) string { return filepath.Join(dir, name) }
	conf := fmt.Sprintf("listen: 127.0.0.1:%s\njetstream { store_dir: %q }\ntls { cert_file: %q, key_file: %q, ca_file: %q, verify: true }\n",
		port, file("store"), file("server.pem"), file("server.key"), file("ca.pem"))
	if err := os.WriteFile(file("nats.conf"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	start(t, "nats-server", "--config", file("nats.conf"))
	f := func(code int, words string, flags ...string) {
		t.Helper()
		args := []string{"--nats", "tls://127.0.0.1:" + port, "--run", "r", "--out", t.TempDir(), "--extractors", "plain"}
		p := start(t, "ingest", append(append(args, flags...), built.in)...)
		p.ends(code)
		if !strings.Contains(p.out.String(), words) {
			t.Errorf("%v: no %q in\n%s", flags, words, p.out.String())
		}
	}
	f(0, "run is published", "--nats-ca", file("ca.pem"), "--nats-cert", file("client.pem"), "--nats-key", file("client.key"))
	// The broker listens by now, so a failure below is a refusal and not a broker that
	// has not started.
	f(1, "ask for a client certificate", "--nats-ca", file("ca.pem"), "--nats-wait", "100ms")
	f(1, "failed to verify certificate", "--nats-cert", file("client.pem"), "--nats-key", file("client.key"), "--nats-wait", "100ms")
	f(2, "need each other", "--nats-cert", file("client.pem"))
}
