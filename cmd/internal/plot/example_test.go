package plot_test

import (
	"bytes"
	"fmt"
	"log"
	"math"

	"sator/cmd/internal/plot"
)

// Two solvers on four instances; the first solver did not solve the last instance.
func ExampleVersus() {
	f := plot.Versus("Sator against minisat", "minisat, CPU seconds", "Sator, CPU seconds", []plot.Series{{
		X: []float64{0.2, 3, 18, math.Inf(1)},
		Y: []float64{0.1, 4, 11, 77},
	}}, 100)
	f.Note = "4 instances, limit 100 s"
	var svg bytes.Buffer
	if err := f.SVG(&svg); err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Contains(svg.Bytes(), []byte("<title>Sator against minisat</title>")))
	// Output:
	// true
}

// Two measures of the same runs, one above the other.
func ExampleStack() {
	ratio := []float64{3.5, 4, 4.267, 4.5, 5}
	effort := plot.Lines("Effort", "", "conflicts", []plot.Series{{X: ratio, Y: []float64{20, 150, 900, 700, 180}}})
	effort.Y.Scale = plot.Log
	answers := plot.Lines("Answers", "clauses per variable", "share satisfiable",
		[]plot.Series{{X: ratio, Y: []float64{1, 0.97, 0.5, 0.1, 0}}})
	f := plot.Stack("Easy, hard, easy", effort, answers)
	fmt.Println(f.Width, f.Height)
	// Output:
	// 7.5 9.2
}
