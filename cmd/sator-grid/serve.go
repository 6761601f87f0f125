package main

import (
	"slices"
	"time"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
)

func serveCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "serve",
		Category:    "Run",
		Usage:       "solve a formula with the workers that connect",
		UsageText:   "sator-grid serve [flags] [F.icnf|-]",
		Description: serveDescription,
		Flags:       serveFlags(),
		Action: cli.RunAction(e, serveOptionsOf, func(o *serveOptions) cli.RunOptions {
			return cli.AnswerOptions(o.Files, o.Proof)
		}, serve),
	}
}

const serveDescription = `Solves the cubes of an iCNF file, as written by "sator cube", or a formula
without cubes, with all workers that connect and with -j workers of its own.
Everything else is as in "sator conquer": a cube that takes more conflicts than
--budget is split, the first model ends the run, "s UNSATISFIABLE" is about the
formula, and exit codes, limits, --verify, --stats and --json are those of
"sator solve".

The server is inside of this process, unless --nats names another one. It
listens on --listen; port 0 is any free port, and no host, as in ":4222", is all
interfaces. Off the loopback interface it requires --token-file, or client
certificates by --tls-ca. With --tls-cert and --tls-key connections are
encrypted.

--run DIR stores the results in a directory. The same command resumes a run that
was stopped or killed: finished cubes are not solved again. The directory
belongs to one formula with its cubes and options. The file DIR/address has the
address of the server. Without --run the results are lost at the end. If the
disk fills, workers keep their results and wait for space.

With --nats the results are in the streams of that server or cluster, under the
--name of the run, and as durable as most of the --replicas. The same command
resumes the run. With several addresses it waits up to 10 s for a server that
answers. The streams stay there after the run; with the program nats, for the
name "grid", they are removed by
  for s in SATOR_grid_RESULTS SATOR_grid_ACCEPTED SATOR_grid_TASKS \
    KV_SATOR_grid_STATE OBJ_SATOR_grid_OBJECTS; do nats stream rm -f $s; done

A refutation is accepted when its proof is checked, by --check-jobs checkers of
this process or by "sator-grid check". --trust accepts refutations unchecked,
which saves the workers the proof. A worker with a wrong result is excluded. One
checker keeps up with about 12 workers; if results wait for it, as "sator-grid
status" reports, start more. Checkers are believed: if not all workers are, give
checkers another token by --checker-token-file.

--proof FILE writes one refutation of the formula by all workers, for "sator
check", at the end of the run. --verify checks this proof as a whole before the
answer is printed.

With -v, a line on standard error tells when a local worker begins and ends a
cube.

Examples:
  sator-grid serve problem.icnf --run problem.run
  sator-grid serve problem.icnf --run p.run --listen :4222 --token-file token
  sator-grid serve problem.icnf -j 0 --proof problem.lrat
  sator-grid serve problem.icnf --nats nats://n1,nats://n2 --replicas 3`

func serveFlags() []cli.Flag {
	return slices.Concat(
		answer.CubeFlags("store the results in directory `DIR`; and resume from them", " in this process; 0: only those that connect"),
		[]cli.Flag{
			&cli.BoolFlag{Name: "verify", Category: cli.ProofFlags, Usage: "check the refutation as a whole by an independent checker"},
			&cli.BoolFlag{Name: "trust", Category: cli.ProofFlags, Usage: "accept refutations without a check"},
			&cli.IntFlag{Name: "check-jobs", Category: cli.ProofFlags, Value: 1, Usage: "run `N` checkers in this process; 0: only checkers that connect"},
			&cli.StringFlag{Name: "listen", Category: networkFlags, Value: "127.0.0.1:4222", Usage: "accept workers on `ADDRESS`"},
		},
		connectionFlags("`FILE` with the token of the run; a new one is made if there is no file",
			"PEM `FILE` with the certificate of the server; with --nats that of this client",
			"PEM `FILE` with the authority of clients; these then need a certificate. With --nats that of the server"),
		[]cli.Flag{
			&cli.StringFlag{Name: "checker-token-file", Category: networkFlags, DefaultText: "the same", Usage: "`FILE` with another token for checkers; a new one is made if there is no file"},
			&cli.StringFlag{Name: "nats", Category: networkFlags, Usage: "use the NATS server or cluster at `URL`; with commas between several"},
			&cli.StringFlag{Name: "serve-token-file", Category: networkFlags, DefaultText: "the same", Usage: "`FILE` with a token of this process alone; for the server of --nats, see \"sator-grid users\""},
			&cli.StringFlag{Name: "creds", Category: networkFlags, Usage: credsHelp},
			&cli.IntFlag{Name: "replicas", Category: networkFlags, Value: 1, Usage: "store each result on `N` servers of the cluster"},
			&cli.StringFlag{Name: "ack-wait", Category: networkFlags, DefaultText: "20s", Usage: "give away the cube of a worker that is silent for `T`"},
		},
		engines.CDCLFlags(),
	)
}

