package commandtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// The tests of info, trace and generate.

// An infoDocument is the document of info with --json.
type infoDocument struct {
	Variables   int  `json:"variables"`
	Clauses     int  `json:"clauses"`
	Literals    int  `json:"literals"`
	Unused      int  `json:"unused_variables"`
	Pure        int  `json:"pure_literals"`
	Empty       int  `json:"empty_clauses"`
	Units       int  `json:"units"`
	Binaries    int  `json:"binaries"`
	Longest     int  `json:"longest_clause"`
	Horn        int  `json:"horn_clauses"`
	Components  int  `json:"components"`
	Largest     int  `json:"largest_component"`
	Tautologies int  `json:"tautologies"`
	Repeats     int  `json:"clauses_with_repeated_literals"`
	Duplicates  int  `json:"duplicate_clauses"`
	Is2CNF      bool `json:"is_2cnf"`
	IsHorn      bool `json:"is_horn"`
}

// info runs info, and compares its numbers with the formula.
func (t *trial) info() {
	got := t.run(t.first("info", "--json"))
	t.wantCode(got, 0)
	short := tableOf(t.binaryPart())
	d := decode[struct {
		infoDocument
		Cubes int `json:"cubes"`
		Part  struct {
			Contradictory bool `json:"contradictory"`
			Forced        int  `json:"forced_literals"`
		} `json:"binary_part"`
	}](t, got.Stdout)
	if want := t.features(); d.infoDocument != want {
		t.fail("numbers of info", "%+v instead of %+v", *d, want)
	}
	forced := 0
	for _, v := range short.vars {
		if len(short.models) > 0 && short.forced(v) != 0 {
			forced++
		}
	}
	if d.Cubes != len(t.Cubes) || d.Part.Contradictory != (len(short.models) == 0) || d.Part.Forced != forced {
		t.fail("numbers of info", "%+v instead of %d forced literals", *d, forced)
	}
	t.wantCode(t.run(t.command("info", nil)), 0)
}

// features returns the numbers that info prints.
func (t *trial) features() infoDocument {
	used := variablesOf(t.Clauses)
	d := infoDocument{Variables: t.Vars, Clauses: len(t.Clauses), Unused: t.Vars - len(used)}
	signs := map[int]bool{}
	seen := map[string]bool{}
	for _, c := range t.Clauses {
		set := literalSet(c)
		positive := 0
		for _, l := range c {
			if signs[l] = true; l > 0 {
				positive++
			}
		}
		d.Literals += len(c)
		d.Longest = max(d.Longest, len(c))
		d.Empty += count(len(c) == 0)
		d.Units += count(len(c) == 1)
		d.Binaries += count(len(c) == 2)
		d.Horn += count(positive <= 1)
		d.Tautologies += count(tautology(c))
		d.Repeats += count(len(set) < len(c))
		d.Duplicates += count(seen[fmt.Sprint(set)])
		seen[fmt.Sprint(set)] = true
	}
	for _, v := range used {
		d.Pure += count(signs[v] != signs[-v])
	}
	d.Is2CNF, d.IsHorn = d.Longest <= 2, d.Horn == d.Clauses
	d.Components, d.Largest = components(t.Clauses)
	return d
}

// count returns 1 for true and 0 for false.
func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// components returns the number of connected components of the variables, and the number
// of variables of the largest one.
func components(clauses [][]int) (n, largest int) {
	name := map[int]int{}
	for _, v := range variablesOf(clauses) {
		name[v] = v
	}
	for range name {
		for _, c := range clauses {
			for _, l := range c {
				low := min(name[abs(l)], name[abs(c[0])])
				name[abs(l)], name[abs(c[0])] = low, low
			}
		}
	}
	size := map[int]int{}
	for _, root := range name {
		size[root]++
		largest = max(largest, size[root])
	}
	return len(size), largest
}

func drawTrace(r *rand.Rand, c *Case) {
	c.Flags = slices.Concat(heuristicFlags(r), with(r, 3, pureFlags...), with(r, 1, "--format=text", "--format=text", "--format=dot", "--format=svg"), with(r, 4, "--limit=1..5"))
}

