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

// Where runs are made, and by what: a time says nothing without them.

// Machine describes the machine in a line: system, number of cores that this process may use, and
// of all if these are more, processor.
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

// processor returns the name of the processor as Linux tells it on some architectures, and the
// number of cores.
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

// versionTime is what a solver has to print its version.
const versionTime = time.Minute

// About describes a solver in a line: its name, its command line, and the version that it prints of
// itself, if it can.
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
