package versus

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
)

// Experiments. A change of a solver (a build, an option) runs as a solver of its own, with the unchanged one as the
// base of the report. WriteRows prints rows for a table of experiments: idea, verdict, effect, and the commit of the
// changed solver.

// WriteRows writes a row of a Markdown table for each solver but the base. The verdict is that of the signed-rank test
// of the times with Holm's correction: gain, loss or no gain.
func (p *Report) WriteRows(w io.Writer) error {
	for _, pair := range p.Pairs {
		row, base := p.row(pair.A), p.row(pair.B)
		faster := pair.Faster > pair.Slower
		if pair.A == p.Base {
			row, base, faster = base, row, !faster
		} else if pair.B != p.Base {
			continue
		}
		verdict := "no gain"
		switch {
		case pair.Holm >= significance:
		case faster:
			verdict = "gain"
		default:
			verdict = "loss"
		}
		if _, err := fmt.Fprintf(w, "| %s | %s | %s | %s |\n", row.Solver, verdict, p.effect(row, base, &pair), p.commit(row.Solver)); err != nil {
			return err
		}
	}
	return nil
}

// effect describes the results of a solver relative to the base.
func (p *Report) effect(row, base *Row, pair *Pair) string {
	text := fmt.Sprintf("%s: %d solved, %d without; PAR-2 %.2f", p.title(), row.Solved(), base.Solved(), row.PAR2.Value/base.PAR2.Value)
	for _, x := range []struct {
		name  string
		ratio Estimate
	}{{string(p.Clock), row.TimeRatio}, {"ticks", row.TickRatio}, {"conflicts", row.ConflictRatio}} {
		if !math.IsNaN(x.ratio.Value) {
			text += fmt.Sprintf(", %s %.3f (s.e. %.3f)", x.name, x.ratio.Value, x.ratio.standardError())
		}
	}
	return text + fmt.Sprintf("; p %s, %s with Holm's correction", probability(pair.P), probability(pair.Holm))
}

// standardError returns the relative standard error of a geometric mean, from its interval.
func (e Estimate) standardError() float64 {
	return (math.Log(e.High) - math.Log(e.Low)) / (2 * 1.96)
}

// revision matches the commit in the version of a solver.
var revision = regexp.MustCompile(`(?:\+|commit )([0-9a-f]{7})`)

// commit returns the commit of a solver according to the notes, or a dash.
func (p *Report) commit(solver string) string {
	for _, note := range p.Notes {
		if about, is := strings.CutPrefix(note, solver+": "); is {
			if found := revision.FindStringSubmatch(about); found != nil {
				return found[1]
			}
		}
	}
	return "-"
}
