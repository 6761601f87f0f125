package trace

import (
	"fmt"
	"slices"

	"sator/dimacs"
	"sator/internal/diagram"
)

// Diagrams of small searches. Package diagram has the formats and the layout.

// layOut computes the layout, unless the diagram is too large.
func layOut(d *diagram.Diagram) (*diagram.Diagram, error) {
	if err := diagram.CheckSize(len(d.Nodes), len(d.Edges)); err != nil {
		return nil, err
	}
	d.LayOutLayers()
	return d, nil
}

// The classes of nodes in an implication graph.
const (
	classImplied = iota
	classDecision
	classLearned
	classUIP
	classConflict
)

// The classes of edges in an implication graph.
const (
	edgePlain = iota
	edgeCut
)

// ConflictGraph returns the implication graph of a conflict, counted from 1. Its nodes are the true
// literals behind the conflict, each with its level. The edges into a literal come from the
// complements of the other literals in its reason. The learned clause is a cut of the graph: the
// edges that cross it are marked, and leave the complements of the clause's literals, among them the
// first unique implication point (UIP). The error says that the graph is too large, or
// that there is no such conflict.
func (t *Trace) ConflictGraph(conflict int) (*diagram.Diagram, error) {
	var state State
	for _, step := range t.Steps {
		if step.Kind == Learn && state.Conflict != 0 && state.Conflicts == conflict {
			return layOut(state.conflictGraph(step))
		}
		if err := state.Apply(step); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("there is no conflict %d with a learned clause; the trace has %s", conflict, count(state.Conflicts, "conflict"))
}

// conflictGraph returns the implication graph of the current conflict, with the cut of its learned
// clause.
func (s *State) conflictGraph(learn Step) *diagram.Diagram {
	caption := fmt.Sprintf("conflict %d in clause %d; learned clause %d: %s", s.Conflicts, s.Conflict, learn.Clause, spaced(learn.Lits))
	d := diagram.Boxes("conflict", caption, []diagram.Look{
		classImplied:  {Meaning: "implied", Shape: diagram.RoundedBox},
		classDecision: {Name: "decision", Light: "#dfe6ef", Dark: "#2f3d52", Meaning: "decision"},
		classLearned:  {Name: "learned", Light: "#b7dfc5", Dark: "#1f5132", Meaning: "complement in the learned clause", Shape: diagram.RoundedBox},
		classUIP:      {Name: "uip", Light: "#f2d398", Dark: "#6b4a10", Meaning: "first UIP", Shape: diagram.RoundedBox},
		classConflict: {Name: "conflict", Light: "#eeb4a7", Dark: "#7a2a20", Meaning: "conflict"},
	}, []diagram.Look{
		edgePlain: {Meaning: "implies"},
		edgeCut:   {Name: "cut", Light: "#1a6b34", Dark: "#6fd08c", Meaning: "crosses the cut"},
	})
	p := &painter{state: s, learned: learn, behind: s.behindCut(learn), diagram: d, nodes: make(map[dimacs.Var]int)}
	d.Nodes = append(d.Nodes, diagram.BoxNode("conflict", s.cite(s.Conflict), classConflict))
	p.enter(0, s.Clauses[s.Conflict-1].Lits, true)
	return d
}

// behindCut returns the variables on the conflict's side of the cut, the pivots of the derivation.
func (s *State) behindCut(learn Step) map[dimacs.Var]bool {
	behind := make(map[dimacs.Var]bool)
	resolutions, _ := s.Derive(learn)
	for _, r := range resolutions[min(1, len(resolutions)):] {
		behind[r.Pivot.Var()] = true
	}
	return behind
}

// A painter builds an implication graph.
type painter struct {
	state   *State
	learned Step
	behind  map[dimacs.Var]bool
	diagram *diagram.Diagram
	nodes   map[dimacs.Var]int
}

// enter adds the edges from the complements of false literals to a node, and the nodes that they
// leave. behind is set if the node is behind the cut.
func (p *painter) enter(to int, lits []dimacs.Lit, behind bool) {
	for _, l := range lits {
		if p.state.Value(l) != dimacs.False { // the implied literal
			continue
		}
		from, ok := p.nodes[l.Var()]
		if !ok {
			from = len(p.diagram.Nodes)
			p.nodes[l.Var()] = from
			p.add(l.Not())
		}
		class := edgePlain
		if behind && !p.behind[l.Var()] {
			class = edgeCut
		}
		p.diagram.Edges = append(p.diagram.Edges, diagram.Edge{From: from, To: to, Class: class})
	}
}

// add adds the node of a true literal, and the nodes that imply it.
func (p *painter) add(l dimacs.Lit) {
	a := p.state.assignment(l.Var())
	tooltip, class := "", classImplied
	switch {
	case len(p.learned.Lits) > 0 && l == p.learned.Lits[0].Not():
		class = classUIP
	case slices.Contains(p.learned.Lits, l.Not()):
		class = classLearned
	case a.Reason == 0:
		class = classDecision
	}
	if a.Reason == 0 {
		tooltip = fmt.Sprintf("decision of level %d", a.Level)
	} else {
		tooltip = "implied by " + p.state.cite(a.Reason)
	}
	n := len(p.diagram.Nodes)
	p.diagram.Nodes = append(p.diagram.Nodes, diagram.BoxNode(fmt.Sprintf("%v @%d", l, a.Level), tooltip, class))
	if a.Reason != 0 {
		p.enter(n, p.state.Clauses[a.Reason-1].Lits, p.behind[l.Var()])
	}
}

// The classes of nodes in a resolution proof.
const (
	classGiven = iota
	classDerived
	classEmpty
)

// ProofGraph returns the resolution proof of the last learned clause, the empty clause of a
// refutation. Its nodes are clauses, the edges lead from antecedents to the
// clauses that are derived from them. Clauses that are not used are not there. The error says
// that the graph is too large, or that no clause is learned.
func ProofGraph(steps []Step, caption string) (*diagram.Diagram, error) {
	d := diagram.Boxes("proof", caption, []diagram.Look{
		classGiven:   {Name: "given", Light: "#dfe6ef", Dark: "#2f3d52", Meaning: "clause of the formula"},
		classDerived: {Meaning: "learned clause", Shape: diagram.RoundedBox},
		classEmpty:   {Name: "conflict", Light: "#eeb4a7", Dark: "#7a2a20", Meaning: "empty clause"},
	}, []diagram.Look{{Meaning: "is an antecedent"}})
	clauses, last := make(map[int]Step), 0
	for _, step := range steps {
		if step.Kind == Add || step.Kind == Learn {
			clauses[step.Clause] = step
		}
		if step.Kind == Learn {
			last = step.Clause
		}
	}
	if last == 0 {
		return nil, fmt.Errorf("no clause is learned")
	}
	// Hints below 0 are clauses that a RAT step considers.
	used := map[int]bool{last: true}
	for n := last; n > 0; n-- { // antecedents have lower numbers
		for _, h := range clauses[n].Hints {
			used[max(h, -h)] = used[max(h, -h)] || used[n]
		}
	}
	nodes := make(map[int]int)
	for n := 1; n <= last; n++ {
		if !used[n] {
			continue
		}
		nodes[n] = len(d.Nodes)
		d.Nodes = append(d.Nodes, clauseNode(clauses[n]))
		for _, h := range clauses[n].Hints {
			d.Edges = append(d.Edges, diagram.Edge{From: nodes[max(h, -h)], To: nodes[n]})
		}
	}
	return layOut(d)
}

// clauseNode returns the node of a clause in a resolution proof.
func clauseNode(step Step) diagram.Node {
	switch label := spaced(step.Lits); {
	case step.Kind == Add:
		return diagram.BoxNode(label, fmt.Sprintf("clause %d", step.Clause), classGiven)
	case len(step.Lits) == 0:
		return diagram.BoxNode(label, fmt.Sprintf("clause %d, from %s", step.Clause, numbers("clause", step.Hints)), classEmpty)
	default:
		return diagram.BoxNode(label, fmt.Sprintf("clause %d, from %s", step.Clause, numbers("clause", step.Hints)), classDerived)
	}
}

// count returns a number with a noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
