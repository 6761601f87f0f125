package hub

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"time"
)

// TLS.
//
// Files are PEM. A server has a certificate and its key; with an authority it accepts
// clients with a certificate of that authority only (mutual TLS). A client with an
// authority accepts servers with a certificate of that authority only; without one it
// uses the authorities of the system. Both require TLS 1.3: all programs of a run are of
// the same version.

// TLS names the PEM files of one side. The zero value means no TLS for a server, and for
// a client TLS only if the server demands it.
type TLS struct {
	Cert, Key string // certificate chain and private key; both or neither
	CA        string // certificates of the authorities that sign the other side's
}

// used reports whether there is a file.
func (t TLS) used() bool { return t != TLS{} }

// server returns the configuration of a server, or nil without TLS.
func (t TLS) server() (*tls.Config, error) {
	if !t.used() {
		return nil, nil
	}
	if t.Cert == "" {
		return nil, errors.New("TLS: a server has a certificate and a key")
	}
	c, err := t.config()
	if err != nil {
		return nil, err
	}
	if c.RootCAs != nil {
		c.ClientCAs, c.RootCAs, c.ClientAuth = c.RootCAs, nil, tls.RequireAndVerifyClientCert
	}
	return c, nil
}

// config returns a configuration with the authorities as RootCAs.
func (t TLS) config() (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS13}
	if (t.Cert == "") != (t.Key == "") {
		return nil, errors.New("TLS: a certificate and its key belong together, and one of them is missing")
	}
	if t.Cert != "" {
		pair, err := tls.LoadX509KeyPair(t.Cert, t.Key)
		if err != nil {
			return nil, fmt.Errorf("TLS: %s, %s: %w", t.Cert, t.Key, err)
		}
		if leaf := pair.Leaf; leaf != nil && time.Now().After(leaf.NotAfter) {
			return nil, fmt.Errorf("TLS: %s: the certificate expired at %s", t.Cert, leaf.NotAfter.Format(time.DateTime))
		}
		c.Certificates = []tls.Certificate{pair}
	}
	if t.CA != "" {
		text, err := os.ReadFile(t.CA)
		if err != nil {
			return nil, fmt.Errorf("TLS: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("TLS: %s: no certificate in PEM form", t.CA)
		}
	}
	return c, nil
}
