package cli

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sator/dimacs"
)

// The categories of flags, in the order of help texts.
const (
	LimitFlags   = "limits"
	OutputFlags  = "output"
	ProofFlags   = "proof"
	InputFlags   = "input"
	EngineFlags  = "engine"
	ProfileFlags = "profiling"
	ParamFlags   = "parameters"
	CdclOptions  = "options of the engine cdcl, and of auto"
	DpllOptions  = "options of the engine dpll"
)

// TimeFlag returns the flag --time.
func TimeFlag() cli.Flag {
	return &cli.StringFlag{Name: "time", Category: LimitFlags, Usage: "stop after `T`, in seconds (2.5) or with units (1h30m)"}
}

// MemoryFlag returns the flag --memory.
func MemoryFlag() cli.Flag {
	return &cli.Int64Flag{Name: "memory", Category: LimitFlags, Usage: "stop when the process holds `N` MB (1 MB is 2^20 bytes); at most what the system provides, which is the default"}
}

// ProofFlag returns the flag --proof.
func ProofFlag(usage string) *FileFlag {
	f := Writes(&cli.StringFlag{Name: "proof", Category: ProofFlags, Usage: usage}, "drat", "lrat", "proof", anyText)
	f.By = "proof-format"
	return f
}

// ProofTextFlag returns the flag --proof-text.
func ProofTextFlag(usage string) cli.Flag {
	return &cli.BoolFlag{Name: "proof-text", Category: ProofFlags, Usage: usage}
}

// Duration reads --time: a number of seconds, or a duration in the format of
// time.ParseDuration. A value below a nanosecond or above 292 years is an
// error.
func Duration(c *cli.Context) (time.Duration, error) { return DurationOf(c, "time") }

// DurationOf reads another flag like --time.
func DurationOf(c *cli.Context, name string) (time.Duration, error) {
	text := c.String(name)
	if text == "" && !c.IsSet(name) {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if seconds, isNumber := strconv.ParseFloat(text, 64); isNumber == nil && seconds < math.MaxInt64/1e9 {
		d, err = time.Duration(seconds*1e9), nil
	}
	if err != nil || d <= 0 {
		return 0, Invalid(name, text, "seconds or a duration such as 1h30m")
	}
	return d, nil
}

// Positive reads an Int64Flag with a limit and returns it times unit.
func Positive(c *cli.Context, name string, unit int64) (int64, error) {
	n := c.Int64(name)
	if c.IsSet(name) && n <= 0 || n > (1<<63-1)/unit {
		return 0, Invalid(name, n, "a positive number")
	}
	return n * unit, nil
}

// JobsFlag returns the flag -j, --jobs. The text adds to its usage, and may be empty.
func JobsFlag(text string) *cli.IntFlag {
	return &cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Category: EngineFlags, DefaultText: "one for each processor", Usage: "run `N` workers in parallel" + text}
}

// SeedFlag returns the flag --seed, in a category of the command.
func SeedFlag(category string) *cli.Uint64Flag {
	return &cli.Uint64Flag{Name: "seed", Category: category, Usage: "start the random generator with `N`"}
}

// LimitFlag returns the flag --limit, the greatest number of results of a command. Its
// default is value, or no limit for 0.
func LimitFlag(value int64, results string) *cli.Int64Flag {
	return &cli.Int64Flag{Name: "limit", Category: LimitFlags, Value: value, Usage: "stop after `N` " + results}
}

// QuietFlag returns the flag -q, --quiet.
func QuietFlag() *cli.BoolFlag {
	return &cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: OutputFlags, Usage: "print only the result, warnings and errors; no comments, no status line"}
}

// VerboseFlag returns the flag -v, --verbose.
func VerboseFlag() *cli.BoolFlag {
	return &cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Category: OutputFlags, Usage: "print the events of the run; first what is set, and the legend of the letters"}
}

// JobsOf reads --jobs. Without the flag it returns 0, which means one worker
// for each processor.
func JobsOf(c *cli.Context) (int, error) {
	if c.IsSet("jobs") && c.Int("jobs") < 1 {
		return 0, Invalid("jobs", c.Int("jobs"), "a positive number")
	}
	return c.Int("jobs"), nil
}

// NamesOf splits a list of names at commas and spaces.
func NamesOf(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// Spaced returns literals separated by spaces.
func Spaced(ls []dimacs.Lit) string {
	words := make([]string, len(ls))
	for i, l := range ls {
		words[i] = l.String()
	}
	return strings.Join(words, " ")
}
