package record

import (
	"os"
	"runtime"
	"strings"
)

// ThisMachine describes the machine on which the process runs, without its memory.
func ThisMachine() Machine {
	return Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: processor(), CPUs: runtime.NumCPU(), Go: runtime.Version()}
}

// processor returns the model name of the processor, if the system has /proc/cpuinfo.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
