package count

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// The proof that the root of a circuit follows from the formula goes along the circuit, as the counter
// found it (the structural method of Bryant, Nawrocki, Avigad and Heule, SAT 2023). A walk from the root
// repeats the decisions of the search and propagates. On the way back each node has a lemma: it follows from
// the literals above it that its component met. A component that comes again meets the same literals, so
// that its lemma serves again; if one of them is not true, the node is proved once more. A literal that
// followed by learned clauses or by simplification, and not by propagation, is refuted by package cdcl,
// whose lemmas are written too; the last one propagates from then on. So the proof has a lemma for each
// node, and few others.
//
// All lemmas have the root as a further literal. When the root is proved, they follow from it, and are deleted.

// load gives the clauses of the formula to the engine and the solver.
func (t *certifier) load() {
	t.log = lemmaWriter{certifier: t, units: map[lit]int64{}}
	t.solver = cdcl.New(cdcl.Options{Proof: &t.log, NoSymmetry: true})
	t.solver.Grow(t.f.Vars())
	for i, c := range t.f.Clauses() {
		t.log.original = int64(i + 1)
		t.solver.Add(c...)
		c = slices.Compact(slices.Sorted(slices.Values(c)))
		tautology := false
		for k := 1; k < len(c); k++ {
			tautology = tautology || c[k] == c[k-1]^1
		}
		if !tautology && len(c) > 0 {
			t.up.addClause(c, uint32(i+1))
		}
	}
}

// proveRoot writes the lemmas up to that of the root alone.
func (t *certifier) proveRoot() error {
	if t.Circuit.root != falseNode {
		_, err := t.prove(t.Circuit.root)
		t.unit = t.next
		return err
	}
	for i, c := range t.f.Clauses() {
		if len(c) == 0 {
			t.unit = t.write([]int{t.root}, []int64{int64(i + 1)})
			return nil
		}
	}
	status := t.solver.Solve(t.ctx)
	if t.unit = t.next; status == dimacs.Unknown {
		return t.solver.Why()
	}
	return nil
}

// prove returns a lemma of node i from true literals. The literals that it finds have a level of their own.
func (t *certifier) prove(i uint32) (nodeLemma, error) {
	e := &t.up
	if p := t.proved[i]; p.id != 0 && !slices.ContainsFunc(p.from, func(l lit) bool { return e.vals[l] <= 0 }) {
		return p, nil
	}
	position, level := len(e.trail), e.level()
	defer e.undo(position, level)
	e.opened = append(e.opened, position)
	if err := t.imply(); err != nil {
		return nodeLemma{}, err
	}
	d := derivation{certifier: t, level: level}
	show := d.product
	if t.kind(i) == "O" {
		show = d.choice
	}
	if err := show(i); err != nil {
		return nodeLemma{}, err
	}
	t.proved[i] = d.lemma(t.node[i])
	return t.proved[i], nil
}

// imply propagates, and makes the literals of unit clauses true.
func (t *certifier) imply() error {
	for _, r := range t.up.units {
		if l := lit(t.up.arena[r]); t.up.vals[l] == 0 {
			t.up.assign(l, r)
		}
	}
	if t.up.propagate() != 0 {
		return errors.New("internal error: a node of the circuit has no models")
	}
	if t.ctx.Err() != nil {
		return context.Cause(t.ctx)
	}
	return nil
}

// refute makes l false, which the formula and the literals on the trail imply.
func (t *certifier) refute(l lit) error {
	switch t.solver.Solve(t.ctx, append(slices.Clone(t.up.trail), l)...) {
	case dimacs.Satisfiable:
		return errors.New("internal error: the circuit lacks a model of the formula")
	case dimacs.Unknown:
		return t.solver.Why()
	}
	c, id := t.solver.Failed(), t.next
	if len(c) == 1 { // it may have known that before
		id = t.log.units[l^1]
	}
	first := slices.Index(c, l)
	c[0], c[first] = c[first], c[0]
	for k := range c {
		c[k] ^= 1
	}
	for k := 2; k < len(c); k++ { // watch the literal that will be unassigned first
		if t.up.levels[c[k]>>1] > t.up.levels[c[1]>>1] {
			c[1], c[k] = c[k], c[1]
		}
	}
	t.up.assign(l^1, t.up.addClause(c, uint32(id)))
	return t.imply()
}

