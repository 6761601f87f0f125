package card

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/internal/effort"
)

// A task is a constraint over the first n variables, as clauses and as a function.
type task struct {
	name   string
	n      int
	f      *dimacs.Formula
	holds  func(assignment uint) bool // bit v is the value of variable v
	define bool
}

// newTask returns a task without clauses, and the encoder of its formula.
func newTask(n int, define bool, name string, args ...any) (*task, *Encoder) {
	t := &task{name: fmt.Sprintf(name, args...), n: n, f: dimacs.NewFormula(n), define: define}
	e := NewEncoder(t.f)
	e.Define = define
	return t, e
}

// mixedLits returns n literals of both signs.
func mixedLits(n int) []dimacs.Lit {
	lits := make([]dimacs.Lit, n)
	for i := range lits {
		lits[i] = dimacs.Var(i).Lit() ^ dimacs.Lit(i%3/2)
	}
	return lits
}

// value returns 1 if a literal is true in an assignment.
func value(assignment uint, l dimacs.Lit) int { return int(assignment>>l.Var()&1) ^ int(l&1) }

// number returns how many literals are true.
func number(assignment uint, lits []dimacs.Lit) int {
	k := 0
	for _, l := range lits {
		k += value(assignment, l)
	}
	return k
}

// A propagator propagates units by occurrence lists.
type propagator struct {
	f      *dimacs.Formula
	occurs [][]int // clauses of each literal
}

func newPropagator(f *dimacs.Formula) *propagator {
	p := &propagator{f, make([][]int, 2*f.Vars())}
	for i, c := range f.Clauses() {
		for _, l := range c {
			p.occurs[l] = append(p.occurs[l], i)
		}
	}
	return p
}

