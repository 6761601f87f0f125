package families

import (
	"math/bits"

	"sator/dimacs"
)

// Bit pigeonhole principle: the hole of each pigeon is a number in binary. For each hole,
// no two pigeons have its number. If the number of holes is not a power of 2, each pigeon
// has clauses that exclude the other numbers. All clauses are long, and no at-most-one
// constraint is visible, unlike in php. The formula is unsatisfiable with more pigeons than
// holes; m pigeons and n holes of b bits have C(m,2) n + m (2^b - n) clauses, and the models
// are the injections.

var phpBit = &Family{
	Name:   "php-bit",
	Help:   "pigeonhole principle with the holes in binary; unsatisfiable with more pigeons than holes",
	Source: "Filmus, Lauria, Nordström, Ron-Zewi and Thapen, Space Complexity in Polynomial Calculus, 2015",
	Params: []Param{
		{"holes", Int, 8, 2, 10000, "number of holes"},
		{"pigeons", Int, 0, 0, 20001, "number of pigeons; 0 for one more than the holes"}},
	build: buildPHPBit,
}

func buildPHPBit(v Values, _ *rng) (*Instance, error) {
	if v["pigeons"] == 0 {
		v["pigeons"] = v["holes"] + 1
	}
	holes := newNumbers(v.int("pigeons"), v.int("holes"))
	if _, err := count(choose(holes.n, 2)*float64(holes.below) + holes.size()); err != nil {
		return nil, err
	}
	f := dimacs.NewFormula(holes.vars())
	holes.addRange(f)
	for hole := range holes.below {
		for i := range holes.n {
			for h := range i {
				f.Add(append(holes.differs(h, hole), holes.differs(i, hole)...)...)
			}
		}
	}
	inst := newInstance(f, statusOf(holes.n <= holes.below), "pigeonhole principle: %d pigeons, %d holes, numbered in %d bits", holes.n, holes.below, holes.bits)
	if inst.Answer == dimacs.Satisfiable {
		inst.Model = holes.model(func(i int) int { return i })
	}
	return inst, nil
}

// numbers are n numbers below a bound in binary: bit b of number i is variable i*bits+b.
type numbers struct{ n, below, bits int }

func newNumbers(n, below int) numbers { return numbers{n, below, bits.Len(uint(below - 1))} }

func (x numbers) vars() int { return x.n * x.bits }

// differs returns the clause "number i is not value".
func (x numbers) differs(i, value int) []dimacs.Lit {
	return literals(x.bits, func(b int) dimacs.Lit { return dimacs.Var(i*x.bits+b).Lit() ^ dimacs.Lit(value>>b&1) })
}

// size returns the number of clauses of addRange.
func (x numbers) size() float64 { return float64(x.n) * float64(1<<x.bits-x.below) }

// addRange states that the numbers are below the bound.
func (x numbers) addRange(f *dimacs.Formula) {
	for i := range x.n {
		for value := x.below; value < 1<<x.bits; value++ {
			f.Add(x.differs(i, value)...)
		}
	}
}

// model returns the assignment with these numbers.
func (x numbers) model(value func(i int) int) dimacs.Model {
	m := allFalse(x.vars())
	for i := range x.n {
		for _, l := range x.differs(i, value(i)) {
			m.Set(l.Not())
		}
	}
	return m
}
