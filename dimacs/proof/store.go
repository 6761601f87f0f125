package proof

import (
	"errors"
	"slices"

	"sator/dimacs"
)

// A store holds the clauses of a formula and of its proof in their order, and
// finds a deleted clause by its literals.
//
// The clauses are consecutive in the arena: a word of flags and size, a word
// with the number of the clause, then the literals without duplicates. A
// reference is the index of the first word. References are even, so that a
// watch has a bit to spare, and they ascend: a clause was added after another
// if and only if its reference is greater.
type store struct {
	variables
	arena []uint32
	refs  []uint32 // by number of the clause

	buckets []uint32 // hash table of the clauses: the first number of each chain, plus one
	next    []uint32 // by number of the clause: the next number in its chain, plus one
	entries int      // the number of clauses in the table

	lits   []uint32 // scratch: the result of clean
	marked []bool   // by literal: it is in lits
}

// The flags of a clause, below its size.
const (
	coreFlag    = 1 << iota // the clause is needed
	deletedFlag             // the clause was deleted
	inertFlag               // the clause is a tautology and never watched
	sizeShift   = iota
	headerWords = 2
)

// newStore returns a store for the clauses of f. They are not added yet.
func newStore(f *dimacs.Formula, m dimacs.MemoryLimit) store {
	m.Require(4 * (5*int64(f.Len()) + int64(f.Size())))
	return store{
		variables: variables{far: map[dimacs.Var]uint32{}, memory: m},
		arena:     make([]uint32, 2, 2+f.Size()+3*f.Len()),
		refs:      make([]uint32, 0, f.Len()),
		next:      make([]uint32, 0, f.Len()),
		buckets:   make([]uint32, 1<<10),
	}
}

// literal returns the internal number of l.
func (s *store) literal(l dimacs.Lit) uint32 {
	number, fresh := s.number(l.Var(), len(s.arena))
	if fresh {
		s.marked = append(dimacs.Extend(s.memory, s.marked, 2), false, false)
	}
	return number<<1 | uint32(l&1)
}

// clean stores the literals of a clause in s.lits, without duplicates and in
// their order, and marks them. It reports whether the clause is a tautology.
func (s *store) clean(lits []dimacs.Lit) (tautology bool) {
	s.lits = s.lits[:0]
	for _, x := range lits {
		l := s.literal(x)
		if s.marked[l] {
			continue
		}
		tautology = tautology || s.marked[l^1]
		s.marked[l] = true
		s.lits = append(s.lits, l)
	}
	return tautology
}

// unmark removes the marks of clean.
func (s *store) unmark() {
	for _, l := range s.lits {
		s.marked[l] = false
	}
}

var errTooLarge = errors.New("the proof is too large: its clauses exceed 16 GiB or 2^31 in number")

// add appends a clause and returns its reference.
func (s *store) add(lits []dimacs.Lit) (ref uint32, err error) {
	header := uint32(0)
	if s.clean(lits) {
		header = inertFlag
	}
	s.unmark()
	const maxWords, maxClauses = 1 << 32, 1<<31 - 2
	words := headerWords + (len(s.lits)+1)&^1
	if uint64(len(s.arena)+words) > maxWords || len(s.refs) >= maxClauses || len(s.lits) >= 1<<(32-sizeShift) {
		return 0, errTooLarge
	}
	ref = uint32(len(s.arena))
	s.arena = append(dimacs.Extend(s.memory, s.arena, words), header|uint32(len(s.lits))<<sizeShift, uint32(len(s.refs)))
	s.arena = append(s.arena, s.lits...)
	if len(s.lits)&1 != 0 {
		s.arena = append(s.arena, 0)
	}
	s.refs = append(dimacs.Extend(s.memory, s.refs, 1), ref)
	s.insert(uint32(len(s.refs) - 1))
	return ref, nil
}

// clause returns the literals of the clause at ref.
func (s *store) clause(ref uint32) []uint32 {
	n := s.arena[ref] >> sizeShift
	return s.arena[ref+headerWords:][:n:n]
}

// externalClause returns the literals of a clause as in the formula. The
// literal first, if it is in the clause, becomes the first one.
func (s *store) externalClause(ref, first uint32) []dimacs.Lit {
	lits := make([]dimacs.Lit, 0, s.arena[ref]>>sizeShift)
	for _, l := range s.clause(ref) {
		lits = append(lits, s.external(l))
		if l == first {
			last := len(lits) - 1
			lits[0], lits[last] = lits[last], lits[0]
		}
	}
	return lits
}

// hash returns a hash that does not depend on the order of the literals.
func hash(lits []uint32) uint32 {
	h := uint64(len(lits))
	for _, l := range lits {
		x := (uint64(l) + 1) * 0x9e3779b97f4a7c15
		h += x ^ x>>29
	}
	h *= 0xbf58476d1ce4e5b9
	return uint32(h >> 32)
}

func (s *store) bucket(lits []uint32) *uint32 {
	return &s.buckets[hash(lits)&uint32(len(s.buckets)-1)]
}

// insert inserts a clause, whose literals are in s.lits, into the hash table.
func (s *store) insert(number uint32) {
	if s.entries >= len(s.buckets) {
		s.rehash()
	}
	s.entries++
	b := s.bucket(s.lits)
	s.next = append(dimacs.Extend(s.memory, s.next, 1), *b)
	*b = number + 1
}

// rehash makes the hash table four times as large.
func (s *store) rehash() {
	old := s.buckets
	s.memory.Require(16 * int64(len(old)))
	s.buckets = make([]uint32, 4*len(old))
	for _, n := range old {
		for n > 0 {
			after := s.next[n-1]
			b := s.bucket(s.clause(s.refs[n-1]))
			s.next[n-1], *b = *b, n
			n = after
		}
	}
}

// unlink removes the latest clause with these literals from the hash table and
// returns its reference, or 0 if there is no such clause.
func (s *store) unlink(lits []dimacs.Lit) (ref uint32) {
	s.clean(lits)
	for link := s.bucket(s.lits); *link > 0; link = &s.next[*link-1] {
		if r := s.refs[*link-1]; s.equals(r) {
			*link = s.next[*link-1]
			s.entries--
			ref = r
			break
		}
	}
	s.unmark()
	return ref
}

// equals reports whether the clause at ref has exactly the literals that are
// marked.
func (s *store) equals(ref uint32) bool {
	c := s.clause(ref)
	return len(c) == len(s.lits) && !slices.ContainsFunc(c, func(l uint32) bool { return !s.marked[l] })
}