// run extends an assignment by unit propagation. It returns false at a conflict.
func (p *propagator) run(m dimacs.Model, lits []dimacs.Lit) bool {
	var queue []dimacs.Lit
	assign := func(l dimacs.Lit) bool {
		if m.Lit(l) == dimacs.Unassigned {
			m.Set(l)
			queue = append(queue, l)
		}
		return m.Lit(l) == dimacs.True
	}
	visit := func(c []dimacs.Lit) bool {
		open, last := 0, dimacs.Lit(0)
		for _, l := range c {
			switch m.Lit(l) {
			case dimacs.True:
				return true
			case dimacs.Unassigned:
				if open == 0 || l != last {
					open, last = open+1, l
				}
			}
		}
		return open > 1 || open == 1 && assign(last)
	}
	for _, l := range lits {
		if !assign(l) {
			return false
		}
	}
	for _, c := range p.f.Clauses() {
		if len(c) < 2 && !visit(c) {
			return false
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, i := range p.occurs[queue[0].Not()] {
			if !visit(p.f.Clause(i)) {
				return false
			}
		}
	}
	return true
}

// models counts the models that extend an assignment, up to the limit.
func (p *propagator) models(m dimacs.Model, lits []dimacs.Lit, limit int) int {
	if !p.run(m, lits) {
		return 0
	}
	for v := range m {
		if m[v] == dimacs.Unassigned {
			l := dimacs.Var(v).Lit()
			n := p.models(append(dimacs.Model(nil), m...), []dimacs.Lit{l.Not()}, limit)
			if n >= limit {
				return n
			}
			return n + p.models(m, []dimacs.Lit{l}, limit-n)
		}
	}
	return 1
}

// assigned returns the literals of the variables of mask, with their values.
func assigned(n int, mask, values uint) []dimacs.Lit {
	var lits []dimacs.Lit
	for v := range n {
		if mask>>v&1 == 1 {
			lits = append(lits, dimacs.Var(v).Lit()^dimacs.Lit(^values>>v&1))
		}
	}
	return lits
}

// check compares the clauses with the constraint: each assignment extends to a model if
// it satisfies the constraint, with Define to exactly one.
func (k *task) check(t *testing.T) {
	t.Helper()
	p := newPropagator(k.f)
	for a := range uint(1) << k.n {
		want := 0
		if k.holds(a) {
			want = 1
		}
		limit := 1
		if k.define {
			limit = 2
		}
		if got := p.models(make(dimacs.Model, k.f.Vars()), assigned(k.n, ^uint(0), a), limit); got != want {
			t.Fatalf("%s: assignment %0*b has %d models, want %d", k.name, k.n, a, got, want)
		}
	}
}

// weakness returns a partial assignment of which unit propagation misses a consequence,
// or an empty string.
func (k *task) weakness() string {
	p := newPropagator(k.f)
	for mask := range uint(1) << k.n {
		for values := mask; ; values = (values - 1) & mask {
			if missed := k.misses(p, mask, values); missed != "" {
				return missed
			}
			if values == 0 {
				break
			}
		}
	}
	return ""
}

// misses compares unit propagation with the solutions that extend an assignment.
func (k *task) misses(p *propagator, mask, values uint) string {
	always, never := ^uint(0), ^uint(0)
	some := false
	for a := range uint(1) << k.n {
		if a&mask == values && k.holds(a) {
			some, always, never = true, always&a, never&^a
		}
	}
	lits := assigned(k.n, mask, values)
	m := make(dimacs.Model, k.f.Vars())
	if ok := p.run(m, lits); ok && !some {
		return fmt.Sprintf("%s: %v is not refuted", k.name, lits)
	} else if !ok {
		return ""
	}
	for v := range k.n {
		if l := dimacs.Var(v).Lit(); always>>v&1 == 1 && m.Lit(l) != dimacs.True || never>>v&1 == 1 && m.Lit(l) != dimacs.False {
			return fmt.Sprintf("%s: %v leaves %v open", k.name, lits, l)
		}
	}
	return ""
}

// tasks calls visit for all bounds of an encoding up to a number of literals.
func (c *Encoding) tasks(most int, visit func(k *task, low, high int)) {
	for n := range most + 1 {
		lits := mixedLits(n)
		for low := range n + 1 {
			for high := low; high <= n; high++ {
				if c.MostOne && (low > 0 || high != 1) {
					continue
				}
				for _, define := range []bool{false, true} {
					k, e := newTask(n, define, "%s of %d, %d to %d, define %v", c.Name, n, low, high, define)
					c.Between(e, lits, low, high)
					k.holds = func(a uint) bool { m := number(a, lits); return low <= m && m <= high }
					used := 0
					for _, c := range k.f.Clauses() {
						for _, l := range c {
							used = max(used, l.Var().Int())
						}
					}
					if used < k.f.Vars() && k.f.Vars() > n {
						panic(k.name + ": variables without clauses")
					}
					visit(k, low, high)
				}
			}
		}
	}
}

// TestEncodings compares all encodings with brute force, for all bounds.
func TestEncodings(t *testing.T) {
	most := 7
	if effort.Whole() {
		most = 9
	}
	for _, c := range Encodings {
		size := most
		if c.MostOne {
			size = most + 4
		}
		c.tasks(size, func(k *task, _, _ int) { k.check(t) })
	}
}

// TestPropagates checks for each encoding whether it propagates, over all partial
// assignments: an encoding that does, never misses a consequence, one that does not
// misses some.
func TestPropagates(t *testing.T) {
	most := 5
	if effort.Whole() {
		most = 8
	}
	for _, c := range Encodings[1:] {
		missed := ""
		c.tasks(most, func(k *task, _, _ int) {
			if missed == "" {
				missed = k.weakness()
			}
		})
		if (missed == "") != c.Propagates {
			t.Errorf("%s: Propagates is %v; missed: %s", c.Name, c.Propagates, missed)
		}
	}
}

// TestMostOneLarge checks the encodings for at most one of many literals, by the models
// of two, one and no true literals.
func TestMostOneLarge(t *testing.T) {
	for _, c := range Encodings {
		for _, n := range []int{11, 16, 17, 33, 50} {
			k, e := newTask(n, false, "%s of %d", c.Name, n)
			lits := mixedLits(n)
			c.Between(e, lits, 0, 1)
			p := newPropagator(k.f)
			for i, l := range lits {
				m := make(dimacs.Model, k.f.Vars())
				if !p.run(m, []dimacs.Lit{l}) {
					t.Fatalf("%s: %v is refuted", k.name, l)
				}
				for j, other := range lits {
					if c.Propagates && j != i && m.Lit(other) != dimacs.False {
						t.Fatalf("%s: %v leaves %v open", k.name, l, other)
					}
				}
				others := append(negated(lits[:i]), negated(lits[i+1:])...)
				if p.models(m, others, 1) != 1 {
					t.Fatalf("%s: %v alone has no model", k.name, l)
				}
			}
		}
	}
}

// TestRepeated checks that literals that are given several times, or with their
// complement, count each time.
func TestRepeated(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		n := 1 + r.IntN(4)
		lits := make([]dimacs.Lit, r.IntN(8))
		for i := range lits {
			lits[i] = dimacs.Lit(r.IntN(2 * n))
		}
		low := r.IntN(len(lits) + 1)
		high := low + r.IntN(len(lits)+1-low)
		for _, c := range Encodings {
			if c.MostOne {
				low, high = 0, min(1, len(lits))
			}
			k, e := newTask(n, false, "%s of %v, %d to %d", c.Name, lits, low, high)
			c.Between(e, lits, low, high)
			k.holds = func(a uint) bool { m := number(a, lits); return low <= m && m <= high }
			k.check(t)
		}
	}
}

