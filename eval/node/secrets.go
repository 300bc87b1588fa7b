package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"time"

	"github.com/nats-io/nkeys"
)

// certify makes an authority and a certificate of a server and client with some names and
// addresses. The result is the content of a secret: ca.crt, tls.crt and tls.key.
func certify(names ...string) (map[string][]byte, error) {
	authority, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	parent := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "trial authority"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().AddDate(0, 0, 7), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	cert := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: names[0]}, NotBefore: parent.NotBefore, NotAfter: parent.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	for _, n := range names {
		if ip := net.ParseIP(n); ip != nil {
			cert.IPAddresses = append(cert.IPAddresses, ip)
		} else {
			cert.DNSNames = append(cert.DNSNames, n)
		}
	}
	ca, err := x509.CreateCertificate(rand.Reader, parent, parent, &authority.PublicKey, authority)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.CreateCertificate(rand.Reader, cert, parent, &key.PublicKey, authority)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	text := func(kind string, der []byte) []byte { return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}) }
	return map[string][]byte{"ca.crt": text("CERTIFICATE", ca), "tls.crt": text("CERTIFICATE", leaf), "tls.key": text("PRIVATE KEY", private)}, nil
}

// newUser makes the keys of a user of the broker.
func newUser() (seed, public []byte, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, nil, err
	}
	if seed, err = pair.Seed(); err != nil {
		return nil, nil, err
	}
	name, err := pair.PublicKey()
	return seed, []byte(name), err
}
