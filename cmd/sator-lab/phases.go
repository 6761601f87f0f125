package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"sator/cmd/internal/cli"
)

// The command phases reads a CPU profile of sator, whose samples have the label "phase",
// and prints for each phase its share of the processor time and the functions that took
// most of it. A function has two times, as in go tool pprof: flat, of samples in the
// function itself, and cumulative, of samples in it or in a function that it called. A
// function that calls itself counts once a sample, and a function that the compiler
// inlined counts as called.

func phasesCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:      "phases",
		Category:  "Measure",
		Usage:     "print the top functions of each phase of a CPU profile",
		UsageText: "sator-lab phases [flags] FILE",
		Description: `Reads a CPU profile of "sator solve" or "sator sudoku solve", recorded with
--profile cpu, and prints the seconds and the share of each phase, and within it
the functions with the most processor time: flat, in the function itself, and
cum, with the functions that it called. The shares of functions are those of the
phase. "-" reads standard input. Samples without a phase, as of the garbage
collector, are those of phase "none".

The profile has 100 samples a second. With n samples, a time is uncertain by
about 1/sqrt(n) of it: 10 % for one second.

With --json, standard output is one document: seconds, samples, and the list
phases with the members phase, seconds, share, and functions, a list of name,
flat and cum (seconds).

Exit codes: 0 success; 1 a file that is no CPU profile, or has no phases, 2 bad
command line.

Examples:
  sator solve problem.cnf --profile cpu; sator-lab phases cpu.pprof
  sator-lab phases --functions 10 --cum cpu.pprof
  sator-lab phases --json cpu.pprof | jq '.phases[0]'`,
		Flags: []cli.Flag{
			&cli.Int64Flag{Name: "functions", Category: cli.OutputFlags, Value: 5, Usage: "print at most `N` functions of a phase"},
			&cli.BoolFlag{Name: "cum", Category: cli.OutputFlags, Usage: "order the functions by cumulative time"},
			cli.TextOrJSON(""), cli.JSONFlag(),
			cli.OutputFlag(),
		},
		Action: cli.RunAction(e, phasesOptionsOf, func(o *phasesOptions) cli.RunOptions {
			return cli.RunOptions{Inputs: []string{o.file}, Redirect: true}
		}, printPhases),
	}
}

// phasesOptions are the flags of phases.
type phasesOptions struct {
	file      string
	functions int
	cum, json bool
}

func phasesOptionsOf(c *cli.Context) (*phasesOptions, error) {
	if c.NArg() != 1 {
		return nil, cli.Usagef("phases reads one profile")
	}
	n, err := cli.Positive(c, "functions", 1)
	return &phasesOptions{c.Args().First(), int(min(n, 1<<30)), c.Bool("cum"), cli.AsJSON(c)}, err
}

// printPhases runs the command.
func printPhases(r *cli.Run, o *phasesOptions) error {
	p, err := readProfile(r, o.file)
	if err != nil {
		return err
	}
	d, err := phasesOf(p, o)
	if err != nil {
		return fmt.Errorf("%s: %w", cli.Shown(o.file), err)
	}
	r.Out.Write(func(w io.Writer) error {
		if o.json {
			return cli.WriteJSON(w, d)
		}
		return d.write(w)
	})
	return r.Out.Err
}

// readProfile reads a profile in the format of package runtime/pprof.
func readProfile(r *cli.Run, name string) (*profile.Profile, error) {
	src, err := r.Open(r.Ctx, name)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	data, err := io.ReadAll(src)
	if err != nil {
		return nil, err
	}
	p, err := profile.ParseUncompressed(data)
	if err == nil {
		err = p.CheckValid()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: not a profile of package runtime/pprof: %w", cli.Shown(name), err)
	}
	return p, nil
}

// phaseLabel is the label of samples that sator sets.
const phaseLabel = "phase"

// A phasesDocument is the output of --json.
type phasesDocument struct {
	Seconds float64    `json:"seconds"`
	Samples int        `json:"samples"`
	Phases  []phaseRow `json:"phases"` // by descending time
}

// A phaseRow is a phase, and its functions by descending time.
type phaseRow struct {
	Phase     string        `json:"phase"`
	Seconds   float64       `json:"seconds"`
	Share     float64       `json:"share"` // of all samples, 0 to 1
	Functions []functionRow `json:"functions"`
}

// A functionRow is a function of a phase, with seconds.
type functionRow struct {
	Name string  `json:"name"`
	Flat float64 `json:"flat"`
	Cum  float64 `json:"cum"`
}