// serveOptions is the command line of serve.
type serveOptions struct {
	*answer.CubeOptions
	*connection
	listen    string
	replicas  int
	trust     bool
	checkJobs int
	ackWait   time.Duration // 0 is the default
	checkers  connection    // with the file of the checkers' token
	server    connection    // with the file of the coordinator's token
}

func serveOptionsOf(c *cli.Context) (*serveOptions, error) {
	common, err := answer.CubeOptionsOf(c, 0)
	if err != nil {
		return nil, err
	}
	o := &serveOptions{
		CubeOptions: common,
		listen:      c.String("listen"),
		replicas:    c.Int("replicas"),
		trust:       c.Bool("trust"),
		checkJobs:   c.Int("check-jobs"),
		checkers:    connection{tokenFile: c.String("checker-token-file")},
		server:      connection{tokenFile: c.String("serve-token-file")},
	}
	if o.connection, err = connectionOf(c, c.String("nats")); err != nil {
		return nil, err
	}
	o.Choice.Setup = &serveSetup{o.Choice.Setup, o}
	return o, o.parse(c)
}

// parse parses and checks the other flags.
func (o *serveOptions) parse(c *cli.Context) (err error) {
	switch {
	case c.IsSet("nats") && c.IsSet("listen"):
		return cli.Exclusive("nats", "listen")
	case o.replicas < 1 || o.replicas > mostReplicas:
		return cli.Invalid("replicas", o.replicas, "1 to %d", mostReplicas)
	case c.IsSet("serve-token-file") && o.url == "":
		return cli.Useless("serve-token-file", "nats")
	case c.IsSet("checker-token-file") && o.url != "":
		return cli.Exclusive("checker-token-file", "nats")
	case c.IsSet("checker-token-file") && o.tokenFile == "":
		return cli.Useless("checker-token-file", "token-file")
	case c.IsSet("replicas") && o.url == "":
		return cli.Useless("replicas", "nats")
	case c.IsSet("creds") && o.url == "":
		return cli.Useless("creds", "nats")
	case o.url == "" && o.tls.CA != "" && o.tls.Cert == "":
		return cli.Useless("tls-ca", "tls-cert")
	case o.checkJobs < 0 || o.checkJobs > mostCheckers:
		return cli.Invalid("check-jobs", o.checkJobs, "0 to %d", mostCheckers)
	case o.trust && c.IsSet("check-jobs") && o.checkJobs > 0:
		return cli.Exclusive("trust", "check-jobs")
	}
	o.ackWait, err = cli.DurationOf(c, "ack-wait")
	return err
}

// mostReplicas is the limit of NATS on the number of copies of a stream.
const mostReplicas = 5

// mostCheckers is the limit on the number of checkers of a process.
const mostCheckers = 1024

// A serveSetup is the setup of the solvers with the options of serve.
type serveSetup struct {
	engines.Setup
	o *serveOptions
}

func (u *serveSetup) List() engines.Properties {
	return append(engines.Properties{
		{Name: "name", Value: u.o.name},
		{Name: "nats", Value: u.o.shown()},
		{Name: "replicas", Value: u.o.replicas},
		{Name: "trust", Value: u.o.trust},
		{Name: "check_jobs", Value: u.o.checkJobs},
	}, u.Setup.List()...)
}
