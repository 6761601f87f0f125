package formula

import (
	"sator/cmd/internal/cli"
	"sator/dimacs"
	"strconv"
	"strings"
)

// RelaxedFlag is the flag of all commands that read formulas.
func RelaxedFlag() cli.Flag {
	return &cli.BoolFlag{Name: "relaxed", Category: cli.InputFlags, Usage: "accept wrong or missing headers and a missing last 0, with warnings"}
}

// AssumeFlag is the flag of all commands that take assumptions.
func AssumeFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "assume", Category: cli.InputFlags, Usage: "assume that `LITERALS` are true, as in \"1 -2\""}
}

// Literals reads assumptions.
func Literals(lists []string) ([]dimacs.Lit, error) { return LiteralsOf("assume", lists) }

// LiteralsOf reads the literals of a flag: DIMACS integers between blanks or
// commas.
func LiteralsOf(flag string, lists []string) ([]dimacs.Lit, error) {
	var ls []dimacs.Lit
	for _, word := range strings.FieldsFunc(strings.Join(lists, " "), func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		n, err := strconv.Atoi(word)
		if err != nil || n == 0 || n > dimacs.MaxVars || n < -dimacs.MaxVars {
			return nil, cli.Invalid(flag, word, "literals such as \"1 -2\"")
		}
		ls = append(ls, dimacs.FromInt(n))
	}
	return ls, nil
}
