package technique

import (
	"fmt"
	"slices"

	"sator/sudoku"
)

// A Difficulty is a rating in tenths: 42 stands for 4.2.
type Difficulty int

// String returns the rating with one decimal: "4.2".
func (d Difficulty) String() string { return fmt.Sprintf("%d.%d", d/10, d%10) }

// ParseDifficulty returns the rating of a text such as "4.2" or "4". It must be above 0 and
// below 100.
func ParseDifficulty(text string) (Difficulty, error) {
	var whole, tenth Difficulty
	_, err := fmt.Sscanf(text+".0", "%d.%d", &whole, &tenth)
	d := 10*whole + tenth
	if err != nil || d <= 0 || d >= 1000 || text != d.String() && text+".0" != d.String() {
		return 0, fmt.Errorf("invalid rating %q: want a number such as 4.2", text)
	}
	return d, nil
}

// A Technique is a row of the table [All].
type Technique struct {
	Name string

	// Rating is the difficulty of the simplest step of the technique. Longer
	// chains have a higher one.
	Rating Difficulty

	Help string // what the technique does, in one line

	// Unique reports that the technique assumes that the puzzle has one solution.
	Unique bool

	// size is the largest size of a grid for the technique, 0 for [MaxSize], and its square the
	// largest number of cells of several grids. In larger ones the search takes too long.
	size int

	// Find calls use for steps that the board allows, until use returns false. It
	// skips steps that change nothing. The board does not change in the meantime.
	// The rating of a step is what it has beyond that of the technique.
	find func(b *Board, use func(*Step) bool)

	// Reason returns the reason of a step in words. The board is that before the
	// step.
	reason func(b *Board, s *Step) string
}

// A Step is a conclusion of a technique: it places a digit or eliminates
// candidates.
type Step struct {
	Technique  *Technique
	Rating     Difficulty
	Placed     int   // the candidate that is true, or -1
	Eliminated []int // the candidates that are false

	// groups are the premises: the conclusion follows from the fact that one of
	// the candidates left in each group is true (see [sudoku.Rules.Group]), and
	// from the exclusion of peers. A technique that assumes a unique solution
	// needs this assumption, too.
	groups []int

	kind     int   // the type of the pattern, or the sum of a cage
	extras   []int // the candidates beyond a bivalue universal grave
	cells    []int // the pattern, in the order of the reason
	fins     []int // cells of a fish beyond its columns
	ends     []int // of parts of cells
	digits   []int // from 1
	houses   []int
	chain    []link   // of a chain
	branches [][]link // of forcing chains
	pattern  []link   // of a turbot fish, which is a chain that its name describes
	events   []event  // of an assumption, which is the first
	empty    int      // the group that the assumption empties
	length   int      // number of literals of a chain or an assumption
	premises []int    // see Premises; of the steps of a hint
}

// All lists the techniques by rating, easiest first.
var All []*Technique

