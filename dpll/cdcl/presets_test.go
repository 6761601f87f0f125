package cdcl

import "testing"

// TestPresets checks that a preset changes just the knobs that it sets.
func TestPresets(t *testing.T) {
	for _, p := range Presets {
		o := DefaultOptions()
		p.Apply(&o)
		if err := o.Check(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		changed := 0
		d := DefaultOptions()
		for _, k := range Knobs {
			if *k.Field(&o) != *k.Field(&d) {
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
	o := DefaultOptions()
	o.Set("knob", 1)
}
