//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkLocal compares serve, with its embedded server and two local workers, and sator
// conquer -j 2 on the instances of the README. Each operation is a pair of runs, which begin
// in turn with one and the other. The metrics are medians over the pairs: seconds of
// conquer and of serve, and the ratio, also of processor time, which depends less on other
// programs of the machine.
//
//	go test ./cmd/sator-grid -run '^$' -bench Local -benchtime 5x -timeout 1h
//
// plain has neither proof nor check. checked has checks: by --verify of conquer, and by the
// checker of serve. proof also writes the proof; serve keeps results in a directory in all
// cases, and conquer in this one. With -short there is one small formula.
func BenchmarkLocal(b *testing.B) {
	instances := []struct{ name, generate string }{
		{"vdw", "vdw --length 3 --other 11 --numbers 114"},
		{"schur", "schur --numbers 45"},
	}
	if testing.Short() {
		instances = instances[:1]
		instances[0].generate = "vdw --length 3 --other 8 --numbers 58"
	}
	for _, x := range instances {
		b.Run(x.name, func(b *testing.B) {
			dir := b.TempDir()
			cnf, file := filepath.Join(dir, "f.cnf"), filepath.Join(dir, "f.icnf")
			timeCommand(b, 0, append(append([]string{"sator", "generate"}, strings.Fields(x.generate)...), "-o", cnf)...)
			timeCommand(b, 0, "sator", "cube", "-q", cnf, "-o", file)
			for _, mode := range []struct {
				name           string
				conquer, serve string
			}{
				{"plain", "", "--trust"},
				{"checked", "--verify", ""},
				{"proof", "--verify --proof DIR/a.lrat --proof-format lrat --run DIR/conquer", "--proof DIR/b.lrat --proof-format lrat"},
			} {
				b.Run(mode.name, func(b *testing.B) { comparePrograms(b, dir, file, mode.conquer, mode.serve) })
			}
		})
	}
}

// comparePrograms runs pairs of conquer and serve with additional flags, where DIR is an
// empty directory.
func comparePrograms(b *testing.B, dir, file, conquer, serve string) {
	var wall, cpu [2][]float64
	var ratios, ratiosCPU []float64
	for i := 0; b.Loop(); i++ {
		here := filepath.Join(dir, fmt.Sprintf("pair%d", i))
		if err := os.RemoveAll(here); err != nil {
			b.Fatal(err)
		}
		if err := os.Mkdir(here, 0o777); err != nil {
			b.Fatal(err)
		}
		lines := [2][]string{
			append([]string{"sator", "conquer", file, "-q", "-j", "2"}, flagsIn(here, conquer)...),
			append([]string{"sator-grid", "serve", file, "-q", "-j", "2", "--listen", "127.0.0.1:0", "--run", filepath.Join(here, "serve")}, flagsIn(here, serve)...),
		}
		for _, which := range []int{i % 2, 1 - i%2} {
			w, c := timeCommand(b, 20, lines[which]...)
			wall[which] = append(wall[which], w.Seconds())
			cpu[which] = append(cpu[which], c.Seconds())
		}
		ratios = append(ratios, wall[1][i]/wall[0][i])
		ratiosCPU = append(ratiosCPU, cpu[1][i]/cpu[0][i])
	}
	b.ReportMetric(median(wall[0]), "conquer-s")
	b.ReportMetric(median(wall[1]), "serve-s")
	b.ReportMetric(median(cpu[0]), "conquer-cpu-s")
	b.ReportMetric(median(cpu[1]), "serve-cpu-s")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(median(ratiosCPU), "ratio-cpu")
}

// flagsIn returns flags in which DIR is replaced by a directory.
func flagsIn(dir, flags string) []string {
	return strings.Fields(strings.ReplaceAll(flags, "DIR", dir))
}

// timeCommand runs a command that must end with a code. It returns its duration and its
// processor time.
func timeCommand(b *testing.B, code int, args ...string) (wall, cpu time.Duration) {
	b.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	begin := time.Now()
	out, _ := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != code {
		b.Fatalf("%q: %v, want code %d\n%s", args, cmd.ProcessState, code, out)
	}
	return time.Since(begin), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// median returns the median of some numbers.
func median(xs []float64) float64 {
	sorted := slices.Sorted(slices.Values(xs))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
