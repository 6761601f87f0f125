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
// A [Recorder] receives the callbacks of one or several solvers of package cdcl and writes
// the lines. It takes times and memory from a [Meter], so that it reads no clock itself:
//
//	r := record.NewRecorder(file, record.Meter{Now: func() time.Duration { return time.Since(begin) }})
//	r.Run(&record.Run{Engine: "cdcl", Solvers: []string{"default"}})
//	r.Formula(record.Describe(formula))
//	options := cdcl.Options{}
//	r.Attach(&options, 0)
//	solver := cdcl.New(options)
//	...
//	stats := solver.Stats()
//	r.End(&record.End{Status: status.String(), Stats: []map[string]any{record.Stats(&stats)}})
//
// A [Writer] and a [Reader] convert between lines and their types: [Run], [Formula],
// [Sample], [Event], [Pass], [Exchange] and [End].
//
// The types describe each member, and the page dpll/docs/recording.md the rules for
// readers. The format has a version. New members and new kinds of lines may appear in a
// version; readers ignore those that they do not know. A change that breaks readers gets a
// new version, which they refuse.
//
// The files, in the order of reading:
//
//   - line.go: the types of the lines
//   - writer.go, reader.go: lines as text
//   - formula.go: the description of a formula
//   - recorder.go: lines from the callbacks of solvers
package record
