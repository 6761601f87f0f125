package commandtest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Case is everything that a round draws.
type Case struct {
	*Formula
	Look  Look
	Test  string
	Flags []string // of the first command, as --name or --name=value; @ stands for the folder
	Salt  uint64   // seed of the further choices of the test
}

// clone returns a deep copy.
func (c *Case) clone() *Case {
	d := *c
	d.Formula = c.Formula.clone()
	d.Look.Packs, d.Flags = slices.Clone(c.Look.Packs), slices.Clone(c.Flags)
	return &d
}

// has reports whether a flag is given.
func (c *Case) has(name string) bool {
	return slices.ContainsFunc(c.Flags, func(f string) bool { return f == name || strings.HasPrefix(f, name+"=") })
}

// value returns the value of a flag, or an empty string.
func (c *Case) value(name string) string {
	for _, f := range c.Flags {
		if v, ok := strings.CutPrefix(f, name+"="); ok {
			return v
		}
	}
	return ""
}

// A test is a way to use the commands.
type test struct {
	name   string
	share  int                     // of the rounds
	draw   func(*rand.Rand, *Case) // completes a case with formula, look and salt
	run    func(*trial)
	hard   int // one of so many cases has a hard formula; 0 for no case
	cubes  int // one of so many cases is a script; 0 for no case
	assume int // one of so many cases has assumptions; 0 for no case
}

// tests lists all tests.
var tests = []test{
	{"solve", 10, drawSolve, (*trial).solve, 15, 5, 4},
	{"script", 3, drawScript, (*trial).script, 10, 1, 4},
	{"operands", 3, drawNothing, (*trial).secondOperand, 0, 0, 0},
	{"check", 4, drawCheck, (*trial).check, 0, 0, 4},
	{"enumerate", 5, drawEnumerate, (*trial).enumerate, 0, 0, 3},
	{"count", 5, drawCount, (*trial).count, 0, 0, 3},
	{"simplify", 5, drawSimplify, (*trial).simplify, 0, 0, 0},
	{"cube", 5, drawCube, (*trial).cube, 4, 0, 0},
	{"conquer", 3, drawConquer, (*trial).conquer, 3, 2, 0},
	{"run", 2, drawRun, (*trial).runs, 1, 3, 0},
	{"twosat", 5, drawTwoSAT, (*trial).twosat, 0, 0, 4},
	{"convert", 4, drawConvert, (*trial).convert, 0, 3, 0},
	{"info", 3, drawNothing, (*trial).info, 0, 0, 0},
	{"trace", 2, drawTrace, (*trial).trace, 0, 0, 4},
	{"generate", 1, drawGenerate, (*trial).generate, 0, 0, 0},
	{"sudoku", 4, drawSudoku, (*trial).sudoku, 0, 0, 0},
	{"mistakes", 4, drawMistakes, (*trial).mistakes, 0, 4, 0},
}

// complete draws the rest of a case with formula, look and salt.
func (t *test) complete(r *rand.Rand, c *Case) {
	once := func(n int) bool { return n > 0 && r.IntN(n) == 0 }
	if once(t.hard) {
		c.Formula = hardShape.draw(r)
	}
	if once(t.cubes) {
		c.addCubes(r)
	}
	if t.draw(r, c); once(t.assume) {
		c.Assume = c.drawAssumptions(r)
	}
	c.mend()
}

// drawNothing is for tests without flags.
func drawNothing(*rand.Rand, *Case) {}

// Tests returns the names of the tests.
func Tests() []string {
	var names []string
	for _, t := range tests {
		names = append(names, t.name)
	}
	return names
}

// A Fuzzer runs rounds.
type Fuzzer struct {
	Program Program
	Process Program // runs one round of processShare; may be nil
	Temp    string  // parent of the folders of the rounds; empty for the default of the system
	Only    string  // name of the only test; empty for all
}

// processShare is the number of rounds for one round with processes.
const processShare = 8

// A Round is the result of a round.
type Round struct {
	Seed    uint64
	Test    string
	Process bool // the commands were processes
	Counts  Counts
	Failure *Failure // nil after a good round

	fuzzer *Fuzzer
	drawn  *Case
}

// Counts are statistics of rounds.
type Counts struct {
	Commands  int64            // command lines that ran
	Processes int64            // command lines that ran as processes
	Rounds    map[string]int64 // rounds, by the name of the test
	Codes     map[int]int64    // command lines, by exit code
}

// Add adds the counts d.
func (c *Counts) Add(d *Counts) {
	c.Commands += d.Commands
	c.Processes += d.Processes
	for name, n := range d.Rounds {
		if c.Rounds == nil {
			c.Rounds = map[string]int64{}
		}
		c.Rounds[name] += n
	}
	for code, n := range d.Codes {
		if c.Codes == nil {
			c.Codes = map[int]int64{}
		}
		c.Codes[code] += n
	}
}

// Round runs the round of a seed. The same seed draws the same case.
func (z *Fuzzer) Round(seed uint64) *Round {
	r := rand.New(rand.NewPCG(seed, 0xc0de))
	t := pick(r, tests, func(t test) int {
		if z.Only != "" && z.Only != t.name {
			return 0
		}
		return t.share
	})
	c := &Case{Formula: drawFormula(r), Look: drawLook(r), Test: t.name, Salt: r.Uint64()}
	t.complete(r, c)
	round := &Round{Seed: seed, Test: t.name, Process: z.Process != nil && r.IntN(processShare) == 0, fuzzer: z, drawn: c}
	round.Failure = z.run(c, round.Process, &round.Counts)
	round.Counts.Rounds = map[string]int64{t.name: 1}
	return round
}

// run runs the test of a case in a new folder.
func (z *Fuzzer) run(c *Case, process bool, counts *Counts) (failure *Failure) {
	dir, err := os.MkdirTemp(z.Temp, "sator-commands-")
	if err != nil {
		return &Failure{Kind: "no folder", Detail: err.Error()}
	}
	defer os.RemoveAll(dir)
	t := &trial{
		Case: c, counts: counts, dir: dir, program: z.Program, process: process,
		rand: rand.New(rand.NewPCG(c.Salt, 2)), known: map[string]string{},
	}
	if process {
		t.program = z.Process
	}
	defer func() {
		f, failed := recover().(*Failure)
		if !failed {
			return
		}
		f.Case, f.Commands, f.Files = c, t.log, map[string]string{}
		for name := range t.snapshot() {
			if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				f.Files[name] = string(data)
			}
		}
		failure = f
	}()
	for _, x := range tests {
		if x.name == c.Test {
			x.run(t)
		}
	}
	return nil
}

// A Failure is a wrong answer.
type Failure struct {
	Kind     string // the kind of fault, without details that depend on the formula
	Detail   string
	Case     *Case
	Commands []string          // command lines of the test, with their exit codes
	Files    map[string]string // content of the files at the end
}

func (f *Failure) Error() string { return f.Kind + ": " + f.Detail }

// Save writes the files and the report of a failure to a folder.
func (f *Failure) Save(dir string, head ...string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, content := range f.Files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "report"), []byte(f.Report(head...)), 0o666)
}

// Report returns the failure with the commands that reproduce it.
func (f *Failure) Report(head ...string) string {
	var b strings.Builder
	for _, line := range head {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintf(&b, "%v\n\ncommands:\n", f)
	for _, c := range f.Commands {
		fmt.Fprintf(&b, "  %s\n", c)
	}
	return b.String()
}