// phasesOf adds up the samples of a CPU profile.
func phasesOf(p *profile.Profile, o *phasesOptions) (*phasesDocument, error) {
	value := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == "cpu" && t.Unit == "nanoseconds" })
	switch {
	case value < 0:
		return nil, errors.New("not a CPU profile: record one with --profile cpu")
	case len(p.Sample) == 0:
		return nil, errors.New("the profile has no samples: the run took less than 10 ms")
	}
	phases := map[string]*phaseTimes{}
	all, labeled := int64(0), false
	d := &phasesDocument{}
	for _, s := range p.Sample {
		name := "none"
		if names := s.Label[phaseLabel]; len(names) > 0 {
			name, labeled = names[0], true
		}
		t := phases[name]
		if t == nil {
			t = &phaseTimes{flat: map[string]int64{}, cum: map[string]int64{}}
			phases[name] = t
		}
		t.add(s, s.Value[value])
		all += s.Value[value]
		d.Samples += samplesOf(p, s)
	}
	if !labeled {
		return nil, fmt.Errorf("no sample has the label %q: record the profile with \"sator solve --profile cpu\"", phaseLabel)
	}
	d.Seconds = seconds(all)
	for _, name := range byTime(phases, func(t *phaseTimes) int64 { return t.all }) {
		t := phases[name]
		d.Phases = append(d.Phases, phaseRow{name, seconds(t.all), float64(t.all) / float64(max(1, all)), t.top(o)})
	}
	return d, nil
}

// samplesOf returns the number of samples that a profile has combined into this one.
func samplesOf(p *profile.Profile, s *profile.Sample) int {
	for i, t := range p.SampleType {
		if t.Type == "samples" && t.Unit == "count" {
			return int(s.Value[i])
		}
	}
	return 1
}

// phaseTimes are the times of a phase in nanoseconds, in all and by function.
type phaseTimes struct {
	all       int64
	flat, cum map[string]int64
}

// preempted is the function into which the runtime makes a goroutine jump when it interrupts it.
// Samples there belong to the function that was interrupted.
const preempted = "runtime.asyncPreempt"

// add adds a sample. The first line of the first location is the innermost call.
func (t *phaseTimes) add(s *profile.Sample, time int64) {
	t.all += time
	seen := map[string]bool{}
	for _, location := range s.Location {
		for _, line := range location.Line {
			name := fmt.Sprintf("%#x", location.Address) // of a function without a name
			if line.Function != nil {
				name = line.Function.Name
			}
			if len(seen) == 0 && strings.HasPrefix(name, preempted) {
				continue
			}
			if len(seen) == 0 {
				t.flat[name] += time
			}
			if !seen[name] {
				seen[name] = true
				t.cum[name] += time
			}
		}
	}
}

// top returns the functions with the most time.
func (t *phaseTimes) top(o *phasesOptions) []functionRow {
	order := t.flat
	if o.cum {
		order = t.cum
	}
	names := byTime(order, func(time int64) int64 { return time })
	rows := []functionRow{}
	for _, name := range names[:min(len(names), o.functions)] {
		rows = append(rows, functionRow{name, seconds(t.flat[name]), seconds(t.cum[name])})
	}
	return rows
}

// byTime returns the keys of a map by descending time, and by name if it is the same.
func byTime[V any](m map[string]V, time func(V) int64) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(time(m[b]), time(m[a])), cmp.Compare(a, b))
	})
}

// write prints the table.
func (d *phasesDocument) write(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%.2f s of processor time, %s\n", d.Seconds, cli.Count(d.Samples, "sample")); err != nil {
		return err
	}
	for _, p := range d.Phases {
		if _, err := fmt.Fprintf(w, "\n%-16s %9.2f s %6.1f %%\n", p.Phase, p.Seconds, 100*p.Share); err != nil {
			return err
		}
		for i, f := range p.Functions {
			if i == 0 {
				fmt.Fprintf(w, "  %9s %8s %9s %8s  function\n", "flat s", "%", "cum s", "%")
			}
			share := func(t float64) float64 { return 100 * t / max(p.Seconds, 1e-9) }
			if _, err := fmt.Fprintf(w, "  %9.2f %8.1f %9.2f %8.1f  %s\n", f.Flat, share(f.Flat), f.Cum, share(f.Cum), f.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

func seconds(nanoseconds int64) float64 { return float64(nanoseconds) / 1e9 }
