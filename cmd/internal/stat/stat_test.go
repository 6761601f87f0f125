package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// near fails unless got equals want within a relative tolerance, that of the published digits.
func near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > tolerance*math.Abs(want) {
		t.Errorf("%s is %v, want %v", name, got, want)
	}
}

// Data sets of R, with results printed in its manuals and vignettes.
var (
	// mtcars: miles per gallon and weight of 32 cars.
	mpg = []float64{21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2, 10.4, 10.4, 14.7,
		32.4, 30.4, 33.9, 21.5, 15.5, 15.2, 13.3, 19.2, 27.3, 26, 30.4, 15.8, 19.7, 15, 21.4}
	weight = []float64{2.62, 2.875, 2.32, 3.215, 3.44, 3.46, 3.57, 3.19, 3.15, 3.44, 3.44, 4.07, 3.73, 3.78, 5.25, 5.424,
		5.345, 2.2, 1.615, 1.835, 2.465, 3.52, 3.435, 3.84, 3.845, 1.935, 2.14, 1.513, 3.17, 2.77, 3.57, 2.78}
	// Hollander and Wolfe (1973), p. 187: lightness of canned tuna as measured, and as judged by a panel.
	lightness = []float64{44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1}
	panel     = []float64{2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8}
	// Hollander and Wolfe (1973), p. 29: depression before and after therapy.
	before = []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	after  = []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
)

func TestPearson(t *testing.T) {
	c := Pearson(mpg, weight)
	near(t, "r of mtcars", c.R, -0.8676594, 1e-7)
	near(t, "p of mtcars", c.P, 1.294e-10, 1e-3)
	near(t, "low of mtcars", c.Low, -0.9338264, 1e-6)
	near(t, "high of mtcars", c.High, -0.7440872, 1e-6)
	if c.N != 32 {
		t.Errorf("%d cars", c.N)
	}
	c = Pearson(lightness, panel)
	near(t, "r of tuna", c.R, 0.5711816, 1e-6)
	near(t, "p of tuna", c.P, 0.1082, 1e-3)
	near(t, "low of tuna", c.Low, -0.1497426, 1e-6)
	near(t, "high of tuna", c.High, 0.8955795, 1e-6)
	// Anscombe's quartet (1973): four data sets of different shape with the same coefficient.
	x := []float64{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5}
	for _, y := range [][]float64{
		{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68},
		{9.14, 8.14, 8.74, 8.77, 9.26, 8.10, 6.13, 3.10, 9.13, 7.26, 4.74},
		{7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73},
	} {
		c := Pearson(x, y)
		near(t, "r of Anscombe", c.R, 0.816, 1e-3)
		near(t, "p of Anscombe", c.P, 0.00218, 1e-2)
	}
}

// TestPublishedPearson checks published p-values of r = 0.032, 0.034 and 0.043 over 1011 puzzles,
// as far as the digits of r determine them.
func TestPublishedPearson(t *testing.T) {
	for _, c := range []struct{ r, p float64 }{{0.032, 0.312}, {0.034, 0.278}, {0.043, 0.167}} {
		low, high := studentP(c.r+0.0005, 1011), studentP(c.r-0.0005, 1011)
		if c.p < low-0.0005 || c.p > high+0.0005 {
			t.Errorf("p of r = %v is between %v and %v, want %v", c.r, low, high, c.p)
		}
	}
}

func TestSpearman(t *testing.T) {
	c := Spearman(mpg, weight)
	near(t, "rho of mtcars", c.R, -0.886422, 1e-6)
	near(t, "p of mtcars", c.P, 1.488e-11, 1e-3)
	c = Spearman(lightness, panel)
	near(t, "rho of tuna", c.R, 0.6, 1e-12)
	near(t, "p of tuna", c.P, 0.0968, 1e-3)
	// A textbook example: hours of television and intelligence of 10 persons.
	c = Spearman([]float64{106, 100, 86, 101, 99, 103, 97, 113, 112, 110}, []float64{7, 27, 2, 50, 28, 29, 20, 12, 6, 17})
	near(t, "rho of television", c.R, -29.0/165, 1e-12)
	near(t, "p of television", c.P, 0.627188, 1e-5)
	// Any increasing curve has the coefficient 1.
	curve := []float64{1, 2, 4, 1e3, 1e9}
	if c := Spearman([]float64{1, 2, 3, 4, 5}, curve); c.R != 1 || c.P != 2.0/120 {
		t.Errorf("of a curve: %+v", c)
	}
}

// permutationOracle is the p-value by definition: recursion over all permutations of y, with the
// floating-point coefficient of each.
func permutationOracle(x, y []float64) float64 {
	rx, ry := Ranks(x), Ranks(y)
	observed := math.Abs(coefficient(rx, ry))
	extreme, all := 0, 0
	var walk func(order, rest []float64)
	walk = func(order, rest []float64) {
		if len(rest) == 0 {
			all++
			if math.Abs(coefficient(rx, order)) >= observed-1e-9 {
				extreme++
			}
		}
		for i := range rest {
			walk(append(slices.Clone(order), rest[i]), slices.Delete(slices.Clone(rest), i, i+1))
		}
	}
	walk(nil, ry)
	return float64(extreme) / float64(all)
}

func TestSpearmanExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		n := 3 + random.IntN(4)
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			x[i], y[i] = float64(random.IntN(5)), float64(random.IntN(9))
		}
		if constant(x) || constant(y) {
			continue
		}
		if got, want := Spearman(x, y).P, permutationOracle(x, y); math.Abs(got-want) > 1e-12 {
			t.Fatalf("Spearman(%v, %v).P is %v, want %v", x, y, got, want)
		}
	}
}

func TestPermute(t *testing.T) {
	for n, want := range []int{1, 1, 2, 6, 24, 120, 720} {
		b := make([]int, n)
		for i := range b {
			b[i] = i
		}
		seen := map[[6]int]bool{}
		permute(b, n, func() {
			var key [6]int
			copy(key[:], b)
			seen[key] = true
		})
		if len(seen) != want {
			t.Errorf("%d permutations of %d", len(seen), n)
		}
	}
}

// TestSpearmanBorder compares the exact and the asymptotic p-value at the limit.
func TestSpearmanBorder(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for range 5 {
		x, y := make([]float64, exactRanks), make([]float64, exactRanks)
		for i := range x {
			x[i], y[i] = random.Float64(), random.Float64()
		}
		c := Spearman(x, y)
		if asymptotic := studentP(c.R, c.N); math.Abs(c.P-asymptotic) > 0.02 {
			t.Errorf("rho %v: p is %v exactly and %v by the t distribution", c.R, c.P, asymptotic)
		}
	}
}

func TestCorrelationUndefined(t *testing.T) {
	third := 1.0 / 3
	for _, f := range []func(x, y []float64) Correlation{Pearson, Spearman} {
		for _, c := range []Correlation{f(nil, nil), f([]float64{1}, []float64{2}),
			f([]float64{1, 2, 3, 4, 5, 6, 7}, []float64{third, third, third, third, third, third, third})} {
			if !math.IsNaN(c.R) || !math.IsNaN(c.P) || !math.IsNaN(c.Low) || !math.IsNaN(c.High) {
				t.Errorf("of a constant: %+v", c)
			}
		}
		if c := f([]float64{1, 2}, []float64{5, 4}); c.R != -1 || !math.IsNaN(c.P) || c.Low != -1 || c.High != 1 {
			t.Errorf("of two points: %+v", c)
		}
	}
	if c := Pearson([]float64{1, 2, 3, 4}, []float64{2, 4, 6, 8}); c.R != 1 || c.P != 0 || c.Low != 1 || c.High != 1 {
		t.Errorf("of a line: %+v", c)
	}
}

func TestWilcoxon(t *testing.T) {
	if c := Compare(before, after); c.W != 40 || c.P != 20.0/512 {
		t.Errorf("of depression: %+v", c)
	}
	if c := Compare(after, before); c.W != 5 || c.P != 20.0/512 {
		t.Errorf("of depression, the other way round: %+v", c)
	}
	near(t, "asymptotic p of depression", normalSignedRankP(40, 9, nil), 0.04401, 1e-3)
	// Student's data on sleep (1908), in tenths of hours: one pair is equal, all others favor the second drug.
	c := Compare([]float64{7, -16, -2, -12, -1, 34, 37, 8, 0, 20}, []float64{19, 8, 11, 1, -1, 44, 55, 16, 46, 34})
	want := Paired{N: 10, Less: 9, Equal: 1, W: 0, P: 2.0 / 512, Effect: -1}
	if c != want {
		t.Errorf("of sleep: %+v, want %+v", c, want)
	}
	// R prints 0.009091: its p-value is asymptotic if there are ties or zeros.
	_, ties := doubledRanks([]float64{12, 24, 13, 13, 10, 18, 8, 46, 14})
	near(t, "asymptotic p of sleep", normalSignedRankP(0, 9, ties), 0.009091, 1e-4)
}

// TestWilcoxonTable checks the critical values of printed tables: the largest sum that is
// significant at 5 %, two-sided.
func TestWilcoxonTable(t *testing.T) {
	for n, critical := range map[int]int{6: 0, 7: 2, 8: 3, 9: 5, 10: 8, 11: 10, 12: 13, 13: 17, 14: 21, 15: 25, 16: 29,
		17: 34, 18: 40, 19: 46, 20: 52, 25: 89, 30: 137, 40: 264, 50: 434} {
		ranks := make([]int, n)
		for i := range ranks {
			ranks[i] = 2 * (i + 1)
		}
		if p := exactSignedRankP(ranks, 2*critical); p > 0.05 {
			t.Errorf("n = %d: p of %d is %v", n, critical, p)
		}
		if p := exactSignedRankP(ranks, 2*(critical+1)); p <= 0.05 {
			t.Errorf("n = %d: p of %d is %v", n, critical+1, p)
		}
	}
}

