package versus

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"sator/dimacs"
	"sator/dimacs/file"
	"sator/dimacs/proof"
)

// One run of one solver on one file, and what is to be made of it.

// A run has a folder of its own for the files that a solver writes.
type execution struct {
	bench  *Bench
	solver *Solver
	in     *Instance
	path   string // of the formula, as the solver gets it
	dir    string
}

// The files in the folder of a run.
func (r *execution) out() string   { return filepath.Join(r.dir, "out") }
func (r *execution) err() string   { return filepath.Join(r.dir, "err") }
func (r *execution) model() string { return filepath.Join(r.dir, "model") }

// proof is empty if no proof is asked for, or the solver has none to give.
func (r *execution) proof() string {
	if !r.bench.Proofs || !r.solver.Proves() {
		return ""
	}
	return filepath.Join(r.dir, "proof")
}

// do runs the solver, checks what it says and returns the record. The error is that the solver
// cannot be run, or the cause of ctx.
func (r *execution) do(ctx context.Context, round int) (Run, error) {
	m, err := r.measure(ctx)
	if err != nil {
		return Run{}, err
	}
	rec := Run{
		Solver: r.solver.Name, File: r.in.Name, Round: round,
		CPU: m.cpu, Wall: m.wall, Memory: m.memory, Exit: m.exit,
		Known: r.in.Answer, Limits: r.bench.Limits, Command: r.solver.line(r.bench.Proofs),
	}
	rec.Outcome, rec.Note = m.over, m.note
	if m.over == "" {
		if err := r.answer(ctx, m, &rec); err != nil {
			return Run{}, err
		}
	}
	// What the check took is given back before the next solver starts.
	debug.FreeOSMemory()
	return rec, context.Cause(ctx)
}

// measure runs the process.
func (r *execution) measure(ctx context.Context) (*measure, error) {
	out, err := os.Create(r.out())
	if err != nil {
		return nil, err
	}
	defer out.Close()
	messages, err := os.Create(r.err())
	if err != nil {
		return nil, err
	}
	defer messages.Close()
	t := &task{
		program: r.solver.program,
		args:    r.solver.arguments(r.path, r.model(), r.proof()),
		core:    r.bench.Core,
		out:     out,
		err:     messages,
		files:   []string{r.out(), r.err(), r.model(), r.proof()},
	}
	m, err := t.run(ctx, r.bench.Limits)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("solver %s: %w", r.solver.Name, err)
	}
	return m, err
}

// answer finds out what the solver said and whether that is right.
func (r *execution) answer(ctx context.Context, m *measure, rec *Run) error {
	said, err := statusLine(r.out())
	if err != nil {
		return err
	}
	byCode := map[int]Outcome{10: Satisfiable, 20: Unsatisfiable}[m.exit]
	switch {
	case byCode != "" && said != "" && said != byCode:
		rec.Outcome, rec.Check = byCode, Refuted
		rec.Note = fmt.Sprintf("the exit code is %d and the answer printed %s", m.exit, said)
	case byCode != "":
		rec.Outcome = byCode
	case said == Satisfiable || said == Unsatisfiable:
		rec.Outcome = said
	case said == GaveUp || m.exit == 0:
		rec.Outcome = GaveUp
	default:
		rec.Outcome, rec.Note = Failed, m.state
		if last := lastLine(r.err()); last != "" {
			rec.Note += ": " + last
		}
	}
	if rec.Outcome.Answer() != dimacs.Unknown && rec.Check == NoCheck {
		rec.Check, rec.Note = r.check(ctx, rec.Outcome)
	}
	return nil
}

// statusLine returns what the line of a solver's output says that begins with s. The last one
// counts.
func statusLine(name string) (Outcome, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	said := Outcome("")
	lines := bufio.NewReader(&linesOf{src: bufio.NewReader(f), letters: "s"})
	for {
		line, err := lines.ReadString('\n')
		word := Outcome(strings.TrimSpace(strings.TrimPrefix(line, "s")))
		if word == Satisfiable || word == Unsatisfiable || word == GaveUp {
			said = word
		}
		if err == io.EOF {
			return said, nil
		} else if err != nil {
			return "", err
		}
	}
}

