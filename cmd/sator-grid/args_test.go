package main

import (
	"strings"
	"testing"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
	"sator/cmd/internal/grid/hub"
)

// TestWrongCommandLines checks the message and the exit code of command lines that are
// wrong. No server is started for them.
func TestWrongCommandLines(t *testing.T) {
	f := clitest.Write(t, "f.cnf", "p cnf 1 1\n1 0\n")
	for _, tt := range []struct{ line, want string }{
		{"", "no command"},
		{"sol " + f, `"sol" is no command`},
		{"serve -j -1", `invalid value "-1" for --jobs: want 0 to`},
		{"serve --budget -1", `invalid value "-1" for --budget: want 0 or more`},
		{"serve --replicas 0 --nats localhost", `invalid value "0" for --replicas: want 1 to 5`},
		{"serve --replicas 6 --nats localhost", `invalid value "6" for --replicas: want 1 to 5`},
		{"serve --replicas 3", "--replicas has no effect without --nats"},
		{"serve --checker-token-file c --nats a", "--checker-token-file and --nats are mutually exclusive"},
		{"serve --checker-token-file c", "--checker-token-file has no effect without --token-file"},
		{"serve --serve-token-file c", "--serve-token-file has no effect without --nats"},
		{"serve --creds c", "--creds has no effect without --nats"},
		{"serve --nats a --listen b:1", "--nats and --listen are mutually exclusive"},
		{"serve --nats http://a", `invalid address "http://a": want a server such as nats://host:4222`},
		{"serve --nats=", `invalid value "" for --nats`},
		{"serve --check-jobs -1", `invalid value "-1" for --check-jobs`},
		{"serve --trust --check-jobs 2", "--trust and --check-jobs are mutually exclusive"},
		{"serve --tls-cert c", "--tls-cert has no effect without --tls-key"},
		{"serve --tls-key k", "--tls-key has no effect without --tls-cert"},
		{"serve --tls-ca a", "--tls-ca has no effect without --tls-cert"},
		{"serve --name a.b", `invalid value "a.b" for --name`},
		{"serve --name=", `invalid value "" for --name`},
		{"serve --ack-wait soon", `invalid value "soon" for --ack-wait: want seconds or a duration such as 1h30m`},
		{"serve --proof-text", "--proof-text has no effect without --proof"},
		{"serve --proof - ", "the proof and the answer cannot both be written to standard output"},
		{"serve -q -v", "--quiet and --verbose are mutually exclusive"},
		{"work", "name one server"},
		{"work a b", "name one server"},
		{"work nats://", `invalid address "nats:": want a server such as nats://host:4222`},
		{"work a/b", `invalid address "nats://a/b"`},
		{"work a,ftp://b", `invalid address "ftp://b"`},
		{"work -j 0 a", `invalid value "0" for --jobs`},
		{"work --memory 0 a", `invalid value "0" for --memory`},
		{"work --creds c --token-file t a", "--creds and --token-file are mutually exclusive"},
		{"work -q -v a", "--quiet and --verbose are mutually exclusive"},
		{"work --checker c a", "unknown flag --checker"},
		{"check --worker w a", "unknown flag --worker"},
		{"check", "name one server"},
		{"status", "name one server"},
		{"users --token-file a", "name two files, by --token-file and --serve-token-file"},
		{"users a", `unexpected operand "a"`},
		{"users --name x.y", `invalid value "x.y" for --name`},
		{"status --json --http :0 a", "--http and --json are mutually exclusive"},
		{"status --http= a", `invalid value "" for --http`},
		{"status --http 8080 -o f a", "--http and --output are mutually exclusive"},
	} {
		code, out, errs := execute(t, new(cli.Env), strings.Fields(tt.line)...)
		if code != cli.CodeUsage || out != "" || !strings.Contains(errs, tt.want) || strings.Count(errs, "\n") != 2 {
			t.Errorf("%s: exit code %d, standard output %q, standard error:\n%s\nwant %s", tt.line, code, out, errs, tt.want)
		}
	}
}

// TestNoPasswordInMessages checks that messages do not show the password of an address.
func TestNoPasswordInMessages(t *testing.T) {
	for _, address := range []string{"http://me:hidden@host", "nats://me:hidden@host/path", "nats://me:hid\x7fden@host", "nats://me:hidden@"} {
		_, out, errs := execute(t, new(cli.Env), "work", address)
		if strings.Contains(out+errs, "hid") {
			t.Errorf("%q: %s%s", address, out, errs)
		}
	}
	n := &connection{url: "nats://me:hidden@a:1,tls://b"}
	if got, want := n.shown(), "nats://me:xxxxx@a:1,tls://b"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestAddresses checks the complete form of accepted addresses.
func TestAddresses(t *testing.T) {
	for given, want := range map[string]string{
		"host":                     "nats://host",
		"host:1":                   "nats://host:1",
		"tls://host":               "tls://host",
		"[::1]:4222":               "nats://[::1]:4222",
		"nats://a:1, b,tls://u@c/": "nats://a:1,nats://b,tls://u@c/",
	} {
		list, _, err := hub.Addresses(given)
		if got := strings.Join(list, ","); err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", given, got, err, want)
		}
	}
}
