// Package study runs experiments on how search behaves: what the givens of a
// Sudoku have to do with the work of DPLL under several heuristics, and what the
// size, the encoding, the formula or a rule of inference has to do with it.
//
// A [Study] is a row of a table: factors with their levels, the subjects that
// they are applied to, and what is told of the results. One [Plan] is made of
// it: every combination of levels, applied to every subject, in a fixed order,
// each of which is a run and a row of a CSV file. One runner does them, several
// at a time; since rows are written in the order of the plan, a file that was cut
// off anywhere is a beginning of the whole one, and the next call goes on from
// there. One report has tables and figures, in Markdown and in HTML.
//
// What is counted does not depend on the machine, on the number of workers, nor
// on whether the study was interrupted; the time that runs take does.
//
// The files are to be read in this order: study.go and plan.go; record.go and
// runner.go, how rows are written and found again; measure.go, the engines;
// rounds.go, which is one of them, the program of the paper that the study of
// givens repeats; report.go and tables.go; then a file for each study.
package study
