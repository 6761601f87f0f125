package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/mutants"
)

func mutantsCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:      "mutants",
		Category:  "Test",
		Usage:     "check that tests detect deliberate faults (mutants)",
		UsageText: "sator-lab mutants [flags] [NAME]...",
		Description: `For those who work on Sator itself. A mutant is a fault as a patch,
testdata/mutants/NAME.patch of a package, with the tests that must detect it.
Each mutant is applied to the source tree of the current folder by go test
-overlay, without a change of the tree, and its tests run. The command fails
with exit code 4 if a mutant survives, and with exit code 1 if one does not
apply.

A NAME selects all mutants that begin with it; without names all are selected.
--changed keeps the mutants of files that differ from a commit, and the mutants
with another patch than in that commit; --part keeps a part of the mutants. With
both flags the mutants of either run. --limit bounds the number of mutants.

Examples:
  sator-lab mutants
  sator-lab mutants dpll/cdcl
  sator-lab mutants --changed HEAD~1 --part 3/10`,
		Flags: []cli.Flag{
			cli.TimeFlag(),
			&cli.StringFlag{Name: "changed", Category: cli.ParamFlags, Usage: "run the mutants of files that differ from `COMMIT`"},
			&cli.StringFlag{Name: "part", Category: cli.ParamFlags, Usage: "run part `I/N` of all mutants; I is taken modulo N"},
			cli.LimitFlag(0, "mutants"),
			&cli.BoolFlag{Name: "list", Category: cli.OutputFlags, Usage: "list the mutants and run nothing"},
		},
		Action: cli.Action(func(c *cli.Context) error { return e.Run(c, cli.RunOptions{}, runMutants) }),
	}
}

func runMutants(r *cli.Run) error {
	ctx, c, out := r.Ctx, r.Flags, r.Out
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	chosen, err := chooseMutants(ctx, c, root)
	if err != nil {
		return err
	}
	if c.Bool("list") {
		for _, m := range chosen {
			out.Line(m.Name + ": " + strings.Join(strings.Fields(m.Fault), " "))
		}
		return out.Err
	}
	return testMutants(r, root, chosen)
}

// testMutants runs the mutants and prints a line for each of them.
func testMutants(r *cli.Run, root string, chosen []*mutants.Mutant) error {
	out := r.Out
	var cpu time.Duration
	var count [4]int // by verdict
	for _, m := range chosen {
		got := m.Run(r.Ctx, root)
		cpu += got.CPU
		count[got.Verdict]++
		line := fmt.Sprintf("%-8s %5.1f s  %s", got.Verdict, got.CPU.Seconds(), m.Name)
		if got.By != "" {
			line += " by " + got.By
		}
		if got.Err != nil {
			line += ": " + got.Err.Error()
		}
		if out.Line(line); got.Verdict == mutants.Stopped {
			break
		}
	}
	out.Line(fmt.Sprintf("%s: %d killed, %d survived, %d broken; %.0f s of CPU", cli.Count(len(chosen), "mutant"),
		count[mutants.Killed], count[mutants.Survived], count[mutants.Broken], cpu.Seconds()))
	switch {
	case out.Err != nil:
		return out.Err
	case count[mutants.Survived] > 0:
		return cli.ExitCode(cli.CodeWrong)
	case count[mutants.Broken] > 0:
		return fmt.Errorf("mutants that do not apply or do not compile: %d", count[mutants.Broken])
	case r.Why() != "":
		return errors.New("not all mutants ran: " + r.Why())
	}
	return nil
}

// moduleRoot returns the folder of the module that the current folder is in.
func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	name := strings.TrimSpace(string(out))
	if name == "" || name == os.DevNull {
		return "", errors.New("the current folder is not in a Go module")
	}
	return filepath.Dir(name), nil
}

// chooseMutants returns the mutants that the names and flags select.
func chooseMutants(ctx context.Context, c *cli.Context, root string) ([]*mutants.Mutant, error) {
	all, err := mutants.Load(root)
	if err != nil {
		return nil, err
	}
	for _, name := range c.Args().Slice() {
		if !slices.ContainsFunc(all, func(m *mutants.Mutant) bool { return strings.HasPrefix(m.Name, name) }) {
			return nil, cli.Usagef("unknown mutant %q: want the beginning of a name in --list", name)
		}
	}
	if c.NArg() > 0 {
		all = slices.DeleteFunc(all, func(m *mutants.Mutant) bool {
			return !slices.ContainsFunc(c.Args().Slice(), func(name string) bool { return strings.HasPrefix(m.Name, name) })
		})
	}
	chosen := all
	if c.IsSet("changed") || c.IsSet("part") {
		var changed, part []*mutants.Mutant
		if c.IsSet("changed") {
			files, err := changedFiles(ctx, root, c.String("changed"))
			if err != nil {
				return nil, err
			}
			changed = mutants.Touching(all, files)
		}
		if c.IsSet("part") {
			i, n, err := partOf(c.String("part"))
			if err != nil {
				return nil, err
			}
			part = mutants.Part(all, i, n)
		}
		chosen = mutants.Union(part, changed)
	}
	limit, err := cli.Positive(c, "limit", 1)
	if err == nil && limit > 0 && limit < int64(len(chosen)) {
		chosen = chosen[:limit]
	}
	return chosen, err
}

// partOf reads I/N.
func partOf(s string) (i, n int, err error) {
	a, b, ok := strings.Cut(s, "/")
	i, errI := strconv.Atoi(a)
	n, errN := strconv.Atoi(b)
	if !ok || errI != nil || errN != nil || i < 0 || n < 1 {
		return 0, 0, cli.Invalid("part", s, "two numbers such as 3/10")
	}
	return i, n, nil
}

// changedFiles returns the names of the files that differ from a commit of the
// repository in the folder root.
func changedFiles(ctx context.Context, root, commit string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "git", "diff", "-z", "--name-only", "--relative", "--end-of-options", commit)
	cmd.Dir = root
	var text bytes.Buffer
	cmd.Stderr = &text
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git diff %s: %w: %s", commit, err, strings.TrimSpace(text.String()))
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), nil
}
