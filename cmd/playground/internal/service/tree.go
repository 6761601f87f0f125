package service

import (
	"bytes"
	"context"
	"fmt"

	"sator/dimacs"
	"sator/dpll/classic"
)

// The page of search trees: the classic engine dpll on a small formula, with all of its
// steps and the drawing of its tree.

// treeHandlers returns the operation of the page of search trees.
func treeHandlers() Handlers {
	return Handlers{"tree.search": handle(searchTree)}
}

// A TreeRequest has a formula and the options of the engine dpll.
type TreeRequest struct {
	Source
	Heuristic string `json:"heuristic"` // a name of classic.Heuristics
	Pure      string `json:"pure"`      // a name of classic.PureNames
	Nodes     int    `json:"nodes"`     // most nodes of the tree
}

// A TreeReply is a search as a list of steps and a drawing. Each node of the drawing has a
// title that begins with its number, as in "node 3: ...".
type TreeReply struct {
	Status  string             `json:"status"`
	Cut     string             `json:"cut"` // which part of the search is there, or "" for all; the search may be UNKNOWN then
	Vars    int                `json:"vars"`
	Clauses int                `json:"clauses"`
	Steps   []TreeStep         `json:"steps"`
	SVG     string             `json:"svg"`
	Text    string             `json:"text"` // the tree as text
	Stats   classic.Stats      `json:"stats"`
	Formula map[int]TreeClause `json:"formula"` // the clauses by number, unless there are many
}

// A TreeStep is an event of the search: a classic.Event with the literals of its clause.
type TreeStep struct {
	Kind   string `json:"kind"` // the name of a classic.Kind
	Lit    int    `json:"lit,omitempty"`
	Clause int    `json:"clause,omitempty"` // its number, from 1
	Lits   []int  `json:"lits,omitempty"`   // of the clause
	Level  int    `json:"level"`
	Node   int64  `json:"node"`
}

// A TreeClause is a clause of the formula.
type TreeClause struct {
	Lits []int `json:"lits"`
}

// mostTreeClauses is the most clauses in a TreeReply.
const mostTreeClauses = 300

// The most steps and nodes of a tree. More are no picture for a person.
const (
	mostSteps = 20_000
	mostNodes = 1000
)

// searchTree solves the formula and returns the steps.
func searchTree(c *Call, in TreeRequest) (*TreeReply, error) {
	pure, err := classic.ParsePure(in.Pure)
	if err != nil {
		return nil, err
	}
	if in.Nodes < 1 || in.Nodes > mostNodes {
		return nil, fmt.Errorf("a tree has 1 to %d nodes, not %d", mostNodes, in.Nodes)
	}
	l, err := in.load(c)
	if err != nil {
		return nil, err
	}
	options := classic.DefaultOptions()
	options.Heuristic, options.Pure, options.Seed = in.Heuristic, pure, in.Seed
	if err := options.Check(); err != nil {
		return nil, err
	}
	reply := &TreeReply{Vars: l.formula.Vars(), Clauses: l.formula.Len(), Steps: []TreeStep{}}
	if l.formula.Len() <= mostTreeClauses {
		reply.Formula = map[int]TreeClause{}
		for i, clause := range l.formula.Clauses() {
			reply.Formula[i+1] = TreeClause{dimacs.Ints(clause)}
		}
	}
	tree, err := reply.grow(c, &options, l.formula, in.Nodes)
	if err != nil {
		return nil, err
	}
	return reply, reply.draw(tree, l.formula)
}

// grow runs the search until it ends or the tree is full.
func (r *TreeReply) grow(c *Call, options *classic.Options, f *dimacs.Formula, nodes int) (*classic.Tree, error) {
	tree := classic.NewTree(nodes)
	ctx, cut := context.WithCancel(c.Context())
	defer cut()
	options.Trace = func(e classic.Event) {
		switch tree.Event(e); {
		case tree.Truncated():
			r.Cut = fmt.Sprintf("the first %d nodes", nodes)
			cut()
		case len(r.Steps) == mostSteps:
			r.Cut = fmt.Sprintf("the first %d steps", mostSteps)
			cut()
		default:
			r.Steps = append(r.Steps, stepOf(e, f))
		}
	}
	s := classic.New(*options)
	s.Grow(f.Vars())
	for _, clause := range f.Clauses() {
		s.Add(clause...)
	}
	status := s.Solve(yielding{ctx, c})
	if c.Ctx.Err() != nil {
		return nil, c.Ctx.Err()
	}
	if status == dimacs.Satisfiable && !s.Model().Satisfies(f) {
		return nil, fmt.Errorf("this is an error of Sator itself: the model does not satisfy the formula")
	}
	r.Status, r.Stats = status.String(), s.Stats()
	return tree, nil
}

// stepOf returns an event with its clause.
func stepOf(e classic.Event, f *dimacs.Formula) TreeStep {
	s := TreeStep{Kind: e.Kind.String(), Level: e.Level, Node: e.Node}
	if e.HasLit() {
		s.Lit = e.Lit.Int()
	}
	if e.Clause >= 0 {
		s.Clause = e.Clause + 1
		s.Lits = dimacs.Ints(f.Clause(e.Clause))
	}
	return s
}

// draw draws the tree.
func (r *TreeReply) draw(tree *classic.Tree, f *dimacs.Formula) error {
	var svg, text bytes.Buffer
	if err := tree.SVG(&svg, f); err != nil {
		return err
	}
	if err := tree.Text(&text, f); err != nil {
		return err
	}
	r.SVG, r.Text = svg.String(), text.String()
	return nil
}