// TestTrivial checks bounds that nothing or everything satisfies.
func TestTrivial(t *testing.T) {
	lits := dimacs.Lits(1, -2)
	for _, tt := range []struct {
		write   func(*Encoder)
		clauses string
	}{
		{func(e *Encoder) { e.AtMost(lits, -1) }, "[[]]"},
		{func(e *Encoder) { e.AtMost(lits, 0) }, "[[-1] [2]]"},
		{func(e *Encoder) { e.AtMost(lits, 1) }, "[[-1 2]]"},
		{func(e *Encoder) { e.AtMost(lits, 2) }, "[]"},
		{func(e *Encoder) { e.AtLeast(lits, 3) }, "[[]]"},
		{func(e *Encoder) { e.AtLeast(lits, 2) }, "[[1] [-2]]"},
		{func(e *Encoder) { e.AtLeast(lits, -7) }, "[]"},
		{func(e *Encoder) { e.Exactly(lits, 1) }, "[[-1 2] [1 -2]]"},
		{func(e *Encoder) { e.Exactly(nil, 0) }, "[]"},
		{func(e *Encoder) { e.Exactly(nil, 1) }, "[[]]"},
		{func(e *Encoder) { e.SumAtMost([]Term{{lits[0], 3}, {lits[1], 3}}, 5) }, "[[-1 2]]"},
		{func(e *Encoder) { e.SumAtLeast([]Term{{lits[0], 3}, {lits[0].Not(), 4}}, 3) }, "[]"},
		{func(e *Encoder) { e.SumAtLeast([]Term{{lits[0], 3}, {lits[0].Not(), 4}}, 4) }, "[[-1]]"},
		{func(e *Encoder) { e.SumExactly([]Term{{lits[0], 3}, {lits[1], 6}}, 5) }, "[[2] []]"},
		{func(e *Encoder) { e.SumAtMost(nil, 0) }, "[]"},
		{func(e *Encoder) { e.SumAtMost(nil, -1) }, "[[]]"},
	} {
		f := dimacs.NewFormula(2)
		tt.write(NewEncoder(f))
		clauses := [][]dimacs.Lit{}
		for _, c := range f.Clauses() {
			clauses = append(clauses, c)
		}
		if got := fmt.Sprint(clauses); got != tt.clauses {
			t.Errorf("got %s, want %s", got, tt.clauses)
		}
	}
}

