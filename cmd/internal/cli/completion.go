package cli

import (
	"fmt"
	"io"
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
				return Usagef("name one shell: %s", OneOf(shells))
			}
			shell := c.Args().First()
			script, known := map[string]string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[strings.ToLower(shell)]
			if !known {
				return Usagef("unknown shell %q: want %s", shell, OneOf(shells))
			}
			_, err := io.WriteString(e.Stdout, strings.ReplaceAll(script, "PROGRAM", p.Name))
			return err
		}),
	}
}

const completionDescription = `Prints the script for a shell. Once the shell has read it, the Tab key completes
commands and subcommands, the flags of the command, the values of flags, and
files. zsh and fish show what each of them means.

Examples:
  source <(PROGRAM completion bash)
  PROGRAM completion zsh > "${fpath[1]}/_PROGRAM"
  PROGRAM completion fish > ~/.config/fish/completions/PROGRAM.fish`

// shells lists the supported shells.
var shells = []string{"bash", "zsh", "fish"}

// CompletionFlag is the flag that the scripts append to a command line to request
// its completions.
const CompletionFlag = "--generate-bash-completion"

// Directives make the shell complete files.
const (
	completeFiles = ":files" // followed by suffixes, if only some files fit
	completeDirs  = ":dirs"
)

// writeCandidates prints the possible completions of the last word, one per line, with a
// tab and a description if there is one. A line that begins with a colon is a directive.
// The completion of urfave/cli cannot replace writeCandidates: it reads os.Args, and
// supports neither a default command nor flags after operands.
func writeCandidates(w io.Writer, app *cli.App, usual string, words []string) error {
	begin := ""
	if n := len(words); n > 0 {
		words, begin = words[:n-1], words[n-1]
	}
	for _, c := range candidates(app, usual, words, begin) {
		if !strings.HasPrefix(c.Name, ":") && !strings.HasPrefix(c.Name, begin) {
			continue
		}
		line := c.Name
		if c.Help != "" {
			line += "\t" + c.Help
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// candidates returns the words that may stand in the place of begin.
func candidates(app *cli.App, usual string, words []string, begin string) []Choice {
	at := placeOf(app, usual, words)
	name, _, given := strings.Cut(begin, "=")
	switch {
	case at.flag != nil:
		return valuesOf(at.flag, "", begin)
	case at.ended:
		return Names(completeFiles)
	case given && isFlag(begin):
		if f := Find(at.flags, strings.TrimLeft(name, "-")); f != nil && TakesValue(f) {
			return valuesOf(f, name+"=", strings.TrimPrefix(begin, name+"="))
		}
		return nil
	case strings.HasPrefix(begin, "-"):
		return flagCandidates(at.flags)
	case len(at.names) == 1 && at.names[0] == "completion" && at.operands == 0:
		return Names(shells...)
	case len(at.command.Subcommands) > 0:
		found := Of(at.command.Subcommands, entryOf)
		if len(at.names) == 0 && usual != "" && begin != "" {
			found = append(found, Choice{completeFiles, ""})
		}
		return found
	case len(at.names) > 0 && at.names[0] == "completion":
		return nil
	}
	return Names(completeFiles)
}

// A place is where the last word of a command line stands.
type place struct {
	names    []string     // commands before it
	flags    []cli.Flag   // of the command
	command  *cli.Command // whose subcommands may follow
	operands int          // operands before it, without the names
	flag     cli.Flag     // the flag before its value, or nil
	ended    bool         // "--" stands before it
}

// placeOf reads the words before the last one.
func placeOf(app *cli.App, usual string, words []string) place {
	at := place{command: root(app)}
	if c := app.Command(usual); c != nil {
		at.flags = c.Flags
	}
	help := false // the names are operands of the command help
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch name, _, given := strings.Cut(word, "="); {
		case word == "--":
			at.ended = true
			return at
		case isFlag(word):
			f := Find(at.flags, strings.TrimLeft(name, "-"))
			if f == nil || given || !TakesValue(f) {
				continue
			}
			if i+1 < len(words) && words[i+1] == "=" { // bash separates the words at =
				i++
			}
			if i+1 == len(words) {
				at.flag = f
				return at
			}
			i++
		default:
			c := at.command.Command(word)
			if c == nil {
				at.command = new(cli.Command)
				at.operands++
				continue
			}
			at.names = append(at.names, word)
			at.command = c
			if !help {
				at.flags = c.Flags
			}
			if len(at.names) == 1 && (word == "help" || word == "man") {
				help, at.command = true, root(app)
			}
		}
	}
	return at
}

// valuesOf returns the values of a flag, with a prefix. The value begins with begin, which
// matters for lists.
func valuesOf(f cli.Flag, prefix, begin string) []Choice {
	var choices []Choice
	switch f := f.(type) {
	case *ChoiceFlag:
		choices = f.Choices()
		if i := strings.LastIndexByte(begin, ','); f.List && i >= 0 {
			prefix += begin[:i+1]
		}
	case *SettingsFlag:
		choices = f.choices()
	}
	if choices != nil {
		return Of(choices, func(c Choice) Choice { return Choice{prefix + c.Name, c.Help} })
	}
	switch _, value, _ := usageOf(f); value {
	case "FILE":
		return Names(strings.Join(append([]string{completeFiles}, fileSuffixes(f)...), " "))
	case "DIR":
		return Names(completeDirs)
	}
	return nil
}

// flagCandidates returns the flags with their hyphens and their usage texts.
func flagCandidates(flags []cli.Flag) []Choice {
	var found []Choice
	for _, f := range flags {
		for _, name := range hyphened(f) {
			found = append(found, Choice{name, briefUsage(f, 1)})
		}
	}
	return found
}

// hyphened returns the names of a flag with their hyphens.
func hyphened(f cli.Flag) []string {
	return Of(f.Names(), func(name string) string {
		if len(name) == 1 {
			return "-" + name
		}
		return "--" + name
	})
}

// The scripts run the program with --generate-bash-completion at the end of the
// command line. They do not evaluate the words, so a half-written line has no
// effect.
const (
	bashCompletion = `_PROGRAM() {
    local cur=${COMP_WORDS[COMP_CWORD]} line found suffix file
    local words=("${COMP_WORDS[@]:0:COMP_CWORD}")
    if [[ $cur == "=" ]]; then
        words+=("=")
        cur=
    fi
    COMPREPLY=()
    while IFS= read -r line; do
        line=${line%%$'\t'*}
        case $line in
        :files*)
            found=
            for suffix in ${line#:files}; do
                found=yes
                while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -X "!*$suffix" -- "$cur")
            done
            if [[ -n $found ]]; then
                while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -d -- "$cur")
            else
                while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$cur")
            fi
            compopt -o filenames 2>/dev/null
            ;;
        :dirs)
            while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -d -- "$cur")
            compopt -o filenames 2>/dev/null
            ;;
        "") ;;
        *) COMPREPLY+=("$line") ;;
        esac
    done < <("${words[@]}" "$cur" --generate-bash-completion 2>/dev/null)
}
complete -F _PROGRAM PROGRAM
`
	zshCompletion = `#compdef PROGRAM

_PROGRAM() {
    local -a line found described
    local row word
    line=("${(@)words[1,CURRENT]}")
    for row in "${(@f)$("${line[@]}" --generate-bash-completion 2>/dev/null)}"; do
        word=${row%%$'\t'*}
        case $row in
        ":files "*) _files -g "*(${(j:|:)${(z)row#:files }})" ;;
        :files) _files ;;
        :dirs) _files -/ ;;
        *$'\t'*) described+=("${word//:/\\:}:${row#*$'\t'}") ;;
        ?*) described+=("${word//:/\\:}") ;;
        esac
    done
    (( ! ${#described} )) || _describe -V PROGRAM described
}

if [[ ${funcstack[1]} == _PROGRAM ]]; then
    _PROGRAM "$@"
else
    compdef _PROGRAM PROGRAM
fi
`
	fishCompletion = `function __complete_PROGRAM
    set -l line (commandline -opc)
    set -l cur (commandline -ct)
    for row in ($line "$cur" --generate-bash-completion 2>/dev/null)
        switch $row
            case ':files *'
                for suffix in (string split ' ' (string replace ':files ' '' -- $row))
                    __fish_complete_suffix $suffix
                end
            case ':files'
                __fish_complete_path "$cur"
            case ':dirs'
                __fish_complete_directories "$cur"
            case '*'
                echo $row
        end
    end
end
complete -c PROGRAM -f -k -a '(__complete_PROGRAM)'
`
)
