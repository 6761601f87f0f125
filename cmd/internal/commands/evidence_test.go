package commands

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
	"sator/cmd/internal/engines"
	"sator/dimacs"
	"sator/dpll/classic"
	"sator/internal/effort"
	"sator/internal/families"
)

// A derivingSolver logs the derivation of a test to its proof.
type derivingSolver struct {
	fakeSolver
	proof  dimacs.Proof
	derive func(ctx context.Context, p dimacs.Proof)
}

func (s *derivingSolver) Load(_ context.Context, f *dimacs.Formula, _, from, to int) bool {
	for i := from; i < to; i++ {
		s.proof.Original(f.Clause(i))
	}
	return true
}
func (s *derivingSolver) Solve(ctx context.Context, _ ...dimacs.Lit) dimacs.Status {
	s.derive(ctx, s.proof)
	return s.status
}

// withDeriving adds the solver as the engine "deriving".
func withDeriving(t *testing.T, s *derivingSolver) {
	t.Helper()
	withEngine(t, "deriving", nil)
	engines.All[len(engines.All)-1].Read = fakeSetup(func(w engines.Hooks) engines.Solver {
		s.proof = w.Proof
		s.proof.Hints()
		return s
	})
}

// TestWrongDerivation checks that the check rejects answers of all kinds if a step is wrong
// or the refutation is missing, and removes the proof.
func TestWrongDerivation(t *testing.T) {
	file := clitest.Write(t, "f.cnf", "p cnf 1 2\n1 0\n-1 0\n")
	satisfiable := clitest.Write(t, "s.cnf", "p cnf 2 1\n1 0\n")
	nothing := func(context.Context, dimacs.Proof) {}
	right := func(_ context.Context, p dimacs.Proof) { p.Learn(nil, []int64{1, 2}) }
	wrong := func(_ context.Context, p dimacs.Proof) { p.Learn(dimacs.Lits(-1), []int64{1}) }
	for _, tt := range []struct {
		name   string
		file   string
		status dimacs.Status
		derive func(context.Context, dimacs.Proof)
		says   string // empty if the answer is given
	}{
		{"right", file, dimacs.Unsatisfiable, right, ""},
		{"missing", file, dimacs.Unsatisfiable, nothing, "the refutation is not confirmed: "},
		{"wrong", file, dimacs.Unsatisfiable, wrong, "the derivation is wrong: "},
		{"model", satisfiable, dimacs.Satisfiable, wrong, "the derivation is wrong: "},
		{"unknown", file, dimacs.Unknown, wrong, "the derivation is wrong: "},
	} {
		for _, flags := range []string{"", "--verify", "--json", "--proof", "--verify --proof-format=lrat --proof"} {
			t.Run(tt.name+" "+flags, func(t *testing.T) {
				withDeriving(t, &derivingSolver{
					fakeSolver: fakeSolver{status: tt.status, model: dimacs.Model{dimacs.True, dimacs.True}},
					derive:     tt.derive,
				})
				made := filepath.Join(t.TempDir(), "proof")
				args := append([]string{"solve", "--engine=deriving", tt.file}, strings.Fields(flags)...)
				if strings.HasSuffix(flags, "--proof") {
					args = append(args, made)
				}
				code, out, errs := execute(t, new(cli.Env), args...)
				_, err := os.Stat(made)
				exists := err == nil
				if tt.says == "" {
					if code != int(tt.status) || !strings.Contains(out, "verified") || exists != (args[len(args)-1] == made) {
						t.Errorf("exit code %d, a proof is there: %v\n%s\n%s", code, exists, out, errs)
					}
					return
				}
				if code != cli.CodeInternal || strings.Contains(out, "\ns ") || strings.Contains(out, "{") ||
					!strings.Contains(errs, tt.says) || exists {
					t.Errorf("exit code %d, a proof is there: %v\nstandard output:\n%s\nstandard error:\n%s", code, exists, out, errs)
				}
				left, _ := os.ReadDir(filepath.Dir(made))
				if len(left) > 0 {
					t.Errorf("there is %v", left)
				}
			})
		}
	}
}

