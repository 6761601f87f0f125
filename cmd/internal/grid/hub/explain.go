package hub

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Errors in plain words.
//
// The errors of the client library and of the server are for people who operate NATS.
// Explain says what a user of a run can act on, and keeps the original error for
// errors.Is and errors.As.

// A Reason is a class of errors.
type Reason int

// The reasons.
const (
	Other          Reason = iota
	Unreachable           // no server answers at the address
	NotNATS               // something else answers there
	WrongToken            // the server refuses the token, user or credentials
	NoTLS                 // the client demands TLS and the server does not offer it
	WantsTLS              // the server demands TLS
	Untrusted             // the certificate of the server is not accepted
	WantsCert             // the server demands a certificate of the client, or refuses it
	NoJetStream           // the server has no JetStream
	Full                  // the server has no space for the message: disk, memory or a limit
	Denied                // the role has no right to do this
	TooLarge              // the message is larger than the server or the stream accepts
	Gone                  // the connection is lost or the server does not answer; it may come back
	TooManyClients        // the server has reached its limit of connections
)

// An Error is an error of a connection or of JetStream with its reason.
type Error struct {
	Reason Reason
	Text   string // for the user
	Err    error  // the original error
}

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// Unwrap returns the original error.
func (e *Error) Unwrap() error { return e.Err }

// ReasonOf returns the reason of an error that Explain has explained or can explain.
func ReasonOf(err error) Reason {
	var e *Error
	if errors.As(err, &e) || errors.As(Explain(err), &e) {
		return e.Reason
	}
	return Other
}

// Explain returns an [*Error] with an explanation in plain words, or err itself if
// there is nothing to add.
func Explain(err error) error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	for _, x := range explanations {
		if text := x.text(err); text != "" {
			return &Error{x.reason, text, err}
		}
	}
	return err
}

// explain explains an error of an attempt to connect, with the address.
func (d *Dial) explain(err error) error {
	e, ok := Explain(err).(*Error)
	if !ok {
		return fmt.Errorf("%s: %w", d.where(), err)
	}
	if e.Reason == WrongToken && d.Token == "" && d.Creds == "" {
		e.Text = "the server demands a token"
	}
	return &Error{e.Reason, d.where() + ": " + e.Text, err}
}

// where returns the addresses without passwords.
func (d *Dial) where() string {
	if d.hub != nil {
		return "server in this process"
	}
	var list []string
	for address := range strings.SplitSeq(d.URL, ",") {
		address = strings.TrimSpace(address)
		if u, err := url.Parse(address); err == nil && u.Host != "" {
			address = u.Host
		}
		list = append(list, address)
	}
	return strings.Join(list, ", ")
}

// An explanation returns a text for errors of a class, or "".
type explanation struct {
	reason Reason
	text   func(error) string
}

// is returns a test whether an error is one of some errors.
func is(text string, errs ...error) func(error) string {
	return func(err error) string {
		for _, e := range errs {
			if errors.Is(err, e) {
				return text
			}
		}
		return ""
	}
}

// contains returns a test whether the text of an error contains one of some texts. The
// library does not name all errors that a server sends.
func contains(text string, parts ...string) func(error) string {
	return func(err error) string {
		for _, p := range parts {
			if strings.Contains(err.Error(), p) {
				return text
			}
		}
		return ""
	}
}

// code returns a test whether an error has one of some error codes of JetStream.
func code(text string, codes ...jetstream.ErrorCode) func(error) string {
	return func(err error) string {
		var e jetstream.JetStreamError
		if !errors.As(err, &e) || e.APIError() == nil {
			return ""
		}
		for _, c := range codes {
			if e.APIError().ErrorCode == c {
				return text + ": " + e.APIError().Description
			}
		}
		return ""
	}
}

// Error codes of JetStream that the client library does not name.
const (
	codeAccountResources = 10002 // limits of the account
	codeTemporarily      = 10008 // no leader of the cluster
	codeResources        = 10023 // limits of the server
	codeMemory           = 10028
	codeNoPeers          = 10005 // no servers that fit
	codeStorage          = 10047
	codeMessageTooLarge  = 10054
	codeStoreFailed      = 10077
)

