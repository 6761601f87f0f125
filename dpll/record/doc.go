// Package record reads and writes recordings of runs of a solver: files of JSON lines with
// the statistics of the run at regular intervals and its events.
//
//	{"t":"run","version":1,"sator":"...","command":["solve","f.cnf"],"solvers":["default"],...}
//	{"t":"formula","vars":200,"clauses":860,...}
//	{"t":"sample","s":0,"time":0.2,"cpu":0.2,"conflicts":3100,"decisions":8210,...}
//	{"t":"event","s":0,"time":0.21,"conflicts":3200,"ticks":180000,"kind":"reduce","reduce":{"deleted":410,"kept":900}}
//	{"t":"pass","s":0,"time":0.3,"name":"vivify","ticks":40000,"before":{...},"after":{...},"did":{"vivify_tried":120},...}
//	{"t":"end","status":"UNSATISFIABLE","time":1.5,"cpu":1.5,...}
//
// A [Writer] and a [Reader] convert between lines and their types: [Run], [Formula],
// [Sample], [Event], [Pass], [Exchange] and [End].
//
// The fields of the types describe the members. The format has a version. New
// members and new kinds of lines may appear in a version; readers ignore those that they do
// not know. A change that breaks readers gets a new version, which they refuse.
//
// The files, in the order of reading:
//
//   - line.go: the types of the lines
//   - writer.go, reader.go: lines as text
//   - formula.go: the description of a formula
package record
