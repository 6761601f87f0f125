package versus

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestPin(t *testing.T) {
	var allowed unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		t.Fatal(err)
	}
	core := 0
	for !allowed.IsSet(core) {
		core++
	}
	b := newBench(formula(t, "f.cnf", satFormula), fake(t, "fake", "cores"))
	b.Core = core
	if r := only(t, b); r.Outcome != Satisfiable {
		t.Errorf("a process pinned to core %d has more than one core: %+v", core, r)
	}
	var after unix.CPUSet
	if err := unix.SchedGetaffinity(0, &after); err != nil || after != allowed {
		t.Errorf("the affinity of the test has %d cores, before the run %d (%v)", after.Count(), allowed.Count(), err)
	}
	b.Core = 1 << 9
	if _, err := b.Run(t.Context()); err == nil {
		t.Error("pinned to core 512")
	}
}
