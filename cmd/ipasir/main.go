// Command ipasir is the C library of Sator: libsator.so and libsator.a, with the
// incremental interfaces IPASIR (ipasir.h) and IPASIR-2 (ipasir2.h), and user propagators
// in the sense of IPASIR-UP (ipasir_up.h).
//
//	cmd/ipasir/build.sh DIR
//	cc program.c -IDIR -LDIR -lsator
//
// The package is a program, since the go command makes a C library of a program alone; it
// stands beside the other programs and no package can import it. It needs cgo and a C
// compiler, and has no Go file without them: a build with CGO_ENABLED=0 leaves it out.
//
// # Panics
//
// No panic crosses the border to C. A panic of the solver is printed to the standard error;
// then a function of IPASIR calls abort(), and a function of IPASIR-2 returns
// IPASIR2_E_UNKNOWN. A fatal error of the Go runtime, such as a lack of memory, ends the
// process with exit code 2.
//
// # Signals
//
// The Go runtime installs its handlers when the library is loaded, for SIGSEGV, SIGBUS,
// SIGFPE, SIGPIPE and SIGURG; others stay as they are. A handler that the program installed
// before still gets the signals that arise in C code. A handler that the program installs
// later must have the flag SA_ONSTACK. The runtime sends SIGURG to its own threads to
// preempt them, so that a program that uses SIGURG gets more of them.
//
// # Processes and threads
//
// The runtime has threads of its own, which a child of fork does not have: there a call that
// needs the Go side prints a message and calls abort(), and a child must call exec or _exit.
// Values of the last answer can be read. The library stays in memory after dlclose, and a
// second dlopen returns the same library.
//
// Different solvers may be used by different threads at the same time. A callback runs in
// the thread that called solve, and must return: longjmp and C++ exceptions must not leave it.
//
// # Memory
//
// Clauses are on the Go heap. The collector runs when the heap has grown by 25 percent, as
// in the program sator; the environment variable GOGC sets another percentage. A program that
// needs several solvers at once should release those that it does not use.
package main

/*
#include <stdlib.h>
#include "solver.h"
*/
import "C"

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime/cgo"
	"runtime/debug"
	"sync"
	"unsafe"

	"sator/cmd/internal/version"
	"sator/dimacs"
	"sator/dpll/cdcl"
)

func main() {} // not called in a library

// collectorPercent is the growth of the heap between collections; see
// cmd/internal/cli/runtime.go.
const collectorPercent = 25

func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectorPercent)
	}
}

// A session is the Go side of a solver. The engine is made by the first call that needs it,
// since its knobs cannot change afterwards.
type session struct {
	opts        cdcl.Options
	engine      *cdcl.Solver
	clause      []dimacs.Lit
	assumptions []dimacs.Lit
	reported    []bool // by variable: reported to the callback for fixed literals
	refuted     bool   // the empty clause was reported to the callback for learned clauses
	propagator  *propagator
}

func find(s *C.sator) *session { return cgo.Handle(s._go).Value().(*session) }

// guard prints a panic and sets *code to -1. It is deferred by each function that C calls.
func guard(code *C.int) {
	if r := recover(); r != nil {
		fmt.Fprintf(os.Stderr, "sator: %v\n", r)
		*code = -1
	}
}

var signature = sync.OnceValue(func() *C.char { return C.CString("sator " + version.String()) })

//export sator_go_signature
func sator_go_signature() *C.char { return signature() }

//export sator_go_new
func sator_go_new() C.uintptr_t {
	return C.uintptr_t(cgo.NewHandle(&session{opts: cdcl.Options{}}))
}

//export sator_go_release
func sator_go_release(h C.uintptr_t) { cgo.Handle(h).Delete() }

// start makes the engine unless it exists.
func (x *session) start(s *C.sator) {
	if x.engine == nil {
		x.engine = cdcl.New(x.opts)
		x.setCallbacks(s)
	}
}

// setCallbacks makes the engine call the callbacks that C has set.
func (x *session) setCallbacks(s *C.sator) {
	x.engine.SetTerminate(nil)
	if s.terminate != nil {
		x.engine.SetTerminate(func() bool { return C.sator_call_terminate(s) != 0 })
	}
	x.engine.SetLearned(0, nil)
	if s.learn != nil || s.export != nil {
		x.engine.SetLearned(int(min(int64(s.learn_max), math.MaxInt)), func(c []dimacs.Lit) { learned(s, c) })
	}
}

