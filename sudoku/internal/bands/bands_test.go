package bands

import (
	"bufio"
	"context"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sator/internal/infer"
	"sator/internal/sudokutest"
	"sator/sudoku"
)

var rules = sudokutest.Nine

// solutions returns the solutions of a puzzle, up to a limit, in ascending order.
func solutions(s *Solver, g *sudoku.Grid, limit int) (found [][]int, complete bool) {
	complete = s.Visit(context.Background(), g, func() bool {
		found = append(found, make([]int, 81))
		s.Solution(found[len(found)-1])
		return len(found) < limit
	})
	slices.SortFunc(found, slices.Compare[[]int])
	return found, complete
}

// random returns a puzzle with some digits of a random solution. Some puzzles have pencil
// marks that exclude wrong and right digits, and some have a wrong digit.
func random(rng *rand.Rand) *sudoku.Grid {
	g := sudokutest.Parse(rules, "123456789456789123789123456214365897365897214897214365531642978642978531978531642")
	digits, rows := rng.Perm(9), rng.Perm(3)
	full := g.Clone()
	for i := range full.Cells { // with the rows of each band and the digits in another order
		full.Cells[i] = digits[g.Cells[27*(i/27)+9*rows[i/9%3]+i%9]-1] + 1
	}
	g = full.Clone()
	for _, cell := range rng.Perm(81)[:30+rng.IntN(33)] {
		g.Cells[cell] = 0
	}
	switch rng.IntN(6) {
	case 0:
		g.Cells[rng.IntN(81)] = rng.IntN(9) + 1
	case 1:
		g.Marks = make([]bool, 729)
		for i := range g.Marks {
			g.Marks[i] = rng.IntN(50) > 0 && (rng.IntN(3) > 0 || full.Cells[i/9] == i%9+1) || g.Cells[i/9] == i%9+1
		}
	}
	return g
}

// TestSolutions compares all solutions of random puzzles with the solutions of package
// infer. The packages share no code. Count finds as many as Visit, with fewer branches.
func TestSolutions(t *testing.T) {
	const most = 300
	var s, counter Solver
	other := infer.New(rules, infer.Options{Rule: infer.Never})
	seen := [3]int{} // no solution, one, several
	marked := 0
	for seed := range uint64(1500) {
		g := random(rand.New(rand.NewPCG(seed, 1)))
		if g.Conflict() != nil {
			if got, complete := solutions(&s, g, most); len(got) > 0 || !complete {
				t.Fatalf("seed %d: %d solutions of a puzzle with a conflict", seed, len(got))
			}
			continue
		}
		want, all := other.Solutions(context.Background(), g, most)
		got, complete := solutions(&s, g, most)
		if len(got) != len(want) || complete != all && len(want) < most {
			t.Fatalf("seed %d: %d solutions, complete %v; want %d, %v", seed, len(got), complete, len(want), all)
		}
		first := 0
		if n, done := counter.Count(context.Background(), g, most, func() { first++ }); n != len(got) || done != complete || first != min(n, 2) {
			t.Fatalf("seed %d: Count returns %d, %v after %d calls; Visit finds %d, %v", seed, n, done, first, len(got), complete)
		}
		slices.SortFunc(want, slices.Compare[[]int])
		for i := range got {
			if err := g.With(got[i]).Solves(g); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if all && !slices.Equal(got[i], want[i]) {
				t.Fatalf("seed %d: solution %v, want %v", seed, got[i], want[i])
			}
		}
		seen[min(len(want), 2)]++
		if g.Marks != nil {
			marked++
		}
	}
	if slices.Min(seen[:]) < 100 || marked < 100 {
		t.Errorf("%v puzzles without, with one and with several solutions; %d with marks", seen, marked)
	}
	if visited, counted := s.Stats().Branches, counter.Stats().Branches; 10*counted > 9*visited {
		t.Errorf("%d branches, %d where solutions are counted", visited, counted)
	}
	if st := s.Stats(); st.Puzzles != 1500 || st.NoBranch < 200 || st.NoBranch >= st.Puzzles || st.DeadEnds < 100 || st.Branches < st.DeadEnds/2 {
		t.Errorf("%+v", st)
	}
}

