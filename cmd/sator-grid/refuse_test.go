//go:build unix

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	crand "crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"sator/dimacs"
	"sator/internal/effort"
)

// TestRefused starts a coordinator with a token and TLS, and workers, checkers and status
// with other ones. Each of them ends with one line that gives the reason, and so does a
// coordinator that would be open to strangers.
func TestRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the program many times")
	}
	r := prepareRun(t, &tiny, 0)
	token := r.write("token", "a-token-of-the-test-0123456789\n")
	wrong := r.write("wrong", "another-token-of-the-test-01234\n")
	cert, key := r.certificate("server")
	r.flags = append(r.flags, "--token-file", token, "--tls-cert", cert, "--tls-key", key)
	r.startServe()
	r.awaitURL()
	plain := prepareRun(t, &tiny, 0)
	plain.flags = append(plain.flags, "--token-file", token)
	plain.startServe()
	plain.awaitURL()
	secure := []string{"--token-file", token, "--tls-ca", cert}
	for _, row := range []struct {
		name  string
		url   string
		flags []string
		want  string // in the error
	}{
		{"no token", r.url, []string{"--tls-ca", cert}, "token"},
		{"wrong token", r.url, []string{"--tls-ca", cert, "--token-file", wrong}, "token"},
		{"wrong token without TLS", plain.url, []string{"--token-file", wrong}, "token"},
		{"unknown authority", r.url, []string{"--token-file", token}, "certificate"},
		{"no TLS at the server", plain.url, secure, "TLS"},
		{"missing token file", plain.url, []string{"--token-file", r.path("missing")}, "missing"},
	} {
		for _, command := range []string{"work", "check", "status"} {
			p := r.start(fmt.Sprintf("refused%d", len(r.processes)), workMegabytes, append([]string{"sator-grid", command, row.url}, row.flags...)...)
			p.wait()
			p.checkError(row.name, row.want)
		}
	}
	for _, row := range []struct {
		name, listen string
		flags        []string
		want         string
	}{
		{"no token off the loopback interface", "0.0.0.0:0", nil, "token"},
		{"certificate without key", "127.0.0.1:0", []string{"--tls-cert", cert}, "tls-key"},
		{"occupied address", strings.TrimPrefix(r.url, "nats://"), nil, "in use"},
	} {
		p := r.start(fmt.Sprintf("refused%d", len(r.processes)), serveMegabytes,
			append([]string{"sator-grid", "serve", r.file, "--run", r.path("refused"), "--listen", row.listen}, row.flags...)...)
		p.wait()
		p.checkError(row.name, row.want)
	}
	// The right flags work.
	r.startWorker(r.url, secure...)
	r.end()
	r.check()
}

// checkError checks that the process has ended with an error that contains a text: its last
// line on standard error, apart from a hint. No line before contains the text, unless it is a
// warning.
func (p *process) checkError(name, want string) {
	p.site.t.Helper()
	var lines []string
	for line := range strings.Lines(p.log()) {
		if !harmless.MatchString(line) {
			lines = append(lines, line)
		}
	}
	before, after := strings.Join(lines[:max(len(lines)-1, 0)], ""), strings.Join(lines[max(len(lines)-1, 0):], "")
	if p.code != 1 && p.code != 2 || strings.Contains(before, want) || !strings.HasPrefix(after, "sator-grid") || !strings.Contains(after, want) {
		p.site.t.Errorf("%s: %s ends with code %d and %q, want one error with %q", name, p.args[1], p.code, p.log(), want)
	}
}

// harmless matches hints and warnings.
var harmless = regexp.MustCompile(`^See "sator-grid help|^sator-grid \w+: warning: `)

// certificate writes a certificate for the loopback interface, which is its own authority,
// and its key.
func (s *site) certificate(name string) (cert, key string) {
	s.t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), crand.Reader)
	if err != nil {
		s.t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: name},
		NotAfter:              time.Now().Add(time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	public, err := x509.CreateCertificate(crand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		s.t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		s.t.Fatal(err)
	}
	cert = s.write(name+".crt", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: public})))
	key = s.write(name+".key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	return cert, key
}

// awaitURL waits until the embedded server accepts connections.
func (r *gridRun) awaitURL() {
	r.t.Helper()
	await(r.t, "the server", func() bool {
		if !r.serve.running() {
			r.t.Fatalf("serve ends with code %d\n%s", r.serve.code, r.serve.log())
		}
		c, err := net.Dial("tcp", strings.TrimPrefix(r.url, "nats://"))
		if err != nil {
			return false
		}
		c.Close()
		return true
	})
}

// TestLargeFormula gives a worker less memory than the formula takes. It ends with an error
// before it downloads the formula. The run is not affected.
func TestLargeFormula(t *testing.T) {
	effort.Sequential(t)
	if testing.Short() {
		t.Skip("it runs the program many times")
	}
	s := newSite(t)
	r := s.prepareRun(&instance{"ksat --vars 30000 --ratio 3 --seed 1", "--depth 1", dimacs.Satisfiable}, 0)
	r.startServe()
	r.awaitURL()
	small := r.start("small", workMegabytes, "sator-grid", "work", r.url, "--memory", "40")
	small.wait()
	small.checkError("a large formula", "memory limit of 40 MB")
	if !r.serve.running() {
		t.Error("the coordinator has ended")
	}
	r.startWorker(r.url)
	r.end()
	r.check()
	// The coordinator reads the formula too.
	p := r.start("serve-small", serveMegabytes, "sator-grid", "serve", r.file, "--memory", "40", "--run", r.path("other"), "--listen", "127.0.0.1:0")
	p.wait()
	if !strings.Contains(p.log()+p.output(), "memory limit of 40 MB") || p.code > 1 {
		t.Errorf("serve ends with code %d and %q, %q", p.code, p.output(), p.log())
	}
}
