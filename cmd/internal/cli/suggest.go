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

// Suggestions for unknown commands and flags, from the most to the least certain:
//
//   - a command of another program: [otherProgram];
//   - a word for something that the program does under another name: "verify" for check,
//     "solve --core" for mus. Each program lists such words in Synonyms, and flagSynonyms
//     lists those that are the same for all commands;
//   - a subcommand without its command: "hint" for "sudoku hint";
//   - a file in place of a subcommand: "sudoku FILE" for "sudoku solve FILE";
//   - a flag joined with its value, or a format in place of --format: -j4, --svg;
//   - the most similar name, for a mistyped one.
//
// A suggestion is never executed.

// commandsOf lists the commands of each program except those of all programs. The
// programs do not import each other; tests compare this table with them.
var commandsOf = []struct {
	program  string
	commands []string
}{
	{"sator", []string{"solve", "cube", "conquer", "enumerate", "count", "maxsat", "check", "mus", "backbone", "simplify", "extend", "convert", "info", "twosat", "trace", "generate", "sudoku"}},
	{"sator-lab", []string{"bench", "study", "pauses", "phases", "fuzz", "mutants", "replay", "report", "watch"}},
	{"sator-grid", []string{"serve", "work", "check", "status", "users", "simulate"}},
}

// CommandsOf returns the commands of a program, in their order.
func CommandsOf(program string) []string {
	for _, p := range commandsOf {
		if p.program == program {
			return p.commands
		}
	}
	return nil
}

// otherProgram returns the error of a command that belongs to another program, or nil.
func (p *Program) otherProgram(name string) error {
	for _, other := range commandsOf {
		for _, command := range other.commands {
			if other.program != p.Name && command == name {
				return &movedError{fmt.Sprintf("%q is a command of %s: %s %s", name, other.program, other.program, name)}
			}
		}
	}
	return nil
}

// unknownCommand returns the error of an unknown command, with a suggestion. The
// words before it are the commands, without the program; more extends the message.
func (p *Program) unknownCommand(app *cli.App, before []string, name, more string, among []*cli.Command) error {
	what := "command"
	if len(before) > 0 {
		what = "subcommand"
	}
	err := Usagef("%q is no %s%s", name, what, more)
	words := strings.Join(append(before[:len(before):len(before)], name), " ")
	switch meant := p.Synonyms[strings.ToLower(words)]; {
	case meant != "":
		err.Hint = didYouMean(p.Name + " " + meant)
	case len(before) > 0 && p.isFileFor(app, before, name):
		err.Hint = didYouMean(strings.Join([]string{p.Name, strings.Join(before, " "), p.Default, name}, " "))
	case len(before) == 0 && parentOf(app, name) != "":
		err.Hint = didYouMean(fmt.Sprintf("%s %s %s", p.Name, parentOf(app, name), name))
	default:
		err.Hint = suggest(name, Of(among, entryOf))
	}
	return err
}

// isFileFor reports whether name is a file, and the command before it has the
// default command of the program as a subcommand.
func (p *Program) isFileFor(app *cli.App, before []string, name string) bool {
	command, err := lookUp(app, before)
	if err != nil || p.Default == "" || command.Command(p.Default) == nil {
		return false
	}
	_, err = os.Stat(name)
	return err == nil
}

// parentOf returns the first command with a subcommand of the given name, or an empty
// string.
func parentOf(app *cli.App, name string) string {
	for _, c := range app.Commands {
		if c.Command(name) != nil {
			return c.Name
		}
	}
	return ""
}

// instead adds the suggestion of another command to the error of an unknown flag, or of
// an unknown value of a flag, of the given command.
func (p *Program) instead(command string, err error) error {
	var usage *UsageError
	if errors.As(err, &usage) && usage.subject != "" {
		if meant := p.Synonyms[command+" "+usage.subject]; meant != "" {
			usage.Hint = didYouMean(p.Name + " " + meant)
		}
	}
	return err
}