// signedRankOracle is the p-value by definition, over all assignments of signs.
func signedRankOracle(x, y []float64) float64 {
	var sizes []float64
	observed := 0.0
	for i := range x {
		if x[i] != y[i] {
			sizes = append(sizes, math.Abs(x[i]-y[i]))
		}
	}
	ranks := Ranks(sizes)
	total, k := 0.0, 0
	for i := range x {
		if x[i] == y[i] {
			continue
		}
		total += ranks[k]
		if x[i] > y[i] {
			observed += ranks[k]
		}
		k++
	}
	extreme := 0
	for signs := range 1 << len(ranks) {
		sum := 0.0
		for i, r := range ranks {
			if signs>>i&1 == 1 {
				sum += r
			}
		}
		if math.Abs(sum-total/2) >= math.Abs(observed-total/2) {
			extreme++
		}
	}
	return float64(extreme) / float64(int(1)<<len(ranks))
}

func TestWilcoxonExact(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		n := random.IntN(11)
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			x[i], y[i] = float64(random.IntN(6)), float64(random.IntN(6))
		}
		c := Compare(x, y)
		if want := signedRankOracle(x, y); math.Abs(c.P-want) > 1e-12 {
			t.Fatalf("Compare(%v, %v).P is %v, want %v", x, y, c.P, want)
		}
		if back := Compare(y, x); back.Effect != -c.Effect || math.Abs(back.P-c.P) > 1e-12 || back.Less != c.More {
			t.Fatalf("Compare(%v, %v) is %+v, and %+v the other way round", x, y, c, back)
		}
		if c.Less+c.More+c.Equal != c.N {
			t.Fatalf("Compare(%v, %v) is %+v", x, y, c)
		}
	}
}

// TestWilcoxonBorder compares the exact and the asymptotic p-value at the limit, with ties.
func TestWilcoxonBorder(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for range 50 {
		x, y := make([]float64, exactSigns), make([]float64, exactSigns)
		for i := range x {
			x[i] = 1 + float64(random.IntN(20))
			if random.IntN(5) < 3 {
				x[i] = -x[i]
			}
		}
		c := Compare(x, y)
		_, ties := doubledRanks(absolute(x))
		if p := normalSignedRankP(c.W, exactSigns, ties); math.Abs(p-c.P) > 0.005 {
			t.Errorf("p is %v exactly and %v by the normal distribution", c.P, p)
		}
	}
	// Above the limit, with infinities for unfinished runs.
	x, y := make([]float64, 200), make([]float64, 200)
	for i := range x {
		x[i] = float64(i)
		y[i] = x[i] + 1
	}
	x[199], y[199] = math.Inf(1), math.Inf(1)
	y[198] = math.Inf(1)
	if c := Compare(x, y); c.Less != 199 || c.Equal != 1 || !(c.P < 1e-30) || c.Effect != -1 {
		t.Errorf("one always less: %+v", c)
	}
}

func absolute(x []float64) []float64 {
	y := slices.Clone(x)
	for i := range y {
		y[i] = math.Abs(y[i])
	}
	return y
}

func TestHolm(t *testing.T) {
	// R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
	got := Holm([]float64{0.01, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		near(t, "adjusted p", got[i], want, 1e-12)
	}
	if got := Holm([]float64{0.9, 0.8}); got[0] != 1 || got[1] != 1 {
		t.Errorf("Holm of large values is %v", got)
	}
	if len(Holm(nil)) != 0 {
		t.Error("Holm of no p-values is not empty")
	}
}

func TestRanks(t *testing.T) {
	got := Ranks([]float64{30, 10, 20, 10, math.Inf(1), 20, 10})
	if want := []float64{6, 2, 4.5, 2, 7, 4.5, 2}; !slices.Equal(got, want) {
		t.Errorf("ranks are %v, want %v", got, want)
	}
}

func TestMisuse(t *testing.T) {
	nan := math.NaN()
	for name, f := range map[string]func(){
		"lengths":  func() { Pearson([]float64{1}, nil) },
		"NaN":      func() { Spearman([]float64{1, nan}, []float64{1, 2}) },
		"paired":   func() { Compare(nil, []float64{1}) },
		"quantile": func() { Quantiles([]float64{1}, 1.5) },
		"no q":     func() { Quantiles([]float64{1}, nan) },
		"ratio":    func() { GeoMeanRatio([]float64{1, 0}, []float64{1, 1}, 1) },
		"infinite": func() { GeoMeanRatio([]float64{1, 1}, []float64{1, math.Inf(1)}, 1) },
		"PAR-2":    func() { Penalized([]float64{1}, nil, 10) },
		"signs":    func() { SignTest(-1, 3) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}
