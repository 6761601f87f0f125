package simulate

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"sator/dimacs"
	"sator/dpll/portfolio"
)

// A workload is the cubes of a finished run, each with the time that it took. Cubes that
// were split are inner nodes of trees with the halves as children. So a
// workload contains the order that splits impose: a half can start only when its parent
// has ended. The solvers of the finished run took these times. A run with more workers learns
// other clauses and takes other times: the model leaves this out. It also leaves out
// cubes that another refutation covers. They have no result, and a run with more workers
// solves some of them before they are covered.

// A Cube is a cube of a workload.
type Cube struct {
	Seconds   float64 // time of solving it, until its refutation or its split
	Conflicts int64
	Bytes     int64    // size of the proof steps of the solver since its last result
	Halves    [2]int32 // indices of its halves after a split; 0 stands for no cube
}

// A Workload is a list of cubes in the order of the queue.
type Workload struct {
	Cubes []Cube
	Roots []int32 // indices of the cubes that are no halves, in the order of the queue
}

// New returns the workload of the results of a run, in the order in which they were
// stored. It returns an error if the run found a model: a model ends
// a run early, and the times of the other cubes are unknown.
//
// If results have positions in a proof, the size of a segment is the distance from the
// result before. It is exact for a run with one solver, and has the right sum otherwise.
func New(results []portfolio.Result) (*Workload, error) {
	w := &Workload{Cubes: make([]Cube, len(results))}
	index := map[string]int32{}
	last := int64(0)
	for i := range results {
		r := &results[i]
		if err := checkResult(r); err != nil {
			return nil, fmt.Errorf("result %d: %w", i+1, err)
		}
		if _, twice := index[keyOf(r.Cube)]; twice {
			return nil, fmt.Errorf("result %d: its cube has another result", i+1)
		}
		index[keyOf(r.Cube)] = int32(i)
		c := Cube{Seconds: r.Seconds, Conflicts: r.Conflicts}
		if r.Proof != nil {
			c.Bytes, last = r.Proof.Bytes-last, r.Proof.Bytes
		}
		if c.Bytes < 0 {
			return nil, fmt.Errorf("result %d: its position in the proof is before that of the last result", i+1)
		}
		w.Cubes[i] = c
	}
	if len(results) == 0 {
		return nil, errors.New("there are no results")
	}
	return w, w.link(results, index)
}

// checkResult returns an error if a result cannot be simulated.
func checkResult(r *portfolio.Result) error {
	switch {
	case r.Status == dimacs.Satisfiable:
		return errors.New("the run found a model: want the results of a refutation")
	case r.Status == dimacs.Unknown && len(r.Split) != 1:
		return errors.New("its cube is neither refuted nor split")
	case !(r.Seconds >= 0):
		return fmt.Errorf("it took %v s", r.Seconds)
	}
	return nil
}

// link connects the cubes that were split with their halves and finds the roots. A half
// that was covered has no result.
func (w *Workload) link(results []portfolio.Result, index map[string]int32) error {
	half := make([]bool, len(results))
	for i := range results {
		r := &results[i]
		if r.Status != dimacs.Unknown {
			continue
		}
		n := 0
		for _, l := range []dimacs.Lit{r.Split[0], r.Split[0] ^ 1} {
			k, ok := index[keyOf(append(slices.Clip(r.Cube), l))]
			if !ok {
				continue
			}
			if int(k) <= i {
				return fmt.Errorf("result %d: its cube is split, but a half has an earlier result", i+1)
			}
			half[k] = true
			w.Cubes[i].Halves[n] = k
			n++
		}
	}
	for i := range results {
		if !half[i] {
			w.Roots = append(w.Roots, int32(i))
		}
	}
	return nil
}

// keyOf returns a cube as a map key. The order of the literals matters: a half is its
// parent followed by a literal.
func keyOf(cube []dimacs.Lit) string {
	b := make([]byte, 0, 4*len(cube))
	for _, l := range cube {
		b = append(b, byte(l), byte(l>>8), byte(l>>16), byte(l>>24))
	}
	return string(b)
}

// Work returns the sum of the times of all cubes, in seconds.
func (w *Workload) Work() float64 {
	sum := 0.0
	for i := range w.Cubes {
		sum += w.Cubes[i].Seconds
	}
	return sum
}

// Bytes returns the size of the proof.
func (w *Workload) Bytes() int64 {
	sum := int64(0)
	for i := range w.Cubes {
		sum += w.Cubes[i].Bytes
	}
	return sum
}

// CriticalPath returns the longest time of a cube and the splits that lead to it, in
// seconds. No number of workers makes the run faster.
func (w *Workload) CriticalPath() float64 {
	ends := make([]float64, len(w.Cubes)) // of the cubes before each one on its path
	longest := 0.0
	for i, c := range w.Cubes { // a half has a greater index than its parent
		end := ends[i] + c.Seconds
		for _, k := range c.Halves {
			ends[k] = end
		}
		ends[0] = 0 // index 0 stands for no half
		longest = max(longest, end)
	}
	return longest
}

// Splits returns the number of cubes that are split.
func (w *Workload) Splits() int {
	n := 0
	for _, c := range w.Cubes {
		if c.Halves != [2]int32{} {
			n++
		}
	}
	return n
}

// Closed returns a workload with both halves of each split. A half that was covered
// becomes a cube that takes no time.
func (w *Workload) Closed() *Workload {
	c := &Workload{Cubes: slices.Clone(w.Cubes), Roots: w.Roots}
	for i := range w.Cubes {
		if h := w.Cubes[i].Halves; h[0] != 0 && h[1] == 0 {
			c.Cubes[i].Halves[1] = int32(len(c.Cubes))
			c.Cubes = append(c.Cubes, Cube{})
		}
	}
	return c
}

// Scaled returns a workload with cubes that take times times as long, with as many more
// conflicts and bytes of proof: a harder formula with the same distribution of cubes.
func (w *Workload) Scaled(times float64) *Workload {
	if !(times > 0) {
		panic(fmt.Sprintf("simulate: scaled by %v", times))
	}
	s := &Workload{Cubes: slices.Clone(w.Cubes), Roots: w.Roots}
	for i := range s.Cubes {
		c := &s.Cubes[i]
		c.Seconds *= times
		c.Conflicts = int64(float64(c.Conflicts) * times)
		c.Bytes = int64(float64(c.Bytes) * times)
	}
	return s
}

// Sampled returns a workload of n cubes that are no halves, drawn at random with
// replacement, each with its splits: a formula with more cubes of the same distribution
// of hardness.
func (w *Workload) Sampled(n int, seed uint64) *Workload {
	if n < 1 {
		panic(fmt.Sprintf("simulate: a sample of %d cubes", n))
	}
	random := rand.New(rand.NewPCG(seed, 0))
	s := &Workload{}
	for range n {
		s.Roots = append(s.Roots, s.copyTree(w, w.Roots[random.IntN(len(w.Roots))]))
	}
	return s
}

// copyTree appends a cube of another workload with its halves. It
// returns the new index of the cube.
func (w *Workload) copyTree(from *Workload, root int32) int32 {
	first := int32(len(w.Cubes))
	w.Cubes = append(w.Cubes, from.Cubes[root])
	for i := first; int(i) < len(w.Cubes); i++ {
		for n, k := range w.Cubes[i].Halves {
			if k != 0 {
				w.Cubes[i].Halves[n] = int32(len(w.Cubes))
				w.Cubes = append(w.Cubes, from.Cubes[k])
			}
		}
	}
	return first
}
