package study

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sator/internal/stat"
)

// The rows of the table of passes of the engine, and the lines that cite the report.
const passTable = "../../dpll/cdcl/inprocess.go"

var (
	passRow    = regexp.MustCompile(`(?m)^\t\tname: "([a-z]+)", letter`)
	effectLine = regexp.MustCompile(`^\t\t// Effect: `)
)

// TestCitedEffects compares the figures that the table of passes of package cdcl cites
// with the report of the study. UPDATE=1 writes the lines anew.
func TestCitedEffects(t *testing.T) {
	source, err := os.ReadFile(passTable)
	if err != nil {
		t.Fatal(err)
	}
	effects := reportedTicks(t, "../../benchmarks/results/passes/report.md")
	var lines []string
	cited := 0
	for line := range strings.Lines(string(source)) {
		if effectLine.MatchString(line) {
			continue
		}
		lines = append(lines, line)
		if row := passRow.FindStringSubmatch(line); row != nil {
			level := without + row[1]
			if _, ok := effects[level]; !ok {
				level = with + row[1]
			}
			if effects[level] == "" {
				t.Fatalf("the report has no effect of %s", row[1])
			}
			lines = append(lines, fmt.Sprintf("\t\t// Effect: %s takes %s times the ticks; benchmarks/results/passes.\n", level, effects[level]))
			cited++
		}
	}
	want := strings.Join(lines, "")
	switch {
	case cited < 10:
		t.Fatalf("%d passes in %s", cited, passTable)
	case want == string(source):
	case os.Getenv("UPDATE") != "":
		if err := os.WriteFile(passTable, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s cites other figures than the report; write them by UPDATE=1", passTable)
	}
}

// reportedTicks returns the column of ticks of the first table of techniques in a
// report, by technique.
func reportedTicks(t *testing.T, name string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	effects := map[string]string{}
	column := -1
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch i := slices.Index(cells, "ticks"); {
		case column < 0 && i > 0 && cells[0] == "technique":
			column = i
		case column >= 0 && len(cells) > column:
			effects[cells[0]] = cells[column]
		case column >= 0:
			return effects
		}
	}
	t.Fatalf("%s has no table of techniques", name)
	return nil
}

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
