package technique

import (
	"fmt"
	"slices"
)

// Details returns all links of a step with chains, one in a line, each with the reason why it
// follows from the ones before it; chains inside of chains are indented. For other steps it
// returns nil: their reason is whole.
func (b *Board) Details(s *Step) []string {
	d := details{b: b}
	d.add(s, "")
	return d.lines
}

// Details under construction.
type details struct {
	b     *Board
	lines []string
}

func (d *details) printf(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

// add adds the lines of a step.
func (d *details) add(s *Step, indent string) {
	switch {
	case s.events != nil:
		d.assumption(s, indent)
	case s.branches != nil:
		d.printf("%sone candidate of %s is true:", indent, d.b.rules.GroupName(s.groups[0]))
		for _, chain := range s.branches {
			d.chain(chain, indent)
		}
	case s.chain != nil:
		d.chain(s.chain, indent)
	}
}

// chain adds the links of a chain.
func (d *details) chain(chain []link, indent string) {
	d.printf("%sif %s:", indent, d.b.statement(chain[0].literal))
	for i, l := range chain[1:] {
		d.printf("%s  %s, %s", indent, d.b.statement(l.literal), d.why(l.literal, l.group, chain[i].candidate()))
	}
}

// why returns why a literal follows: a group has no other candidate left, or a candidate that is
// true excludes it.
func (d *details) why(l literal, group, from int) string {
	b := d.b
	switch {
	case l.isOff():
		return "excluded by " + b.statement(on(from))
	case group < len(b.digits):
		return "the last digit of the cell"
	}
	group -= len(b.digits)
	return fmt.Sprintf("the last place of %d in %s", group%b.size+1, b.rules.Houses()[group/b.size])
}

// assumption adds the consequences of an assumption. The steps behind it follow their first
// consequence.
func (d *details) assumption(s *Step, indent string) {
	d.printf("%sif %s:", indent, d.b.statement(s.events[0].literal))
	var last *Step
	for _, e := range s.events[1:] {
		why := ""
		if e.step != nil {
			why = e.step.Technique.Name + ": " + e.step.Technique.reason(d.b, e.step)
		} else {
			why = d.why(e.literal, e.group, e.from)
		}
		d.printf("%s  %s, %s", indent, d.b.statement(e.literal), why)
		if e.step != nil && e.step != last {
			d.add(e.step, indent+"    ")
			last = e.step
		}
	}
	d.printf("%s  %s", indent, d.b.emptied(s.empty))
}

// Pattern returns the cells that the reason of a step is about, and the candidates of its pattern:
// of a chain, its true candidates. The cells of a single include the blockers, the digits that exclude
// its other places, or its other digits. Both lists are ascending. The board is that before the step.
func (b *Board) Pattern(s *Step) (cells, candidates []int) {
	cells = append(b.blockers(s), s.cells...)
	for _, cell := range s.cells {
		for _, digit := range s.digits {
			if b.has(cell, digit-1) {
				candidates = append(candidates, b.rules.Candidate(cell, digit))
			}
		}
	}
	candidates = append(candidates, s.extras...)
	for _, chain := range slices.Concat([][]link{s.chain}, s.branches) {
		for _, l := range chain {
			cells = append(cells, l.candidate()/b.size)
			if !l.isOff() {
				candidates = append(candidates, l.candidate())
			}
		}
	}
	for _, e := range s.events {
		if !e.isOff() {
			cells, candidates = append(cells, e.candidate()/b.size), append(candidates, e.candidate())
		}
	}
	slices.Sort(cells)
	slices.Sort(candidates)
	return slices.Compact(cells), slices.Compact(candidates)
}

// blockers returns digits that exclude the other places of a hidden single in its house, or the other
// digits of a naked single, as far as placed digits do. A digit that excludes several places is taken
// once.
func (b *Board) blockers(s *Step) []int {
	var list []int
	block := func(cell, d int) {
		blocks := func(other int) bool { return b.placed[other] && b.has(other, d) && b.sees(other, cell) }
		if slices.ContainsFunc(list, blocks) {
			return
		}
		if i := slices.IndexFunc(b.rules.Peers(cell), blocks); i >= 0 {
			list = append(list, b.rules.Peers(cell)[i])
		}
	}
	switch s.Technique.Name {
	case "hidden single":
		for _, cell := range b.rules.Houses()[s.houses[0]].Cells {
			if !b.placed[cell] && cell != s.cells[0] {
				block(cell, s.digits[0]-1)
			}
		}
	case "naked single":
		for d := range b.size {
			if d != s.digits[0]-1 {
				block(s.cells[0], d)
			}
		}
	}
	return list
}
