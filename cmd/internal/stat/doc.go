// Package stat computes the statistics of benchmarks: rank and linear correlation with p-values and
// confidence intervals, also partial and stratified, the Wilcoxon signed-rank test, the sign test (McNemar's test), Holm's
// correction, quantiles, bootstrap intervals, geometric means of ratios, and the PAR-2 score of the SAT competitions.
//
//	c := stat.Spearman(givens, backtracks)
//	fmt.Printf("rho %.2f (%.2f to %.2f), p = %.3f\n", c.R, c.Low, c.High, c.P)
//
//	paired := stat.Compare(ours, theirs) // same instances, same order
//	fmt.Printf("fewer on %d of %d, effect %.2f, p = %.3f\n",
//		paired.Less, paired.N, paired.Effect, paired.P)
//
//	ratio, low, high := stat.GeoMeanRatio(ourTimes, theirTimes, 1)
//	fmt.Printf("%.2f times as long (%.2f to %.2f)\n", ratio, low, high)
//
// # Choosing a statistic
//
// Counts of a search (decisions, conflicts) and running times are skewed, with such heavy tails
// that a few hard instances dominate a sum of squares. This determines most choices:
//
//   - Does a grow with b, over different instances? [Spearman], which uses only
//     ranks. [Pearson] measures how well a straight line fits; on raw counts it
//     mostly reflects the outliers. It is included because published work uses
//     it, and it is appropriate for logarithms.
//   - Beyond what c explains, or only among instances of a kind? [PartialSpearman],
//     [StratifiedSpearman]. By how much per unit? [Fit].
//   - Is method a better than b, on the same instances? [Compare], the signed-rank
//     test of the paired differences. Separate correlations or means of each method ignore the
//     pairing and lose most of the power. [SignTest] if each of the two only succeeds or fails.
//   - How much better? [GeoMeanRatio] for times, with a bootstrap interval; [Paired.Effect] for
//     counts that may be 0.
//   - How large is a typical value? [Quantiles]; [Mean], with a bootstrap interval, where sums
//     matter.
//   - Many tests at once: [Holm].
//
// # p-values
//
// All p-values are two-sided. They are exact where that is cheap, by enumeration of all
// permutations or all assignments of signs, which is also exact for ties, and asymptotic for larger
// samples; each function documents the limit. A p-value does not measure the size of an effect:
// over a thousand puzzles, irrelevant differences are significant.
//
// # Samples
//
// A sample is a slice of float64 and is never modified. NaN in a sample, and paired samples of
// different lengths, are misuse and panic. Undefined results (the correlation of a constant, the
// mean of an empty sample) are NaN.
//
// The distributions and Pearson's coefficient are those of gonum (gonum.org/v1/gonum/stat, v0.17).
// It has no signed-rank test and no p-values of correlations, and its interpolated quantile returns
// 2 for the median of 1, 2, 3, 4; this package implements these.
//
// # Files
//
//   - correlation.go: Pearson and Spearman.
//   - controlled.go: partial and stratified correlation, and the least squares line.
//   - wilcoxon.go: the signed-rank test.
//   - sign.go: the sign test.
//   - holm.go: Holm's correction.
//   - quantile.go: quantiles.
//   - bootstrap.go: means with bootstrap intervals.
//   - par2.go: PAR-2.
//   - rank.go: midranks.
package stat
