package cli

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
	"github.com/xrash/smetrics"
)

// How a command line is read. The library beneath stops at the first operand
// and takes what follows for operands too, so that the flag in "sator solve
// FILE --time 5" would be a file. Hence the arguments are put in order before
// the library sees them:
//
//   - Flags stand anywhere, before and after operands and before the command's
//     name; "--" ends them, and what follows is operands, whatever its looks.
//   - "-" is an operand, standard input.
//   - A flag takes the argument after it as its value even if that begins
//     with "-", as in --assume -3. --name=value is the same, and -name too.
//   - One-letter switches may be joined: -qv.
//   - -h is the command help of the command that it stands with, and -V the
//     command version.
//   - The first operand is the command's name. If it names none, the command
//     is solve and the operand is its first file. But a plain word (letters,
//     digits and hyphens alone) that no file has for its name is taken for a
//     mistyped command, and is an error with a suggestion. A file that is
//     named like a command is written ./solve. Without a command's name there
//     must be a file.

// Arrange returns the arguments in the order in which the library wants them:
// the program, the commands, the flags, "--", the operands. Its errors are
// those of usage.
func (p *Program) Arrange(app *cli.App, args []string) ([]string, error) {
	if len(args) == 0 {
		return nil, p.noOperand()
	}

	// Until the command is known, flags are read as those of the default command,
	// whose flags may stand before its name or before its first file.
	usual := app.Command(p.Default)
	names := app.Commands
	var flags []cli.Flag
	if usual != nil {
		flags = usual.Flags
	}
	rest := args
	short := false // no command is named
	command := app.Command(args[0])
	if command == nil {
		first, at, err := firstOperand(flags, args)
		switch {
		case err != nil:
			return nil, err
		case at < 0 && asksHelp(args):
			return []string{app.Name, "help"}, nil
		case at < 0 && usual == nil:
			return nil, p.noOperand()
		case at < 0:
			command, short = usual, true
		case app.Command(first) != nil:
			command = app.Command(first)
			rest = append(append([]string{}, args[:at]...), args[at+1:]...)
		case p.Moved[first] != "":
			return nil, &movedError{p.Moved[first]}
		case usual == nil:
			return nil, unknown("command", "", first, names)
		case mistyped(first):
			return nil, unknown("command", " and no file", first, names)
		default:
			command = usual
		}
	} else {
		rest = args[1:]
	}

	out := []string{app.Name, command.Name}
	for len(command.Subcommands) > 0 && len(rest) > 0 && !asksHelp(rest[:1]) {
		if isFlag(rest[0]) {
			return nil, in(strings.Join(out[1:], " "), Usagef("its subcommand comes before the flag %s", rest[0]))
		}
		sub := command.Command(rest[0])
		if sub == nil {
			return nil, in(strings.Join(out[1:], " "), unknown("subcommand", "", rest[0], command.Subcommands))
		}
		command, rest = sub, rest[1:]
		out = append(out, command.Name)
	}
	ordered, operands, err := permute(command.Flags, rest)
	if err == nil && short && len(operands) == 0 {
		return nil, p.noOperand()
	}
	switch {
	case err == errVersion:
		return []string{app.Name, "version"}, nil
	case err == errHelp:
		return append([]string{app.Name, "help"}, out[1:]...), nil
	case err != nil:
		return nil, in(strings.Join(out[1:], " "), err)
	}
	out = append(out, ordered...)
	if len(operands) > 0 {
		out = append(append(out, "--"), operands...)
	}
	return out, nil
}

// noOperand is the error of a command line that names nothing to work on.
func (p *Program) noOperand() error {
	if p.Default == "" {
		return Usagef("no command")
	}
	return &UsageError{"no command and no file", fmt.Sprintf("%q reads standard input.", p.Name+" -")}
}

// firstOperand returns the first operand before a "--", which never names a
// command behind it, and its place, or -1 if there is none.
func firstOperand(flags []cli.Flag, args []string) (string, int, error) {
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		if !isFlag(args[i]) {
			return args[i], i, nil
		}
		_, used, err := readFlag(flags, args[i:])
		if err == errVersion {
			break
		} else if err == errHelp {
			used = 1
		} else if err != nil {
			return "", -1, err
		}
		i += used - 1
	}
	return "", -1, nil
}

// asksHelp reports whether the flags before any "--" contain -h or --help.
func asksHelp(args []string) bool {
	for _, a := range args {
		switch a {
		case "--":
			return false
		case "-h", "-help", "--help":
			return true
		}
	}
	return false
}

// mistyped reports whether an operand that names no command looks like one.
func mistyped(operand string) bool {
	for _, r := range operand {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-':
		default:
			return false
		}
	}
	_, err := os.Stat(operand)
	return operand != "-" && err != nil
}

// permute separates flags from operands. Flags come back in the form
// --name=value, which cannot be misread.
func permute(flags []cli.Flag, args []string) (ordered, operands []string, err error) {
	for len(args) > 0 {
		switch {
		case args[0] == "--":
			return ordered, append(operands, args[1:]...), nil
		case !isFlag(args[0]):
			operands = append(operands, args[0])
			args = args[1:]
		default:
			written, used, err := readFlag(flags, args)
			if err != nil {
				return nil, nil, err
			}
			ordered = append(ordered, written...)
			args = args[used:]
		}
	}
	return ordered, operands, nil
}

