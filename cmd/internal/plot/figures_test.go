package plot

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// sampleFigures returns figures of synthetic data similar to the figures of studies and benchmarks.
func sampleFigures() map[string]*Figure {
	return map[string]*Figure{
		"boxes":  sampleBoxes(),
		"versus": sampleVersus(),
		"within": sampleWithin(),
		"cactus": sampleCactus(),
		"phase":  samplePhase(),
		"names":  sampleNames(),
	}
}

// lognormal returns count random integers from a heavy-tailed distribution.
func lognormal(random *rand.Rand, count int, median, spread float64) []float64 {
	x := make([]float64, count)
	for i := range x {
		x[i] = math.Floor(median * math.Exp(spread*random.NormFloat64()))
	}
	return x
}

func sampleBoxes() *Figure {
	random := rand.New(rand.NewPCG(1, 0))
	var groups []Group
	for h, name := range []string{"first", "MOM", "Jeroslow-Wang one-sided", "Jeroslow-Wang two-sided", "length priority",
		"minimum occurrences"} {
		g := Group{Name: name}
		for givens := 21; givens <= 29; givens++ {
			count := 150 - 25*max(givens-25, 25-givens)
			if givens == 29 {
				count = 3
			}
			median := []float64{2, 1, 40, 33, 1, 2}[h]
			g.Boxes = append(g.Boxes, Sample{Label: fmt.Sprint(givens), Values: lognormal(random, count, median, 1.3)})
		}
		groups = append(groups, g)
	}
	return Boxes("Backtracks by givens and heuristic, unit propagation to the fixpoint", "givens", "backtracks", groups)
}

func sampleVersus() *Figure {
	random := rand.New(rand.NewPCG(3, 0))
	var series []Series
	for _, name := range []string{"satisfiable", "unsatisfiable"} {
		s := Series{Name: name}
		for range 150 {
			hard := math.Exp(1 + 2*random.NormFloat64())
			s.X = append(s.X, hard*math.Exp(0.5*random.NormFloat64()))
			s.Y = append(s.Y, hard*math.Exp(0.5*random.NormFloat64()-0.3))
			if random.IntN(20) == 0 {
				s.Y[len(s.Y)-1] = math.Inf(1)
			}
		}
		series = append(series, s)
	}
	f := Versus("Sator against minisat", "minisat, CPU seconds", "Sator, CPU seconds", series, 100)
	f.Note = "300 instances; sator bench --solvers sator,minisat --limit 100 --csv results.csv list.txt"
	return f
}

func sampleWithin() *Figure {
	median := Series{Name: "median of 60 puzzles", Low: []float64{}, High: []float64{}}
	for k := range 9 {
		v := math.Floor(30 * math.Pow(0.6, float64(k)))
		median.X, median.Y = append(median.X, float64(k)), append(median.Y, v)
		median.Low, median.High = append(median.Low, math.Floor(v*0.7)), append(median.High, v*1.3)
	}
	f := Lines("Backtracks of the same puzzles with further givens", "givens added", "backtracks", []Series{median})
	f.Y.Scale = Log1p
	return f
}

func sampleCactus() *Figure {
	random := rand.New(rand.NewPCG(5, 0))
	var solvers []Sample
	for i, name := range []string{"sator", "cadical", "kissat", "minisat", "gini", "gophersat"} {
		s := Sample{Label: name}
		for range 120 {
			s.Values = append(s.Values, math.Exp(2.2*random.NormFloat64()-1+0.5*float64(i)))
		}
		solvers = append(solvers, s)
	}
	f := Cactus("Instances solved within a time", "instances solved", "CPU seconds", solvers)
	f.Limit = 60
	return f
}

func samplePhase() *Figure {
	share := Series{Name: "satisfiable"}
	var cost []Series
	for i, n := range []int{100, 150, 200} {
		s := Series{Name: fmt.Sprintf("n = %d, median", n)}
		for r := 3.0; r <= 6.01; r += 0.125 {
			peak := math.Exp(-math.Pow((r-4.4)/0.6, 2))
			s.X, s.Y = append(s.X, r), append(s.Y, 20*math.Exp(float64(2+2*i)*peak))
			if i == 2 {
				share.X, share.Y = append(share.X, r), append(share.Y, 1/(1+math.Exp(8*(r-4.3))))
			}
		}
		cost = append(cost, s)
	}
	top := Lines("Effort", "", "conflicts", cost)
	top.Y.Scale = Log
	top.Height = 3.4
	bottom := Lines("Answers", "clauses per variable", "share satisfiable", []Series{share})
	bottom.Height = 2.6
	bottom.Y.Min, bottom.Y.Max = 0, 1
	for _, f := range []*Figure{top, bottom} {
		f.Marks = []Mark{{4.267, "4.267"}}
	}
	return Stack("Random 3-SAT: easy, hard, easy", top, bottom)
}

func sampleNames() *Figure {
	random := rand.New(rand.NewPCG(6, 0))
	var groups []Group
	for _, name := range []string{"minimal", "efficient", "extended"} {
		g := Group{Name: name}
		for i, label := range []string{"graph coloring, planted", "pigeonhole", "quasigroup with holes",
			"random 3-SAT at the threshold", "parity learning", "bounded model checking", "sudoku 16x16"} {
			x := lognormal(random, 60, float64(20+10*i), 0.2)
			g.Boxes = append(g.Boxes, Sample{Label: label, Values: x})
		}
		groups = append(groups, g)
	}
	f := Boxes("Conflicts by family and encoding, in a title that is so long that it does not fit into one line of the "+
		"figure and is broken into two of them", "family", "conflicts", groups)
	f.Limit = 90
	f.Note += " Runs were stopped at 90 conflicts. sator-lab study families --engine cdcl --seed 1 " +
		"--limit 90 -o families.csv"
	return f
}
