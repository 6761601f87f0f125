package dplltest

import (
	"reflect"
	"slices"
	"testing"

	"sator/dimacs"
)

// TestRandomCase checks that cases are functions of their seeds, and that they have both
// answers, all sizes, all families and all irregularities.
func TestRandomCase(t *testing.T) {
	seen := make(map[string]int)
	families := make(map[string]bool)
	const n = 3000
	for seed := range uint64(n) {
		family, c := RandomCase(seed, 200)
		if again, d := RandomCase(seed, 200); again != family || !reflect.DeepEqual(c, d) {
			t.Fatalf("seed %d draws different cases", seed)
		}
		families[family] = true
		if c.Formula.Vars() > 49 {
			seen["large"]++
		}
		if c.Formula.Vars() > 24 {
			seen["not small"]++
			continue
		}
		status, _ := Oracle(c.Formula)
		under, _ := Oracle(c.Formula, c.Assumptions...)
		seen[status.String()]++
		if status != under {
			seen["assumptions matter"]++
		}
		countIrregularities(seen, c)
	}
	t.Log(seen)
	if len(families) != len(Families) {
		t.Errorf("%d families of %d", len(families), len(Families))
	}
	for property, least := range map[string]int{
		"SATISFIABLE": n / 5, "UNSATISFIABLE": n / 5, "large": n / 60, "not small": n / 8, "assumptions matter": n / 10,
		"empty clause": 5, "tautology": n / 20, "literal twice": n / 20, "clause twice": n / 20,
		"unused variable": n / 20, "unit": n / 20, "no clause": 1, "contradictory assumptions": n / 100,
		"assumption beyond the formula": n / 100, "assumption twice": n / 200,
	} {
		if seen[property] < least {
			t.Errorf("%s: %d, want at least %d", property, seen[property], least)
		}
	}
	if seen["UNKNOWN"] > n/200 {
		t.Errorf("the oracle returns UNKNOWN for %d small cases", seen["UNKNOWN"])
	}
}

// countIrregularities counts the irregularities of a case.
func countIrregularities(seen map[string]int, c Case) {
	odd := make(map[string]bool)
	var clauses [][]dimacs.Lit
	for _, d := range c.Formula.Clauses() {
		d = sorted(d)
		odd["empty clause"] = odd["empty clause"] || len(d) == 0
		odd["unit"] = odd["unit"] || len(d) == 1
		odd["literal twice"] = odd["literal twice"] || repeated(d)
		odd["tautology"] = odd["tautology"] || negation(d, 0) == nil
		odd["clause twice"] = odd["clause twice"] || slices.ContainsFunc(clauses, func(e []dimacs.Lit) bool { return slices.Equal(d, e) })
		clauses = append(clauses, d)
	}
	odd["no clause"] = len(clauses) == 0
	odd["unused variable"] = occurring(c.Formula) < c.Formula.Vars()
	odd["assumption twice"] = repeated(c.Assumptions)
	odd["contradictory assumptions"] = negation(c.Assumptions, 0) == nil
	odd["assumption beyond the formula"] = variables(c) > c.Formula.Vars()
	for property, is := range odd {
		if is {
			seen[property]++
		}
	}
}

// TestStatusIsKept checks that transformations and irregularities, except addEmpty, keep
// the status.
func TestStatusIsKept(t *testing.T) {
	for seed := range uint64(500) {
		_, c := RandomCase(seed, 200)
		if c.Formula.Vars() > 40 {
			continue
		}
		want, _ := Oracle(c.Formula, c.Assumptions...)
		for _, m := range Transformations {
			d := m.Apply(randomSource(seed, forProperty), c)
			if got, _ := Oracle(d.Formula, d.Assumptions...); disagree(got, want) {
				t.Errorf("seed %d, %s: %v became %v\n%v%v", seed, m.Name, want, got, c, d)
			}
		}
		want, _ = Oracle(c.Formula)
		for i, irregularity := range irregularities[:len(irregularities)-1] {
			f := irregularity(randomSource(seed, forProperty), c.Formula)
			if got, _ := Oracle(f); disagree(got, want) {
				t.Errorf("seed %d, irregularity %d: %v became %v", seed, i, want, got)
			}
		}
	}
}

// disagree reports whether two answers contradict each other.
func disagree(a, b dimacs.Status) bool {
	return a != b && a != dimacs.Unknown && b != dimacs.Unknown
}
