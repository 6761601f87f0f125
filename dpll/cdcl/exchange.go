package cdcl

import "sator/dimacs"

// Solvers that work on one formula, each in its own way, can tell one another what
// they learn (Hamadi, Jabbour, Sais, "ManySAT: a parallel SAT solver", JSAT 2009;
// Fleury and Biere, "Scalable proof producing multi-threaded SAT solving with
// Gimsatul", 2022). Of that a solver knows no more than an [Exchange]: it gives
// clauses away as it learns them, and takes others in at the root, a little at a
// time.
//
// Why a clause of another solver may be taken in. What a solver learns follows from
// the formula F that both were given: search, and all simplifications, either derive
// clauses from those there are, or take variables out such that what is left is the
// projection of F onto the others, "there are values for those that are gone such
// that F" (extend.go). That holds of elimination, with pure literals as its simplest
// case, and of substitution. Fresh variables are only ever introduced by definitions,
// which exclude no model of F. So a clause over the variables of F that one solver
// learned is implied by F. If it has none of the variables that another solver has
// retired, then the projection that this one holds implies it as well: a model of the
// projection extends to one of F, which satisfies the clause, and the values that
// were added do not matter for it. Hence
//
//   - whoever carries clauses from one to another must leave out those with variables
//     that are not of F, since a fresh one means different things in each solver;
//   - a clause with a variable that is retired here is left out: the projection says
//     nothing of it;
//   - what is taken in is redundant, and stays so unless it takes the place of an
//     irredundant clause that it subsumes, like all learned clauses;
//   - a solver may also be given what another one's simplification has left, since that
//     is such a projection; clauses with a variable that it does not know are left out;
//   - a pass that took away models without that being a projection, as to break
//     symmetries does, must not run in solvers that share.
//
// A clause is given away when it is learned, and again when vivification has made it
// shorter. Units are given away however they came about, as they stand on the
// trail. Clauses come in at the root, where those with true literals are of no use
// and false literals go, so that what is left can be watched by any two of its
// literals. To get there costs the trail, so that it happens at intervals of ticks,
// some milliseconds by default, to which a restart adds little; and then not for more
// than so many clauses, since they take their time in propagation, too.
//
// A clause of another solver is one among many that are said to be good. It is not
// kept as long as one that came of an own conflict, unless it takes part in one; and
// the first time that it does, the exchange is told.

// An Exchange connects a [Solver] with others that were given the same clauses. The
// solver calls it from its own goroutine.
type Exchange interface {
	// Export offers a clause that was derived. The literals are scratch.
	Export(Shared)

	// Pending reports whether there is something to import. It is called at
	// intervals of search, which take about the same number of ticks, with all that
	// were spent so far. It may wait for other solvers; the solver looks at its
	// context afterwards.
	Pending(ticks int64) bool

	// Import returns a clause, or false if there is none at present. The solver has
	// a share in it in the proof from then on, as if it had learned it: it tells
	// when it does not hold it any more.
	Import() (c Shared, ok bool)

	// Used tells that an imported clause with this glue took part in a conflict.
	Used(glue int)
}

// A Shared clause is one that goes from solver to solver. What it says is implied by
// the clauses given.
type Shared struct {
	Lits []dimacs.Lit
	Glue int
	ID   int64 // in the proof that the solvers have in common
}

const (
	// exchangeBatch is how many clauses are taken in at once.
	exchangeBatch = 1000
	// foreignUse is the age of a clause that was taken in (reduce.go): it survives
	// so many reductions unused if its glue is that of tier 1, and else none.
	foreignUse = 2
)

// export offers a clause that was derived to the other solvers, unless it has fresh
// variables.
func (s *Solver) export(c []dimacs.Lit, glue int, id int64) {
	if s.opts.Exchange != nil && s.onlyCallerVars(c) {
		s.external = append(s.external[:0], c...)
		s.opts.Exchange.Export(Shared{s.external, glue, id})
	}
}

// exchanging reports whether there is something to give or to take at the root, or
// the exchange has taken so long that the call has to stop.
func (s *Solver) exchanging() bool {
	if s.opts.Exchange == nil || s.stats.Ticks < s.due.exchange {
		return false
	}
	s.due.exchange = s.stats.Ticks + int64(s.opts.ExchangeInterval)
	pending := s.opts.Exchange.Pending(s.stats.Ticks + s.stats.PassTicks)
	return s.poll(s.stats.Ticks) || pending || s.roots > s.rootsExported
}

// exchange goes to the root, gives away the units that are new, and takes clauses in.
func (s *Solver) exchange() {
	if s.stopped || !s.toRoot() {
		return
	}
	for ; s.rootsExported < len(s.trail); s.rootsExported++ {
		l := s.trail[s.rootsExported]
		id := int64(0)
		if s.proof != nil {
			id = s.unitIDs[l>>1]
		}
		s.export([]dimacs.Lit{l}, 0, id)
	}
	for n := 0; n < exchangeBatch && !s.inconsistent; n++ {
		c, ok := s.opts.Exchange.Import()
		if !ok {
			break
		}
		s.importClause(c)
	}
	if !s.inconsistent && !s.propagate() {
		s.refute()
	}
}

// importClause makes a clause of another solver a learned clause, at the root.
func (s *Solver) importClause(c Shared) {
	s.stats.Imported++
	s.stats.Ticks += 1 + int64(len(c.Lits)>>4)
	rest, id, ok := s.simplifyImport(c)
	switch {
	case !ok:
		s.stats.ImportedInVain++
	case len(rest) == 0:
		s.inconsistent = true
	case len(rest) == 1:
		s.stats.ImportedUnits++
		s.assignRoot(rest[0], id)
	default:
		r := s.addClause(rest, true, min(c.Glue, len(rest)-1), id)
		if len(rest) > 2 {
			s.arena[r] |= foreignBit
			s.setUsed(r, foreignUse)
		}
	}
}

// simplifyImport returns what is left of a clause of another solver, in scratch, with its id
// in the proof. If that is of no use here, it says so, and the share is given back.
func (s *Solver) simplifyImport(c Shared) (rest []dimacs.Lit, id int64, ok bool) {
	rest, useless := s.normalize(c.Lits)
	for _, l := range rest {
		useless = useless || !s.active(uint32(l>>1))
	}
	if len(rest) == 2 && !useless {
		useless = s.hasBinary(rest[0], rest[1])
	}
	id = c.ID
	switch {
	case s.proof == nil:
	case useless:
		s.proof.Delete(id, c.Lits)
	case len(rest) < len(c.Lits):
		id = s.proof.Learn(rest, s.unitChain(c.Lits, id))
		s.proof.Delete(c.ID, c.Lits)
	}
	return rest, id, !useless
}

// reportForeignUse tells the exchange that a clause taken in, with this header, was used.
func (s *Solver) reportForeignUse(ref uint32, h uint32) {
	s.arena[ref] = h &^ foreignBit
	s.stats.ImportedUsed++
	s.opts.Exchange.Used(int(h >> glueShift))
}
