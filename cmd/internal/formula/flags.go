package formula

import (
	"sator/cmd/internal/cli"
	"sator/dimacs"
	"strconv"
	"strings"
)

// RelaxedFlag returns the flag --relaxed.
func RelaxedFlag() cli.Flag {
	return &cli.BoolFlag{Name: "relaxed", Category: cli.InputFlags, Usage: "accept wrong or missing headers with warnings; and a missing last 0"}
}

// AssumeFlag returns the flag --assume.
func AssumeFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "assume", Category: cli.InputFlags, Usage: "assume that `LITERALS` are true, as in \"1 -2\""}
}

// Literals reads the values of --assume.
func Literals(lists []string) ([]dimacs.Lit, error) { return LiteralsOf("assume", lists) }

// LiteralsOf reads literals of a flag: DIMACS integers separated by spaces or
// commas.
func LiteralsOf(flag string, lists []string) ([]dimacs.Lit, error) {
	var ls []dimacs.Lit
	for _, word := range words(lists) {
		n, err := strconv.Atoi(word)
		if err != nil || n == 0 || n > dimacs.MaxVars || n < -dimacs.MaxVars {
			return nil, cli.Invalid(flag, word, "literals such as \"1 -2\"")
		}
		ls = append(ls, dimacs.FromInt(n))
	}
	return ls, nil
}

// words splits the values of a flag at blanks and commas.
func words(lists []string) []string {
	return strings.FieldsFunc(strings.Join(lists, " "), func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
}