// explanations lists the explanations. The first that fits counts.
var explanations = []explanation{
	{WrongToken, is("the server refuses the token", nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired)},
	{TooManyClients, contains("the server has reached its limit of connections", "maximum connections exceeded", "maximum account active connections exceeded")},
	{NoTLS, is("the server has no TLS, and TLS was asked for", nats.ErrSecureConnWanted)},
	{WantsTLS, is("the server demands TLS", nats.ErrSecureConnRequired)},
	{Untrusted, untrusted},
	{WantsCert, clientCertificate},
	{Denied, denied},
	{TooLarge, is("the message is larger than the server accepts", nats.ErrMaxPayload)},
	{TooLarge, code("the message is larger than the stream accepts", codeMessageTooLarge)},
	{Full, code("the server has no space", codeAccountResources, codeResources, codeMemory, codeStorage)},
	{Full, storeFailed},
	{NoJetStream, is("the server has no JetStream", jetstream.ErrJetStreamNotEnabled, jetstream.ErrJetStreamNotEnabledForAccount)},
	{Gone, code("JetStream is not available now", codeTemporarily, codeNoPeers)},
	{Gone, is("the server has lost the consumer", jetstream.ErrConsumerNotFound, jetstream.ErrConsumerDeleted, jetstream.ErrConsumerLeadershipChanged, jetstream.ErrNoHeartbeat)},
	{Gone, is("the server is not ready", jetstream.ErrInvalidJetStreamResponse, jetstream.ErrConsumerCreationResponseEmpty)},
	{NotNATS, notNATS},
	{Unreachable, unreachable},
	{Gone, is("nobody answers", nats.ErrNoResponders, jetstream.ErrNoStreamResponse)},
	{Gone, is("the server does not answer", nats.ErrTimeout, context.DeadlineExceeded)},
	{Gone, is("the server does not answer pings", nats.ErrStaleConnection)},
	{Gone, is("the connection is closed", nats.ErrConnectionClosed, jetstream.ErrConnectionClosed)},
	{Gone, is("no connection to the server; reconnecting", nats.ErrDisconnected, nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded,
		io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE, net.ErrClosed, jetstream.ErrServerShutdown)},
}

// untrusted explains a certificate of a server that the client does not accept.
func untrusted(err error) string {
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verification *tls.CertificateVerificationError
	switch {
	case errors.As(err, &authority):
		return "the certificate of the server is of an unknown authority"
	case errors.As(err, &host):
		return "the certificate of the server is for another host: " + host.Error()
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate of the server has expired or is not yet valid"
	case errors.As(err, &invalid), errors.As(err, &verification):
		return "the certificate of the server is not valid: " + err.Error()
	}
	return ""
}

// clientCertificate explains the TLS alerts of a server that refuses a client.
func clientCertificate(err error) string {
	text := err.Error()
	if !strings.Contains(text, "remote error: tls:") {
		return ""
	}
	switch {
	case strings.Contains(text, "certificate required"):
		return "the server demands a certificate of the client"
	case strings.Contains(text, "certificate"):
		return "the server refuses the certificate of the client: " + text
	}
	return ""
}

// denied explains a violated permission. The error of the library has the subject.
func denied(err error) string {
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return ""
	}
	_, subject, _ := strings.Cut(err.Error(), "Permissions Violation for ")
	return "the server does not permit it to this user: " + subject
}

// storeFailed explains a limit of a stream. The error "maximum messages per subject" is
// not such a limit: there is a message with this subject.
func storeFailed(err error) string {
	var e jetstream.JetStreamError
	if !errors.As(err, &e) || e.APIError() == nil || e.APIError().ErrorCode != codeStoreFailed {
		return ""
	}
	switch d := e.APIError().Description; {
	case strings.Contains(d, "per subject"):
		return ""
	case strings.Contains(d, "maximum bytes"), strings.Contains(d, "maximum messages"), strings.Contains(d, "no space"):
		return "a stream of the server is full: " + d
	}
	return ""
}

// notNATS explains a greeting that is not that of a NATS server.
func notNATS(err error) string {
	var syntax *json.SyntaxError
	if errors.Is(err, nats.ErrNoInfoReceived) || errors.As(err, &syntax) {
		return "the greeting is not that of a NATS server"
	}
	return ""
}

// unreachable explains that there is no connection.
func unreachable(err error) string {
	var operation *net.OpError
	var name *net.DNSError
	dial := errors.As(err, &operation) && operation.Op == "dial"
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), dial && errors.Is(err, syscall.ECONNRESET): // reset as it ends
		return "no server listens there"
	case errors.As(err, &name):
		return "unknown host " + name.Name
	case dial:
		return "no connection: " + operation.Err.Error()
	case errors.Is(err, nats.ErrNoServers):
		return "no server answers"
	}
	return ""
}