// isFlag reports whether an argument is a flag rather than an operand.
func isFlag(arg string) bool { return len(arg) > 1 && arg[0] == '-' }

// readFlag reads the flag with which args begin and returns it as the library
// wants it, with the number of arguments that it takes.
func readFlag(flags []cli.Flag, args []string) (written []string, used int, err error) {
	name, value, given := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(args[0], "-"), "-"), "=")
	switch f := Find(flags, name); {
	case name == "V" || name == "version":
		return nil, 1, errVersion
	case name == "h" || name == "help":
		return nil, 1, errHelp
	case f == nil && joined(flags, args[0]) && strings.Contains(args[0], "V"):
		return nil, 1, errVersion
	case f == nil && joined(flags, args[0]) && strings.Contains(args[0], "h"):
		return nil, 1, errHelp
	case f == nil && joined(flags, args[0]):
		return args[:1], 1, nil // the library splits them
	case f == nil:
		return nil, 0, unknownFlag(flags, args[0])
	case given:
		return []string{"--" + name + "=" + value}, 1, suits(f, value)
	case !TakesValue(f):
		return []string{"--" + name}, 1, nil
	case len(args) == 1:
		return nil, 0, Usagef("%s needs a value", args[0])
	default:
		return []string{"--" + name + "=" + args[1]}, 2, suits(f, args[1])
	}
}

// Find returns the flag of that name, or nil.
func Find(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		for _, n := range f.Names() {
			if n == name {
				return f
			}
		}
	}
	return nil
}

func TakesValue(f cli.Flag) bool {
	d, ok := f.(cli.DocGenerationFlag)
	return ok && d.TakesValue()
}

// joined reports whether arg is several one-letter switches in one.
func joined(flags []cli.Flag, arg string) bool {
	for _, r := range arg[1:] {
		if f := Find(flags, string(r)); (f == nil || TakesValue(f)) && r != 'V' && r != 'h' {
			return false
		}
	}
	return arg[1] != '-'
}

// unknown is the error of a name that is no command's, with the nearest one.
func unknown(what, more, name string, among []*cli.Command) error {
	err := Usagef("%q is no %s%s", name, what, more)
	err.Hint = suggest(name, commandNames(among))
	return err
}

// unknownFlag is the error of a flag that there is not, with the nearest one. A
// number is a literal that was to be assumed.
func unknownFlag(flags []cli.Flag, arg string) error {
	arg, _, _ = strings.Cut(arg, "=")
	err := Usagef("there is no flag %s", arg)
	if _, no := strconv.Atoi(arg); no == nil && Find(flags, "assume") != nil {
		err.Hint = `Quote several literals: --assume "-3 -2".`
		return err
	}
	err.Hint = suggest(strings.TrimLeft(arg, "-"), flagNames(flags))
	return err
}

// leastSimilarity is the similarity of Jaro and Winkler from which on a name is
// suggested. The library's own suggestions, by the same measure, have no threshold:
// any word gets one.
const leastSimilarity = 0.75

// suggest asks for the name that is most similar to a written one, regardless of
// case. It returns an empty string if no name is similar.
func suggest(written string, names []string) string {
	best, most := "", leastSimilarity
	for _, name := range names {
		if s := smetrics.JaroWinkler(strings.ToLower(written), strings.TrimLeft(name, "-"), 0.7, 4); s > most {
			best, most = name, s
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(cli.SuggestDidYouMeanTemplate, best)
}

// suits returns an error if a flag cannot have that value. The library finds
// that out too, but says it in the terms of Go.
func suits(f cli.Flag, value string) error {
	name := f.Names()[0]
	var (
		err  error
		kind string
	)
	switch f.(type) {
	case *cli.BoolFlag:
		if _, err = strconv.ParseBool(value); err != nil {
			return Invalid(name, value, "true or false")
		}
	case *cli.Uint64Flag:
		kind = "an integer from 0 to 18446744073709551615"
		_, err = strconv.ParseUint(value, 0, 64)
	case *cli.Int64Flag:
		kind = "an integer"
		_, err = strconv.ParseInt(value, 0, 64)
	case *cli.IntFlag:
		kind = "an integer"
		_, err = strconv.ParseInt(value, 0, strconv.IntSize)
	case *cli.Float64Flag:
		kind = "a number"
		_, err = strconv.ParseFloat(value, 64)
	}
	if errors.Is(err, strconv.ErrRange) {
		return Invalid(name, value, "%s in range", kind)
	} else if err != nil {
		return Invalid(name, value, "%s", kind)
	}
	return nil
}

// usageErrorOf is what the library calls when it cannot make sense of a flag's
// value. It names flags with one hyphen.
func usageErrorOf(c *cli.Context, err error, _ bool) error {
	return in(NameOf(c.Command), Usagef("%s", strings.Replace(err.Error(), " for flag -", " for flag --", 1)))
}
