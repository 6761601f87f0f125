package cli

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"sator/dpll"
)

// ClassicFlags are those of all commands that use the classic engine.
func ClassicFlags() []cli.Flag {
	o := dpll.DefaultOptions()
	return append(BranchingFlags(),
		&cli.StringFlag{Name: "pure", Category: DpllOptions, Value: o.Pure.String(), Usage: "assign pure literals `WHERE`: " + strings.Join(dpll.PureNames(), ", ")})
}

// BranchingFlags say how the classic engine decides.
func BranchingFlags() []cli.Flag {
	o := dpll.DefaultOptions()
	return []cli.Flag{
		&cli.StringFlag{Name: "heuristic", Category: DpllOptions, Value: o.Heuristic, Usage: "`NAME` of the rule for decisions: " + heuristicHelp()},
		&cli.IntFlag{Name: "mom-k", Category: DpllOptions, Value: o.MomK, DefaultText: "1, 0 to 30", Usage: "`K` of the heuristic mom: its weight of sums against products"},
	}
}

// heuristicHelp lists the heuristics for a help text.
func heuristicHelp() string {
	var list []string
	for _, h := range dpll.Heuristics {
		list = append(list, fmt.Sprintf("%s (%s)", strings.Join(append([]string{h.Name}, h.Aliases...), " or "), h.Help))
	}
	return strings.Join(list, "; ")
}

func heuristicNames() []string {
	var names []string
	for _, h := range dpll.Heuristics {
		names = append(names, h.Name)
	}
	return names
}

// ClassicOptionsOf reads the flags of the classic engine, as far as a command
// has them.
func ClassicOptionsOf(c *cli.Context) (o dpll.Options, err error) {
	o = dpll.DefaultOptions()
	o.Seed = c.Uint64("seed")
	o.Heuristic, o.MomK = c.String("heuristic"), c.Int("mom-k")
	h, ok := dpll.FindHeuristic(o.Heuristic)
	if !ok {
		return o, InvalidName("heuristic", o.Heuristic, heuristicNames())
	}
	if o.Heuristic = h.Name; c.IsSet("pure") {
		if o.Pure, err = dpll.ParsePure(c.String("pure")); err != nil {
			return o, InvalidName("pure", c.String("pure"), dpll.PureNames())
		}
	}
	if c.IsSet("mom-k") && o.Heuristic != "mom" {
		return o, Useless("mom-k", "heuristic mom")
	}
	if err := o.Check(); err != nil {
		return o, Invalid("mom-k", o.MomK, "0 to 30")
	}
	return o, nil
}
