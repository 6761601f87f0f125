package dplltest

import (
	"fmt"
	"io"
	"runtime"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// growthVars is the number of variables of the smaller engine of [CheckGrowth]. It is small,
// so that tables of the larger engine stay on the Go heap, whose allocations are measured.
const growthVars = 2000

// CheckGrowth returns an error if the memory that an engine allocates is more than linear
// in the number of variables when they are added one at a time, by clauses of one to four
// literals, with a proof and without. If the engine has a method Reserve, memory is also
// reserved for each clause. It compares the bytes allocated for some number of variables
// and for four times as many. An engine that copies a table for each variable allocates 16
// times as many; doubling tables, or adding a quarter, can hardly exceed five times. No
// other goroutine may allocate memory meanwhile.
func CheckGrowth(newEngine func(Setup) Engine) error {
	for size := 1; size <= 4; size++ {
		for _, proved := range []bool{false, true} {
			for _, reserved := range []bool{false, true} {
				few := growthBytes(newEngine, growthVars, size, proved, reserved)
				many := growthBytes(newEngine, 4*growthVars, size, proved, reserved)
				if many > 8*few {
					return fmt.Errorf("clauses of %d literals, with a proof %v, reserved %v: %d variables, added one at a time, allocate %d bytes, and %d variables %d bytes",
						size, proved, reserved, growthVars, few, 4*growthVars, many)
				}
			}
		}
	}
	return nil
}

// growthBytes returns the number of bytes that an engine allocates for the clauses of
// AddChain.
func growthBytes(newEngine func(Setup) Engine, vars, size int, proved, reserved bool) uint64 {
	var setup Setup
	if proved {
		setup.Proof = proof.NewWriter(io.Discard, proof.BinaryLRAT, vars)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	e := newEngine(setup)
	if r, is := e.(reserver); is && reserved {
		e = reservingEngine{e, r}
	}
	AddChain(e, vars, size)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A reserver is an engine that can reserve memory for more clauses.
type reserver interface {
	Reserve(clauses, literals int)
}

// A reservingEngine reserves memory for each clause before it is added, as if each were a
// formula.
type reservingEngine struct {
	Engine
	reserver
}

// Add reserves memory for a clause and gives it to the engine.
func (e reservingEngine) Add(lits ...dimacs.Lit) {
	e.Reserve(1, len(lits))
	e.Engine.Add(lits...)
}

// AddChain adds the clauses of so many consecutive variables each, in ascending order, so
// that each clause but the first has one new variable.
func AddChain(e Engine, vars, size int) {
	c := make([]dimacs.Lit, size)
	for v := range vars - size + 1 {
		for i := range c {
			c[i] = dimacs.Var(v + i).Lit()
		}
		e.Add(c...)
	}
}

// BenchmarkGrowth measures how long an engine takes to add a million variables one at a
// time, by clauses of two and of three literals. It fails if the engine, as counted by
// vars, does not have them afterwards.
func BenchmarkGrowth[E Engine](b *testing.B, newEngine func() E, vars func(E) int) {
	const n = 1_000_000
	for _, size := range []int{2, 3} {
		b.Run(fmt.Sprintf("size=%d/vars=%d", size, n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e := newEngine()
				AddChain(e, n, size)
				if got := vars(e); got != n {
					b.Fatalf("%d variables", got)
				}
			}
		})
	}
}