func init() {
	All = []*Technique{
		{Name: "last cell", Rating: 10, Help: "a house has one open cell left", find: lastCells, reason: lastCellReason},
		{Name: "hidden single", Rating: 12, Help: "a digit has one place left in a house", find: hiddenSingles, reason: hiddenSingleReason},
		{Name: "direct pointing", Rating: 17, Help: "pointing that leaves a hidden single", find: direct(pointing), reason: directly(lockedReason)},
		{Name: "direct claiming", Rating: 19, Help: "claiming that leaves a hidden single", find: direct(claiming), reason: directly(lockedReason)},
		{Name: "direct hidden pair", Rating: 20, Help: "a hidden pair that leaves a hidden single", find: direct(hiddenSubsets(2)), reason: directly(hiddenSubsetReason)},
		{Name: "naked single", Rating: 23, Help: "a cell has one candidate left", find: nakedSingles, reason: nakedSingleReason},
		{Name: "cage", Rating: 24, Help: "the sum of a cage excludes digits", find: cageSums, reason: cageReason},
		{Name: "relation", Rating: 24, Help: "a thermometer, an arrow or another relation excludes digits", find: relations, reason: relationReason},
		{Name: "innies and outies", Rating: 25, Help: "the cages in and around houses leave a sum for some cells (45 rule)", size: 16, find: inniesAndOuties, reason: sumReason},
		{Name: "direct hidden triple", Rating: 25, Help: "a hidden triple that leaves a hidden single", find: direct(hiddenSubsets(3)), reason: directly(hiddenSubsetReason)},
		{Name: "pointing", Rating: 26, Help: "all places of a digit in a box see the same cells outside", find: pointing, reason: lockedReason},
		{Name: "claiming", Rating: 28, Help: "all places of a digit in a line see the same cells outside", find: claiming, reason: lockedReason},
		{Name: "naked pair", Rating: 30, Help: "two cells of a house have two candidates between them", find: nakedSubsets(2), reason: nakedSubsetReason},
		{Name: "X-wing", Rating: 32, Help: "a digit in two rows has the same two columns, or vice versa", find: fish(2), reason: fishReason},
		{Name: "hidden pair", Rating: 34, Help: "two digits of a house have two places between them", find: hiddenSubsets(2), reason: hiddenSubsetReason},
		{Name: "naked triple", Rating: 36, Help: "three cells of a house have three candidates between them", find: nakedSubsets(3), reason: nakedSubsetReason},
		{Name: "swordfish", Rating: 38, Help: "a digit in three rows has the same three columns, or vice versa", find: fish(3), reason: fishReason},
		{Name: "skyscraper", Rating: 40, Help: "a digit with two places in each of two rows, joined by a column, or vice versa", find: turbots(skyscraper), reason: turbotReason},
		{Name: "hidden triple", Rating: 40, Help: "three digits of a house have three places between them", find: hiddenSubsets(3), reason: hiddenSubsetReason},
		{Name: "two-string kite", Rating: 41, Help: "a digit with two places in a row and two in a column, joined by a box", find: turbots(twoStringKite), reason: turbotReason},
		{Name: "turbot fish", Rating: 42, Help: "a digit with two places in each of two houses that are joined", find: turbots(turbotFish), reason: turbotReason},
		{Name: "XY-wing", Rating: 42, Help: "three cells with two candidates each, one of which sees the others", find: xyWing, reason: wingReason},
		{Name: "empty rectangle", Rating: 43, Help: "a digit in two lines of a box, and with two places in another house", find: emptyRectangles, reason: emptyRectangleReason},
		{Name: "XYZ-wing", Rating: 44, Help: "an XY-wing whose pivot has all three digits", find: xyzWing, reason: wingReason},
		{Name: "W-wing", Rating: 44, Help: "two cells with the same two candidates, linked by a house", find: wWing, reason: wWingReason},
		{Name: "remote pair", Rating: 45, Help: "cells with the same two candidates take them in turn", find: remotePairs, reason: remotePairReason},
		{Name: "finned X-wing", Rating: 45, Help: "an X-wing but for some places in a box", size: 16, find: finnedFish(2, false), reason: finnedReason},
		{Name: "sashimi X-wing", Rating: 45, Help: "a finned X-wing with a row that has one place but for the fin", size: 16, find: finnedFish(2, true), reason: finnedReason},
		{Name: "unique rectangle", Rating: 45, Help: "two digits in four cells could be exchanged", Unique: true, find: rectangles(false), reason: rectangleReason},
		{Name: "hidden rectangle", Rating: 46, Help: "likewise, with other candidates in three cells", Unique: true, find: hiddenRectangles, reason: hiddenRectangleReason},
		{Name: "avoidable rectangle", Rating: 46, Help: "likewise, with digits that are no givens", Unique: true, find: rectangles(true), reason: rectangleReason},
		{Name: "finned swordfish", Rating: 48, Help: "a swordfish but for some places in a box", size: 9, find: finnedFish(3, false), reason: finnedReason},
		{Name: "sashimi swordfish", Rating: 48, Help: "a finned swordfish with a row that has one place but for the fins", size: 9, find: finnedFish(3, true), reason: finnedReason},
		{Name: "naked quad", Rating: 50, Help: "four cells of a house have four candidates between them", find: nakedSubsets(4), reason: nakedSubsetReason},
		{Name: "jellyfish", Rating: 52, Help: "a digit in four rows has the same four columns, or vice versa", find: fish(4), reason: fishReason},
		{Name: "finned jellyfish", Rating: 54, Help: "a jellyfish but for some places in a box", size: 9, find: finnedFish(4, false), reason: finnedReason},
		{Name: "sashimi jellyfish", Rating: 54, Help: "a finned jellyfish with a row that has one place but for the fins", size: 9, find: finnedFish(4, true), reason: finnedReason},
		{Name: "hidden quad", Rating: 54, Help: "four digits of a house have four places between them", find: hiddenSubsets(4), reason: hiddenSubsetReason},
		{Name: "Sue de Coq", Rating: 55, Help: "cells of a box and a line with as many digits as cells", size: 9, find: sueDeCoqs, reason: sueDeCoqReason},
		{Name: "ALS-XZ", Rating: 55, Help: "two almost locked sets that cannot both have a digit", size: 9, find: alsXZ, reason: alsReason},
		{Name: "bivalue universal grave", Rating: 56, Help: "with two candidates in all cells there would be two solutions (BUG)", Unique: true, find: universalGraves, reason: graveReason},
		{Name: "ALS-XY-wing", Rating: 60, Help: "two almost locked sets that a third one links", size: 9, find: alsXYWing, reason: alsReason},
		{Name: "aligned pair exclusion", Rating: 62, Help: "two cells must not take both candidates of a third", size: 25, find: alignedPairs, reason: alignedPairReason},
		{Name: "simple coloring", Rating: 65, Help: "a chain of houses with two places for a digit", size: 25, find: simpleColoring, reason: coloringReason},
		{Name: "X-chain", Rating: 66, Help: "a chain of implications with one digit", size: 25, find: chains(xChain), reason: chainReason},
		{Name: "XY-chain", Rating: 66, Help: "a chain through cells with two candidates", size: 25, find: chains(xyChain), reason: chainReason},
		{Name: "alternating inference chain", Rating: 70, Help: "a chain of implications (AIC)", size: 25, find: chains(anyChain), reason: chainReason},
		{Name: "forcing chains", Rating: 80, Help: "all candidates of a cell or a house lead to the same", size: 16, find: forcingChains, reason: forcingReason},
		{Name: "dynamic forcing chains", Rating: 85, Help: "a candidate leads by singles to a contradiction", size: 25, find: dynamicChains, reason: assumptionReason},
		{Name: "dynamic forcing chains +", Rating: 90, Help: "likewise, with locked candidates, pairs and X-wings", size: 16, find: dynamicPlus, reason: assumptionReason},
		{Name: "nested forcing chains", Rating: 95, Help: "likewise, with chains inside of chains", size: 9, find: nestedChains, reason: assumptionReason},
	}
}