// trace runs trace. The last line of the text has the status.
func (t *trial) trace() {
	got := t.run(t.first("trace"))
	t.wantCode(got, 0)
	if format := t.value("--format"); format != "text" {
		t.checkDrawing(got.Stdout, format)
		return
	}
	status, _, _ := strings.Cut(lastLine(got.Stdout), ",")
	want := strings.ToLower(wordOf(satisfiable(under(t.Clauses, t.Assume))))
	if status != want && !(t.has("--limit") && strings.HasPrefix(status, "stopped after ")) {
		t.fail("wrong status", "%s instead of %s", status, want)
	}
}

// smallFamilies are command lines of generate for small formulas.
var smallFamilies = []string{
	"ksat --vars=12 --ratio=4", "2sat --vars=9", "planted --vars=12", "horn --vars=10", "php --holes=3", "php --holes=3 --pigeons=3",
	"queens --size=3", "kxor --vars=9", "clique-binary --vertices=6 --clique=3", "dominating --vertices=6 --size=2", "stone --height=2 --stones=2", "tiling --rows=3", "window --vars=6 --window=3 --k=1", "counting --elements=5 --block=2", "matching --vertices=5", "even-coloring --vertices=5", "php-bit --holes=3", "php-relativized --pigeons=2", "subset-cardinality --rows=4 --degree=2",
	"ordering --elements=4", "pebbling --height=2", "parity --bits=3", "tseitin --vertices=8",
	"tseitin --vertices=8 --even", "langford --numbers=3", "langford --numbers=5", "vdw --numbers=9 --length=3", "schur --numbers=5 --colors=2",
	"chessboard --size=4", "coloring --vertices=6", "ramsey --vertices=5 --clique=3", "ramsey --vertices=6 --clique=3",
	"clique-coloring --vertices=4 --clique=3", "hamilton --vertices=6", "qwh --order=3", "sudoku --size=4", "sudoku --size=4 --wrong",
	"pythagorean --numbers=20", "bmc-counter --bits=3 --steps=3", "bmc-lfsr --bits=3 --steps=4", "multiplier --bits=4",
	"miter-adder --bits=2", "miter-multiplier --bits=2", "blocks --blocks=2", "md4 --steps=1 --free=4",
}

func drawGenerate(r *rand.Rand, c *Case) {
	c.Formula, c.Look = new(Formula), plainLook()
	c.Flags = append(strings.Fields(one(r, smallFamilies...)), with(r, 1, "--seed=0..49")...)
}

// generate runs generate twice, and solves the formula. The second command line is that of
// the comment in the formula.
func (t *trial) generate() {
	got := t.run(command{args: append([]string{"generate"}, t.Flags...)})
	t.wantCode(got, 0)
	line, _, _ := strings.Cut(got.Stdout, "\n")
	args := strings.Fields(strings.TrimPrefix(line, "c sator "))
	again := t.run(command{args: append(args, "-o", t.path("again.cnf.gz")), outputs: []string{"again.cnf.gz"}})
	if t.wantCode(again, 0); t.read("again.cnf.gz") != got.Stdout {
		t.fail("another formula", "%v", args)
	}
	f := t.parse(got.Stdout)
	t.Formula = f
	name := t.write("formula", []byte(got.Stdout))
	solved := t.run(command{args: []string{"solve", "--quiet", name, "--proof=" + t.path("proof")}, outputs: []string{"proof"}})
	a := t.answer(solved)
	if known := "c known answer: "; strings.Contains(got.Stdout, known) && !strings.Contains(got.Stdout, known+a.Status+"\n") {
		t.fail("known answer", "%s", a.Status)
	}
	if a.hasModel() {
		t.checkModel(a.Model, f.Vars, f.Clauses)
	} else if table := tableOf(f.Clauses); table != nil && len(table.models) > 0 {
		t.fail("wrong status", "%s", a.Status)
	}
	t.operands = []string{name}
	t.checkProof("proof", !a.hasModel())
}