// TestTables compares the tables with the permutations that they stand for.
func TestTables(t *testing.T) {
	perms := [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	rng := rand.New(rand.NewPCG(1, 2))
	var last, lastRemain, lastCells, lastAlone uint64 // for the second half
	for range 20000 {
		cells := rng.Uint64() & rng.Uint64() & allCells
		var remain, columnsLeft uint64
		for _, p := range perms {
			var own, minirows uint64
			fits := true
			for row := range 3 {
				minirow := uint64(7) << (9*row + 3*p[row])
				fits = fits && cells&minirow != 0
				own |= cells & minirow
				minirows |= 1 << (9*row + p[row])
			}
			if fits {
				remain |= own
			}
			if cells&minirows == minirows { // as minicolumns, a band in each row
				columnsLeft |= minirows
			}
		}
		if got := cells & rows(cells); got != remain || cells&twoRows(cells|last<<32) != remain || last<<32&twoRows(cells|last<<32) != lastRemain<<32 {
			t.Fatalf("%027b: rows leave %027b, want %027b", cells, got, remain)
		}
		if got := columns(cells&eachStack) & allCells; got != columnsLeft {
			t.Fatalf("%027b: columns leave %027b, want %027b", cells, got, columnsLeft)
		}
		last, lastRemain = cells, remain
		cells |= eachRow // no row is empty
		var alone uint64
		for row := uint64(rowBits); row < 1<<27; row <<= 9 {
			if bits.OnesCount64(cells&row) == 1 {
				alone |= cells & row
			}
		}
		if got := singles(cells); got != alone {
			t.Fatalf("%027b: singles %027b, want %027b", cells, got, alone)
		}
		if got := singles(cells | (lastCells << 32)); got != alone|lastAlone<<32 {
			t.Fatalf("singles of two bands: %059b, want %027b and %027b", got, lastAlone, alone)
		}
		lastCells, lastAlone = cells, alone
	}
}

// TestExcess compares the sizes of areas with those of sets.
func TestExcess(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var c candidates
		few := rng.Uint64()
		for d := range c.triadsOf {
			c.triadsOf[d] = (rng.Uint64() | few) & allTriads
		}
		c.possible = countDigits(&c.triadsOf)
		for _, first := range []uint32{0, 1, 2, 32, 33, 34} {
			want := -28
			for _, m := range &c.triadsOf {
				want += bits.OnesCount64(m & (eachMinirow << first))
			}
			if got := c.excess(first); got != uint32(want) {
				t.Fatalf("area %d of %x: %d, want %d", first, c.triadsOf, got, want)
			}
		}
	}
}

// lines returns the rows and columns as minirows and minicolumns.
func lines() (all [18][3][3]int) {
	for i := range all {
		for k := range 9 {
			all[i][k/3][k%3] = 9*(i%9) + k
			if i >= 9 {
				all[i][k/3][k%3] = 9*k + i%9
			}
		}
	}
	return all
}

// has reports whether a cell is in a set.
func (g grid) has(cell int) bool {
	word, bit := bitOf(cell)
	return g[word]&bit != 0
}

// digitsOf returns the set of digits that are candidates in some cells.
func (c *candidates) digitsOf(cells [3]int) (set uint) {
	for _, i := range cells {
		for d := range c.cells {
			if c.cells[d].has(i) {
				set |= 1 << d
			}
		}
	}
	return set
}

// checkTriads returns the name of a rule of triads that propagation has not applied.
func (c *candidates) checkTriads() string {
	for _, line := range lines() {
		for k := range line {
			own, others := c.digitsOf(line[k]), c.digitsOf(line[(k+1)%3])|c.digitsOf(line[(k+2)%3])
			switch {
			case bits.OnesCount(own) < 3:
				return "too few digits"
			case bits.OnesCount(own) == 3 && own&others != 0:
				return "naked"
			case bits.OnesCount(own&^others) >= 3 && own&others != 0:
				return "hidden"
			}
		}
	}
	return ""
}