// TestTotalizer extends totalizers at random, by bounds and literals, and compares each
// output with the number of true literals at that time.
func TestTotalizer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	rounds := 300
	if effort.Whole() {
		rounds = 5000
	}
	type output struct {
		l       dimacs.Lit
		lits    []dimacs.Lit
		atLeast int
	}
	for round := range rounds {
		n := 1 + r.IntN(6)
		k, e := newTask(n, round%2 == 1, "round %d", round)
		all := mixedLits(n)
		first := r.IntN(n + 1)
		tot := e.NewTotalizer(all[:first])
		var outputs []output
		for range 6 {
			switch {
			case r.IntN(3) == 0:
				more := r.IntN(n - first + 1)
				tot.Append(all[first : first+more]...)
				first += more
			case tot.Len() > 0:
				b := 1 + r.IntN(tot.Len())
				outputs = append(outputs, output{tot.AtLeast(b), all[:first], b})
			}
		}
		p := newPropagator(k.f)
		for a := range uint(1) << n {
			m := make(dimacs.Model, k.f.Vars())
			if !p.run(m, assigned(n, ^uint(0), a)) {
				t.Fatalf("%s: assignment %b is refuted", k.name, a)
			}
			for _, o := range outputs {
				want := dimacs.Unassigned
				if number(a, o.lits) >= o.atLeast {
					want = dimacs.True
				} else if k.define || len(o.lits) == 1 { // the output is the literal itself
					want = dimacs.False
				}
				if got := m.Lit(o.l); got != want {
					t.Fatalf("%s: at least %d of %v is %v under %b, want %v", k.name, o.atLeast, o.lits, got, a, want)
				}
			}
		}
		bound := r.IntN(n+2) - 1
		tot.AtMost(bound)
		k.holds = func(a uint) bool { return number(a, all[:first]) <= bound }
		k.check(t)
	}
}

// TestSums compares the encodings of weighted sums with brute force, and checks whether
// they propagate.
func TestSums(t *testing.T) {
	rounds := 400
	if effort.Whole() {
		rounds = 10_000
	}
	for _, c := range SumEncodings {
		r := rand.New(rand.NewPCG(1, 2))
		weak := 0
		for round := range rounds {
			n := 1 + r.IntN(5)
			terms := make([]Term, r.IntN(7))
			size := int64(0)
			for i := range terms {
				terms[i] = Term{dimacs.Lit(r.IntN(2 * n)), int64(r.IntN(15)) - 4}
				size += max(terms[i].Weight, -terms[i].Weight)
			}
			low, high := r.Int64N(2*size+2)-size, r.Int64N(2*size+2)-size
			one := r.IntN(3)
			switch one {
			case 0:
				low = -size
			case 1:
				high = size
			}
			k, e := newTask(n, round%2 == 1, "%s of %v, %d to %d", c.Name, terms, low, high)
			c.Between(e, terms, low, high)
			k.holds = func(a uint) bool {
				sum := int64(0)
				for _, x := range terms {
					sum += x.Weight * int64(value(a, x.Lit))
				}
				return low <= sum && sum <= high
			}
			k.check(t)
			if one == 2 {
				continue
			}
			if missed := k.weakness(); missed != "" {
				weak++
				if c.Propagates {
					t.Fatal(missed)
				}
			}
		}
		if weak == 0 && !c.Propagates && c.Name != "auto" {
			t.Errorf("%s missed no consequence, but Propagates is not set", c.Name)
		}
	}
}

// TestLargeWeights checks weights near the limit, and the panic beyond it.
func TestLargeWeights(t *testing.T) {
	terms := []Term{{dimacs.FromInt(1), 1 << 61}, {dimacs.FromInt(2), 1<<62 + 1}, {dimacs.FromInt(3), 3}}
	for _, c := range SumEncodings {
		for _, bound := range []int64{1, 1 << 61, 1<<62 + 1<<61 + 1, 1<<62 + 1<<61 + 3} {
			k, e := newTask(3, true, "%s up to %d", c.Name, bound)
			c.Between(e, terms, 0, bound)
			k.holds = func(a uint) bool {
				return int64(a&1)<<61+int64(a>>1&1)*(1<<62+1)+3*int64(a>>2) <= bound
			}
			k.check(t)
		}
	}
	defer func() {
		if got := recover(); got != "card: the weights add up to 2^63 or more" {
			t.Errorf("got %v", got)
		}
	}()
	new(Encoder).SumAtMost([]Term{{dimacs.FromInt(1), 1 << 62}, {dimacs.FromInt(2), -1 << 62}}, 0)
}

