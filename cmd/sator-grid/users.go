package main

import (
	"errors"
	"io"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/grid"
	"sator/cmd/internal/grid/hub"
)

func usersCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "users",
		Category:    "Prepare",
		Usage:       "print the users of a run, for nats-server",
		UsageText:   "sator-grid users [flags] --token-file FILE --serve-token-file FILE",
		Description: usersDescription,
		Flags: []cli.Flag{
			cli.OutputFlag(),
			nameFlag(),
			&cli.StringFlag{Name: "token-file", Category: networkFlags, Usage: "`FILE` with the token of workers, checkers and status; a new one is made if there is no file"},
			&cli.StringFlag{Name: "serve-token-file", Category: networkFlags, Usage: "`FILE` with the token of serve, another one; a new one is made if there is no file"},
		},
		Action: cli.RunAction(e, usersOptionsOf, func(o *usersOptions) cli.RunOptions {
			return cli.RunOptions{Outputs: []string{o.output}}
		}, users),
	}
}

const usersDescription = `Prints an account for the configuration of nats-server, with the users of a run:
coordinator (serve), worker, checker and status, each with the rights that it
needs. The servers need JetStream. A cluster with other users works too, if they
have at least these rights; name them in the address (nats://user:password@host)
or by --creds.

The output contains the tokens: keep it from other users.

Examples:
  sator-grid users --token-file token --serve-token-file serve.token -o s.conf
  echo 'include s.conf' >> nats-server.conf
  sator-grid serve f.icnf --nats nats://n1 --token-file token \
    --serve-token-file serve.token
  sator-grid work nats://n1 --token-file token`

// usersOptions is the command line of users.
type usersOptions struct {
	output         string
	name           string
	others, server connection // with the token files
}

func usersOptionsOf(c *cli.Context) (*usersOptions, error) {
	o := &usersOptions{output: c.String("output"), name: c.String("name"), others: connection{tokenFile: c.String("token-file")}, server: connection{tokenFile: c.String("serve-token-file")}}
	if err := cli.NoOperands(c); err != nil {
		return nil, err
	}
	if _, err := grid.NamesOf(o.name); err != nil {
		return nil, invalidName(o.name)
	}
	if o.others.tokenFile == "" || o.server.tokenFile == "" {
		return nil, cli.Usagef("name two files, by --token-file and --serve-token-file")
	}
	return o, nil
}

// users runs the command.
func users(r *cli.Run, o *usersOptions) error {
	var tokens []hub.Token
	for _, n := range []*connection{&o.server, &o.others} {
		t, err := n.madeToken(r)
		if err != nil {
			return err
		}
		tokens = append(tokens, t)
	}
	if tokens[0] == tokens[1] {
		return errors.New("the two tokens are equal")
	}
	return r.Write(r.Ctx, o.output, func(w io.Writer) error { return hub.WriteServerConfig(w, o.name, tokens[0], tokens[1]) })
}
