package families

import (
	"sator/dimacs"
)

// The mutilated chessboard problem: a board without two opposite corners is to
// be covered by dominoes. A domino covers a black and a white square, and the
// two corners have the same color, so there is no covering. McCarthy proposed
// it as a challenge for automated provers. Every resolution proof is
// exponentially long in the size of the board (Alekhnovich, Mutilated
// Chessboard Problem Is Exponentially Hard for Resolution, 2004).
//
// A variable states that a domino covers two adjacent squares. Exactly one
// domino covers each square.

var chessboard = &Family{
	Name:   "chessboard",
	Help:   "mutilated chessboard: dominoes on a board without two opposite corners; unsatisfiable",
	Source: "McCarthy, A Tough Nut for Proof Procedures, 1964",
	Params: []Param{
		{"size", Int, 8, 3, 10000, "rows and columns of the board"},
		{"whole", Switch, 0, 0, 1, "keep the corners; satisfiable if the size is even"}},
	build: buildChessboard,
}

func buildChessboard(v Values, _ *rng) (*Instance, error) {
	n := v.int("size")
	if _, err := count(7 * float64(n) * float64(n)); err != nil {
		return nil, err
	}
	b := newBoard(n, v.on("whole"))
	inst := newInstance(dimacs.NewFormula(len(b.dominoes)), dimacs.Unsatisfiable, "dominoes on a board of %d times %d squares%s", n, n, when(!v.on("whole"), " without two opposite corners"))
	for _, over := range b.over {
		if len(over) > 0 {
			addExactlyOne(inst.Formula, over)
		}
	}
	if v.on("whole") && n%2 == 0 {
		inst.Answer, inst.Model = dimacs.Satisfiable, b.rows()
	}
	return inst, nil
}

// A board has squares, numbered row by row, and the possible dominoes.
type board struct {
	size     int
	dominoes [][2]int       // the two squares of each domino
	over     [][]dimacs.Lit // by square: the dominoes that cover it
}

func newBoard(n int, whole bool) *board {
	b := &board{size: n, over: make([][]dimacs.Lit, n*n)}
	missing := func(square int) bool { return !whole && (square == 0 || square == n*n-1) }
	for s := range n * n {
		if s%n+1 < n && !missing(s) && !missing(s+1) {
			b.lay(s, s+1)
		}
		if s+n < n*n && !missing(s) && !missing(s+n) {
			b.lay(s, s+n)
		}
	}
	return b
}

// lay adds a domino.
func (b *board) lay(s, t int) {
	l := dimacs.Var(len(b.dominoes)).Lit()
	b.dominoes = append(b.dominoes, [2]int{s, t})
	b.over[s] = append(b.over[s], l)
	b.over[t] = append(b.over[t], l)
}

// rows returns the model in which all dominoes are horizontal, starting at the
// left edge.
func (b *board) rows() dimacs.Model {
	m := allFalse(len(b.dominoes))
	for v, d := range b.dominoes {
		if d[1] == d[0]+1 && d[0]%b.size%2 == 0 {
			m[v] = dimacs.True
		}
	}
	return m
}
