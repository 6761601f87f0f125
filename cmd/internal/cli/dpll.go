package cli

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"sator/dpll/classic"
)

// ClassicFlags returns the flags of the engine dpll.
func ClassicFlags() []cli.Flag {
	o := classic.DefaultOptions()
	return append(BranchingFlags(),
		Choices(&cli.StringFlag{Name: "pure", Category: DpllOptions, Value: o.Pure.String(), Usage: "assign pure literals `WHEN`: " + strings.Join(classic.PureNames(), ", ")}, func() []Choice { return Names(classic.PureNames()...) }))
}

// BranchingFlags returns the flags for the decisions of the engine dpll.
func BranchingFlags() []cli.Flag {
	help := Of(classic.Heuristics, func(h classic.Heuristic) string { return fmt.Sprintf("%s (%s)", h.Name, h.Help) })
	return []cli.Flag{
		Choices(&cli.StringFlag{Name: "heuristic", Category: DpllOptions, Value: classic.DefaultOptions().Heuristic, Usage: "decide by the heuristic `NAME`: " + strings.Join(help, "; ")}, HeuristicChoices),
		&cli.IntFlag{Name: "mom-k", Category: DpllOptions, Value: classic.DefaultOptions().MomK, DefaultText: "1, 0 to 30", Usage: "`K` of the heuristic mom: the weight of sums against products"},
	}
}

// HeuristicChoices returns the heuristics of the engine dpll.
func HeuristicChoices() []Choice {
	return Of(classic.Heuristics, func(h classic.Heuristic) Choice { return Choice{h.Name, h.Help} })
}

// ClassicOptionsOf reads the flags of the engine dpll, as far as the command has them.
func ClassicOptionsOf(c *cli.Context) (o classic.Options, err error) {
	o = classic.DefaultOptions()
	o.Seed = c.Uint64("seed")
	o.Heuristic, o.MomK = c.String("heuristic"), c.Int("mom-k")
	h, ok := classic.FindHeuristic(o.Heuristic)
	if !ok {
		return o, InvalidName("heuristic", o.Heuristic, choiceNames(HeuristicChoices()))
	}
	if o.Heuristic = h.Name; c.IsSet("pure") {
		if o.Pure, err = classic.ParsePure(c.String("pure")); err != nil {
			return o, InvalidName("pure", c.String("pure"), classic.PureNames())
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