// TestPropagation checks that propagation removes no candidate of a solution, and leaves no
// single that is not fixed and no triad that is not applied.
func TestPropagation(t *testing.T) {
	var s Solver
	for seed := range uint64(300) {
		g := random(rand.New(rand.NewPCG(seed, 3)))
		found, _ := solutions(&s, g, 50)
		var c candidates
		if !c.load(g) || !c.propagate(allDigits) {
			if len(found) > 0 {
				t.Fatalf("seed %d: a contradiction in a puzzle with a solution", seed)
			}
			continue
		}
		if rule := c.checkTriads(); rule != "" {
			t.Fatalf("seed %d: the rule of triads is not applied: %s", seed, rule)
		}
		for _, cells := range found {
			for i, digit := range cells {
				if !c.cells[digit-1].has(i) {
					t.Fatalf("seed %d: the digit %d of cell %d is excluded", seed, digit, i)
				}
			}
		}
		for _, house := range rules.Houses() {
			for d := range c.cells {
				places, single := 0, 0
				for _, i := range house.Cells {
					if c.cells[d].has(i) {
						places, single = places+1, i
					}
				}
				if places == 0 || places == 1 && !c.fixed.has(single) {
					t.Fatalf("seed %d: %v has %d places of digit %d, the last one is not fixed", seed, house, places, d+1)
				}
			}
		}
	}
}

// TestContext checks that the search of an empty grid ends with its context.
func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var s Solver
	n := 0
	complete := s.Visit(ctx, sudoku.NewGrid(rules), func() bool {
		if n++; n == 1000 {
			cancel()
		}
		return true
	})
	if complete || n > 1000+2*pollInterval {
		t.Errorf("complete is %v after %d solutions", complete, n)
	}
}

// TestAllocations checks that solving a puzzle allocates nothing.
func TestAllocations(t *testing.T) {
	g := sudokutest.Parse(rules, "7.8...3.....2.1...5.........4.....263...8.......1...9..9.6....4....7.5...........")
	var s Solver
	n := 0
	count := func() bool { n++; return true }
	if a := testing.AllocsPerRun(10, func() { s.Visit(context.Background(), g, count) }); a != 0 || n == 0 {
		t.Errorf("%v allocations, %d solutions", a, n)
	}
}

// manySolutions is a puzzle of Royle's list without one of its 17 givens. It has 7,550
// solutions.
const manySolutions = ".................1..2..3........235..1..5....6.....7.....1.4..6..5.8.....7......."

// TestMany counts thousands of solutions. The number is that of package infer.
func TestMany(t *testing.T) {
	found, complete := solutions(new(Solver), sudokutest.Parse(rules, manySolutions), 1<<30)
	if !complete || len(slices.CompactFunc(found, slices.Equal)) != 7550 {
		t.Errorf("%d solutions, complete %v", len(found), complete)
	}
}

// BenchmarkMany visits all solutions of a puzzle with 7,550.
func BenchmarkMany(b *testing.B) {
	g := sudokutest.Parse(rules, manySolutions)
	var s Solver
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		if !s.Visit(context.Background(), g, func() bool { n++; return true }) || n != 7550 {
			b.Fatal(n)
		}
	}
}

// TestOtherRules checks that other rules panic.
func TestOtherRules(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	new(Solver).Visit(context.Background(), sudoku.NewGrid(sudoku.Must(sudoku.Standard(8))), func() bool { return true })
}

// BenchmarkUnique proves that the puzzles of lists have one solution:
//
//	SATOR_SUDOKU=DIR go test -bench Unique -cpu 1 ./sudoku/internal/bands
func BenchmarkUnique(b *testing.B) {
	dir := os.Getenv("SATOR_SUDOKU")
	if dir == "" {
		b.Skip("SATOR_SUDOKU does not name the directory of the lists")
	}
	for _, name := range []string{"17clue-8000.txt", "top1465.txt", "study-1011.txt"} {
		b.Run(name, func(b *testing.B) {
			f, err := os.Open(filepath.Join(dir, name))
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			var puzzles []*sudoku.Grid
			for lines := bufio.NewScanner(f); lines.Scan(); {
				if line := lines.Text(); len(line) >= 81 && line[0] != '#' {
					puzzles = append(puzzles, sudokutest.Parse(rules, line))
				}
			}
			var s Solver
			n := 0
			count := func() bool { n++; return n < 2 }
			b.ResetTimer()
			for i := range b.N {
				n = 0
				if !s.Visit(context.Background(), puzzles[i%len(puzzles)], count) || n != 1 {
					b.Fatalf("puzzle %d has %d solutions", i%len(puzzles), n)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "puzzles/s")
			b.ReportMetric(float64(s.Stats().Branches)/float64(b.N), "branches/puzzle")
		})
	}
}
