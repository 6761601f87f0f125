// Package enumerate finds all models of a formula (AllSAT), perhaps projected, by package
// classic, by package cdcl, or by a trial of dpll before cdcl; package count counts them:
//
//	o := enumerate.DefaultOptions()
//	o.Project = []dimacs.Var{0, 1} // project onto variables 1 and 2; nil means all variables
//	e := enumerate.New(formula, o)
//	for set := range e.ModelSets(ctx) {
//		for m := range set.Models() {
//			fmt.Println(m.Lits())
//		}
//	}
//	fmt.Println("complete:", e.Exhausted())
//
// An [Enumerator] visits disjoint sets of models. A [ModelSet] is a cube: the
// variables that it leaves free may have any values. [ModelSet.Check] evaluates a
// set on the formula. The engines are listed in [Engines]. The essay of auto.go compares them with measurements, and
// defines when the engine auto changes from dpll to cdcl. The order of the models is
// the same in every run with the same options.
//
// The files, in the order of reading:
//
//   - enumerate.go: options, the iterators, and the table of engines
//   - engines.go: enumeration by each of the two solvers
//   - auto.go: the trial of dpll before cdcl
//   - modelset.go: sets of models and their check
package enumerate