// ByName returns the technique with a name, or nil.
func ByName(name string) *Technique {
	for _, t := range All {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// first returns the first step of the technique, or nil.
func (t *Technique) first(b *Board) *Step {
	if t.refusal(b) != "" {
		return nil
	}
	var found *Step
	t.find(b, func(s *Step) bool {
		found = s
		return false
	})
	return t.sign(found)
}

// refusal returns the reason why the technique finds nothing on a board like b, such as
// "nested forcing chains: not searched for above size 9", or "" if it may find a step.
func (t *Technique) refusal(b *Board) string {
	switch {
	case slices.Contains(b.Without, t.Name):
		return t.Name + ": left out"
	case t.size > 0 && len(b.digits) > t.size*t.size && b.size <= t.size:
		return fmt.Sprintf("%s: not searched for in more than %d cells", t.Name, t.size*t.size)
	case t.size > 0 && b.size > t.size:
		return fmt.Sprintf("%s: not searched for above size %d", t.Name, t.size)
	case t.Name == "nested forcing chains" && len(b.related) > 0:
		return t.Name + ": not searched for with relations"
	case t.Unique && !b.Unique:
		return t.Name + ": the puzzle has not been proved to have one solution"
	case t.Unique && b.noExchange != "":
		return t.Name + ": " + b.noExchange
	}
	return ""
}

// refusesExchange returns the reason why digits of a solution cannot be exchanged although all
// houses keep their digits, or "".
func refusesExchange(r *sudoku.Rules) string {
	switch v := r.Variant(); {
	case len(v.Cages) > 0:
		return "the exchange of digits may change the sum of a cage"
	case len(v.Relations) > 0:
		return fmt.Sprintf("the exchange of digits may break the rule %s", v.Relations[0].Kind)
	}
	for _, w := range r.Variant().Words() {
		if !w.Houses {
			return fmt.Sprintf("the exchange of digits may break the %s rule", w.Name)
		}
	}
	return ""
}

// sign enters the technique into a step, and adds its rating to that of the step.
func (t *Technique) sign(s *Step) *Step {
	if s != nil {
		s.Technique = t
		s.Rating += t.Rating
	}
	return s
}

// Reason returns the reason of a step in a sentence about cells and digits. The
// board is that before the step. The sentence has at most [MaxReason] bytes; see Details for all
// links of a long chain.
func (b *Board) Reason(s *Step) string {
	text := s.Technique.reason(b, s)
	if len(text) > MaxReason {
		panic("technique: a reason of more than MaxReason bytes: " + text)
	}
	return text
}

// Premises returns the candidates that had to be eliminated before the step,
// ascending, with repetitions: the step holds on every board without them. The board
// is that before the step.
func (b *Board) Premises(s *Step) []int {
	var list []int
	for _, g := range s.groups {
		list = b.absent(g, list)
	}
	return list
}

// Rules returns the rules of the puzzle.
func (b *Board) Rules() *sudoku.Rules { return b.rules }
