package cli

import "github.com/urfave/cli/v2"

// The types of the library that commands are written with. They have the names
// of the library, so that a command imports one package named cli.
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
