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
// The table [Parameters] has the costs of messages, and the benchmark that measured each.
//
// # Files
//
//   - model.go: the model and its limits
//   - station.go: resources with a queue, and the calendar of events
//   - queue.go: the queues of cubes and of workers
//   - costs.go: the parameters
//   - outcome.go: efficiency, lost time and limit of a run
//   - workload.go: cubes with their times, from the results of a run
//   - live.go: a real run with workers that sleep
package simulate
