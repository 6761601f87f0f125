package main

import (
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

func completionCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a script that makes a shell complete commands and flags",
		UsageText: "sator completion bash|zsh|fish",
		Description: `Prints the script for a shell. Commands, flags and files are completed with the
Tab key once the shell has read it.

Examples:
  source <(sator completion bash)
  sator completion zsh > "${fpath[1]}/_sator"
  sator completion fish > ~/.config/fish/completions/sator.fish`,
		Action: action(func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usagef("name one shell: bash, zsh or fish")
			}
			return writeCompletion(e, c.App, c.Args().First())
		}),
	}
}

// The scripts ask the program itself: it completes a command line that ends
// with --generate-bash-completion. The words are not evaluated again, so that a
// half-written line does nothing.
const (
	bashCompletion = `_sator() {
    local cur=${COMP_WORDS[COMP_CWORD]}
    local line=("${COMP_WORDS[@]:0:COMP_CWORD}")
    [[ $cur == -* ]] && line+=("$cur")
    COMPREPLY=($(compgen -W "$("${line[@]}" --generate-bash-completion 2>/dev/null)" -- "$cur"))
}
complete -o bashdefault -o default -F _sator sator
`
	zshCompletion = `#compdef sator

_sator() {
    local -a line found
    line=("${(@)words[1,CURRENT-1]}")
    [[ ${words[CURRENT]} == -* ]] && line+=("${words[CURRENT]}")
    found=("${(@f)$("${line[@]}" --generate-bash-completion 2>/dev/null)}")
    compadd -- "${(@)found:#}"
    _files
}

if [[ ${funcstack[1]} == _sator ]]; then
    _sator "$@"
else
    compdef _sator sator
fi
`
)

func writeCompletion(e *env, app *cli.App, shell string) error {
	script, err := "", error(nil)
	switch strings.ToLower(shell) {
	case "bash":
		script = bashCompletion
	case "zsh":
		script = zshCompletion
	case "fish":
		script, err = app.ToFishCompletion()
	default:
		err = usagef("there is no completion for %q; there is bash, zsh, fish", shell)
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(e.stdout, script)
	return err
}
