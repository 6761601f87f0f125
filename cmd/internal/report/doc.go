// Package report draws recorded runs of the solver, as package record reads them: figures, a
// narration in words, tables, charts and the communities of the formula, on one HTML page.
//
//	r, err := record.Read("run.jsonl", file)
//	...
//	err = report.Write(page, []report.Source{{Name: "run.jsonl", Recording: r}})
//
// # Files
//
//   - figures.go: sums over a recording; trends.go: the thirds of a run, and the course of glue
//   - narration.go: sentences about the figures; words.go: numbers in sentences
//   - compare.go: several runs
//   - communities.go, matrix.go: the community structure of a formula, and its picture
//   - page.go, lines.go, assets/page.html, assets/page.css: the page; assets/live.html: that of a
//     live run, for package live
//   - charts.go, assets/charts.js: the charts of a run, as an ES module
package report
