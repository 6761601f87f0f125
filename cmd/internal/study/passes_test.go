package study

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sator/cmd/internal/stat"
)

// The effects of known runs: four kinds of two formulas, of which one technique takes
// twice the ticks of all, another one reaches the limit once, a third changes nothing.
func TestEffects(t *testing.T) {
	s := passesStudy()
	p := &Plan{study: s, ticks: 1000}
	x := &Results{plan: p}
	add := func(number int, kind, level string, ticks int64, capped bool) {
		x.rows = append(x.rows, &Row{
			&Run{plan: p, subject: &Subject{Number: number}, levels: []string{level}},
			Outcome{Attributes: []string{"family", kind, "1", "1"}, Conflicts: ticks / 10, Seconds: float64(ticks) / 1e6, Extra: []int64{ticks}, Capped: capped},
		})
	}
	for number := range 8 {
		kind, ticks := fmt.Sprintf("kind%d", number/2), int64(100+10*number)
		add(number, kind, defaultLevel, ticks, false)
		add(number, kind, without+"xor", 2*ticks, false)
		add(number, kind, without+"probe", ticks, false)
		if number == 0 {
			add(number, kind, without+"vivify", 8*ticks, true)
		} else {
			add(number, kind, without+"vivify", ticks, false)
		}
	}
	effects, kinds := x.effects()
	if kinds != 4 || len(effects) != 3 {
		t.Fatalf("%d effects of %d kinds", len(effects), kinds)
	}
	for i, want := range []struct {
		level  string
		ratio  float64
		differ int
		capped int
		helps  bool
	}{
		{without + "xor", 2, 8, 0, true},
		{without + "vivify", math.Pow(16, 1.0/8), 1, 1, false}, // 8 times, and twice that for the limit
		{without + "probe", 1, 0, 0, false},
	} {
		e := effects[i]
		for k, r := range e.ratios {
			if e.level != want.level || math.Abs(r.Mean-want.ratio) > 1e-9 || r.Low > r.Mean || r.High < r.Mean {
				t.Errorf("%s, %s: %v, want %v for %s", e.level, effortQuantities[k].name, r, want.ratio, want.level)
			}
		}
		if e.differ != want.differ || e.capped != want.capped || e.helps() != want.helps || e.harms() {
			t.Errorf("%s: %+v, want %+v", e.level, e, want)
		}
	}
	if got := effects[2].ratios[0]; got != (stat.Estimate{Mean: 1, Low: 1, High: 1}) {
		t.Errorf("a technique without effect has %v", got)
	}
	if text := answerPasses(x); !strings.Contains(text, "more ticks on average is 1, on 0 formulas of 4 kinds") || !strings.Contains(text, "without xor 2.00 (2.00-2.00)") {
		t.Errorf("the answer is %q", text)
	}
}
