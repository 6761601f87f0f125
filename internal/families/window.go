package families

import (
	"fmt"

	"sator/dimacs"
)

// Chains of at-most-k constraints: of n variables in a row, at most k in each window of w
// consecutive ones are true, and at least t in all (the sequence constraint of constraint
// programming). Disjoint windows show that at most k floor(n/w) + min(k, n mod w) variables
// are true, and repeating k true and w-k false ones reaches that. The formula is satisfiable
// if and only if t is not larger.
//
// A window adds the sets of k+1 variables that contain its last one; all windows together
// have C(w,k+1) + (n-w) C(w-1,k) clauses. The total is counted by a chain of variables "of the
// first i variables at least j are true", of which there are nt - t(t-1)/2 for j up to t and
// i. Resolution has to count through all windows.

var window = &Family{
	Name:   "window",
	Help:   "at most k true in each window of a row, and at least a total; unsatisfiable above the largest total",
	Source: "van Hoeve, Pesant, Rousseau and Sabharwal, Revisiting the Sequence Constraint, CP 2006",
	Params: []Param{
		{"vars", Int, 24, 1, 100000, "variables in the row"},
		{"window", Int, 6, 1, 64, "consecutive variables of a window"},
		{"k", Int, 3, 0, 63, "true variables that a window may have"},
		{"total", Int, 0, 0, 100001, "true variables in all, at least; 0 for one more than possible"}},
	build: buildWindow,
}

func buildWindow(v Values, _ *rng) (*Instance, error) {
	n, w, k := v.int("vars"), v.int("window"), v.int("k")
	switch {
	case w > n:
		return nil, fmt.Errorf("a window of %d does not fit into vars %d", w, n)
	case k >= w:
		return nil, fmt.Errorf("k %d excludes nothing in a window of %d", k, w)
	}
	most := k*(n/w) + min(k, n%w)
	if v["total"] == 0 {
		v["total"] = float64(most + 1)
	}
	t := v.int("total")
	if t > n {
		return nil, fmt.Errorf("invalid value %d for total: want at most %d", t, n)
	}
	if _, err := count(choose(w, k+1) + float64(n-w)*choose(w-1, k) + 2*float64(n)*float64(t)); err != nil {
		return nil, err
	}
	f := dimacs.NewFormula(n)
	addWindows(f, n, w, k)
	inst := newInstance(f, statusOf(t <= most), "of %d variables at least %d, at most %d in %d consecutive ones", n, t, k, w)
	var row dimacs.Model
	if t <= most {
		row = allFalse(n)
		for i := range row {
			if i%w < k {
				row[i] = dimacs.True
			}
		}
	}
	inst.Model = addTotal(f, n, t, row)
	return inst, nil
}

// addWindows states that no w consecutive variables have more than k true ones.
func addWindows(f *dimacs.Formula, n, w, k int) {
	add := func(first int, set []int, last ...int) {
		c := make([]dimacs.Lit, 0, k+1)
		for _, i := range append(set[:len(set):len(set)], last...) {
			c = append(c, dimacs.Var(first+i).Lit().Not())
		}
		f.Add(c...)
	}
	for _, set := range subsets(w, k+1) {
		add(0, set)
	}
	ending := subsets(w-1, k)
	for first := 1; first+w <= n; first++ {
		for _, set := range ending {
			add(first, set, w-1)
		}
	}
}

// addTotal states that at least t of the first n variables are true, and extends a model of
// them, which may be nil.
func addTotal(f *dimacs.Formula, n, t int, model dimacs.Model) dimacs.Model {
	before := []dimacs.Lit(nil) // of the variables before: at least j+1 are true
	trues := 0
	for i := range n {
		x := dimacs.Var(i).Lit()
		if model.Lit(x) == dimacs.True {
			trues++
		}
		now := make([]dimacs.Lit, min(i+1, t))
		for j := range now {
			now[j] = f.NewVar().Lit()
			c := []dimacs.Lit{now[j].Not()}
			if j < len(before) {
				c = append(c, before[j])
			}
			f.Add(append(c, x)...)
			if j > 0 {
				f.Add(append(c[:len(c):len(c)], before[j-1])...)
			}
			if model != nil {
				model = append(model, dimacs.False)
				if trues > j {
					model.Set(now[j])
				}
			}
		}
		before = now
	}
	f.Add(before[t-1])
	return model
}
