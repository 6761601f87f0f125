package effort

import "testing"

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
