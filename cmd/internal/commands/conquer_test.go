package commands

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
)

// TestDamagedDirectory checks that a run with a damaged proof in its directory starts
// from the results before the damage, with a warning, and leaves a right proof.
func TestDamagedDirectory(t *testing.T) {
	damage := map[string]func([]byte) []byte{
		"zeros at the end": func(b []byte) []byte { clear(b[len(b)/2:]); return b },
		"no end":           func(b []byte) []byte { return b[:len(b)/2] },
		"a changed byte":   func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"no file":          func(b []byte) []byte { return nil },
	}
	for _, format := range []string{"drat", "lrat"} {
		d := newConqueredDirectory(t, format)
		for what, change := range damage {
			name := filepath.Join(d.dir, "proof")
			steps, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, change(steps), 0o666); err != nil {
				t.Fatal(err)
			}
			code, out, errs := d.conquer(t)
			if code != 20 || !strings.Contains(errs, "the proof ") || !strings.Contains(errs, "warning: ") {
				t.Errorf("%s, %s: exit code %d\n%s\n%s", format, what, code, out, errs)
			}
			if code, out, errs := execute(t, new(cli.Env), "check", d.formula, d.proof); code != 0 {
				t.Errorf("%s, %s: the proof is wrong\n%s\n%s", format, what, out, errs)
			}
		}
	}
}

// TestForgedDirectory checks that --verify rejects a wrong refutation in the directory of
// a run, although all checksums are right. Without --verify the answer is printed.
func TestForgedDirectory(t *testing.T) {
	for _, format := range []string{"drat", "lrat"} {
		d := newConqueredDirectory(t, format)
		makeFirstLemmaEmpty(t, filepath.Join(d.dir, "proof"), format == "lrat")
		forgeChecksums(t, d.dir)
		os.Remove(d.proof)
		code, out, errs := d.conquer(t, "--verify")
		if code != cli.CodeInternal || strings.Contains(out, "\ns ") || !strings.Contains(errs, "the refutation is not confirmed: "+filepath.Join(d.dir, "proof")) {
			t.Errorf("%s: exit code %d\n%s\n%s", format, code, out, errs)
		}
		if _, err := os.Stat(d.proof); err == nil {
			t.Errorf("%s: a proof was written", format)
		}
		if code, out, errs := d.conquer(t); code != 20 || strings.Contains(out, "c verified") {
			t.Errorf("%s, without --verify: exit code %d\n%s\n%s", format, code, out, errs)
		}
	}
}

// A conqueredDirectory is the directory of a finished run of conquer.
type conqueredDirectory struct{ formula, proof, dir, format string }

func newConqueredDirectory(t *testing.T, format string) *conqueredDirectory {
	t.Helper()
	at := t.TempDir()
	d := &conqueredDirectory{filepath.Join(at, "f.cnf"), filepath.Join(at, "f.proof"), filepath.Join(at, "run"), format}
	if code, _, errs := execute(t, new(cli.Env), "generate", "ksat", "--vars", "90", "--ratio", "5", "-o", d.formula); code != 0 {
		t.Fatal(errs)
	}
	for range 2 {
		if code, out, errs := d.conquer(t, "--verify"); code != 20 || !strings.Contains(out, "\nc verified\n") || errs != "" {
			t.Fatalf("%s: exit code %d\n%s\n%s", format, code, out, errs)
		}
	}
	return d
}

// conquer runs conquer with the directory.
func (d *conqueredDirectory) conquer(t *testing.T, flags ...string) (code int, stdout, stderr string) {
	return execute(t, new(cli.Env), append([]string{"conquer", d.formula, "-j", "2", "--budget=20", "--run=" + d.dir,
		"--proof-text", "--proof-format=" + d.format, "--proof=" + d.proof}, flags...)...)
}

// forgeChecksums replaces the checksums in the directory of a run by those of its files.
func forgeChecksums(t *testing.T, dir string) {
	t.Helper()
	steps, err := os.ReadFile(filepath.Join(dir, "proof"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "results")
	results, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var forged []byte
	last := make([]byte, 16)
	position := regexp.MustCompile(`"bytes":(\d+),"last":(\d+),"sum":"\w+"`)
	for line := range bytes.Lines(results) {
		_, text, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
		if at := position.FindSubmatch(text); at != nil {
			end, _ := strconv.Atoi(string(at[1]))
			sum := sha256.Sum256(steps[:end])
			text = position.ReplaceAll(text, fmt.Appendf(nil, `"bytes":$1,"last":$2,"sum":"%x"`, sum[:16]))
		}
		sum := sha256.Sum256(slices.Concat(last, text))
		last = sum[:16]
		forged = fmt.Appendf(forged, "%x %s\n", last, text)
	}
	if bytes.Equal(forged, results) {
		t.Fatal("there was nothing to forge")
	}
	if err := os.WriteFile(name, forged, 0o666); err != nil {
		t.Fatal(err)
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
