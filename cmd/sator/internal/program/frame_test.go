package program_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneFrame checks that one file knows how a limit, a signal or a full table ends a phase of
// a command: it alone asks for the error of a limit, and recovers the panic of an engine.
// Commands call Run.Do, Run.Finish and Run.Why.
func TestOneFrame(t *testing.T) {
	const frame = "internal/cli/course.go"
	found := false
	for _, folder := range []string{"internal/answer", "internal/cli", "internal/commands", "internal/engines", "internal/formula", "internal/sudoku", "sator-grid", "sator-lab"} {
		err := filepath.WalkDir(filepath.Join("../../..", folder), func(name string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(name)
			for _, question := range []string{"(*StoppedError)(nil)", "(*cli.StoppedError)(nil)", "new(*StoppedError)", "new(*cli.StoppedError)", "*dimacs.MemoryError:"} {
				switch is := strings.HasSuffix(filepath.ToSlash(name), frame); {
				case is:
					found = true
				case bytes.Contains(text, []byte(question)):
					t.Errorf("%s has %s, as only %s should: see Run.Do", name, question, frame)
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if !found {
		t.Errorf("there is no %s", frame)
	}
}
