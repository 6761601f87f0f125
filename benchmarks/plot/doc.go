// Package plot draws the figures of studies and comparisons of solvers, as SVG and as PNG: grouped box plots, scatter
// plots, lines, cactus plots, one solver against another, and panels of these.
//
// A [Figure] is a description: a constructor says what is shown, the fields that may be set afterwards how, and
// [Figure.SVG] or [Figure.PNG] draws it. The same description gives the same bytes, without dates or names of machines,
// so that a figure under version control changes only if its data do. (PNG: on the same architecture; others may round
// the edge of a curve differently.)
//
// Counts and times of solvers span decades, and counts may be 0. So there are three scales: [Linear], [Log], and
// [Log1p], which is logarithmic from about 10 on and shows 0 as well.
//
// Colors are those of Okabe and Ito (Color universal design, 2008), which people with any kind of color vision tell
// apart; marks and dashes differ besides, so that figures survive a gray printer. Letters are set in Liberation Sans; an
// SVG names it, and falls back to what else has its widths.
//
// Drawing is gonum's (gonum.org/v1/plot, v0.17): axes, text, and what becomes of a line in either format. Its box plots
// take distances in the data's own unit, which makes nearly all of a skewed sample outliers, and its axes know no zero
// beside a logarithm; scales, ticks, marks and layout are therefore here.
package plot
