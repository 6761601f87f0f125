package commands

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/internal/families"
)

// Transformations of formulas in convert: substitution of gadgets, then shuffling. For a
// solution, the same flags map the model back.

// transformFlags returns the flags of transformations.
func transformFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "substitute", Category: cli.ParamFlags, Usage: "replace each variable by `GADGET[:N]` of new ones: " + gadgetHelp()},
		&cli.BoolFlag{Name: "shuffle", Category: cli.ParamFlags, Usage: "rename, complement and reorder at random; variables, and the order of clauses and literals"},
		cli.SeedFlag(cli.ParamFlags),
	}
}

func gadgetHelp() string {
	return strings.Join(cli.Of(families.Gadgets, func(g *families.Gadget) string {
		return fmt.Sprintf("%s (%s; N is %d without :N)", g.Name, g.Help, g.Default)
	}), ", ")
}

// A transformation is the value of the flags.
type transformation struct {
	gadget  *families.Gadget // nil for none
	n       int              // number of arguments of gadget
	shuffle bool
	seed    uint64
}

// transformationOf reads the flags.
func transformationOf(c *cli.Context) (x transformation, err error) {
	x.shuffle, x.seed = c.Bool("shuffle"), c.Uint64("seed")
	if c.IsSet("seed") && !x.shuffle {
		return x, cli.Useless("seed", "shuffle")
	}
	if !c.IsSet("substitute") {
		return x, nil
	}
	name, number, given := strings.Cut(c.String("substitute"), ":")
	g, ok := families.FindGadget(name)
	if !ok {
		return x, cli.InvalidName("substitute", name, cli.Of(families.Gadgets, func(g *families.Gadget) string { return g.Name }))
	}
	x.gadget, x.n = g, g.Default
	if given {
		if x.n, err = strconv.Atoi(number); err != nil {
			return x, cli.Invalid("substitute", c.String("substitute"), "a number of variables after the colon, as in xor:2")
		}
	}
	if err := g.Check(x.n); err != nil {
		return x, cli.Usagef("invalid value %q for --substitute: %v", c.String("substitute"), err)
	}
	return x, nil
}

// given reports whether there is a transformation.
func (x *transformation) given() bool { return x.gadget != nil || x.shuffle }

// apply transforms the formula of an input and the lines about counting, and replaces its
// comments, which are about the variables of before.
func (x *transformation) apply(in *formula.Input, r *cli.Run) error {
	if len(in.Cubes) > 0 {
		return errors.New("a script of cubes cannot be transformed")
	}
	in.Comments = nil
	if in.Names != nil && x.gadget != nil {
		r.Say("warning: the names of variables are omitted; --substitute replaces the variables")
		in.Names = nil
	}
	f := in.Formula
	if g := x.gadget; g != nil {
		var err error
		if f, err = g.Substitute(f, x.n); err != nil {
			return fmt.Errorf("--substitute: %w", err)
		}
		if len(in.Counting.Comments()) > 0 {
			r.Say("warning: the lines about counting are omitted; --substitute changes the number of models")
			*in.Counting = dimacs.Counting{}
		}
		in.Comments = append(in.Comments, fmt.Sprintf("each variable is the %s: N is %d", g.Help, x.n))
	}
	if x.shuffle {
		shuffling := families.NewShuffling(f.Vars(), x.seed)
		f = shuffling.Formula(f)
		for i, v := range in.Counting.Project {
			in.Counting.Project[i] = shuffling.Lit(v.Lit()).Var()
		}
		if in.Names != nil {
			in.Names = in.Names.Renamed(func(v dimacs.Var) dimacs.Var { return shuffling.Lit(v.Lit()).Var() })
		}
		for i, w := range in.Counting.Weights {
			in.Counting.Weights[i].Lit = shuffling.Lit(w.Lit)
		}
		in.Comments = append(in.Comments, fmt.Sprintf("shuffled with seed %d", x.seed))
	}
	in.Formula = f
	return nil
}

// restore returns the model before the transformation.
func (x *transformation) restore(m dimacs.Model) (dimacs.Model, error) {
	if slices.Contains(m, dimacs.Unassigned) {
		return nil, errors.New("the model is partial; mapping it back needs the value of each variable")
	}
	if x.shuffle {
		m = families.NewShuffling(len(m), x.seed).Restore(m)
	}
	if x.gadget != nil {
		vars := len(m)
		if m = x.gadget.Restore(m, x.n); m == nil {
			return nil, fmt.Errorf("a model of %s is none of a formula with --substitute %s:%d", cli.Count(vars, "variable"), x.gadget.Name, x.n)
		}
	}
	return m, nil
}
