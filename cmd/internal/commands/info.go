package commands

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/count"
)

func infoCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:      "info",
		Category:  "Explore",
		Usage:     "print statistics of a formula without solving it",
		UsageText: "sator info [flags] [FILE|-]...",
		Description: `Prints statistics of a formula: variables, unused variables, pure literals,
clauses by size, Horn clauses (at most one positive literal), tautologies,
duplicate clauses, connected components (of variables that share clauses), a
bound of the tree width, which tells whether counting looks feasible, and the
time to read it. Several files are one conjunction; without FILE the formula is
read from standard input.

The binary part, the clauses of at most two literals, is solved as 2-SAT in
about linear time: it is unsatisfiable, or has a number of forced literals
(backbone) and of classes of equivalent literals. "sator twosat --binary-part"
prints these literals. The analysis stops after ten seconds.

--truth-table prints a line for each assignment instead, of up to six variables:
their values, and "model" or the first clause that is false.

Examples:
  sator info problem.cnf.xz
  sator info --json problem.cnf | jq .variables`,
		Flags: []cli.Flag{
			formula.RelaxedFlag(),
			cli.TextOrJSON(""), cli.JSONFlag(),
			&cli.BoolFlag{Name: "truth-table", Category: cli.OutputFlags, Usage: "print the truth table, of up to six variables"},
		},
		Action: cli.Action(func(c *cli.Context) error {
			if c.Bool("truth-table") && cli.AsJSON(c) {
				return cli.Exclusive("truth-table", "json")
			}
			return e.Run(c, cli.RunOptions{Inputs: cli.Operands(c)}, info)
		}),
	}
}

// info runs the command.
func info(r *cli.Run) error {
	files := cli.Operands(r.Flags)
	if r.Flags.Bool("truth-table") {
		in, err := formula.NewReader(r).CNF(r.Ctx, files...)
		if err != nil {
			return err
		}
		return printTruthTable(r.Stdout, in.Formula)
	}
	in, err := formula.NewReader(r).Formula(r.Ctx, files...)
	if err != nil {
		return err
	}
	if !r.Memory.HasRoom(formula.FeaturesFootprint(in.Formula)) {
		r.Progress.Doing("counting")
		return r.Memory.Stop()
	}
	d, err := cli.Await(r.Ctx, func() (*infoDocument, error) {
		d := &infoDocument{files, in.Took.Seconds(), len(in.Cubes), formula.FeaturesOf(in.Formula), nil, formula.ConsequencesOf(r.Ctx, in.Formula)}
		if width, found := count.Width(r.Ctx, in.Formula); found {
			d.Width = &width
		}
		return d, nil
	})
	if err != nil {
		return err
	}
	if r.JSON {
		return cli.WriteJSON(r.Stdout, d)
	}
	_, err = fmt.Fprint(r.Stdout, d.text(r.PageWidth()))
	return err
}

// An infoDocument is the output of info.
type infoDocument struct {
	Files []string `json:"files"`
	Read  float64  `json:"read_seconds"`
	Cubes int      `json:"cubes"`
	*formula.Features
	Width *int                  `json:"tree_width"`  // an upper bound; nil if there is none
	Short *formula.Consequences `json:"binary_part"` // nil if the analysis was stopped
}

// text returns the document as a text table of at most the given width, 0 for any. The
// histogram has at least 43 columns.
func (d *infoDocument) text(width int) string {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		line := fmt.Sprintf("%-22s "+format, append([]any{name}, args...)...)
		fmt.Fprintln(&b, cli.Hanging(line, 23, width))
	}
	const longestBar, beforeBar = 30, 42
	longest := longestBar
	if width > 0 {
		longest = min(longestBar, max(1, width-beforeBar))
	}
	row("file", "%s", strings.Join(cli.Of(d.Files, cli.Named), " "))
	row("read in", "%.3f s", d.Read)
	row("variables", "%d (%d unused, %d pure)", d.Variables, d.Unused, d.Pure)
	row("clauses", "%d (%s, %s)", d.Clauses, cli.Count(d.Units, "unit"), cli.Count(d.Binaries, "binary"))
	row("literals", "%d (%.2f a clause)", d.Literals, ratio(d.Literals, d.Clauses))
	row("clauses per variable", "%.3f", ratio(d.Clauses, d.Variables))
	row("Horn clauses", "%d (%.1f%%)", d.Horn, 100*ratio(d.Horn, d.Clauses))
	row("2-CNF", "%s", yes(d.Is2CNF))
	row("binary part", "%v", d.Short)
	row("tautologies", "%d", d.Tautologies)
	row("repeated literals", "in %s", cli.Count(d.Repeats, "clause"))
	row("duplicate clauses", "%d", d.Duplicates)
	row("components", "%d (the largest has %s)", d.Components, cli.Count(d.Largest, "variable"))
	switch {
	case d.Width == nil:
		row("tree width", "no bound was found")
	case *d.Width <= count.SmallWidth:
		row("tree width", "at most %d: sator count should take seconds", *d.Width)
	default:
		row("tree width", "at most %d: sator count may take long", *d.Width)
	}
	if d.Cubes > 0 {
		row("cubes", "%d", d.Cubes)
	}
	b.WriteString("clauses by size\n")
	for i, s := range d.Sizes {
		if i == histogramRows {
			fmt.Fprintf(&b, "%22s to %d in %s\n", "longer, up", d.Longest, cli.Count(rest(d.Sizes[i:]), "clause"))
			break
		}
		share := ratio(s.Clauses, d.Clauses)
		line := fmt.Sprintf("%21d: %10d %6.2f%% %s", s.Size, s.Clauses, 100*share, bar(share, longest))
		fmt.Fprintln(&b, strings.TrimRight(line, " "))
	}
	return b.String()
}

// histogramRows is the number of sizes in the histogram; --json prints all sizes.
const histogramRows = 20

func rest(sizes []formula.SizeCount) int {
	n := 0
	for _, s := range sizes {
		n += s.Clauses
	}
	return n
}

func ratio(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// bar draws a share of 1 as up to a number of hash marks.
func bar(share float64, most int) string {
	return strings.Repeat("#", int(float64(most)*share+0.5))
}

// mostTableVars is the most variables of a truth table, which has 2^n lines.
const mostTableVars = 6

// printTruthTable prints a line for each assignment, as in
//
//	1 2 3
//	0 0 1  clause 2 is false: 1 2
//	0 1 0  model
func printTruthTable(w io.Writer, f *dimacs.Formula) error {
	n := f.Vars()
	if n > mostTableVars {
		return fmt.Errorf("a truth table has up to %d variables, and the formula has %d", mostTableVars, n)
	}
	var b strings.Builder
	row := make([]string, n)
	line := func(end string) { fmt.Fprintln(&b, strings.TrimSpace(strings.Join(row, " ")+end)) }
	for v := range n {
		row[v] = strconv.Itoa(v + 1)
	}
	line("")
	models := 0
	m := make(dimacs.Model, n)
	for i := range 1 << n {
		for v := range n {
			bit := i >> (n - 1 - v) & 1
			m[v], row[v] = dimacs.Value(2*bit-1), strconv.Itoa(bit)
		}
		if c := m.Falsified(f); c < 0 {
			models++
			line("  model")
		} else {
			line(fmt.Sprintf("  clause %d is false: %s", c+1, cli.Spaced(f.Clause(c))))
		}
	}
	_, err := fmt.Fprintf(w, "%s%s, %s\n", &b, cli.Count(1<<n, "assignment"), cli.Count(models, "model"))
	return err
}
