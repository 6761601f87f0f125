// Package simulate predicts how a cube-and-conquer run of package grid scales to many
// workers. A discrete-event simulation follows each cube through the messages of the
// protocol, with the times of the cubes from the journal of a real run and with measured
// costs of messages:
//
//	_, results, err := journal.Read("f.run")
//	if err != nil {
//		return err
//	}
//	w, err := simulate.New(results)
//	if err != nil {
//		return err
//	}
//	o := simulate.Options{Checkers: 1, Costs: simulate.DefaultCosts()}
//	for _, row := range simulate.Sweep(w, o, []int{10, 100, 1000, 10_000}) {
//		fmt.Println(row)
//	}
//
// An [Outcome] has the makespan, the efficiency, the time that workers lose to each
// resource, and the resource that limits the run. [Workload.Scaled] and
// [Workload.Sampled] give workloads of harder formulas and of more cubes.
//
// For 100,000 cubes of 0.1 s and 0.2 MB of proof (Schur's problem with 45 numbers), the
// efficiency and its limit are
//
//	workers                           10   100  1000 10000
//	without proofs                  0.99  0.98  0.27  0.03  one processor of the server
//	the same, cubes of 10 s         1.00  1.00  0.84  0.31  the longest cubes
//	proofs, one checker             0.95  0.17  0.02  0.00  the checker
//	proofs, one for 8 workers       0.95  0.42  0.04  0.00  the line of 1 Gbit/s
//	the same, 25 Gbit/s, 16 cores   0.96  0.77  0.08  0.01  the disk
//
// The folder benchmarks/results/grid has the figures. [Live] confirms the model by real
// connections with workers that sleep: with 10, 100 and 1,000 workers and up to 550 cubes a
// second, the makespans were 1 to 3.3 percent above the predicted ones. When the server was
// saturated, by 1,300 to 2,300 cubes a second, they were 25 to 38 percent above: the workers
// shared its two processors.
//
// The tags of [Costs] have the costs of messages, and the benchmark that measured each.
//
// # Files
//
//   - model.go: the model and its limits
//   - station.go: resources with a queue, and the calendar of events
//   - costs.go: the parameters
//   - outcome.go: efficiency, lost time and limit of a run
//   - workload.go: cubes with their times, from the results of a run
//   - live.go: a real run with workers that sleep
package simulate
