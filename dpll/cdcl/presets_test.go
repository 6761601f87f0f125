package cdcl

import "testing"

// TestPresets checks that a preset changes just the knobs that it sets.
func TestPresets(t *testing.T) {
	for _, p := range Presets {
		o := Options{}
		p.Apply(&o)
		if err := o.Check(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		changed := 0
		d := Options{}
		for _, k := range Knobs {
			if k.Get(&o) != k.Get(&d) {
				changed++
			}
		}
		if changed != len(p.Settings) {
			t.Errorf("%s changes %d knobs, and sets %d: %v", p.Name, changed, len(p.Settings), &p)
		}
	}
}

func TestSetUnknownKnob(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	o := Options{}
	o.Set("knob", 1)
}

// TestKnobs checks that the zero Options have all defaults, that each value of a knob is read
// back, in options and in a solver, and that it changes no other knob.
func TestKnobs(t *testing.T) {
	for i := range Knobs {
		k := &Knobs[i]
		for _, value := range []int{k.Min, k.Min + 1, k.Default, k.Max} {
			var o Options
			if got := k.Get(&o); got != k.Default {
				t.Errorf("%s is %d in the zero options, want %d", k.Name, got, k.Default)
			}
			if err := k.Set(&o, value); err != nil {
				t.Error(err)
			}
			s := New(o)
			for _, other := range Knobs {
				want := other.Default
				if other.Name == k.Name {
					want = value
				}
				if got, solver := other.Get(&o), other.Get(&s.opts); got != want || solver != want {
					t.Errorf("%s=%d: %s is %d, and %d in the solver, want %d", k.Name, value, other.Name, got, solver, want)
				}
			}
		}
		var o Options
		if k.Set(&o, k.Min-1) == nil || k.Set(&o, k.Max+1) == nil {
			t.Errorf("%s takes values out of its range", k.Name)
		}
	}
}
