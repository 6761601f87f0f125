package main

// #include <stdlib.h>
// #include "solver.h"
import "C"

import (
	"math"
	"sync"
	"unsafe"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// Options of IPASIR-2. The first ones are of the draft, by their names there; the others are
// the knobs of the engine, and can be set before it is made.

// A standardOption is an option of the draft. Its function returns false if the solver does
// not support the value.
type standardOption struct {
	name     string
	min, max int64
	indexed  bool
	set      func(x *session, s *C.sator, value int64, v dimacs.Var) bool
}

var standardOptions = []standardOption{
	{"ipasir.limits.conflicts", -1, math.MaxInt64 - 1, false, func(_ *session, s *C.sator, n int64, _ dimacs.Var) bool {
		s.max_conflicts = C.int64_t(n + 1)
		return true
	}},
	{"ipasir.limits.decisions", -1, math.MaxInt64 - 1, false, func(_ *session, s *C.sator, n int64, _ dimacs.Var) bool {
		s.max_decisions = C.int64_t(n + 1)
		return true
	}},
	{"ipasir.variables.phase.initial", -1, 1, true, func(x *session, _ *C.sator, n int64, v dimacs.Var) bool {
		if n < 0 || n == 0 && x.opts.Phase == cdcl.PhaseFalse {
			x.engine.SetPhase(v.Lit().Not())
		} else {
			x.engine.SetPhase(v.Lit())
		}
		return true
	}},
	{"ipasir.variables.frozen", 0, 1, true, func(x *session, _ *C.sator, n int64, v dimacs.Var) bool {
		if n == 0 {
			return false
		}
		x.engine.Freeze(v.Lit())
		return true
	}},
}

// optionTable returns the options as an array of C that is never freed.
var optionTable = sync.OnceValue(func() []C.ipasir2_option {
	n := len(standardOptions) + len(cdcl.Knobs)
	p := (*C.ipasir2_option)(C.calloc(C.size_t(n), C.size_t(unsafe.Sizeof(C.ipasir2_option{}))))
	if p == nil {
		return nil
	}
	table := unsafe.Slice(p, n)
	for i, o := range standardOptions {
		table[i] = C.ipasir2_option{name: C.CString(o.name), min: C.int64_t(o.min), max: C.int64_t(o.max), max_state: C.IPASIR2_S_INPUT}
		if o.indexed {
			table[i].indexed = 1
		}
	}
	for i, k := range cdcl.Knobs {
		table[len(standardOptions)+i] = C.ipasir2_option{
			name: C.CString("sator." + k.Name), min: C.int64_t(k.Min), max: C.int64_t(k.Max),
			max_state: C.IPASIR2_S_CONFIG, tunable: 1,
		}
	}
	return table
})

//export sator_go_options
func sator_go_options(count *C.int) *C.ipasir2_option {
	table := optionTable()
	*count = C.int(len(table))
	return unsafe.SliceData(table)
}

// sator_go_set_option sets option i, whose value C has checked. It returns 1 if the value is
// not supported for the variable. Index 0 means all variables.
//
//export sator_go_set_option
func sator_go_set_option(s *C.sator, i C.int, value C.int64_t, index C.int32_t) (code C.int) {
	defer guard(&code)
	x := find(s)
	if n := int(i) - len(standardOptions); n >= 0 {
		x.opts.Set(cdcl.Knobs[n].Name, int(value))
		return 0
	}
	o := &standardOptions[i]
	first, last := index, index
	if o.indexed {
		x.start(s)
		if index == 0 {
			first, last = 1, s.vars
		}
	}
	for v := first; v <= last; v++ {
		if !o.set(x, s, int64(value), dimacs.Var(v-1)) {
			return 1
		}
	}
	return 0
}
