package hub_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sator/cmd/internal/grid/hub"
)

// An authority signs certificates for tests.
type authority struct {
	dir  string
	file string // its own certificate
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	next int64
}

func newAuthority(t testing.TB) *authority {
	a := &authority{dir: t.TempDir(), next: 1}
	a.cert = &x509.Certificate{
		Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign,
	}
	a.file, _ = a.sign(t, "authority", a.cert)
	return a
}

// sign writes a certificate and its key. The first one is that of the authority.
func (a *authority) sign(t testing.TB, name string, c *x509.Certificate) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if a.key == nil {
		a.key = key
	}
	c.SerialNumber = big.NewInt(a.next)
	a.next++
	c.NotBefore = time.Now().Add(-48 * time.Hour)
	if c.NotAfter.IsZero() {
		c.NotAfter = time.Now().Add(time.Hour)
	}
	der, err := x509.CreateCertificate(rand.Reader, c, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	if c.IsCA {
		if a.cert, err = x509.ParseCertificate(der); err != nil {
			t.Fatal(err)
		}
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write := func(file, kind string, b []byte) string {
		file = filepath.Join(a.dir, file)
		if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	return write(name+".pem", "CERTIFICATE", der), write(name+".key", "EC PRIVATE KEY", secret)
}

// server returns the files of a server on the loopback interface.
func (a *authority) server(t testing.TB) hub.TLS {
	cert, key := a.sign(t, "server", &x509.Certificate{
		Subject: pkix.Name{CommonName: "server"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	return hub.TLS{Cert: cert, Key: key}
}

// client returns the files of a client.
func (a *authority) client(t testing.TB) hub.TLS {
	cert, key := a.sign(t, "client", &x509.Certificate{
		Subject: pkix.Name{CommonName: "client"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	return hub.TLS{Cert: cert, Key: key, CA: a.file}
}

// TestTLS connects with and without TLS and certificates.
func TestTLS(t *testing.T) {
	good, other := newAuthority(t), newAuthority(t)
	mutual := good.server(t)
	mutual.CA = good.file
	plain := start(t, hub.Config{Token: token})
	secure := start(t, hub.Config{Token: token, TLS: good.server(t)})
	both := start(t, hub.Config{TLS: mutual})
	stranger := other.client(t)
	stranger.CA = good.file
	if !strings.HasPrefix(secure.URL(), "tls://127.0.0.1:") {
		t.Errorf("URL %s", secure.URL())
	}
	for _, tt := range []struct {
		name   string
		h      *hub.Hub
		tls    hub.TLS
		token  hub.Token
		reason hub.Reason
		text   string
	}{
		{"authority", secure, hub.TLS{CA: good.file}, token, hub.Other, ""},
		{"needless certificate", secure, good.client(t), token, hub.Other, ""},
		{"no authority", secure, hub.TLS{}, token, hub.Untrusted, "unknown authority"},
		{"other authority", secure, hub.TLS{CA: other.file}, token, hub.Untrusted, "unknown authority"},
		{"no TLS", plain, hub.TLS{CA: good.file}, token, hub.NoTLS, "no TLS"},
		{"wrong token", secure, hub.TLS{CA: good.file}, token + "x", hub.WrongToken, "refuses the token"},
		{"mutual", both, good.client(t), "", hub.Other, ""},
		{"no certificate", both, hub.TLS{CA: good.file}, "", hub.WantsCert, "demands a certificate of the client"},
		{"certificate of another authority", both, stranger, "", hub.WantsCert, "certificate"},
	} {
		nc, err := hub.Connect(t.Context(), hub.Dial{URL: tt.h.URL(), Role: hub.Worker, Token: tt.token, TLS: tt.tls})
		if err == nil {
			nc.Close()
		}
		if hub.ReasonOf(err) != tt.reason || err != nil && !strings.Contains(err.Error(), tt.text) || (err == nil) != (tt.reason == hub.Other) {
			t.Errorf("%s: reason %d, error %v; want %d, %q", tt.name, hub.ReasonOf(err), err, tt.reason, tt.text)
		}
	}
	dial(t, both, hub.Dial{Role: hub.Worker}) // within the process
}

// TestCertificates connects to servers with unsuitable certificates.
func TestCertificates(t *testing.T) {
	a := newAuthority(t)
	cert, key := a.sign(t, "elsewhere", &x509.Certificate{DNSNames: []string{"elsewhere.example"}})
	h := start(t, hub.Config{TLS: hub.TLS{Cert: cert, Key: key}})
	_, err := hub.Connect(t.Context(), hub.Dial{URL: h.URL(), Role: hub.Worker, TLS: hub.TLS{CA: a.file}})
	if hub.ReasonOf(err) != hub.Untrusted || !strings.Contains(err.Error(), "for another host") {
		t.Errorf("certificate of another host: %v", err)
	}
	old, oldKey := a.sign(t, "old", &x509.Certificate{NotAfter: time.Now().Add(-time.Hour)})
	if _, err := hub.Start(withDefaults(t, hub.Config{TLS: hub.TLS{Cert: old, Key: oldKey}})); err == nil || !strings.Contains(err.Error(), "expired") {
		t.Errorf("expired certificate: %v", err)
	}
	if _, err := hub.Start(withDefaults(t, hub.Config{TLS: hub.TLS{Cert: cert, Key: oldKey}})); err == nil || !strings.Contains(err.Error(), "does not match") {
		t.Errorf("key of another certificate: %v", err)
	}
	if _, err := hub.Connect(t.Context(), hub.Dial{URL: h.URL(), TLS: hub.TLS{CA: key}}); err == nil || !strings.Contains(err.Error(), "no certificate in PEM form") {
		t.Errorf("authority without a certificate: %v", err)
	}
}
