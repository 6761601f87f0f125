package simulate_test

import (
	"fmt"
	"log"

	"sator/cmd/internal/grid/simulate"
	"sator/dimacs"
	"sator/dpll/portfolio"
)

// A hundred cubes of 3 s each, and a disk that takes 0.1 s for a result: from about thirty
// workers on, the disk is the limit.
func ExampleSweep() {
	var results []portfolio.Result
	for i := range 100 {
		results = append(results, portfolio.Result{Cube: dimacs.Lits(i + 1), Status: dimacs.Unsatisfiable, Seconds: 3})
	}
	w, err := simulate.New(results)
	if err != nil {
		log.Fatal(err)
	}
	o := simulate.Options{Costs: simulate.Costs{Cores: 1, Sync: 0.1}}
	for _, row := range simulate.Sweep(w, o, []int{1, 10, 100}) {
		fmt.Println(row)
	}
	// Output:
	// 1 workers: 310.10 s, efficiency 0.967, limit disk
	// 10 workers: 32.00 s, efficiency 0.937, limit disk
	// 100 workers: 13.10 s, efficiency 0.229, limit disk
}
