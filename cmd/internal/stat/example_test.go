package stat_test

import (
	"fmt"

	"sator/cmd/internal/stat"
)

func ExampleSpearman() {
	givens := []float64{21, 22, 23, 24, 25, 26, 27, 28}
	backtracks := []float64{900, 40, 35, 12, 12, 3, 0, 0}
	line, ranks := stat.Pearson(givens, backtracks), stat.Spearman(givens, backtracks)
	fmt.Printf("Pearson  %.2f, p = %.3f\n", line.R, line.P)
	fmt.Printf("Spearman %.2f, p = %.5f\n", ranks.R, ranks.P)
	// Output:
	// Pearson  -0.61, p = 0.106
	// Spearman -0.99, p = 0.00020
}

func ExampleCompare() {
	mom := []float64{3, 0, 12, 7, 1, 0, 25, 4}
	first := []float64{5, 0, 40, 9, 4, 1, 31, 3}
	c := stat.Compare(mom, first)
	fmt.Printf("%d of %d puzzles with fewer backtracks, %d with more: effect %.2f, p = %.3f\n",
		c.Less, c.N, c.More, c.Effect, c.P)
	// Output:
	// 6 of 8 puzzles with fewer backtracks, 1 with more: effect -0.89, p = 0.047
}

func ExampleGeoMeanRatio() {
	sator := []float64{1.2, 0.4, 9.5, 3.3, 0.8, 20.1}
	rival := []float64{1.0, 0.5, 12.0, 3.1, 1.6, 25.0}
	ratio, low, high := stat.GeoMeanRatio(sator, rival, 1)
	fmt.Printf("%.2f times the time, 95 %% between %.2f and %.2f\n", ratio, low, high)
	// Output:
	// 0.83 times the time, 95 % between 0.66 and 1.03
}

func ExampleQuantiles() {
	fmt.Println(stat.Quantiles([]float64{1, 2, 3, 4, 100}, 0.25, 0.5, 0.75))
	// Output:
	// [2 3 4]
}
