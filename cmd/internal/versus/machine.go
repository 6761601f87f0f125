package versus

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// Machine describes the machine in one line: system, number of cores available to this process,
// total number of cores if larger, processor.
func Machine() string {
	name, all := processor()
	cores := plural(runtime.NumCPU(), "core")
	if all > runtime.NumCPU() {
		cores = fmt.Sprintf("%d of %s", runtime.NumCPU(), plural(all, "core"))
	}
	line := fmt.Sprintf("%s/%s, %s", runtime.GOOS, runtime.GOARCH, cores)
	if name != "" {
		line += ", " + name
	}
	return line
}

// processor returns the model name of the processor, if /proc/cpuinfo has it, and the number of
// cores.
func processor() (model string, cores int) {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		switch name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) {
		case "processor":
			cores++
		case "model name":
			model = strings.TrimSpace(value)
		}
	}
	return model, cores
}

// versionTime is the time limit for printing a version.
const versionTime = time.Minute

// About describes a solver in one line: name, command line, and version, if the solver prints one.
func (s *Solver) About(proofs bool) string {
	line := fmt.Sprintf("%s: %s", s.Name, s.line(proofs))
	if s.Version == "" || s.program == "" {
		return line
	}
	ctx, cancel := context.WithTimeout(context.Background(), versionTime)
	defer cancel()
	out, _ := exec.CommandContext(ctx, s.program, s.Version).Output()
	if version, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n"); version != "" {
		line += fmt.Sprintf(" (%s)", oneLine(version))
	}
	return line
}
