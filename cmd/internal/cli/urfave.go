package cli

import "github.com/urfave/cli/v2"

// The types of urfave/cli that commands use, under the same names. So commands
// import only one package cli.
type (
	App     = cli.App
	Command = cli.Command
	Context = cli.Context

	Flag            = cli.Flag
	BoolFlag        = cli.BoolFlag
	StringFlag      = cli.StringFlag
	StringSliceFlag = cli.StringSliceFlag
	IntFlag         = cli.IntFlag
	Int64Flag       = cli.Int64Flag
	Uint64Flag      = cli.Uint64Flag
	Float64Flag     = cli.Float64Flag
)