// sator_go_set_callbacks is called when C has set callbacks. An engine that does not exist yet
// gets them when it is made.
//
//export sator_go_set_callbacks
func sator_go_set_callbacks(s *C.sator) (code C.int) {
	defer guard(&code)
	if x := find(s); x.engine != nil {
		x.setCallbacks(s)
	}
	return 0
}

// lits returns the literals of an array of C.
func lits(a *C.literals) []int32 {
	if a.len == 0 {
		return nil
	}
	return unsafe.Slice((*int32)(unsafe.Pointer(a.data)), int(a.len))
}

// add adds the buffered clauses.
func (x *session) add(s *C.sator) {
	x.start(s)
	for _, l := range lits(&s.clauses) {
		if l == 0 {
			x.engine.Add(x.clause...)
			x.clause = x.clause[:0]
			continue
		}
		x.clause = append(x.clause, dimacs.FromInt(int(l)))
	}
}

//export sator_go_add
func sator_go_add(s *C.sator) (code C.int) {
	defer guard(&code)
	find(s).add(s)
	return 0
}

// sator_go_solve adds the buffered clauses and searches. It returns 0, 10 or 20, and -1 after
// a panic.
//
//export sator_go_solve
func sator_go_solve(s *C.sator) (code C.int) {
	defer guard(&code)
	x := find(s)
	x.add(s)
	x.engine.SetLimits(cdcl.Limits{Conflicts: int64(s.max_conflicts), Decisions: int64(s.max_decisions)})
	x.assumptions = x.assumptions[:0]
	for _, l := range lits(&s.assumptions) {
		x.assumptions = append(x.assumptions, dimacs.FromInt(int(l)))
	}
	x.connect(s)
	answer := x.engine.Solve(context.Background(), x.assumptions...)
	if err := x.engine.Err(); err != nil {
		panic(err)
	}
	if C.sator_allocate(s) == 0 { // for variables of callbacks
		panic("out of memory for the model")
	}
	switch answer {
	case dimacs.Satisfiable:
		x.storeModel(s)
		code = 10
	case dimacs.Unsatisfiable:
		x.storeFailed(s)
		if s.learn != nil && !x.refuted && len(x.engine.Failed()) == 0 {
			x.refuted = true
			learned(s, nil)
		}
		code = 20
	}
	if s.fixed != nil {
		x.reportFixed(s)
	}
	return code
}

// storeModel stores the value of each variable that C knows.
func (x *session) storeModel(s *C.sator) {
	values := unsafe.Slice((*int8)(unsafe.Pointer(s.values)), int(s.known)+1)
	for v, value := range x.engine.Model() {
		if v >= int(s.vars) {
			break
		}
		values[v+1] = int8(value)
	}
}

// storeFailed marks the failed assumptions.
func (x *session) storeFailed(s *C.sator) {
	marks := unsafe.Slice((*uint8)(unsafe.Pointer(s.marks)), int(s.known)+1)
	for _, l := range x.engine.Failed() {
		mark := uint8(C.FAILED_POSITIVE)
		if l.Neg() {
			mark = C.FAILED_NEGATIVE
		}
		marks[l.Var().Int()] |= mark
	}
}

// learned passes a learned clause to the callback for learned clauses.
func learned(s *C.sator, clause []dimacs.Lit) {
	n := len(clause)
	p := s.learned.data
	if int(s.learned.cap) <= n {
		if p = C.sator_reserve_learned(s, C.size_t(n+1)); p == nil {
			panic("out of memory for a learned clause")
		}
	}
	out := unsafe.Slice((*int32)(unsafe.Pointer(p)), n+1)
	for i, l := range clause {
		out[i] = int32(l.Int())
	}
	out[n] = 0
	C.sator_call_learn(s, C.size_t(n))
}

// reportFixed passes the literals that are fixed at the root and were not reported before to
// the callback for them. The fixed literals are the first clauses of the simplified formula.
func (x *session) reportFixed(s *C.sator) {
	for c := range x.engine.Simplified() {
		if len(c) != 1 {
			break
		}
		v := int(c[0].Var())
		for len(x.reported) <= v {
			x.reported = append(x.reported, false)
		}
		if !x.reported[v] {
			x.reported[v] = true
			C.sator_call_fixed(s, C.int32_t(c[0].Int()))
		}
	}
}
