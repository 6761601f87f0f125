package cdcltest_test

import (
	"fmt"
	"math/rand/v2"

	"sator/dpll/cdcl"
	"sator/internal/cdcltest"
)

// The settings that RandomKnobs returns lead from the defaults to the drawn options.
func ExampleRandomKnobs() {
	drawn, again := cdcl.Options{}, cdcl.Options{}
	for _, s := range cdcltest.RandomKnobs(rand.New(rand.NewPCG(1, 1)), &drawn) {
		again.Set(s.Name, s.Value)
	}
	same := true
	for _, k := range cdcl.Knobs {
		same = same && k.Get(&drawn) == k.Get(&again)
	}
	fmt.Println(same)
	// Output: true
}
