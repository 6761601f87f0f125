package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sator/benchmarks/families"
	"sator/dimacs"
)

func generateCommand(e *env) *cli.Command {
	c := &cli.Command{
		Name:      "generate",
		Usage:     "make a formula of a family, by seed",
		UsageText: "sator generate FAMILY [flags]",
		Description: `Writes a formula in DIMACS CNF. The same family, parameters and seed give the
same formula on every machine. Comments at its head tell the command line that
makes it, and the answer where the construction gives it.

Examples:
  sator generate ksat --vars 100 --seed 7 -o random.cnf
  sator generate php | sator solve -
  sator help generate ksat`,
		Action: action(func(*cli.Context) error {
			return usagef("name a family: %s", strings.Join(familyNames(), ", "))
		}),
	}
	for _, f := range families.Families {
		c.Subcommands = append(c.Subcommands, familyCommand(e, f))
	}
	return c
}

func familyNames() []string {
	var names []string
	for _, f := range families.Families {
		names = append(names, f.Name)
	}
	return names
}

// familyCommand makes a command of a family and flags of its parameters.
func familyCommand(e *env, f *families.Family) *cli.Command {
	c := &cli.Command{
		Name:        f.Name,
		Usage:       f.Help,
		UsageText:   fmt.Sprintf("sator generate %s [flags]", f.Name),
		Description: wrapText("Source: "+f.Source+".", helpWidth) + "\n\nExample:\n  " + exampleOf(f),
	}
	for _, p := range f.Params {
		c.Flags = append(c.Flags, paramFlag(p))
	}
	c.Flags = append(c.Flags,
		&cli.Uint64Flag{Name: "seed", Category: outputFlags, Usage: "start the random generator with `N`"},
		outputFlag())
	c.Action = action(func(c *cli.Context) error {
		if c.NArg() > 0 {
			return usagef("unexpected operand %q", c.Args().First())
		}
		ctx, release := onSignal(context.Background())
		defer release()
		return generate(ctx, e, f, c)
	})
	return c
}

// exampleOf returns a command line with the first parameter that has a default
// worth showing.
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

// paramFlag makes a flag of a parameter.
func paramFlag(p families.Param) cli.Flag {
	text := fmt.Sprintf("%s, %s to %s", decimal(p.Default), decimal(p.Min), decimal(p.Max))
	switch p.Kind {
	case families.Switch:
		return &cli.BoolFlag{Name: p.Name, Category: paramFlags, Usage: p.Help}
	case families.Int:
		return &cli.Int64Flag{Name: p.Name, Category: paramFlags, Value: int64(p.Default), DefaultText: text, Usage: "`N`: " + p.Help}
	}
	return &cli.Float64Flag{Name: p.Name, Category: paramFlags, Value: p.Default, DefaultText: text, Usage: "`X`: " + p.Help}
}

// paramFlags is the category of the parameters of a family.
const paramFlags = "parameters"

func generate(ctx context.Context, e *env, f *families.Family, c *cli.Context) error {
	inst, err := await(ctx, func() (*families.Instance, error) { return f.Make(values(f, c), c.Uint64("seed")) })
	if _, is := stopped(ctx); is {
		return err
	} else if err != nil {
		return usagef("%v", err)
	}
	return e.write(ctx, c.String("output"), func(w io.Writer) error {
		return dimacs.Write(w, inst.Formula, inst.Comments...)
	})
}

// values returns the parameters that the command line sets.
func values(f *families.Family, c *cli.Context) families.Values {
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
	}
	return v
}
