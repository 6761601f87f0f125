package text

import (
	"slices"

	"sator/sudoku"
)

// A variableMap maps the literals of a formula to candidates.
type variableMap struct {
	rules      *sudoku.Rules
	candidates []int32 // by variable: its candidate plus one, 0 without one
	hasOthers  bool    // there can be variables that are no candidates
	expected   string  // the numbering, for messages
	given      []int   // by cell: the givens in the comments, or nil
}

// candidate returns the candidate of a literal.
func (v *variableMap) candidate(literal int64) (int, bool) {
	x := max(literal, -literal)
	if x >= int64(len(v.candidates)) || v.candidates[x] == 0 {
		return 0, false
	}
	return int(v.candidates[x]) - 1, true
}

// unitsMap determines the numbering of the variables.
func (r *Reader) unitsMap(u *units) (*variableMap, error) {
	if len(u.comments) > 0 {
		m, err := sudoku.ReadMap(u.comments)
		if err == nil {
			rules, err := r.ownRules(u.line, m.Rules.String())
			if err != nil {
				return nil, err
			}
			v := variablesOf(m, rules)
			v.hasOthers = true
			return v, nil
		}
		if err != sudoku.ErrNoMap {
			return nil, r.in.errorf(u.line.number, 1, "%v", err)
		}
	}
	if rules := r.several(); rules != nil {
		return r.variablesByNumber(rules.Size(), "dense")
	}
	for n := 1; n <= sudoku.MaxSize; n++ {
		if known := r.size(); known > 0 && n != known {
			continue
		}
		for _, numbering := range sudoku.Numberings {
			if numbering.Number(n, n, n, n) == u.variables {
				return r.variablesByNumber(n, numbering.Name)
			}
		}
	}
	return r.guessVariables(u)
}

// guessVariables determines the numbering from the literals if the header does
// not define it.
func (r *Reader) guessVariables(u *units) (*variableMap, error) {
	sizes := []int{9, 16}
	if n := r.size(); n > 0 {
		sizes = []int{n}
	}
	for _, n := range sizes {
		if v, err := r.variablesByNumber(n, "rcd"); err != nil || v.fits(u.found) {
			return v, err
		}
	}
	if n := r.size(); n > 0 {
		return r.variablesByNumber(n, "dense")
	}
	return nil, r.in.errorf(u.line.number, 1, "unknown numbering of variables: tried 100r+10c+d for size 9, 289r+17c+d for size 16 and, by the header, all sizes: "+
		"want \"p cnf 729\" for size 9 without gaps, or a line \"c sudoku rules 9 boxes 3x3\"")
}

// fits reports whether all literals are candidates.
func (v *variableMap) fits(found []unit) bool {
	for _, x := range found {
		if _, ok := v.candidate(x.literal); !ok {
			return false
		}
	}
	return true
}

// variablesOf returns the variables of a map for a grid with the given rules.
func variablesOf(m *sudoku.Map, rules *sudoku.Rules) *variableMap {
	v := &variableMap{rules: rules, candidates: make([]int32, m.Vars()+1)}
	for candidate := range rules.Cells() * rules.Size() {
		if lit, ok := m.Lit(candidate); ok {
			v.candidates[lit.Int()] = int32(candidate + 1)
		}
	}
	if m.Puzzle != nil {
		v.given = m.Puzzle.Cells
	}
	return v
}

// variablesByNumber returns the variables of a numbering, a name in [sudoku.Numberings].
func (r *Reader) variablesByNumber(n int, numbering string) (*variableMap, error) {
	m, err := sudoku.NewMap(r.rulesFor(n, 0), sudoku.Coding{Numbering: numbering})
	if err != nil {
		return nil, err
	}
	v := variablesOf(m, m.Rules)
	switch {
	case numbering == "dense":
		v.expected = m.DescribeVariables()
	case n > 9:
		v.expected = "row, column and digit as digits of a base above the size"
	default:
		v.expected = "100*row + 10*column + digit"
	}
	return v, nil
}

// compareClause counts the current clause if it does not follow from the rules.
func (r *Reader) compareClause(l line) {
	u := &r.units
	if u.m == nil {
		var err error
		if u.m, err = r.unitsMap(u); err != nil {
			u.m = &variableMap{hasOthers: true} // endUnits returns the error
		}
	}
	if u.m.hasOthers || u.m.isRule(u.clause) {
		return
	}
	if u.others++; u.others == 1 {
		u.other = l.number
	}
}

// isRule reports whether a clause is one of the rules: two candidates that exclude each
// other, or all digits of a cell, or all places of a digit in a house.
func (v *variableMap) isRule(clause []unit) bool {
	n := v.rules.Size()
	var cells, digits []int
	for _, x := range clause {
		candidate, ok := v.candidate(x.literal)
		if !ok || x.literal > 0 != (clause[0].literal > 0) {
			return false
		}
		cell, digit := v.rules.Split(candidate)
		cells, digits = append(cells, cell), append(digits, digit)
	}
	if len(clause) == 0 {
		return false
	}
	if clause[0].literal < 0 {
		return len(clause) == 2 && clause[0].literal != clause[1].literal && (cells[0] == cells[1] || digits[0] == digits[1] && slices.Contains(v.rules.Peers(cells[0]), cells[1]))
	}
	slices.Sort(cells)
	slices.Sort(digits)
	switch {
	case cells[0] == cells[len(cells)-1]:
		return len(slices.Compact(digits)) == n
	case digits[0] != digits[len(digits)-1]:
		return false
	}
	return slices.ContainsFunc(v.rules.HousesOf(cells[0]), func(h int) bool {
		return slices.Equal(slices.Sorted(slices.Values(v.rules.Houses()[h].Cells)), cells)
	})
}
