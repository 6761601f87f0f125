package dplltest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// RunTraces tests an engine with traces. First it replays all files *.trace of the folder
// dir, of which there must be at least one. Then it replays random traces with random
// settings, as configured by cfg. The first failure ends the test. Its shrunk trace is
// written to dir as failed-SEED.trace, so that each run replays it; after the fault is
// fixed, it can stay there under a better name.
func RunTraces(t *testing.T, dir string, newEngine func(Setup) API, cfg Config) {
	t.Helper()
	t.Run("kept", func(t *testing.T) { replayFiles(t, dir, newEngine) })
	t.Run("random", func(t *testing.T) {
		rounds(t, cfg, func(seed uint64) error { return checkAndKeep(dir, newEngine, cfg, seed) })
	})
}

// checkAndKeep replays a random trace and writes it to dir if it fails.
func checkAndKeep(dir string, newEngine func(Setup) API, cfg Config, seed uint64) error {
	tr, err := CheckTrace(newEngine, cfg, seed)
	if err == nil {
		return nil
	}
	name := filepath.Join(dir, fmt.Sprintf("failed-%d.trace", seed))
	text := fmt.Sprintf("# seed %d\n%v", seed, tr)
	kept := "kept as " + name
	if werr := os.WriteFile(name, []byte(text), 0o666); werr != nil {
		kept = "not kept: " + werr.Error()
	}
	return fmt.Errorf("seed %d: %w\nshrunk to:\n%v%s", seed, err, tr, kept)
}

// replayFiles replays each trace of a folder in a subtest.
func replayFiles(t *testing.T, dir string, newEngine func(Setup) API) {
	names, err := filepath.Glob(filepath.Join(dir, "*.trace"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no traces in %s: %v", dir, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			tr, err := readTrace(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := Replay(tr, newEngine); err != nil {
				t.Errorf("%v\n%v", err, tr)
			}
		})
	}
}

// readTrace reads a trace from a file.
func readTrace(name string) (*Trace, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	tr, err := ParseTrace(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return tr, nil
}

// CheckTrace replays the trace that [RandomTrace] returns for the seed and cfg. If that
// fails, it returns a shrunk trace and its error.
func CheckTrace(newEngine func(Setup) API, cfg Config, seed uint64) (*Trace, error) {
	tr := RandomTrace(seed, cfg.Knobs, cfg.Proves)
	if cfg.FullAPI {
		r := randomSource(seed, forCalls)
		tr.addFurtherCalls(r, 1+int(seed%14))
		if cfg.Stops {
			tr.stopCalls(r)
		}
	}
	if err := Replay(tr, newEngine); err != nil {
		return shrunkTrace(newEngine, cfg.Knobs, tr, err)
	}
	return tr, nil
}

// shrunkTrace shrinks a trace with that error and simplifies its settings. It returns the
// smaller trace and its error.
func shrunkTrace(newEngine func(Setup) API, knobs []Knob, tr *Trace, err error) (*Trace, error) {
	if errors.Is(err, errSlow) {
		return tr, err
	}
	fails := func(t *Trace) bool { return alike(Replay(t, newEngine), err) }
	tr = ShrinkTrace(tr, fails)
	shrinkSettings(tr.Settings, knobs, func(settings []Setting) bool {
		t := *tr
		t.Settings = settings
		if !fails(&t) {
			return false
		}
		tr = &t
		return true
	})
	if again := Replay(tr, newEngine); again != nil {
		return tr, again
	}
	return tr, fmt.Errorf("%w (but not when tried again)", err)
}
