package cdcl

import "testing"

// A preset differs from the defaults in all that it sets, and in nothing else.
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
			t.Error("there is a knob of that name")
		}
	}()
	o := DefaultOptions()
	o.Set("knob", 1)
}