// TestMisuse checks the panics of contracts.
func TestMisuse(t *testing.T) {
	for _, tt := range []struct {
		want string
		call func()
	}{
		{"card: the encoding product is for at most one literal, not 0 to 2", func() {
			c, _ := FindEncoding("product")
			c.Between(NewEncoder(new(dimacs.Formula)), mixedLits(9), 0, 2)
		}},
		{"card: a bound of 3 for a totalizer of 2 literals", func() {
			NewEncoder(new(dimacs.Formula)).NewTotalizer(mixedLits(2)).AtLeast(3)
		}},
		{"dimacs: more than 1073741823 variables", func() { NewEncoder(dimacs.NewFormula(dimacs.MaxVars)).AtMost(mixedLits(9), 4) }},
	} {
		func() {
			defer func() {
				if got := recover(); got != tt.want {
					t.Errorf("got %v, want %s", got, tt.want)
				}
			}()
			tt.call()
		}()
	}
	if _, ok := FindEncoding("none"); ok {
		t.Error("found an encoding of no name")
	}
	if _, ok := FindSumEncoding("none"); ok {
		t.Error("found an encoding of sums of no name")
	}
}

// A tally counts clauses and variables.
type tally struct{ clauses, vars int }

func (c *tally) Add(...dimacs.Lit) { c.clauses++ }
func (c *tally) Grow(vars int)     { c.vars = max(c.vars, vars) }
func (c *tally) NewVar() dimacs.Var {
	c.vars++
	return dimacs.Var(c.vars - 1)
}

// TestSizes compares the sizes of encodings with the table in the essay of choose.go.
func TestSizes(t *testing.T) {
	got := "  n    k       sequential          totalizer             modulo            network\n"
	for _, row := range [][2]int{{20, 2}, {20, 5}, {20, 10}, {100, 2}, {100, 10}, {100, 50}, {500, 5}, {500, 50}} {
		got += fmt.Sprintf("%3d %4d", row[0], row[1])
		for _, name := range []string{"sequential", "totalizer", "modulo", "network"} {
			c, _ := FindEncoding(name)
			var size tally
			c.Between(NewEncoder(&size), mixedLits(row[0]), 0, row[1])
			got += fmt.Sprintf(" %9d %8s", size.clauses, fmt.Sprintf("(%d)", size.vars-row[0]))
		}
		got += "\n"
	}
	essay, err := os.ReadFile("choose.go")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(got) {
		if !strings.Contains(string(essay), "//\t"+line) {
			t.Errorf("choose.go lacks the row %s", line)
		}
	}
}

// TestChoice checks the encodings that are chosen.
func TestChoice(t *testing.T) {
	for _, tt := range []struct {
		n, low, high int
		like         string
	}{
		{32, 0, 1, "pairs"}, {33, 0, 1, "commander"}, {6, 0, 2, "pairs"}, {30, 0, 2, "sequential"},
		{30, 28, 30, "sequential"}, {100, 0, 50, "totalizer"}, {100, 50, 50, "totalizer"}, {1000, 0, 500, "network"},
	} {
		sizeOf := func(name string) (size tally) {
			c, _ := FindEncoding(name)
			low, high := tt.low, tt.high
			if name != "auto" && tt.high == tt.n {
				low, high = 0, tt.n-tt.low
			}
			c.Between(NewEncoder(&size), mixedLits(tt.n), low, high)
			return size
		}
		if auto, like := sizeOf("auto"), sizeOf(tt.like); auto != like {
			t.Errorf("%d to %d of %d: %v clauses and variables, but %s has %v", tt.low, tt.high, tt.n, auto, tt.like, like)
		}
	}
}
