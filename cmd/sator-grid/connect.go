package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/grid"
	"sator/cmd/internal/grid/hub"
)

// Connections to a server: their flags, and dialing.

// networkFlags is the category of the flags about connections.
const networkFlags = "network"

// connectionFlags returns the flags of a connection. The arguments are the help texts of
// --token-file, --tls-cert and --tls-ca, which differ between the sides.
func connectionFlags(token, cert, ca string) []cli.Flag {
	return []cli.Flag{
		nameFlag(),
		&cli.StringFlag{Name: "token-file", Category: networkFlags, Usage: token},
		&cli.StringFlag{Name: "tls-cert", Category: networkFlags, Usage: cert},
		&cli.StringFlag{Name: "tls-key", Category: networkFlags, Usage: "PEM `FILE` with the key of --tls-cert"},
		&cli.StringFlag{Name: "tls-ca", Category: networkFlags, Usage: ca},
	}
}

// nameFlag returns the flag --name.
func nameFlag() cli.Flag {
	return &cli.StringFlag{Name: "name", Category: networkFlags, Value: "grid", Usage: "`NAME` of the run, by which several runs share a cluster"}
}

// invalidName returns the error of a wrong value of --name.
func invalidName(name string) error {
	return cli.Invalid("name", name, "1 to 32 letters, digits, '-' and '_'")
}

// clientFlags returns the flags of a connection to a server.
func clientFlags() []cli.Flag {
	return append(connectionFlags("`FILE` with the token of the run",
		"PEM `FILE` with a certificate; for a server that demands one",
		"PEM `FILE` with the authority of the server; if the system does not have it"),
		&cli.StringFlag{Name: "creds", Category: networkFlags, Usage: credsHelp})
}

// credsHelp is the help of --creds.
const credsHelp = "`FILE` with NATS credentials; for a cluster with accounts"

// A connection is a command line's way to a server.
type connection struct {
	url       string // operand or --nats; empty for the embedded server
	name      string // of the run
	tokenFile string
	creds     string
	tls       hub.TLS
}

// connectionOf reads the flags of a connection.
func connectionOf(c *cli.Context, address string) (*connection, error) {
	n := &connection{
		url:       address,
		name:      c.String("name"),
		tokenFile: c.String("token-file"),
		creds:     c.String("creds"),
		tls:       hub.TLS{Cert: c.String("tls-cert"), Key: c.String("tls-key"), CA: c.String("tls-ca")},
	}
	if _, err := grid.NamesOf(n.name); err != nil {
		return nil, invalidName(n.name)
	}
	switch {
	case n.tls.Cert != "" && n.tls.Key == "":
		return nil, cli.Useless("tls-cert", "tls-key")
	case n.tls.Cert == "" && n.tls.Key != "":
		return nil, cli.Useless("tls-key", "tls-cert")
	case n.creds != "" && n.tokenFile != "":
		return nil, cli.Exclusive("creds", "token-file")
	case n.url == "":
		return n, nil
	}
	list, _, err := hub.Addresses(n.url)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	n.url = strings.Join(list, ",")
	return n, nil
}

// clientOf reads the command line of a command with the address of a server as operand.
func clientOf(c *cli.Context) (*connection, error) {
	if c.NArg() != 1 {
		return nil, &cli.UsageError{Msg: "name one server", Hint: "The operand is an address such as nats://host:4222."}
	}
	return connectionOf(c, c.Args().First())
}

// shown returns the addresses without passwords.
func (n *connection) shown() string {
	var list []string
	for _, address := range strings.Split(n.url, ",") {
		if u, err := url.Parse(address); err == nil {
			address = u.Redacted()
		}
		list = append(list, address)
	}
	return strings.Join(list, ",")
}

// token reads the token. It warns of a file that other users can read.
func (n *connection) token(r *cli.Run) (hub.Token, error) {
	if n.tokenFile == "" {
		return "", nil
	}
	t, exposed, err := hub.ReadToken(n.tokenFile)
	if err == nil && exposed {
		r.Warn(errors.New(cli.Named(n.tokenFile) + ": other users of this machine can read the token"))
	}
	return t, err
}

// makeToken writes a random token to a new file for this user alone. It does nothing if the
// file exists.
func (n *connection) makeToken() error {
	if n.tokenFile == "" {
		return nil
	}
	f, err := os.OpenFile(n.tokenFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, hub.NewToken())
	return cmp.Or(f.Close(), err)
}

// madeToken reads the token, after it has made one if there is no file.
func (n *connection) madeToken(r *cli.Run) (hub.Token, error) {
	if err := n.makeToken(); err != nil {
		return "", err
	}
	return n.token(r)
}

// servePatience is the time for which a coordinator tries to connect to a cluster whose servers
// do not answer. They may be restarting. A single address without server is probably wrong.
const servePatience = 10 * time.Second

// connect connects to the server in a role. Workers and checkers wait for a server that
// does not answer, and a coordinator waits for a cluster.
func (n *connection) connect(ctx context.Context, r *cli.Run, role hub.Role) (*nats.Conn, error) {
	token, err := n.token(r)
	if err != nil {
		return nil, err
	}
	d := hub.Dial{
		URL:   n.url,
		Role:  role,
		Name:  "sator-grid " + string(role),
		Token: token,
		Creds: n.creds,
		TLS:   n.tls,
		Wait:  role == hub.Worker || role == hub.Checker,
		Log:   logTo(r),
	}
	if role == hub.Coordinator && strings.Contains(n.url, ",") {
		d.Patience = servePatience
	}
	return cli.Await(ctx, func() (*nats.Conn, error) { return hub.Connect(ctx, d) })
}
