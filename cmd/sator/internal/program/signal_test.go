//go:build unix

package program

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestEarlyOrder checks that the package that receives signals is initialized before the
// other packages of the project and before the libraries whose initialization takes long.
func TestEarlyOrder(t *testing.T) {
	cmd := exec.Command("sator", "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	const early = "sator/cmd/internal/early"
	before, after, found := strings.Cut(trace.String(), "init "+early+" @")
	if !found || !strings.Contains(after, "init github.com/urfave/cli/v2 @") {
		t.Fatalf("the trace lacks the package early or the library after it:\n%s", trace.String())
	}
	for line := range strings.Lines(before) {
		if strings.HasPrefix(line, "init sator/") {
			t.Errorf("before early: %s", line)
		}
	}
}

// TestSignalAtStart sends SIGTERM up to 20 ms after the start of the program. The program
// prints its answer, or the signal kills it without output. The log has the number of
// answers that are lost, for each millisecond. SATOR_SIGNALS is the number of runs:
//
//	SATOR_SIGNALS=400 go test ./cmd/sator/internal/program -run SignalAtStart -v
//
// On a machine with 2 cores and a load of 26 to 28, 66, 67 and 102 of 400 answers were
// lost, half of them or more in the first 3 ms. Without package early 387 were lost.
func TestSignalAtStart(t *testing.T) {
	runs := 12
	if text := os.Getenv("SATOR_SIGNALS"); text != "" {
		var err error
		if runs, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	const most = 20
	var lost, sent [most]int
	all := 0
	rng := rand.New(rand.NewPCG(1, 1))
	for range runs {
		delay := time.Duration(rng.Int64N(int64(most * time.Millisecond)))
		at := delay / time.Millisecond
		sent[at]++
		if !answersSignal(t, delay) {
			lost[at]++
			all++
		}
	}
	var rows strings.Builder
	for at := range most {
		fmt.Fprintf(&rows, "\n%2d ms: %d of %d", at, lost[at], sent[at])
	}
	t.Logf("%d of %d answers are lost:%s", all, runs, rows.String())
}

// answersSignal starts the program on an input that stays open, sends SIGTERM after a
// time, and reports whether the program prints an answer.
func answersSignal(t *testing.T, delay time.Duration) bool {
	cmd := exec.Command("sator", "-")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for begin := time.Now(); time.Since(begin) < delay; { // a sleep would take longer
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	if err == nil && strings.HasSuffix(out.String(), "\ns UNKNOWN\n") {
		return true
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() >= 0 || out.Len() > 0 {
		t.Errorf("SIGTERM after %v: %v\nstandard output:\n%s\nstandard error:\n%s", delay, err, out.String(), errs.String())
	}
	return false
}
