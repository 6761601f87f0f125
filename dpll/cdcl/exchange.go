package cdcl

import "sator/dimacs"

// Clause sharing: parallel solvers that work on one formula exchange learned clauses
// (Hamadi, Jabbour, Sais, "ManySAT: a parallel SAT solver", JSAT 2009; Fleury and
// Biere, "Scalable proof producing multi-threaded SAT solving with Gimsatul", 2022).
// A solver sees the others through an [Exchange] only: it exports clauses when it
// learns them, and imports clauses at the root, a batch at a time.
//
// Importing is sound, for the following reason. All learned clauses follow from the
// formula F that both solvers were given. Search and simplifications either derive
// clauses from existing ones, or remove variables such that the remaining clauses
// are the projection of F to the other variables, "there are values for the removed
// variables such that F" (reconstruct.go). That holds for elimination, with pure
// literals as its simplest case, and for substitution. Extension variables are only
// introduced by definitions, which exclude no model of F. So a clause over the
// variables of F that one solver learned is implied by F. If it contains no variable
// that another solver has removed, the projection that this solver holds implies
// the clause as well: a model of the projection extends to a model of F, which
// satisfies the clause, and the values added by the extension do not occur in it.
// Hence:
//
//   - An Exchange must not transfer clauses with variables that are not of F, since
//     an extension variable has a different meaning in each solver.
//   - A solver rejects a clause with a variable that it has removed: its projection
//     does not constrain this variable.
//   - An imported clause is redundant. It becomes irredundant only when it subsumes
//     an irredundant clause, like all learned clauses.
//   - A solver may start from the simplified formula of another one, since that is
//     such a projection. It rejects clauses with variables unknown to it.
//   - A pass that excludes models without being a projection, as symmetry breaking
//     does, must not run in solvers that share clauses.
//
// A clause is exported when it is learned, and again when vivification has shortened it.
// Units are exported from the trail, whatever derived them. Clauses are imported at the root,
// where satisfied clauses are rejected and false literals are removed, so that any two
// literals can be watched. Backtracking to the root loses the trail. So exchanges are some
// milliseconds of ticks apart, and wait for a restart. Focused mode restarts all the time,
// but stable mode needs long runs between its restarts. The size of a batch is limited
// because new clauses cost time in propagation, too.
//
// Tried: exchanges that do not wait, or wait for 20 intervals at most (losses on models).
//
// Solvers export clauses of low glue, so glue says little about an imported clause. It
// is kept for a shorter time than a clause that the solver learned itself, unless it
// takes part in a conflict. Its first use is reported to the exchange.

// An Exchange connects a [Solver] with other solvers that were given the same
// clauses. The solver calls it from its own goroutine.
type Exchange interface {
	// Export is called with a derived clause. It reports whether the other solvers will
	// be offered the clause. The literals are scratch memory.
	Export(Shared) bool

	// Pending reports whether there are clauses to import. It is called at regular
	// intervals of search ticks, with the number of all ticks spent so far. It may
	// wait for other solvers; the solver polls its context afterwards.
	Pending(ticks int64) bool

	// Import returns a clause, or false if there is none at present. In a shared
	// proof the solver holds a reference to the clause from then on, as if it had
	// learned it, and logs a deletion when it gives up the clause.
	Import() (c Shared, ok bool)

	// Used is called when an imported clause of this glue first takes part in a conflict.
	Used(glue int)
}

// A Shared clause is exchanged between solvers. The clauses that they were given imply
// it.
type Shared struct {
	Lits []dimacs.Lit
	Glue int
	ID   int64 // in the shared proof
}

const (
	// exchangeBatch is the largest number of clauses imported at once.
	exchangeBatch = 1000
	// foreignUse is the initial age of an imported clause (reduce.go): unused, it
	// survives this number of reductions if its glue is of tier 1, and else no
	// reduction.
	foreignUse = 2
	// exchangePatience is the number of intervals that an exchange waits for a restart at most.
	exchangePatience = 100
)

// A sharing value is the state of an exchange with other solvers.
type sharing struct {
	s *Solver

	roots   int  // number of exported root literals
	waiting bool // an exchange waits for a restart
}

