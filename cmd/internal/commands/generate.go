package commands

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/internal/families"
)

func generateCommand(e *cli.Env) *cli.Command {
	c := &cli.Command{
		Name:      "generate",
		Category:  "Explore",
		Usage:     "generate a formula of a benchmark family",
		UsageText: "sator generate FAMILY [flags]",
		Description: `Generates a formula of a benchmark family in DIMACS CNF. The same family,
parameters and seed give the same formula on every machine. Comments at its
beginning contain the command line, and the answer if the construction
determines it.

Examples:
  sator generate ksat --vars 100 --seed 7 -o random.cnf
  sator generate php | sator solve -
  sator help generate ksat`,
		Action: cli.Action(func(*cli.Context) error {
			return cli.Usagef("name a family: %s", strings.Join(familyNames(), ", "))
		}),
	}
	for _, f := range families.Families {
		c.Subcommands = append(c.Subcommands, familyCommand(e, f))
	}
	return c
}

func familyNames() []string {
	return cli.Of(families.Families, func(f *families.Family) string { return f.Name })
}

// familyCommand returns the command of a family, with a flag for each parameter.
func familyCommand(e *cli.Env, f *families.Family) *cli.Command {
	c := &cli.Command{
		Name:        f.Name,
		Usage:       f.Help,
		UsageText:   fmt.Sprintf("sator generate %s [flags]", f.Name),
		Description: cli.WrapText("Source: "+f.Source+".", cli.HelpWidth) + "\n\nExample:\n  " + exampleOf(f),
	}
	for _, p := range f.Params {
		c.Flags = append(c.Flags, paramFlag(p))
	}
	c.Flags = append(c.Flags,
		cli.SeedFlag(cli.OutputFlags),
		cli.OutputFlag("cnf", "text"))
	c.Action = cli.Action(func(c *cli.Context) error {
		if err := cli.NoOperands(c); err != nil {
			return err
		}
		return e.Run(c, cli.RunOptions{Outputs: []string{c.String("output")}}, func(r *cli.Run) error { return generate(r, f) })
	})
	return c
}

// exampleOf returns a command line with the first parameter whose default is not 0.
func exampleOf(f *families.Family) string {
	line := "sator generate " + f.Name
	for _, p := range f.Params {
		if p.Default != 0 {
			line += fmt.Sprintf(" --%s %s", p.Name, decimal(p.Default))
			break
		}
	}
	return line + " --seed 1 -o " + f.Name + ".cnf"
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// paramFlag returns the flag of a parameter.
func paramFlag(p families.Param) cli.Flag {
	text := fmt.Sprintf("%s, %s to %s", decimal(p.Default), decimal(p.Min), decimal(p.Max))
	switch p.Kind {
	case families.Switch:
		return &cli.BoolFlag{Name: p.Name, Category: cli.ParamFlags, Usage: p.Help}
	case families.Int:
		return &cli.Int64Flag{Name: p.Name, Category: cli.ParamFlags, Value: int64(p.Default), DefaultText: text, Usage: "`N`: " + p.Help}
	}
	return &cli.Float64Flag{Name: p.Name, Category: cli.ParamFlags, Value: p.Default, DefaultText: text, Usage: "`X`: " + p.Help}
}

func generate(r *cli.Run, f *families.Family) error {
	c := r.Flags
	v, err := values(f, c)
	if err != nil {
		return err
	}
	inst, err := cli.Await(r.Ctx, func() (*families.Instance, error) { return f.Make(v, c.Uint64("seed")) })
	if err != nil && r.Ctx.Err() == nil {
		return cli.Usagef("%v", err)
	} else if err != nil {
		return err
	}
	return r.Write(r.Ctx, c.String("output"), func(w io.Writer) error {
		return dimacs.Write(w, inst.Formula, inst.Comments...)
	})
}

// values returns the parameters of the command line.
func values(f *families.Family, c *cli.Context) (families.Values, error) {
	v := families.Values{}
	for _, p := range f.Params {
		switch {
		case !c.IsSet(p.Name):
		case p.Kind == families.Switch && c.Bool(p.Name):
			v[p.Name] = 1
		case p.Kind == families.Int:
			v[p.Name] = float64(c.Int64(p.Name))
		case p.Kind == families.Real:
			v[p.Name] = c.Float64(p.Name)
		}
		if x, set := v[p.Name]; set && p.Kind != families.Switch && !(p.Min <= x && x <= p.Max) {
			return nil, cli.Invalid(p.Name, decimal(x), "%s to %s", decimal(p.Min), decimal(p.Max))
		}
	}
	return v, nil
}
