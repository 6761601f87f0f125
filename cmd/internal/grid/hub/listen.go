package hub

import (
	"errors"
	"fmt"
	"net"
	"strconv"
)

// Where a server listens.
//
// Only processes of the same machine reach the loopback interface, so a server there
// needs no secret. On all other interfaces it demands a token or certificates of clients.
// A host name counts as loopback if all its addresses are.

// listenAddress splits the address "host:port" of a server. An empty host means all
// interfaces, port 0 any free port.
func listenAddress(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, fmt.Errorf("address to listen on: %w", err)
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return "", 0, fmt.Errorf("address to listen on: invalid port %q: want 0 to 65535", text)
	}
	return host, int(n), nil
}

// loopback reports whether a host is this machine and not reachable from others.
func loopback(host string) (bool, error) {
	if host == "" {
		return false, nil
	}
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback(), nil
	}
	ips, err := net.LookupIP(host)
	if err != nil {
		return false, fmt.Errorf("address to listen on: %w", err)
	}
	for _, ip := range ips {
		if !ip.IsLoopback() {
			return false, nil
		}
	}
	return true, nil
}

// checkExposure returns an error if other machines can reach the server without a secret,
// and a warning if they can read the token on the wire.
func (c *Config) checkExposure(host string) (warning string, err error) {
	local, err := loopback(host)
	switch {
	case err != nil:
		return "", err
	case local || c.TLS.CA != "":
		return "", nil
	case c.Token == "":
		return "", errors.New("other machines can reach " + c.Listen + ": want a token, or certificates of clients (mutual TLS)")
	case !c.TLS.used():
		return "without TLS, the token and all messages pass the network in the clear", nil
	}
	return "", nil
}