// linesOf reads those lines of src that consist of one of the letters and then, after a blank,
// something else: what is a solution in a mixture.
type linesOf struct {
	src     *bufio.Reader
	letters string
	rest    []byte // of a piece of a line that is passed on
	passing bool   // the line goes on behind that piece
	within  bool   // the next piece goes on with a line
}

func (l *linesOf) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		piece, err := l.src.ReadSlice('\n')
		if len(piece) == 0 && err != nil {
			return 0, err
		}
		if !l.within {
			l.passing = len(piece) > 1 && strings.IndexByte(l.letters, piece[0]) >= 0 && (piece[1] == ' ' || piece[1] == '\t')
		}
		l.within = err == bufio.ErrBufferFull
		if l.passing {
			l.rest = piece
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// lastLine returns the last line of a file that is not blank, and not all of a long one. The file
// is what a solver has to say of its failure.
func lastLine(name string) string {
	const most = 200
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > 1<<12 {
		f.Seek(-1<<12, io.SeekEnd)
	}
	text, _ := io.ReadAll(f)
	text = bytes.TrimSpace(text)
	line := string(text[bytes.LastIndexByte(text, '\n')+1:])
	return strings.ToValidUTF8(line[:min(most, len(line))], "?")
}

// check checks the evidence for an answer. The note says what is wrong, or why it could not be
// checked.
func (r *execution) check(ctx context.Context, answer Outcome) (Check, string) {
	if r.bench.CheckTime > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, r.bench.CheckTime, fmt.Errorf("not checked within %v", r.bench.CheckTime))
		defer cancel()
		ctx = limited
	}
	if answer == Satisfiable {
		return r.checkModel(ctx)
	}
	if r.proof() == "" {
		return NoEvidence, ""
	}
	return r.checkProof(ctx)
}

// checkModel evaluates the model, if there is one.
func (r *execution) checkModel(ctx context.Context) (Check, string) {
	solution, err := r.solution()
	switch {
	case err != nil:
		return Refuted, "the answer makes no sense: " + err.Error()
	case solution == nil:
		return NoEvidence, ""
	case solution.Status == dimacs.Unsatisfiable:
		return Refuted, "the file with the answer says UNSATISFIABLE"
	case !solution.HasModel:
		return NoEvidence, ""
	}
	f, err := readFormula(ctx, r.in.Path)
	if err != nil {
		return Undecided, err.Error()
	}
	if i := solution.Model.Falsified(f); i >= 0 {
		return Refuted, fmt.Sprintf("the model does not satisfy clause %d", i+1)
	}
	return Checked, ""
}

// solution reads what the solver says, or returns nil if that is nothing.
func (r *execution) solution() (*dimacs.Solution, error) {
	name := r.out()
	if r.solver.mentions("{model}") {
		name = r.model()
	}
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	var src io.Reader = f
	if name == r.out() {
		buffered := bufio.NewReader(&linesOf{src: bufio.NewReader(f), letters: "sv"})
		if _, err := buffered.Peek(1); err == io.EOF {
			return nil, nil
		}
		src = buffered
	}
	return new(dimacs.Reader).ReadSolution(src)
}

// checkProof checks the proof.
func (r *execution) checkProof(ctx context.Context) (Check, string) {
	src, err := file.Open(r.proof())
	if errors.Is(err, os.ErrNotExist) {
		return NoEvidence, "there is no proof"
	} else if err != nil {
		return Undecided, err.Error()
	}
	defer src.Close()
	f, err := readFormula(ctx, r.in.Path)
	if err != nil {
		return Undecided, err.Error()
	}
	_, err = proof.Check(ctx, f, src, proof.Options{Name: "proof"})
	var (
		wrong  *proof.CheckError
		syntax *dimacs.SyntaxError
	)
	switch {
	case err == nil:
		return Checked, ""
	case errors.As(err, &wrong), errors.As(err, &syntax):
		return Refuted, err.Error()
	}
	return Undecided, err.Error()
}

// readFormula reads a formula as leniently as solvers do.
func readFormula(ctx context.Context, name string) (*dimacs.Formula, error) {
	src, err := file.Open(name)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	f, err := (&dimacs.Reader{Name: name, Relaxed: true}).Read(src)
	if err == nil {
		err = context.Cause(ctx)
	}
	return f, err
}
