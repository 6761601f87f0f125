// Package cube splits a formula into cubes by look-ahead, for cube and conquer.
// Cubes are conjunctions of literals that cover all assignments, so that the
// formula has a model if and only if it has one under one of the cubes:
//
//	r := cube.Split(ctx, f, cube.Limits{Cubes: 1000})
//	for _, c := range r.Cubes {
//		s := cdcl.New(cdcl.Options{})
//		s.AddFormula(f)
//		if s.Solve(ctx, c...) == dimacs.Satisfiable {
//			fmt.Println(s.Model().Lits())
//			break
//		}
//	}
//
// Each cube is much easier to solve than the formula. The cubes can be solved in
// any order, at the same time and on different machines; package portfolio solves
// a list of them. [Limits] say where to stop splitting. [Lookahead.Choose] returns
// one branching literal, to split a cube that has turned out to be too hard.
//
// The files:
//
//   - lookahead.go: propagation by counters, measures, failed literals, the choice
//     of a branching literal
//   - split.go: the tree of cubes and where it ends
package cube