// A derivation is the proof of the lemma of a node: the literals that are needed, and the last hints.
type derivation struct {
	*certifier
	level  int // the highest of the literals from which the node follows
	needed []lit
	tail   []int64
}

// product proves a product: its literals, then its children.
func (d *derivation) product(i uint32) error {
	d.needed = d.lits(i)
	for _, l := range d.needed {
		if d.up.vals[l] == 0 {
			if err := d.refute(l ^ 1); err != nil {
				return err
			}
		}
	}
	for _, k := range d.children(i) {
		p, err := d.prove(k)
		if err != nil {
			return err
		}
		d.needed, d.tail = append(d.needed, p.from...), append(d.tail, p.id)
	}
	d.tail = append(d.tail, d.first[i])
	return nil
}

// choice proves a choice: one side or the other, by the decision. Both have models, so that neither the trail nor
// one side alone implies it.
func (d *derivation) choice(i uint32) error {
	sides, decision := d.children(i), dimacs.FromInt(d.decision(i))
	if !slices.Contains(d.lits(sides[0]), decision) {
		decision ^= 1
	}
	position, level := len(d.up.trail), d.up.level()
	for k, side := range sides {
		l := decision ^ lit(k)
		d.up.decide(l)
		p, err := d.prove(side)
		d.up.undo(position, level)
		if err != nil {
			return err
		}
		for _, x := range p.from {
			if x != l {
				d.needed = append(d.needed, x)
			}
		}
		d.tail = append(d.tail, d.first[i]+1+int64(k), p.id)
	}
	return nil
}

// lemma writes the lemma of a node. Its first hints are the reasons of the literals that are needed.
func (d *derivation) lemma(node int) nodeLemma {
	e := &d.up
	var marked, from []lit
	mark := func(l lit) {
		if v := l >> 1; !e.seen[v] {
			e.seen[v], marked = true, append(marked, l)
			if int(e.levels[v]) <= d.level {
				from = append(from, l)
			}
		}
	}
	for _, l := range d.needed {
		mark(l)
	}
	var hints []int64
	for at := len(e.trail) - 1; at >= e.opened[d.level]; at-- {
		if l := e.trail[at]; e.seen[l>>1] {
			r := e.reasons[l>>1]
			hints = append(hints, int64(e.arena[r-2]))
			for _, x := range e.lits(r) {
				mark(lit(x) ^ 1)
			}
		}
	}
	for _, l := range marked {
		e.seen[l>>1] = false
	}
	slices.Reverse(hints)
	lits := []int{node}
	for _, l := range from {
		lits = append(lits, -l.Int())
	}
	return nodeLemma{d.write(lits, append(hints, d.tail...)), from}
}

// write writes a lemma with the root as a further literal, and returns its number.
func (t *certifier) write(lits []int, hints []int64) int64 {
	t.next++
	lits = slices.DeleteFunc(lits, func(l int) bool { return l == t.root })
	fmt.Fprintf(t.w, "%d a %d%s 0%s 0\n", t.next, t.root, spaced(lits), spaced(hints))
	return t.next
}

// A lemmaWriter writes the lemmas of the solver.
type lemmaWriter struct {
	*certifier
	original int64   // the number of the clause that is added
	numbers  []int64 // by id less 1
	units    map[dimacs.Lit]int64
}

func (p *lemmaWriter) Hints() bool                { return true }
func (p *lemmaWriter) Delete(int64, []dimacs.Lit) {}

func (p *lemmaWriter) Original(lits []dimacs.Lit) int64 { return p.number(lits, p.original) }

func (p *lemmaWriter) Learn(lits []dimacs.Lit, hints []int64) int64 {
	known := make([]int64, len(hints))
	for i, h := range hints {
		known[i] = p.numbers[h-1]
	}
	return p.number(lits, p.write(dimacs.Ints(lits), known))
}

// number notes the number of a clause, and returns its id.
func (p *lemmaWriter) number(lits []dimacs.Lit, n int64) int64 {
	if len(lits) == 1 {
		p.units[lits[0]] = n
	}
	p.numbers = append(p.numbers, n)
	return int64(len(p.numbers))
}
