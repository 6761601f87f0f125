// Package report draws recorded runs of the solver.
//
// # Files
//
//   - charts.go, assets/charts.js: the charts of a run, as an ES module
package report
