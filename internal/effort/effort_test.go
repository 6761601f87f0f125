package effort

import (
	"fmt"
	"slices"
	"testing"
)

// TestPart checks the values of SATOR_PART.
func TestPart(t *testing.T) {
	for _, test := range []struct {
		text string
		i, n int
	}{{"", 0, 1}, {"0/1", 0, 1}, {"3/10", 3, 10}, {"1234/10", 1234, 10}} {
		t.Setenv("SATOR_PART", test.text)
		if i, n := Part(); i != test.i || n != test.n {
			t.Errorf("SATOR_PART=%s is part %d of %d, want %d of %d", test.text, i, n, test.i, test.n)
		}
	}
	for _, text := range []string{"3", "/10", "3/0", "-1/10", "3/10/2", "x"} {
		t.Setenv("SATOR_PART", text)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for SATOR_PART=%s", text)
				}
			}()
			Part()
		}()
	}
}

// TestSeeds checks that the parts of a whole test have all its seeds, each few at least, and that
// other runs have the first ones.
func TestSeeds(t *testing.T) {
	t.Setenv("SATOR_PART", "5/10")
	t.Setenv("SATOR_TESTS", "")
	if got := Seeds(3, 100); !slices.Equal(got, []uint64{0, 1, 2}) {
		t.Errorf("seeds %v", got)
	}
	if testing.Short() {
		return
	}
	t.Setenv("SATOR_TESTS", "whole")
	for few := range uint64(20) {
		have := make(map[uint64]bool)
		for part := range 10 {
			t.Setenv("SATOR_PART", fmt.Sprintf("%d/10", part+20))
			seeds := Seeds(few, 100)
			if len(seeds) != max(10, int(few)) {
				t.Errorf("%d seeds of at least %d", len(seeds), few)
			}
			for _, seed := range seeds {
				have[seed] = true
			}
		}
		if have[100] || len(have) != 100 {
			t.Errorf("few are %d: the parts have %d seeds", few, len(have))
		}
	}
}