// TestWrongProofKept checks the same for an engine without hints, whose steps are checked
// at the end, and only for an unsatisfiable answer.
func TestWrongProofKept(t *testing.T) {
	effort.Sequential(t)
	refutable := clitest.Write(t, "f.cnf", "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n")
	for _, tt := range []struct {
		name   string
		file   string
		status dimacs.Status
		lemmas [][]dimacs.Lit
		code   int
		says   string
	}{
		{"right", refutable, dimacs.Unsatisfiable, [][]dimacs.Lit{dimacs.Lits(1), nil}, 20, "c verified\n"},
		{"missing", refutable, dimacs.Unsatisfiable, nil, cli.CodeInternal, "the refutation is not confirmed: "},
		{"wrong", refutable, dimacs.Unsatisfiable, [][]dimacs.Lit{nil}, cli.CodeInternal, "the refutation is not confirmed: "},
		{"satisfiable", clitest.Write(t, "s.cnf", "p cnf 1 1\n1 0\n"), dimacs.Unsatisfiable, [][]dimacs.Lit{nil}, cli.CodeInternal, "the refutation is not confirmed: "},
		{"unknown", refutable, dimacs.Unknown, [][]dimacs.Lit{nil}, 0, "s UNKNOWN\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			withDeriving(t, &derivingSolver{fakeSolver: fakeSolver{status: tt.status}, derive: func(_ context.Context, p dimacs.Proof) {
				for _, c := range tt.lemmas {
					p.Learn(c, nil)
				}
			}})
			engines.All[len(engines.All)-1].Hints = false
			code, out, errs := execute(t, new(cli.Env), "solve", "--engine=deriving", "--verify", tt.file)
			if code != tt.code || !strings.Contains(out+errs, tt.says) || code == cli.CodeInternal && strings.Contains(out, "\ns ") {
				t.Errorf("exit code %d\nstandard output:\n%s\nstandard error:\n%s", code, out, errs)
			}
		})
	}
}

// TestUnfinishedVerification checks that a refutation whose check was stopped is neither
// confirmed nor wrong.
func TestUnfinishedVerification(t *testing.T) {
	family, _ := families.Find("php")
	inst, err := family.Make(families.Values{"holes": 6}, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := inst.Formula
	v := cli.NewEvidence(nil, nil, cli.VerifyAlways, false, nil)
	o := classic.DefaultOptions()
	o.Proof = v.Proof(f.Len())
	s := classic.New(o)
	s.AddFormula(f)
	if got := s.Solve(context.Background()); got != dimacs.Unsatisfiable {
		t.Fatal(got)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	why := &cli.StoppedError{Why: "test"}
	cancel(why)
	if err := v.Confirm(ctx, f, nil); err != error(why) || v.Err() != nil {
		t.Errorf("ended: %v, fault %v", err, v.Fault)
	}
	if err := v.Confirm(context.Background(), f, nil); err != nil || v.Err() != nil {
		t.Errorf("not ended: %v, fault %v", err, v.Fault)
	}
}

// TestUncheckedDerivation checks that with --no-verify the wrong derivation is accepted, so
// that the tests above fail for the right reason.
func TestUncheckedDerivation(t *testing.T) {
	file := clitest.Write(t, "f.cnf", "p cnf 1 2\n1 0\n-1 0\n")
	withDeriving(t, &derivingSolver{
		fakeSolver: fakeSolver{status: dimacs.Unsatisfiable},
		derive:     func(_ context.Context, p dimacs.Proof) { p.Learn(dimacs.Lits(2), nil) },
	})
	if code, out, _ := execute(t, new(cli.Env), "solve", "--engine=deriving", "--no-verify", file, "--proof", filepath.Join(t.TempDir(), "p")); code != 20 || strings.Contains(out, "verified") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// TestFullDiskProof checks that a write error of the proof ends the search, and that there
// is neither an answer nor an output file.
func TestFullDiskProof(t *testing.T) {
	file := clitest.Write(t, "f.cnf", "p cnf 1 1\n1 0\n")
	for _, status := range []dimacs.Status{dimacs.Unsatisfiable, dimacs.Satisfiable, dimacs.Unknown} {
		for _, text := range []string{"--proof-text", "--proof-text=false"} {
			steps := 0
			withDeriving(t, &derivingSolver{
				fakeSolver: fakeSolver{status: status, model: dimacs.Model{dimacs.True}},
				derive: func(ctx context.Context, p dimacs.Proof) {
					for ; ctx.Err() == nil && steps < 1e7; steps++ {
						p.Learn(dimacs.Lits(1), nil)
					}
				},
			})
			answer := filepath.Join(t.TempDir(), "answer")
			var errs bytes.Buffer
			e := &cli.Env{Stdin: strings.NewReader(""), Stdout: &failingWriter{at: 1, err: errors.New("the disk is full")}, Stderr: &cli.LockedWriter{W: &errs}}
			code := Program.Run(e, []string{"solve", "--engine=deriving", file, "--proof=-", text, "--output", answer})
			if code != cli.CodeInput || !strings.Contains(errs.String(), "standard output: the disk is full") {
				t.Errorf("%v: exit code %d, standard error %q", status, code, errs.String())
			}
			if steps > 1e6 {
				t.Errorf("%v: stopped after %d steps", status, steps)
			}
			if _, err := os.Stat(answer); err == nil {
				t.Errorf("%v: there is an answer", status)
			}
		}
	}
}