// export exports a derived clause, unless it has extension variables. Symmetry breaking may
// give variables new names in the proof. Clauses of two and more literals are not exported
// before, since they would be clauses over the old names.
func (x *sharing) export(c []dimacs.Lit, glue int, id int64) {
	s := x.s
	if len(c) > 1 && s.proof.log != nil && s.passes.keepsSymmetries() {
		return
	}
	if s.opts.Exchange != nil && s.removal.onlyCallerVars(c) {
		s.proof.scratch = append(s.proof.scratch[:0], c...)
		if s.opts.Exchange.Export(Shared{s.proof.scratch, glue, id}) {
			s.stats.Exported++
		}
	}
}

// exchanging reports whether there are clauses to import or units to export, at a restart, or the
// call was stopped while the exchange waited for other solvers. There is a conflict between two
// exchanges: otherwise decisions that need more ticks than an interval would be taken again and
// again, and never reach a conflict.
func (x *sharing) exchanging() bool {
	s := x.s
	if s.opts.Exchange == nil {
		return false
	}
	if s.stats.Ticks >= s.schedule.due.exchange {
		s.schedule.due.exchange = s.stats.Ticks + int64(s.opts.ExchangeInterval)
		pending := s.opts.Exchange.Pending(s.stats.Ticks + s.stats.PassTicks)
		x.waiting = pending || s.trail.roots > x.roots
		if s.poll(s.stats.Ticks) {
			return true
		}
	}
	d := &s.schedule.due
	return x.waiting && s.stats.Conflicts > d.exchangeAfter && (s.schedule.restarted() || s.stats.Ticks >= d.exchangeLatest)
}

// exchange backtracks to the root, exports new units and imports clauses.
func (x *sharing) exchange() {
	s := x.s
	if s.call.stopped || !s.toRoot() {
		return
	}
	x.waiting = false
	s.schedule.due.exchangeAfter = s.stats.Conflicts
	s.schedule.due.exchangeLatest = s.stats.Ticks + exchangePatience*int64(s.opts.ExchangeInterval)
	for ; x.roots < len(s.trail.lits); x.roots++ {
		l := s.trail.lits[x.roots]
		id := int64(0)
		if s.proof.log != nil {
			id = s.proof.unitIDs[l>>1]
		}
		x.export([]dimacs.Lit{l}, 0, id)
	}
	for n := 0; n < exchangeBatch && !s.inconsistent; n++ {
		c, ok := s.opts.Exchange.Import()
		if !ok {
			break
		}
		x.importClause(c)
	}
	if !s.inconsistent && !s.propagate() {
		s.refute()
	}
	if s.opts.Observer != nil {
		s.opts.Observer.Exchanged(s.Stats())
	}
}

// importClause adds a clause of another solver as a learned clause, at the root.
func (x *sharing) importClause(c Shared) {
	s := x.s
	s.stats.Imported++
	s.stats.Ticks += 1 + int64(len(c.Lits)>>4)
	rest, id, ok := x.simplifyImport(c)
	switch {
	case !ok:
		s.stats.ImportsRejected++
	case len(rest) == 0:
		s.inconsistent = true
	case len(rest) == 1:
		s.stats.ImportedUnits++
		s.assignRoot(rest[0], id)
	default:
		r := s.clauses.addClause(rest, true, min(c.Glue, len(rest)-1), id)
		if len(rest) > 2 {
			s.clauses.arena[r] |= foreignBit
			s.clauses.setUsed(r, foreignUse)
		}
	}
}

// simplifyImport removes the literals of an imported clause that are false at the
// root. It returns the other literals, in scratch memory, and the clause's proof id.
// If the clause is of no use to this solver, ok is false and its reference is
// released.
func (x *sharing) simplifyImport(c Shared) (rest []dimacs.Lit, id int64, ok bool) {
	s := x.s
	rest, useless := s.analysis.normalize(c.Lits)
	for _, l := range rest {
		useless = useless || !s.removal.active(uint32(l>>1))
	}
	if len(rest) == 2 && !useless {
		useless = s.clauses.hasBinary(rest[0], rest[1])
	}
	id = c.ID
	switch {
	case s.proof.log == nil:
	case useless:
		s.proof.log.Delete(id, c.Lits)
	case len(rest) < len(c.Lits):
		id = s.proof.log.Learn(rest, s.analysis.unitChain(c.Lits, id))
		s.proof.log.Delete(c.ID, c.Lits)
	}
	return rest, id, !useless
}

// reportForeignUse reports the first use of an imported clause with this header.
func (x *sharing) reportForeignUse(ref uint32, h uint32) {
	s := x.s
	s.clauses.arena[ref] = h &^ foreignBit
	s.stats.ImportedUsed++
	s.opts.Exchange.Used(int(h >> glueShift))
}
