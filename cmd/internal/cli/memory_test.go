package cli

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"sator/dimacs"
)

// TestBudgetLimits checks that the limit is the least of --memory and the free memory
// without a reserve.
func TestBudgetLimits(t *testing.T) {
	free := func(n int64) *Env {
		return &Env{Free: func() (FreeMemory, bool) { return FreeMemory{n, "test"}, n > 0 }}
	}
	const gigabyte = 1 << 30
	if b := newBudget(0, free(0)); b.Limit() != 0 || !b.Allows(1<<50) {
		t.Errorf("without a limit: %d", b.Limit())
	}
	if b := newBudget(gigabyte, free(0)); b.Limit() != gigabyte || b.source != "" {
		t.Errorf("--memory alone: %d, %q", b.Limit(), b.source)
	}
	if b := newBudget(gigabyte, free(100*gigabyte)); b.Limit() != gigabyte || b.source != "" {
		t.Errorf("--memory below the free memory: %d, %q", b.Limit(), b.source)
	}
	if b := newBudget(100*gigabyte, free(10*gigabyte)); b.Limit() <= 9*gigabyte || b.Limit() > 10*gigabyte || b.source != "test" {
		t.Errorf("--memory above the free memory: %d, %q", b.Limit(), b.source)
	}
	if b := newBudget(0, free(1)); b.Limit() == 0 {
		t.Error("no limit without free memory")
	}
}

// TestBudgetAllows checks that a budget counts memory before it is allocated, and once.
func TestBudgetAllows(t *testing.T) {
	if shadowed() {
		t.Skip("the process holds much memory outside the Go runtime")
	}
	runtime.GC()
	b := &Budget{limit: held() + 200<<20}
	if !b.Allows(100<<20) || b.Allows(250<<20) || !b.HasRoom(100<<20) {
		t.Error("a budget of 200 MB does not allow 100 MB, or allows 250 MB")
	}
	time.Sleep(2 * allocationTime)
	if !b.Allows(150 << 20) {
		t.Error("150 MB of 200 MB are refused because of a former request")
	}
	table := make([]byte, 150<<20)
	if b.Allows(100 << 20) {
		t.Error("100 MB are allowed with 50 MB left")
	}
	runtime.KeepAlive(table)
	b.before = time.Time{}
	if table = nil; !b.Allows(150<<20) && !shadowed() {
		t.Error("memory of garbage is refused")
	}
}

// shadowed reports whether the process holds much memory outside the Go runtime, such as the
// shadow memory of the race detector. Where the system uses huge pages for it, the shadow of a
// table is resident, and stays so when the table is freed.
func shadowed() bool { return anonymous() > runtimeMemory()+32<<20 }

// TestBudgetCatch checks that a refusal ends the run, with a reason that names the limit,
// its source and the task.
func TestBudgetCatch(t *testing.T) {
	b := &Budget{limit: 1 << 40, source: SpaceMemory}
	ctx, end := b.start(context.Background(), func() string { return "reading" })
	defer end()
	if other := errors.New("other"); b.Catch(other) != other || b.Catch(nil) != nil || ctx.Err() != nil {
		t.Error("another error ended the run")
	}
	err := b.Catch(&dimacs.MemoryError{Bytes: 5})
	const want = "memory limit of 1048576 MB (ulimit -v) reached while reading"
	if err == nil || err.Error() != want || context.Cause(ctx) != err || !isStop(err) {
		t.Errorf("%v, cause %v, want %q", err, context.Cause(ctx), want)
	}
	b.task = func() string { return "" }
	if !strings.HasSuffix(b.Reason(), " reached in the search") {
		t.Error(b.Reason())
	}
}
