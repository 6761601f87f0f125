package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

func (p *Program) completionCommand(e *Env) *cli.Command {
	return &cli.Command{
		Name:        "completion",
		Usage:       "print a script that makes a shell complete commands and flags",
		UsageText:   p.Name + " completion bash|zsh|fish",
		Description: strings.ReplaceAll(completionDescription, "PROGRAM", p.Name),
		Action: Action(func(c *cli.Context) error {
			if c.NArg() != 1 {
				return Usagef("name one shell: bash, zsh or fish")
			}
			return writeCompletion(e, c.App, c.Args().First())
		}),
	}
}

const completionDescription = `Prints the script for a shell. Once the shell has read it, the Tab key completes
commands and subcommands, the operands of help and completion, the names of
flags, and files.

Examples:
  source <(PROGRAM completion bash)
  PROGRAM completion zsh > "${fpath[1]}/_PROGRAM"
  PROGRAM completion fish > ~/.config/fish/completions/PROGRAM.fish`

// shells lists the supported shells.
var shells = []string{"bash", "zsh", "fish"}

// CompletionFlag is the flag that the scripts append to a command line to request
// its completions.
const CompletionFlag = "--generate-bash-completion"

// writeCandidates prints the possible completions of the last word, one per
// line: flags if the word begins with "-", and otherwise commands, subcommands
// or shells. After "--" only files are possible, which the shell completes. The
// completion of urfave/cli cannot replace writeCandidates: it reads os.Args,
// and supports neither a default command nor flags after operands.
func writeCandidates(w io.Writer, app *cli.App, usual string, words []string) error {
	begin := ""
	if n := len(words); n > 0 {
		words, begin = words[:n-1], words[n-1]
	}
	if slices.Contains(words, "--") {
		return nil
	}
	words = slices.DeleteFunc(slices.Clone(words), isFlag)
	found := nextWords(app, words)
	if strings.HasPrefix(begin, "-") {
		found = flagNames(flagsOf(app, usual, words))
	}
	for _, f := range found {
		if !strings.HasPrefix(f, begin) {
			continue
		}
		if _, err := fmt.Fprintln(w, f); err != nil {
			return err
		}
	}
	return nil
}

// flagsOf returns the flags of the command that the words name, and of the
// default command if the words name no command.
func flagsOf(app *cli.App, usual string, words []string) []cli.Flag {
	command := app.Command(usual)
	if len(words) > 0 {
		if c := app.Command(words[0]); c != nil {
			command = c
		}
	}
	if command == nil {
		return nil
	}
	if len(words) > 1 {
		if sub := command.Command(words[1]); sub != nil {
			command = sub
		}
	}
	return command.Flags
}

// flagNames returns the names of flags with their hyphens.
func flagNames(flags []cli.Flag) []string {
	var names []string
	for _, f := range flags {
		for _, n := range f.Names() {
			if len(n) == 1 {
				n = "-" + n
			} else {
				n = "--" + n
			}
			names = append(names, n)
		}
	}
	return names
}

// nextWords returns the words that may follow: commands, subcommands and names of
// shells.
func nextWords(app *cli.App, words []string) []string {
	among := app.Commands
	if len(words) > 0 && words[0] == "help" {
		words = words[1:]
	} else if len(words) == 1 && words[0] == "completion" {
		return shells
	}
	for _, word := range words {
		var next []*cli.Command
		for _, c := range among {
			if c.HasName(word) {
				next = c.Subcommands
			}
		}
		among = next
	}
	return commandNames(among)
}

func commandNames(commands []*cli.Command) []string {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name)
	}
	return names
}

// The scripts run the program with --generate-bash-completion at the end of the
// command line. They do not evaluate the words, so a half-written line has no
// effect.
const (
	bashCompletion = `_PROGRAM() {
    local cur=${COMP_WORDS[COMP_CWORD]}
    local line=("${COMP_WORDS[@]:0:COMP_CWORD}")
    COMPREPLY=($(compgen -W "$("${line[@]}" "$cur" --generate-bash-completion 2>/dev/null)" -- "$cur"))
}
complete -o bashdefault -o default -F _PROGRAM PROGRAM
`
	zshCompletion = `#compdef PROGRAM

_PROGRAM() {
    local -a line found
    line=("${(@)words[1,CURRENT]}")
    found=("${(@f)$("${line[@]}" --generate-bash-completion 2>/dev/null)}")
    compadd -- "${(@)found:#}"
    _files
}

if [[ ${funcstack[1]} == _PROGRAM ]]; then
    _PROGRAM "$@"
else
    compdef _PROGRAM PROGRAM
fi
`
)

func writeCompletion(e *Env, app *cli.App, shell string) error {
	script, err := "", error(nil)
	switch strings.ToLower(shell) {
	case "bash":
		script = strings.ReplaceAll(bashCompletion, "PROGRAM", app.Name)
	case "zsh":
		script = strings.ReplaceAll(zshCompletion, "PROGRAM", app.Name)
	case "fish":
		script, err = app.ToFishCompletion()
		script += fishMore(app)
	default:
		err = Usagef("unknown shell %q: want %s", shell, OneOf(shells))
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(e.Stdout, script)
	return err
}

// fishMore returns the completions of operands that are not files. The script of
// urfave/cli has all commands and flags, but no operands.
func fishMore(app *cli.App) string {
	const line = "complete -c %s -n '__fish_seen_subcommand_from %s' -f -a '%s'\n"
	return fmt.Sprintf(line, app.Name, "completion", strings.Join(shells, " ")) +
		fmt.Sprintf(line, app.Name, "help", strings.Join(commandNames(app.Commands), " "))
}
