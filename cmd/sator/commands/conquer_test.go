package commands

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
)

// TestDamagedDirectory checks that --verify rejects a refutation whose proof was damaged
// in the directory of the run. Without --verify the answer is printed.
func TestDamagedDirectory(t *testing.T) {
	dir := t.TempDir()
	formula, made := filepath.Join(dir, "f.cnf"), filepath.Join(dir, "f.proof")
	if code, _, errs := execute(t, new(cli.Env), "generate", "ksat", "--vars", "90", "--ratio", "5", "-o", formula); code != 0 {
		t.Fatal(errs)
	}
	for _, format := range []string{"drat", "lrat"} {
		directory := filepath.Join(dir, format)
		conquer := func(flags ...string) (code int, stdout, stderr string) {
			return execute(t, new(cli.Env), append([]string{"conquer", formula, "-j", "2", "--budget=20", "--run=" + directory,
				"--proof-text", "--proof-format=" + format, "--proof=" + made}, flags...)...)
		}
		for range 2 {
			if code, out, errs := conquer("--verify"); code != 20 || !strings.Contains(out, "\nc verified\n") {
				t.Fatalf("%s: exit code %d\n%s\n%s", format, code, out, errs)
			}
		}
		makeFirstLemmaEmpty(t, filepath.Join(directory, "proof"), format == "lrat")
		os.Remove(made)
		code, out, errs := conquer("--verify")
		if code != cli.CodeInternal || strings.Contains(out, "\ns ") || !strings.Contains(errs, "the refutation is not confirmed: "+filepath.Join(directory, "proof")) {
			t.Errorf("%s: exit code %d\n%s\n%s", format, code, out, errs)
		}
		if _, err := os.Stat(made); err == nil {
			t.Errorf("%s: a proof was written", format)
		}
		if code, out, errs := conquer(); code != 20 || strings.Contains(out, "verified") {
			t.Errorf("%s, without --verify: exit code %d\n%s\n%s", format, code, out, errs)
		}
	}
}

// makeFirstLemmaEmpty overwrites the literals of the first lemma of a proof with blanks.
func makeFirstLemmaEmpty(t *testing.T, name string, hints bool) {
	t.Helper()
	steps, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	begin := 0
	if hints {
		begin = bytes.IndexByte(steps, ' ')
	}
	for i := begin; !bytes.HasPrefix(steps[i:], []byte(" 0")); i++ {
		steps[i] = ' '
	}
	if err := os.WriteFile(name, steps, 0o666); err != nil {
		t.Fatal(err)
	}
}
