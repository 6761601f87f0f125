package commands

import (
	"testing"

	"sator/cmd/internal/commandtest"
	"sator/internal/effort"
)

// TestRandomCommands runs a few rounds of each test of random command lines. The command
// sator-lab fuzz --commands runs many.
func TestRandomCommands(t *testing.T) {
	effort.Sequential(t)
	for _, name := range commandtest.Tests() {
		t.Run(name, func(t *testing.T) {
			z := &commandtest.Fuzzer{Program: commandtest.InProcess(Program), Only: name, Temp: t.TempDir()}
			rounds := uint64(10)
			if name == "operands" {
				rounds = 20 // each does one of seven things
			}
			for seed := range rounds {
				if r := z.Round(seed); r.Failure != nil {
					r.Shrink()
					t.Fatalf("seed %d: %s", seed, r.Failure.Report())
				}
			}
		})
	}
}
