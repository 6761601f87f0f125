package main

// #include "solver.h"
import "C"

import (
	"slices"
	"unsafe"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// A propagator passes the calls of the engine on to the callbacks of a propagator in C, and to
// the import callback of IPASIR-2, whose clauses are like those of a propagator.
type propagator struct {
	s       *C.sator
	clause  []dimacs.Lit
	pending bool           // Check has imported the clause, which the model does not satisfy
	held    [][]dimacs.Lit // clauses that Check has imported and that the model satisfies
	idle    int            // number of calls of Clause since the import callback had no clause
}

// importInterval is the number of calls of Clause, one for each decision or more, for one call
// of an import callback that had no clause. A crossing takes as long as a short propagation.
const importInterval = 256

// connect connects or disconnects the engine before a search.
func (x *session) connect(s *C.sator) {
	if x.propagator != nil {
		for _, c := range x.propagator.held {
			x.engine.Add(c...)
		}
		x.propagator.held = nil
	}
	needed := s.connected != 0 || s._import != nil
	switch {
	case needed && x.propagator == nil:
		x.propagator = &propagator{s: s}
		x.engine.Connect(x.propagator)
	case !needed && x.propagator != nil:
		x.propagator = nil
		x.engine.Connect(nil)
	}
	if x.propagator != nil {
		x.propagator.idle = importInterval
	}
}

// sator_go_connect makes the next search report the whole trail to the new propagator.
//
//export sator_go_connect
func sator_go_connect(s *C.sator) (code C.int) {
	defer guard(&code)
	x := find(s)
	x.start(s)
	if x.propagator != nil {
		x.engine.Connect(x.propagator)
	}
	return 0
}

//export sator_go_observe
func sator_go_observe(s *C.sator, v C.int32_t) (code C.int) {
	defer guard(&code)
	x := find(s)
	x.start(s)
	x.engine.Observe(dimacs.FromInt(int(v)))
	return 0
}

// report stores literals for a callback, and returns their number.
func (p *propagator) report(lits []dimacs.Lit) C.int32_t {
	data := C.sator_reserve_reported(p.s, C.size_t(len(lits)+1))
	if data == nil {
		panic("out of memory for assignments")
	}
	out := unsafe.Slice((*int32)(unsafe.Pointer(data)), len(lits))
	for i, l := range lits {
		out[i] = int32(l.Int())
	}
	return C.int32_t(len(lits))
}

// read reads a clause ended by 0.
func (p *propagator) read(lits *C.int32_t) []dimacs.Lit {
	p.clause = p.clause[:0]
	for ; *lits != 0; lits = (*C.int32_t)(unsafe.Add(unsafe.Pointer(lits), unsafe.Sizeof(*lits))) {
		p.clause = append(p.clause, dimacs.FromInt(int(*lits)))
	}
	return p.clause
}

func (p *propagator) Assigned(lits []dimacs.Lit) {
	if p.s.up.assigned != nil {
		C.sator_up_assigned(p.s, p.report(lits))
	}
}

func (p *propagator) NewLevel() {
	if p.s.up.new_level != nil {
		C.sator_up_new_level(p.s)
	}
}

func (p *propagator) Backtrack(level int) {
	if p.s.up.backtrack != nil {
		C.sator_up_backtrack(p.s, C.int32_t(level))
	}
}

func (p *propagator) Decide() (dimacs.Lit, bool) {
	if p.s.up.decide == nil {
		return 0, false
	}
	return literal(C.sator_up_decide(p.s))
}

func (p *propagator) Propagate() (dimacs.Lit, bool) {
	if p.s.up.propagate == nil {
		return 0, false
	}
	return literal(C.sator_up_propagate(p.s))
}

// literal returns a literal of a callback, or false for 0.
func literal(l C.int32_t) (dimacs.Lit, bool) {
	if l == 0 {
		return 0, false
	}
	return dimacs.FromInt(int(l)), true
}

func (p *propagator) Reason(l dimacs.Lit) []dimacs.Lit {
	if p.s.up.reason == nil {
		return nil
	}
	c := C.sator_up_reason(p.s, C.int32_t(l.Int()))
	if c == nil {
		return nil
	}
	return p.read(c)
}

func (p *propagator) Clause() (c []dimacs.Lit, forgettable, ok bool) {
	if p.pending {
		p.pending = false
		return p.clause, false, true
	}
	if p.s.up.clause != nil {
		if c := C.sator_up_clause(p.s); c != nil {
			return p.read(c), p.s.forgettable != 0, true
		}
	}
	if n := len(p.held); n > 0 {
		c = p.held[n-1]
		p.held = p.held[:n-1]
		return c, false, true
	}
	p.idle++
	ok = p.idle >= importInterval && p.load()
	return p.clause, p.s.forgettable != 0, ok
}

// load reads a clause of the import callback. It returns false if there is none.
func (p *propagator) load() bool {
	if p.s._import == nil {
		return false
	}
	c := C.sator_call_import(p.s)
	if c == nil {
		p.idle = 0
		return false
	}
	p.read(c)
	return true
}

// Check accepts no model that does not satisfy all clauses to import.
func (p *propagator) Check(m dimacs.Model) bool {
	if p.s.up.check != nil && !p.accepts(m) {
		return false
	}
	for p.load() {
		if p.pending = m.Clause(p.clause) != dimacs.True; p.pending {
			return false
		}
		p.held = append(p.held, slices.Clone(p.clause))
	}
	return true
}

// accepts passes a model to the callback.
func (p *propagator) accepts(m dimacs.Model) bool {
	n := C.size_t(len(m))
	data := C.sator_reserve_reported(p.s, n+1)
	if data == nil {
		panic("out of memory for the model")
	}
	out := unsafe.Slice((*int32)(unsafe.Pointer(data)), len(m))
	for v, value := range m {
		out[v] = int32(value) * int32(dimacs.Var(v).Int())
	}
	return C.sator_up_check(p.s, C.int32_t(n)) != 0
}

var _ cdcl.Propagator = (*propagator)(nil)
