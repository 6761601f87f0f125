package clitest

import "testing"

// TestComplete checks which differences between two runs of a command line do not count.
func TestComplete(t *testing.T) {
	const want = "solver,load,conflicts,ticks\n# load average before the first run: 0.50\nsator,0.1,1,5,7\n"
	for text, same := range map[string]bool{
		"solver,load,conflicts,ticks\n# load average before the first run: 12\nsator,0.25,3,5,8\n":                                                           true,
		"solver,load,conflicts,ticks\n# load average before the first run: 12\nsator,0.25,,5,8\n":                                                            true,
		"solver,load,conflicts,ticks\n# load average before the first run: 12\nsator,0.25,3,5,8\n# load average before the first run: 13\n":                  true,
		"solver,load,conflicts,ticks\n# load average before the first run: 12\n# load average before the first run: 13\nsator,0.25,3,5,8\n":                  true,
		"solver,load,conflicts,ticks\nsator,0.25,3,5,8\n":                                                                                                    false,
		"solver,load,conflicts,ticks\n# load average before the first run: 12\n":                                                                             false,
		"solver,load,conflicts,ticks\n# load average before the first run: 12\nsator,0.25,3,5,8\nsator,0.25,3,5,8\n":                                         false,
		"solver,load,conflicts,ticks\n# load average before the first run: 12\nsator,0.25,3,5,8\n# machine: linux\n":                                         false,
		"solver,load,conflicts,ticks\n# load average before the first run: 12\nsator,0.25,3,5,8\n# load average before the first run: 13\nsator,0.2,3,5,8\n": false,
	} {
		if complete("runs.csv", text, want) != same {
			t.Errorf("complete is %v for %q, want %v", !same, text, same)
		}
	}
}
