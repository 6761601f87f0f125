package versus

import (
	"math"

	"sator/cmd/internal/stat"
)

// Paired tests. The solvers run on the same files, so each two of them are compared file by file. Two questions have a
// test each:
//
//   - Is one faster? The signed-rank test of the logarithms of the times, over the files that at least one of both
//     solves. A run without an answer counts with the limit, a lower bound of its time. Logarithms give a factor of 2
//     the same weight on easy and on hard files.
//   - Does one solve more? The sign test of the files that exactly one of both solves (McNemar's exact test).
//
// With k solvers there are k(k-1)/2 pairs. Holm's correction is applied over the pairs, to each test apart.

// A Pair compares two solvers.
type Pair struct {
	A, B         string
	Files        int      // files that at least one of both solves
	Faster       int      // those on which A is faster; a file that only A solves is one of them
	Slower       int      // those on which B is faster
	Common       int      // files that both solve
	Ratio        Estimate // geometric mean of the times of A divided by those of B on the common files
	OnlyA, OnlyB int      // files that only A solves, and only B

	// P and PSolved are the p-values of the two tests; Holm and HolmSolved the same with Holm's
	// correction over all pairs.
	P, Holm             float64
	PSolved, HolmSolved float64
}

// significance is the level of the tests in the report.
const significance = 0.05

// comparePairs compares each two solvers.
func (p *Report) comparePairs(files []string) {
	var speed, solved []float64
	for i := range p.Rows {
		for j := i + 1; j < len(p.Rows); j++ {
			x := p.pairOf(&p.Rows[i], &p.Rows[j], files)
			p.Pairs = append(p.Pairs, x)
			speed, solved = append(speed, x.P), append(solved, x.PSolved)
		}
	}
	speed, solved = stat.Holm(speed), stat.Holm(solved)
	for i := range p.Pairs {
		p.Pairs[i].Holm, p.Pairs[i].HolmSolved = speed[i], solved[i]
	}
}

// pairOf compares two solvers.
func (p *Report) pairOf(a, b *Row, files []string) Pair {
	pair := Pair{A: a.Solver, B: b.Solver}
	var logsA, logsB, timesA, timesB []float64
	for _, file := range files {
		x, y := a.results[file], b.results[file]
		switch {
		case !x.solved && !y.solved:
			continue
		case !y.solved:
			pair.OnlyA++
		case !x.solved:
			pair.OnlyB++
		default:
			timesA, timesB = append(timesA, x.time+timeShift), append(timesB, y.time+timeShift)
		}
		logsA, logsB = append(logsA, p.logTime(x)), append(logsB, p.logTime(y))
	}
	test := stat.Compare(logsA, logsB)
	pair.Files, pair.Faster, pair.Slower, pair.P = test.N, test.Less, test.More, test.P
	pair.Common, pair.Ratio = len(timesA), ratioOf(timesA, timesB)
	pair.PSolved = stat.SignTest(pair.OnlyA, pair.OnlyB)
	return pair
}

// logTime returns the logarithm of the time that the signed-rank test uses.
func (p *Report) logTime(x result) float64 {
	t := p.Limit.Seconds()
	if x.solved {
		t = min(t, x.time)
	}
	return math.Log(t + timeShift)
}
