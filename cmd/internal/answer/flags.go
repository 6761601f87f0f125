package answer

import (
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/dimacs"
)

// Flags returns the flags for the printed answer and the proof.
func Flags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "no-model", Category: cli.OutputFlags, Usage: "print no v lines"},
		cli.QuietFlag(),
		cli.VerboseFlag(),
		&cli.BoolFlag{Name: "stats", Category: cli.OutputFlags, Usage: "print statistics at the end; as c lines even with --quiet"},
		cli.TextOrJSON(""), cli.JSONFlag(),
		cli.OutputFlag(),
		cli.ProofFlag("write the proof to `FILE`; compressed if it ends with .gz, .xz or .zst; - is standard output and needs --output"),
		cli.Choices(&cli.StringFlag{Name: "proof-format", Category: cli.ProofFlags, Value: "drat", Usage: "`NAME` of the proof format: drat, lrat"}, cli.ProofFormats),
		cli.ProofTextFlag("write the proof as text instead of binary"),
	}
}

// Options are the options that the commands have in common. Options that a command does
// not have are zero.
type Options struct {
	Files     []string
	Conflicts int64
	Assume    []dimacs.Lit
	Unroll    *int            // reads circuits and others, see formula.Reader
	Engine    *engines.Engine // --engine
	Choice    engines.Choice  // the engine that solves the formula
	Seed      uint64

	cli.ProofOptions
	Output string
	Verify cli.Verification

	NoModel, Stats, Relaxed bool
}

// OptionsOf reads the flags that are plain values.
func OptionsOf(c *cli.Context) *Options {
	return &Options{
		Files:        cli.Operands(c),
		Seed:         c.Uint64("seed"),
		NoModel:      c.Bool("no-model"),
		Stats:        c.Bool("stats"),
		Relaxed:      c.Bool("relaxed"),
		Output:       c.String("output"),
		ProofOptions: cli.ProofOptions{HasProof: c.IsSet("proof"), Proof: c.String("proof")},
	}
}

// UseCDCL sets the engine cdcl, and reads the flags about the format of its proof.
func (o *Options) UseCDCL(c *cli.Context) (err error) {
	if o.Engine, err = engines.Find("cdcl"); err != nil {
		return err
	}
	o.Choice.Engine = o.Engine.Name
	o.ProofFormat, err = o.Format(c, o.Engine.Name, o.Engine.Hints)
	return err
}
