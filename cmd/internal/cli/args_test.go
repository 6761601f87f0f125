package cli

import (
	"slices"
	"testing"
)

// TestNumberFlag checks that a NumberFlag has the name and the values of an IntFlag, and that
// its names are found without allocations.
func TestNumberFlag(t *testing.T) {
	plain := &IntFlag{Name: "effort"}
	f := Number(plain)
	if !slices.Equal(f.Names(), plain.Names()) || FlagName(f) != "effort" || !TakesValue(f) {
		t.Errorf("names %q, want %q", f.Names(), plain.Names())
	}
	if n := testing.AllocsPerRun(10, func() { f.Names() }); n > 0 {
		t.Errorf("Names allocates %v times", n)
	}
	for _, value := range []string{"7", "-7", "0x10", "x", "1.5", "99999999999999999999"} {
		got, want := checkValue(f, value), checkValue(plain, value)
		if (got == nil) != (want == nil) || got != nil && got.Error() != want.Error() {
			t.Errorf("%s: %v, want %v", value, got, want)
		}
	}
}
