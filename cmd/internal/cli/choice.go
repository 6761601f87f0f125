package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// Flags with a list of values. The values of a flag are declared with the flag, so that
// shells complete them and manual pages list them.

// A Choice is a value of a flag. Help describes it in a few words, and may be empty.
type Choice struct{ Name, Help string }

// A ChoiceFlag is a flag with a list of values.
type ChoiceFlag struct {
	*cli.StringFlag
	Choices func() []Choice

	// List reports that the flag takes several values, with commas between them.
	List bool

	// strict reports that other values are errors when the command line is parsed.
	// Otherwise the command checks the value.
	strict bool
}

// Choices returns a flag with the given values. They are computed when a shell or a
// manual page asks for them.
func Choices(f *cli.StringFlag, choices func() []Choice) *ChoiceFlag {
	return &ChoiceFlag{StringFlag: f, Choices: choices}
}

// Strict returns a flag with the given values, of which all others except the default are
// errors when the command line is parsed.
func Strict(f *cli.StringFlag, choices func() []Choice) *ChoiceFlag {
	return &ChoiceFlag{StringFlag: f, Choices: choices, strict: true}
}

// ListOf returns a flag that takes several of the given values, with commas between them.
func ListOf(f *cli.StringFlag, choices func() []Choice) *ChoiceFlag {
	return &ChoiceFlag{StringFlag: f, Choices: choices, List: true}
}

// ProofFormats returns the formats of proofs.
func ProofFormats() []Choice {
	return []Choice{{"drat", "clauses that are added and deleted"}, {"lrat", "the same with hints, for verified checkers"}}
}

// Names returns choices without help.
func Names(names ...string) []Choice {
	return Of(names, func(name string) Choice { return Choice{Name: name} })
}

// Of returns a value for each row of a table, such as its choice or its name.
func Of[T, U any](rows []T, value func(T) U) []U {
	values := make([]U, len(rows))
	for i, row := range rows {
		values[i] = value(row)
	}
	return values
}

// ChoiceHelp returns the names and descriptions of choices for help texts.
func ChoiceHelp(choices []Choice) string {
	return strings.Join(Of(choices, func(c Choice) string { return fmt.Sprintf("%s (%s)", c.Name, c.Help) }), ", ")
}

func choiceNames(choices []Choice) []string {
	return Of(choices, func(c Choice) string { return c.Name })
}

// check returns an error for an empty value, and for one that is not among the choices of a
// strict flag.
func (f *ChoiceFlag) check(value string) error {
	if value != "" && (!f.strict || value == f.Value) {
		return nil
	}
	if names := choiceNames(f.Choices()); !slices.Contains(names, value) {
		return InvalidName(f.Name, value, names)
	}
	return nil
}

// A SettingsFlag sets numbers by name, as in "--set phase=0". It may be repeated.
type SettingsFlag struct {
	*cli.StringSliceFlag
	Settings []Setting
}

// A Setting is a number of a [SettingsFlag].
type Setting struct {
	Name              string
	Default, Min, Max int
	Help              string
}

// choices returns the settings with their defaults and ranges.
func (f *SettingsFlag) choices() []Choice {
	return Of(f.Settings, func(s Setting) Choice {
		return Choice{fmt.Sprintf("%s=%d", s.Name, s.Default), fmt.Sprintf("%s (%d to %d)", s.Help, s.Min, s.Max)}
	})
}

// find returns the setting of a name, or nil.
func (f *SettingsFlag) find(name string) *Setting {
	for i := range f.Settings {
		if f.Settings[i].Name == name {
			return &f.Settings[i]
		}
	}
	return nil
}

// check returns an error for a value that is not the name of a setting and a number in its range.
func (f *SettingsFlag) check(value string) error {
	name, text, _ := strings.Cut(value, "=")
	s := f.find(name)
	if s == nil {
		err := Invalid(f.Name, value, "NAME=N, where %q lists the names", helpAll)
		err.Hint = suggest(name, Of(f.Settings, func(s Setting) Choice { return Choice{Name: s.Name} }))
		return err
	}
	if n, err := strconv.Atoi(text); err != nil || n < s.Min || n > s.Max {
		return Invalid(f.Name, value, "%d to %d for %s", s.Min, s.Max, name)
	}
	return nil
}

// SettingsOf returns the numbers that a [SettingsFlag] of this name sets.
func SettingsOf(c *Context, flag string) map[string]int {
	numbers := map[string]int{}
	for _, text := range c.StringSlice(flag) {
		name, value, _ := strings.Cut(text, "=")
		numbers[name], _ = strconv.Atoi(value) // check has accepted it
	}
	return numbers
}

// FormatFlag returns the flag -f, --format: the form of the output. Its default is value;
// without a default the command chooses the format, and the usage says how.
func FormatFlag(value, usage string, formats ...Choice) *ChoiceFlag {
	text := "write the output as `FORMAT`: " + strings.Join(choiceNames(formats), ", ")
	if usage != "" {
		text += " " + usage
	}
	f := &cli.StringFlag{Name: "format", Aliases: []string{"f"}, Category: OutputFlags, Value: value, Usage: text}
	return Strict(f, func() []Choice { return formats })
}

// TextOrJSON returns the flag --format of a command that prints text or JSON, or another
// format. The note, which may be empty, adds to the usage.
func TextOrJSON(note string, others ...Choice) *ChoiceFlag {
	return FormatFlag("text", note, slices.Concat(Names("text", "json"), others)...)
}

// JSONFlag returns the flag --json, short for "--format json".
func JSONFlag() *cli.BoolFlag {
	return &cli.BoolFlag{Name: "json", Category: OutputFlags, Usage: "short for --format json"}
}

// FormatOf returns the value of --format, or "json" with --json. Both together are an
// error unless they agree. Without both, the suffix of the output file selects the format, as
// in "--output graph.svg"; see names.go.
func FormatOf(c *Context) (string, error) {
	format := formatOrExtension(c)
	if c.Bool("json") {
		if c.IsSet("format") && format != "json" {
			return "", Exclusive("format", "json")
		}
		return "json", nil
	}
	return format, nil
}

// formatOrExtension returns the value of --format. If it is not given and the suffix of the
// output file stands for a format of the command, it returns this format.
func formatOrExtension(c *Context) string {
	if c.IsSet("format") || c.Bool("json") || c.String("output") == "-" {
		return c.String("format")
	}
	if f, ok := Find(c.Command.Flags, "format").(*ChoiceFlag); ok {
		return cmp.Or(FormatByName(c.String("output"), choiceNames(f.Choices())), c.String("format"))
	}
	return ""
}

// AsJSON reports whether --json or "--format json" is given, or the output is a file with
// the extension .json.
func AsJSON(c *Context) bool { return c.Bool("json") || formatOrExtension(c) == "json" }
