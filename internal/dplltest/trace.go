package dplltest

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sator/dimacs"
)

// API traces for model-based testing, as in the testers of Lingeling and CaDiCaL. The text
// of a trace has one call per line:
//
//	option chrono 1          settings, before the first call
//	seed 7                   seed of the engine, before the first call
//	proof hints              kind of proof, see proofKinds in audit.go
//	grow 5                   grow to variables 1 to 5
//	add 1 -2 3               add a clause
//	phase -2                 prefer this literal in decisions
//	limit 3 0 0              limits of conflicts, decisions, propagations; 0 means no limit
//	solve 1 -3               solve under assumptions
//	cancelled 1 -3           solve with a canceled context
//	cancel 2 1 -3            solve; the callback cancels at the second learned clause
//	model                    read the model; must panic if there is none
//	value 2                  read the value of a literal; must panic if there is no model
//	failed                   read the failed assumptions; must panic if there are none
//
// A line that begins with # is a comment. The further calls of incremental engines are in
// calls.go.

// A Trace is a sequence of API calls with the setup of the engine.
type Trace struct {
	Settings []Setting
	Seed     uint64
	Proof    ProofKind
	Ops      []Op
}

// An Op is a call with its arguments.
type Op struct {
	Name    string
	Numbers []int
	Lits    []dimacs.Lit
}

// An operation is a kind of call.
type operation struct {
	name    string
	numbers int // number of arguments that are numbers
	lits    int // number of literals, or anyLits
	run     func(p *replay, numbers []int, lits []dimacs.Lit) error
}

// anyLits is the number of literals of operations with any number of literals.
const anyLits = -1

// operations lists the kinds of calls.
var operations = []operation{
	{"grow", 1, 0, (*replay).grow},
	{"add", 0, anyLits, (*replay).add},
	{"phase", 0, 1, (*replay).phase},
	{"limit", 3, 0, (*replay).limit},
	{"solve", 0, anyLits, (*replay).solve},
	{"cancelled", 0, anyLits, (*replay).solveCanceled},
	{"cancel", 1, anyLits, (*replay).solveCancel},
	{"model", 0, 0, (*replay).readModel},
	{"value", 0, 1, (*replay).readValue},
	{"failed", 0, 0, (*replay).readFailed},
}

// String returns the call as a line of a trace.
func (op Op) String() string {
	s := op.Name
	for _, n := range op.Numbers {
		s += fmt.Sprintf(" %d", n)
	}
	for _, l := range op.Lits {
		s += fmt.Sprintf(" %v", l)
	}
	return s
}

// String returns the text of the trace in the format of [ParseTrace].
func (t *Trace) String() string {
	var b strings.Builder
	for _, s := range t.Settings {
		fmt.Fprintf(&b, "option %s %d\n", s.Name, s.Value)
	}
	if t.Seed != 0 {
		fmt.Fprintf(&b, "seed %d\n", t.Seed)
	}
	if t.Proof != NoProof {
		fmt.Fprintf(&b, "proof %s\n", t.Proof)
	}
	for _, op := range t.Ops {
		fmt.Fprintln(&b, op)
	}
	return b.String()
}

// ParseTrace reads the text of a trace. Errors contain the line.
func ParseTrace(r io.Reader) (*Trace, error) {
	t := new(Trace)
	scanner := bufio.NewScanner(r)
	for line := 1; scanner.Scan(); line++ {
		fields := strings.Fields(scanner.Text())
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		if err := t.parse(fields[0], fields[1:]); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	return t, scanner.Err()
}

// parse adds the setting or the call of a line.
func (t *Trace) parse(name string, args []string) (err error) {
	switch {
	case name == "option" && len(args) == 2:
		s := Setting{Name: args[0]}
		s.Value, err = strconv.Atoi(args[1])
		t.Settings = append(t.Settings, s)
	case name == "seed" && len(args) == 1:
		t.Seed, err = strconv.ParseUint(args[0], 10, 64)
	case name == "proof" && len(args) == 1:
		t.Proof, err = parseProof(args[0])
	default:
		var op Op
		op, err = parseOp(name, args)
		t.Ops = append(t.Ops, op)
	}
	return err
}

// find returns the operation with that name.
func find(name string) (operation, error) {
	for _, list := range [][]operation{operations, further} {
		for _, o := range list {
			if o.name == name {
				return o, nil
			}
		}
	}
	return operation{}, fmt.Errorf("unknown call %q", name)
}

// parseOp returns the call of a line.
func parseOp(name string, args []string) (Op, error) {
	op := Op{Name: name}
	o, err := find(name)
	if err != nil {
		return op, err
	}
	if n := len(args) - o.numbers; n < 0 || o.lits != anyLits && n != o.lits {
		return op, fmt.Errorf("%s with %d arguments", name, len(args))
	}
	for i, arg := range args {
		n, err := strconv.Atoi(arg)
		switch {
		case err != nil:
			return op, err
		case i >= o.numbers && (n == 0 || n < -dimacs.MaxVars || n > dimacs.MaxVars):
			return op, fmt.Errorf("%d is not a literal", n)
		case i >= o.numbers:
			op.Lits = append(op.Lits, dimacs.FromInt(n))
		case n < 0:
			return op, fmt.Errorf("%s with %d", name, n)
		default:
			op.Numbers = append(op.Numbers, n)
		}
	}
	return op, nil
}
