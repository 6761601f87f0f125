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
	"strconv"
	"strings"

	"sator/dimacs"
	"sator/dimacs/file"
	"sator/dimacs/proof"
)

// An execution is one run of one solver on one file.
type execution struct {
	bench  *Bench
	solver *Solver
	in     *Instance
	path   string // the formula file, as passed to the solver
	dir    string // holds the files that the solver writes
}

// Paths of the output, the error output and the model.
func (r *execution) outPath() string   { return filepath.Join(r.dir, outFile) }
func (r *execution) errPath() string   { return filepath.Join(r.dir, errFile) }
func (r *execution) modelPath() string { return filepath.Join(r.dir, modelFile) }

// proofPath returns the path of the proof, or "" if no proof is requested or the solver cannot
// write one.
func (r *execution) proofPath() string {
	if !r.bench.Proofs || !r.solver.Proves() {
		return ""
	}
	return filepath.Join(r.dir, proofFile)
}

// run runs the solver and checks its answer. It returns an error if the solver cannot be started,
// or the cause of ctx.
func (r *execution) run(ctx context.Context, round int) (Run, error) {
	m, err := r.measure(ctx, round)
	if err != nil {
		return Run{}, err
	}
	rec := Run{
		Solver: r.solver.Name, File: r.in.Name, Round: round,
		CPU: m.cpu, Wall: m.wall, Memory: m.memory, Exit: m.exit,
		Known: r.in.Answer, Limits: r.bench.Limits, Command: r.solver.line(r.bench.Proofs),
		Family: r.in.Family, Others: m.others,
	}
	rec.Outcome, rec.Note = m.exceeded, m.note
	if m.exceeded == "" {
		if err := r.readAnswer(ctx, m, &rec); err != nil {
			return Run{}, err
		}
	}
	// Return the memory of the check to the system before the next solver starts.
	debug.FreeOSMemory()
	return rec, context.Cause(ctx)
}

// measure runs the process.
func (r *execution) measure(ctx context.Context, round int) (*measurement, error) {
	out, err := os.Create(r.outPath())
	if err != nil {
		return nil, err
	}
	defer out.Close()
	messages, err := os.Create(r.errPath())
	if err != nil {
		return nil, err
	}
	defer messages.Close()
	t := &task{
		program: r.solver.program,
		args:    r.solver.arguments(r.path, r.modelPath(), r.proofPath(), round),
		core:    r.bench.Core,
		out:     out,
		err:     messages,
		files:   []string{r.outPath(), r.errPath(), r.modelPath(), r.proofPath()},
	}
	m, err := t.run(ctx, r.bench.Limits)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("solver %s: %w", r.solver.Name, err)
	}
	return m, err
}

// readAnswer sets the outcome from the exit code and the status line, and checks the answer.
func (r *execution) readAnswer(ctx context.Context, m *measurement, rec *Run) error {
	status, err := rec.readLines(r.outPath())
	if err != nil {
		return err
	}
	byCode := map[int]Outcome{10: Satisfiable, 20: Unsatisfiable}[m.exit]
	switch {
	case byCode != "" && status != "" && status != byCode:
		rec.Outcome, rec.Check = byCode, Refuted
		rec.Note = fmt.Sprintf("exit code is %d, but the status line is %s", m.exit, status)
	case byCode != "":
		rec.Outcome = byCode
	case status == Satisfiable || status == Unsatisfiable:
		rec.Outcome = status
	case status == GaveUp || m.exit == 0:
		rec.Outcome = GaveUp
	default:
		rec.Outcome, rec.Note = Failed, m.state
		if last := lastLine(r.errPath()); last != "" {
			rec.Note += ": " + last
		}
	}
	if rec.Outcome.Answer() != dimacs.Unknown && rec.Check == NoCheck {
		rec.Check, rec.Note = r.check(ctx, rec.Outcome)
	}
	return nil
}