// flagSynonyms maps the names that other programs have for flags to names here, some with a
// value. A command has at most some of them; the first that it has is suggested.
var flagSynonyms = map[string][]string{
	"a": {"assume"}, "assumptions": {"assume"},
	"clauses": {"ratio"},
	"j":       {"jobs", "threads"}, "jobs": {"threads"}, "threads": {"jobs"}, "parallel": {"jobs", "threads"},
	"cores": {"jobs", "threads"}, "workers": {"jobs", "threads"}, "p": {"jobs", "threads"},
	"mem": {"memory"}, "mem-lim": {"memory"}, "m": {"memory"},
	"model": {"no-model"}, "models": {"limit", "no-model"}, "max-models": {"limit"},
	"n": {"limit", "vars"}, "max": {"limit"}, "variables": {"vars"}, "nvars": {"vars"}, "size": {"vars", "variant '16 boxes'"},
	"r": {"seed"}, "random-seed": {"seed"}, "rnd-seed": {"seed"}, "s": {"seed"},
	"t": {"time", "timeout"}, "time-limit": {"time", "timeout"}, "cpu-lim": {"time"}, "cpu-limit": {"time"},
	"timeout": {"time"},
	"drat":    {"proof"}, "certificate": {"proof"}, "certify": {"proof"}, "lrat": {"proof-format"},
	"silent": {"quiet"}, "debug": {"verbose"}, "verbosity": {"verbose"},
	"cpuprofile": {"profile"},
	"x":          {"variant x"}, "diagonal": {"variant x"}, "hyper": {"variant hyper"}, "anti-knight": {"variant anti-knight"},
	"latin": {"variant latin"}, "boxes": {"variant 'boxes 2x3'"}, "regions": {"variant 'regions 1,1,2,...'"},
}

// unknownFlag returns the error of an unknown flag, with a suggestion. An unknown flag
// that is a number is a literal of an unquoted --assume.
func unknownFlag(flags []cli.Flag, arg string) error {
	arg, _, _ = strings.Cut(arg, "=")
	name := strings.TrimLeft(arg, "-")
	err := Usagef("unknown flag %s", arg)
	err.subject = "--" + name
	format, _ := Find(flags, "format").(*ChoiceFlag)
	if _, no := strconv.Atoi(arg); no == nil && Find(flags, "assume") != nil {
		err.Hint = `Quote several literals: --assume "-3 -2".`
	} else if separate := joinedValue(flags, arg); separate != "" {
		err.Hint = didYouMean(separate)
	} else if format != nil && format.check(name) == nil {
		err.Hint = didYouMean("--format " + name)
	} else if setting := settingOf(flags, name); setting != "" {
		err.Hint = didYouMean(setting)
	} else if meant := synonymOf(flags, name); meant != "" {
		err.Hint = didYouMean("--" + meant)
	} else {
		err.Hint = suggest(name, flagCandidates(flags))
	}
	return err
}

// settingOf returns the flag that sets the number of this name, or an empty string.
func settingOf(flags []cli.Flag, name string) string {
	for _, f := range flags {
		if s, is := f.(*SettingsFlag); is && s.find(name) != nil {
			return fmt.Sprintf("--%s %s=N", s.Name, name)
		}
	}
	return ""
}

// synonymOf returns the first of the flagSynonyms of a name among the flags, or an empty string.
func synonymOf(flags []cli.Flag, name string) string {
	for _, meant := range flagSynonyms[strings.ToLower(name)] {
		if flag, _, _ := strings.Cut(meant, " "); Find(flags, flag) != nil {
			return meant
		}
	}
	return ""
}

// joinedValue returns a one-letter flag that is joined with its value, such as -j4 or -fsvg,
// with a blank between them, or an empty string. Only integers and choices are
// recognized as values: any word can be the name of a file.
func joinedValue(flags []cli.Flag, arg string) string {
	if len(arg) < 3 || strings.HasPrefix(arg, "--") {
		return ""
	}
	letter, value := arg[1:2], arg[2:]
	_, no := strconv.Atoi(value)
	f := Find(flags, letter)
	if meant := synonymOf(flags, letter); f == nil && no == nil && meant != "" {
		return fmt.Sprintf("--%s %s", meant, value)
	}
	choice, isChoice := f.(*ChoiceFlag)
	if isChoice && choice.check(value) == nil || !isChoice && f != nil && TakesValue(f) && no == nil {
		return fmt.Sprintf("-%s %s", letter, value)
	}
	return ""
}

// leastSimilarity is the least Jaro-Winkler similarity of a suggested name. The
// suggestions of urfave/cli use the same measure without a threshold and
// therefore suggest a name for any word.
const leastSimilarity = 0.75

// suggest returns a question for the name most similar to a written one,
// regardless of case, or an empty string if no name is similar.
func suggest(written string, among []Choice) string {
	best, most := "", leastSimilarity
	for _, c := range among {
		if s := smetrics.JaroWinkler(strings.ToLower(written), strings.TrimLeft(c.Name, "-"), 0.7, 4); s > most {
			best, most = c.Name, s
		}
	}
	if best == "" {
		return ""
	}
	return didYouMean(best)
}

func didYouMean(name string) string { return fmt.Sprintf(cli.SuggestDidYouMeanTemplate, name) }
