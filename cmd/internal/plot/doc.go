// Package plot draws the figures of benchmarks and studies as SVG and PNG: cactus plots, scatter plots of two solvers,
// grouped box plots, line plots with error bands, and stacks of these.
//
//	f := plot.Versus("Sator against minisat", "minisat, CPU seconds", "Sator, CPU seconds",
//		[]plot.Series{{Name: "satisfiable", X: theirs, Y: ours}}, 100)
//	f.Note = "300 instances, limit 100 s"
//	w, err := os.Create("versus.svg")
//	if err != nil {
//		return err
//	}
//	defer w.Close()
//	return f.SVG(w)
//
// A [Figure] is a description: the constructor sets the data, the exported fields set the appearance, and [Figure.SVG]
// or [Figure.PNG] draws it. Equal descriptions give equal bytes, without dates or names of machines, so a figure under
// version control changes only with its data. (PNG: on the same architecture; others may round the edge of a curve
// differently.)
//
// Counts and times of solvers span decades, and counts may be 0. The scales are
// [Linear], [Log], and [Log1p]. Log1p is log(1+x): it includes 0 and is nearly
// logarithmic from about 10 on.
//
// Colors are the set of Okabe and Ito (Color universal design, 2008), distinguishable with all kinds of color vision.
// Marks and dashes differ as well, so figures remain readable in gray. The font is Liberation Sans; an SVG refers to
// it by name, with fallbacks of the same metrics.
//
// Plotters, axes, ticks, legends and both output formats come from gonum (gonum.org/v1/plot, v0.17). This package adds
// the Log1p scale, whiskers to fixed quantiles (Tukey's whiskers, as computed by gonum, classify a large part of a
// skewed sample as outliers), interleaved points, time limits, and the layout of titles, notes, legends and long
// names.
//
// # Files
//
//   - figure.go: figures, and their constructors.
//   - boxes.go: box plots.
//   - series.go: scatter plots and line plots.
//   - render.go: layout, axes, grid, limits, SVG and PNG.
//   - scale.go: scales, ranges and ticks.
//   - style.go: colors, marks, dashes, text.
package plot
