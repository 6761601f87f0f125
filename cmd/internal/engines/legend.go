package engines

import (
	"fmt"
	"strings"

	"sator/dpll/cdcl"
)

// The legend of report lines: a line of -v begins with the letter of its event.

// An eventHelp explains the letters of some events.
type eventHelp struct {
	Events []cdcl.Event
	Help   string
}

// searchEvents lists the events of the engine cdcl.
var searchEvents = []eventHelp{
	{[]cdcl.Event{cdcl.Start}, "start of the search"},
	{[]cdcl.Event{cdcl.FocusedBegin, cdcl.FocusedEnd}, "begin, end of focused mode"},
	{[]cdcl.Event{cdcl.StableBegin, cdcl.StableEnd}, "begin, end of stable mode"},
	{[]cdcl.Event{cdcl.Reduce}, "learned clauses deleted"},
	{[]cdcl.Event{cdcl.Collect}, "garbage collection"},
	{[]cdcl.Event{cdcl.RephaseOrig, cdcl.RephaseInvert}, "phases reset to initial, inverted"},
	{[]cdcl.Event{cdcl.RephaseBest, cdcl.RephaseFlip}, "phases reset to best, flipped"},
	{[]cdcl.Event{cdcl.RephaseWalk}, "phases by local search"},
	{[]cdcl.Event{cdcl.RootUnit}, "a variable fixed at the root"},
	{[]cdcl.Event{cdcl.Probe}, "failed literal probing"},
	{[]cdcl.Event{cdcl.Substitute}, "equivalent literals substituted"},
	{[]cdcl.Event{cdcl.Eliminate}, "variables eliminated (BVE)"},
	{[]cdcl.Event{cdcl.Vivify}, "vivification"},
	{[]cdcl.Event{cdcl.Transitive}, "transitive reduction"},
	{[]cdcl.Event{cdcl.Cardinality}, "cardinality detection"},
	{[]cdcl.Event{cdcl.XOR}, "XOR constraints"},
	{[]cdcl.Event{cdcl.Congruence}, "congruence closure"},
	{[]cdcl.Event{cdcl.Factor}, "bounded variable addition"},
	{[]cdcl.Event{cdcl.Sweep}, "SAT sweeping"},
	{[]cdcl.Event{cdcl.Symmetry}, "symmetry breaking"},
	{[]cdcl.Event{cdcl.Satisfied, cdcl.Refuted}, "satisfiable, unsatisfiable"},
	{[]cdcl.Event{cdcl.Stopped}, "stopped"},
}

// classicEvents lists the events of the engine dpll.
var classicEvents = []eventHelp{
	{[]cdcl.Event{cdcl.Start}, "start of the search"},
	{[]cdcl.Event{'.'}, "once per second"},
	{[]cdcl.Event{cdcl.Satisfied, cdcl.Refuted}, "satisfiable, unsatisfiable"},
	{[]cdcl.Event{cdcl.Stopped}, "stopped"},
}

// Legend returns lines that explain the letters of report lines, for the engine of this
// name, and nil for an engine without report lines. The lines are two columns wide.
func Legend(engine string) []string {
	events := searchEvents
	switch engine {
	case "dpll":
		events = classicEvents
	case "twosat", "horn":
		return nil
	}
	half := (len(events) + 1) / 2
	lines := make([]string, half)
	for i, e := range events {
		letters := make([]string, len(e.Events))
		for j, l := range e.Events {
			letters[j] = string(l)
		}
		cell := fmt.Sprintf("%-3s %s", strings.Join(letters, " "), e.Help)
		if i < half {
			lines[i] = cell
		} else {
			lines[i-half] = fmt.Sprintf("%-38s%s", lines[i-half], cell)
		}
	}
	return lines
}
