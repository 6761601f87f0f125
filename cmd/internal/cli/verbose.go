package cli

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// The output of -v, --verbose: first the options that the command line sets, then a legend of
// the lines that follow, then a line for each event.

// Preface prints, with --verbose, the options that are set, as in "seed 7", and the legend.
// Commands whose lines begin with a letter explain each letter in the legend.
func (r *Run) Preface(line func(format string, args ...any), set, legend []string) {
	if !r.Flags.Bool("verbose") {
		return
	}
	for _, option := range set {
		line("option %s", option)
	}
	if len(set) == 0 {
		line("options: the defaults")
	}
	for _, text := range legend {
		line("%s", text)
	}
}

// SetOptions returns the flags that the command line sets, with their values, in the order of
// the help text. It leaves out --verbose.
func (r *Run) SetOptions() []string {
	var set []string
	for _, f := range r.Flags.Command.Flags {
		name := FlagName(f)
		if name == "verbose" || !r.Flags.IsSet(name) {
			continue
		}
		value := r.Flags.Value(name)
		if list, is := value.(cli.StringSlice); is {
			value = strings.Join(list.Value(), ", ")
		}
		set = append(set, fmt.Sprintf("%s %v", name, value))
	}
	return set
}
