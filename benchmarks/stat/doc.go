// Package stat has the statistics that studies and comparisons of solvers need: correlation with p-values and
// intervals, a paired test, quantiles, bootstrap intervals, and the score of the SAT competitions.
//
// # Which test for what
//
// Counts of a search (decisions, conflicts) and running times are skewed, with tails so heavy that a few hard
// instances outweigh the rest of a sum of squares. That decides most choices:
//
//   - Does a grow with b, over different instances? [Spearman], which looks at ranks only. [Pearson] measures how well
//     a straight line fits, and on raw counts mostly reports where the outliers happen to lie; it is here because
//     published work uses it, and is sound on logarithms.
//   - Is method a better than b, on the same instances? [Compare] or [Wilcoxon], the signed-rank test of the paired
//     differences. Correlations or means of each method apart throw the pairing away, and with it most of the power.
//   - How much better? [GeoMeanRatio] for times, with a bootstrap interval; [Paired.Effect] for counts that may be 0.
//   - How large is a typical value? [Median], whose interval needs no assumption on the distribution; [Mean] beside it
//     where sums matter, with a bootstrap interval.
//   - Many tests at once: [Holm].
//
// # p-values
//
// All p-values are two-sided. They are exact where that is cheap, by going through every permutation or every
// assignment of signs, which also covers ties exactly, and asymptotic beyond that; each function says where the border
// lies. A p-value is no measure of size: over a thousand puzzles differences that nobody would notice are significant.
//
// # Samples
//
// A sample is a slice of float64, never modified. NaN is no observation, and handing one over is misuse, as are paired
// samples of different lengths: both panic. What is undefined (the correlation of a constant, the mean of nothing) is
// NaN in the result.
//
// The distributions and Pearson's coefficient are gonum's (gonum.org/v1/gonum/stat, v0.17). It has no signed-rank
// test, no p-values of correlations, and its interpolated quantile gives 2 for the median of 1, 2, 3, 4; these are
// here.
package stat