// readLines returns the answer on the last status line ("s ...") of the solver's output, or "", and
// sets the conflicts and ticks if there are comments with them, as "c conflicts 5" or
// "c conflicts: 5 ...".
func (rec *Run) readLines(name string) (Outcome, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	status := Outcome("")
	lines := bufio.NewReader(&lineFilter{src: bufio.NewReader(f), letters: "sc"})
	for {
		line, err := lines.ReadString('\n')
		rec.readComment(strings.Fields(line))
		word := Outcome(strings.TrimSpace(strings.TrimPrefix(line, "s")))
		if word == Satisfiable || word == Unsatisfiable || word == GaveUp {
			status = word
		}
		if err == io.EOF {
			return status, nil
		} else if err != nil {
			return "", err
		}
	}
}

// readComment reads the words of a comment.
func (rec *Run) readComment(words []string) {
	for n := 1; n <= 2 && n+1 < len(words) && words[0] == "c"; n++ { // the words of a name
		x, err := strconv.ParseInt(words[n+1], 10, 64)
		if err != nil {
			continue
		}
		switch strings.TrimSuffix(strings.Join(words[1:n+1], " "), ":") {
		case "conflicts":
			rec.Conflicts = x
		case "ticks", "pass ticks": // of search, of passes
			rec.Ticks += x
		}
	}
}

// A lineFilter reads the lines of src that consist of one of the letters, a blank, and a value: the
// solution lines among other output.
type lineFilter struct {
	src     *bufio.Reader
	letters string
	rest    []byte // unread part of an accepted piece
	passing bool   // the current line is accepted
	within  bool   // the next piece continues the current line
	err     error  // the error after the last piece
}

func (l *lineFilter) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		piece, err := l.src.ReadSlice('\n')
		if err != bufio.ErrBufferFull {
			l.err = err // bufio returns an error once only
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

// lastLine returns the last line of a file that is not blank, truncated to 200 bytes. It is applied
// to the error output of a solver that failed.
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

// check checks the evidence for an answer. The note is the reason if the
// evidence is invalid or could not be checked.
func (r *execution) check(ctx context.Context, answer Outcome) (Check, string) {
	if r.bench.CheckTime > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, r.bench.CheckTime, fmt.Errorf("check exceeded its time limit of %v", r.bench.CheckTime))
		defer cancel()
		ctx = limited
	}
	if answer == Satisfiable {
		return r.checkModel(ctx)
	}
	if r.proofPath() == "" {
		return NoEvidence, ""
	}
	return r.checkProof(ctx)
}

// checkModel evaluates the model, if the solver printed one.
func (r *execution) checkModel(ctx context.Context) (Check, string) {
	solution, err := r.readSolution()
	switch {
	case err != nil:
		return Refuted, "invalid solution: " + err.Error()
	case solution == nil:
		return NoEvidence, ""
	case solution.Status == dimacs.Unsatisfiable:
		return Refuted, "the model file has the answer UNSATISFIABLE"
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

// readSolution reads the solution from the model file, if the command line has one, or from the
// output. It returns nil if there is no solution.
func (r *execution) readSolution() (*dimacs.Solution, error) {
	name := r.outPath()
	if r.solver.mentions("{model}") {
		name = r.modelPath()
	}
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	var src io.Reader = f
	if name == r.outPath() {
		buffered := bufio.NewReader(&lineFilter{src: bufio.NewReader(f), letters: "sv"})
		if _, err := buffered.Peek(1); err == io.EOF {
			return nil, nil
		}
		src = buffered
	}
	return new(dimacs.Reader).ReadSolution(src)
}

// checkProof checks the proof.
func (r *execution) checkProof(ctx context.Context) (Check, string) {
	src, err := file.Open(r.proofPath())
	if errors.Is(err, os.ErrNotExist) {
		return NoEvidence, "no proof was written"
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

// readFormula reads a formula in relaxed mode, as most solvers do.
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
