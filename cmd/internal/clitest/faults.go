package clitest

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"testing"

	"sator/cmd/internal/cli"
	"sator/dimacs/file"
	"sator/internal/effort"
)

// Writers under faults. A program has a table of command lines that write files.
// Each is run once without a fault, and then again and again, in this process, each
// time with one failing operation: the k-th write to a file, to standard output,
// the k-th synchronization, renaming, closing and so on. After a fault
//
//   - the exit code is that of an output that cannot be written, and there is one
//     error, with the name of the file;
//   - each file has its old content or is complete;
//   - there are no other files, such as temporary ones.
//
// A test compares the table with the flags of all commands, so that none is
// forgotten.

// Writers is the table of a program.
type Writers struct {
	Program *cli.Program
	Files   map[string]string // input files, in the directory "in" of the tests
	Prepare []string          // command lines that create more input files
	Rows    []Writer
	Whole   bool     // run each row with each fault; else two of each row, and limits on few rows
	Part    int      // if Whole: which of the faults, and of the rows with limits, are run
	Parts   int      // if Whole: run one in so many of them; 0 is the same as 1
	Inputs  []string // flags that name input files, such as "extend --formula"
	Skip    []string // commands that have no row

	enter func(*testing.T) // called with the inputs in place, to choose another directory
}

// A Writer is a command line that writes files.
type Writer struct {
	Code int    // exit code
	Line string // arguments, separated by spaces

	// Most, if positive, is the maximum number of faults of a row that takes long.
	Most int

	// Old is the content of the old files, if any content does not do.
	Old string

	// Lost, if not empty, is in the error of a command whose library loses the cause
	// of a failed write.
	Lost string

	// Fresh is set if the command refuses old files.
	Fresh bool

	// Resume is set if the command continues with old files. After a fault, the
	// same command line must complete them.
	Resume bool

	// Verify, if not empty, is a command line that succeeds if the files of a
	// resumed run are right. Otherwise they must be the usual ones.
	Verify string

	// Grows lists files that grow: no old byte is lost, but they may be incomplete
	// after a fault.
	Grows []string
}

// opOutput is a write to standard output.
const opOutput file.Op = "write to standard output"

// errFault is the error of the operation that fails.
var errFault = errors.New("deliberate fault")

// A fault is the operation that fails.
type fault struct {
	op file.Op // "" for none
	at int     // the number of operations of this kind before

	mu    sync.Mutex
	count map[file.Op]int // operations so far
	name  string          // the file of the failed operation
	hit   bool
}

// fail is the method [file.Disk.Fail]. Synchronizing is skipped, since it takes
// milliseconds.
func (f *fault) fail(op file.Op, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.count[op]
	f.count[op]++
	switch {
	case op == f.op && n == f.at:
		f.hit, f.name = true, name
		return errFault
	case op == file.OpSync || op == file.OpSyncDir:
		return errors.ErrUnsupported
	}
	return nil
}

// A faultyOutput is standard output with a fault.
type faultyOutput struct {
	bytes.Buffer
	f *fault
}

func (o *faultyOutput) Write(p []byte) (int, error) {
	if err := o.f.fail(opOutput, ""); err != nil {
		n, _ := o.Buffer.Write(p[:len(p)/2])
		return n, err
	}
	return o.Buffer.Write(p)
}

// An outcome is the result of a command line.
type outcome struct {
	*fault
	code         int
	out, message string
	files        map[string]string
}

// succeeded reports whether a command has answered.
func (r *outcome) succeeded() bool {
	return r.code == 0 || r.code == 10 || r.code == 20 || r.code == 30
}

// run runs a command line with a fault.
func (w *Writers) run(t *testing.T, line string, op file.Op, at int) *outcome {
	t.Helper()
	f := &fault{op: op, at: at, count: map[file.Op]int{}}
	return w.runOn(t, line, f, &file.Disk{Fail: f.fail})
}

// runReally runs a command line without a fault, and synchronizes its files.
func (w *Writers) runReally(t *testing.T, line string) *outcome {
	t.Helper()
	return w.runOn(t, line, &fault{count: map[file.Op]int{}}, nil)
}

func (w *Writers) runOn(t *testing.T, line string, f *fault, disk *file.Disk) *outcome {
	t.Helper()
	out, errs := &faultyOutput{f: f}, new(bytes.Buffer)
	e := &cli.Env{Stdin: strings.NewReader(""), Stdout: out, Stderr: &cli.LockedWriter{W: errs}, Disk: disk}
	code := w.Program.Run(e, strings.Fields(line))
	return &outcome{f, code, out.String(), errs.String(), content(t)}
}

// content returns the files below the working directory, except for the inputs.
func content(t *testing.T) map[string]string {
	t.Helper()
	return contentOf(t, ".", "in")
}

func contentOf(t *testing.T, dir, except string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name == except:
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		if !d.Type().IsRegular() {
			files[name] = d.Type().String()
			return nil
		}
		text, err := os.ReadFile(name)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// restore makes files the only ones below the working directory, except for the
// inputs.
func restore(t *testing.T, files map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(".")
	for _, d := range entries {
		if _, is := files[d.Name()]; !is && d.Name() != "in" {
			err = errors.Join(err, os.RemoveAll(d.Name()))
		}
	}
	for name, text := range files {
		if dir := filepath.Dir(name); dir != "." {
			err = errors.Join(err, os.MkdirAll(dir, 0o777))
		}
		err = errors.Join(err, os.WriteFile(name, []byte(text), 0o666))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// mostOfPart is the maximum number of faults of a row if only a part is run. One row, with
// the pages of all commands, has a third of all faults and takes most of the time; the code
// that writes a page is the same for all of them.
const mostOfPart = 20

// faultsOf returns the numbers of the faults to run of a row with some trials. The next part
// has the next ones.
func (w *Writers) faultsOf(row Writer, number, trials int) []int {
	switch {
	case !w.Whole:
		return chosen(trials, 2, number)
	case w.Parts > 1:
		most := min((trials+w.Parts-1)/w.Parts, mostOfPart)
		if row.Most > 0 {
			most = min(most, row.Most)
		}
		return chosen(trials, most, w.Part+number)
	}
	return chosen(trials, row.Most, number)
}

// TestFaults runs each row with each fault, with those of a part, or with two faults. The
// two differ from row to row.
func (w *Writers) TestFaults(t *testing.T) {
	effort.Sequential(t)
	w.inDirectory(t)
	inputs := contentOf(t, "in", "")
	runs, faults := 0, 0
	for i, row := range w.Rows {
		t.Run(nameOf(row), func(t *testing.T) {
			restore(t, nil)
			good := w.run(t, row.Line, "", 0)
			if good.code != row.Code {
				t.Fatalf("exit code %d, want %d\n%s", good.code, row.Code, good.message)
			}
			trials := w.trials(t, row, good)
			faults += len(trials)
			for _, k := range w.faultsOf(row, i, len(trials)) {
				runs++
				w.try(t, trials[k])
			}
		})
	}
	if after := contentOf(t, "in", ""); !maps.Equal(after, inputs) {
		t.Error("an input was changed")
	}
	t.Logf("%d runs with a fault, of %d", runs, faults)
}

// trials returns a trial for each operation of a row: without old files, and with
// them.
func (w *Writers) trials(t *testing.T, row Writer, good *outcome) []*trial {
	t.Helper()
	old := w.oldFiles(row, good.files)
	again := map[file.Op]int{} // operations of a run with old files
	switch {
	case len(old) == 0:
	case w.Whole:
		restore(t, old)
		again = w.run(t, row.Line, "", 0).count
	default: // about the same, and each old file is opened
		again = maps.Clone(good.count)
		again[file.OpCreate] += len(old)
	}
	var all []*trial
	for _, op := range append([]file.Op{opOutput}, file.Ops...) {
		for at := range good.count[op] {
			all = append(all, &trial{t, row, map[string]string{}, good.files, op, at})
		}
		for at := range again[op] {
			all = append(all, &trial{t, row, old, good.files, op, at})
		}
	}
	return all
}

// oldFiles returns old files for a row that writes the given ones.
func (w *Writers) oldFiles(row Writer, files map[string]string) map[string]string {
	old := map[string]string{}
	switch {
	case row.Resume:
		return files
	case row.Fresh:
		return old
	}
	for name := range files {
		old[name] = cmp.Or(row.Old, "old content of "+name)
	}
	return old
}

// nameOf returns the name of the test of a row.
func nameOf(row Writer) string { return strings.NewReplacer(" ", "_", "/", ":").Replace(row.Line) }

// try runs a command line with the fault of a trial.
func (w *Writers) try(t *testing.T, x *trial) {
	t.Helper()
	restore(t, x.old)
	x.check(w.run(t, x.row.Line, x.op, x.at))
	if x.row.Resume {
		x.checkResumed(w.run(t, x.row.Line, "", 0))
	}
	if x.row.Verify != "" {
		if r := w.run(t, x.row.Verify, "", 0); !r.succeeded() {
			t.Errorf("%s, fault %d of %s, resumed: exit code %d of %s\n%s%s", x.row.Line, x.at+1, x.op, r.code, x.row.Verify, r.out, r.message)
		}
	}
}

// inDirectory creates the inputs and makes their parent the working directory.
func (w *Writers) inDirectory(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.Mkdir("in", 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range w.Files {
		if err := os.WriteFile(filepath.Join("in", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range w.Prepare {
		if r := w.run(t, line, "", 0); !r.succeeded() {
			t.Fatalf("%s: exit code %d\n%s", line, r.code, r.message)
		}
	}
}

// chosen returns at most so many of the numbers below n, spread over all of them.
// If most is 0, it returns all.
func chosen(n, most, start int) []int {
	var some []int
	for i := range n {
		at := i + start%n
		if most == 0 || at*most/n != (at+1)*most/n {
			some = append(some, i)
		}
	}
	return some
}

// A trial is a row with the files before it, the files after a run without a fault,
// and the operation that fails.
type trial struct {
	t        *testing.T
	row      Writer
	old, new map[string]string
	op       file.Op
	at       int
}

// check checks the result of a run with a fault.
func (x *trial) check(r *outcome) {
	x.t.Helper()
	if !r.hit {
		return // the operations of several solvers vary
	}
	what := fmt.Sprintf("%s: fault %d of %s", r.name, r.at+1, r.op)
	line := x.checkFailure(r, what, errFault)
	if line != "" && !x.names(line, r) {
		x.t.Errorf("%s: the message does not name the file: %q", what, line)
	}
}

// checkFailure checks the result of a run after an operation failed with the error
// want. It returns the line of standard error that reports it.
func (x *trial) checkFailure(r *outcome, what string, want error) string {
	x.t.Helper()
	if r.code != cli.CodeInput {
		x.t.Errorf("%s: exit code %d\n%s%s", what, r.code, r.out, r.message)
	}
	var named []string
	for line := range strings.Lines(r.message) {
		if strings.Contains(line, want.Error()) || x.row.Lost != "" && strings.Contains(line, x.row.Lost) {
			named = append(named, line)
		}
	}
	if len(named) != 1 || strings.Contains(named[0], ".tmp") {
		x.t.Errorf("%s: standard error is %q, want one line with %q", what, r.message, want)
	}
	for name, text := range r.files {
		old, was := x.old[name]
		whole, will := x.new[name]
		switch {
		case was && text == old, will && complete(name, text, whole):
		case slices.Contains(x.row.Grows, name) && (strings.HasPrefix(text, old) || strings.HasPrefix(old, text)):
		default:
			x.t.Errorf("%s: %s has %d bytes, old were %d, new are %d: %.200q", what, name, len(text), len(old), len(whole), text)
		}
	}
	for name := range x.old {
		if _, is := r.files[name]; !is {
			x.t.Errorf("%s: %s is lost", what, name)
		}
	}
	return strings.Join(named, "")
}

// names reports whether a message names the file of a failed operation.
func (x *trial) names(message string, r *outcome) bool {
	if r.op == opOutput {
		return true
	}
	name := filepath.Base(r.name)
	if target, is := file.TemporaryOf(name); is {
		name = target
	}
	if r.op == file.OpSyncDir || r.op == file.OpMkdir {
		for output := range x.new {
			if strings.Contains(message, filepath.Base(output)) {
				return true
			}
		}
	}
	return strings.Contains(message, name)
}

// checkResumed checks the run after a run with a fault.
func (x *trial) checkResumed(r *outcome) {
	x.t.Helper()
	if r.code != x.row.Code {
		x.t.Errorf("after the fault: exit code %d, want %d\n%s", r.code, x.row.Code, r.message)
	}
	for name, whole := range x.new {
		if text := r.files[name]; x.row.Verify == "" && !complete(name, text, whole) {
			x.t.Errorf("after the fault: %s is %.600q, want %.600q", name, text, whole)
		}
	}
	for name := range r.files {
		if _, is := x.new[name]; !is {
			x.t.Errorf("after the fault: there is a file %s", name)
		}
	}
}

// number matches times and other figures that differ from run to run.
var number = regexp.MustCompile(`[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?`)

// complete reports whether a file is complete, where want is the content after
// another run of the same command line.
func complete(name, text, want string) bool {
	switch filepath.Ext(name) {
	case ".pprof", ".gz":
		return unzips(text)
	case ".png":
		_, err := png.Decode(strings.NewReader(text))
		return err == nil
	case ".svg":
		return strings.HasSuffix(strings.TrimSpace(text), "</svg>")
	case ".json": // a command may replace it several times
		return json.Valid([]byte(text))
	case ".html":
		return strings.HasSuffix(strings.TrimSpace(text), "</html>")
	case ".out": // a trace of package runtime
		return len(text) > 0
	}
	return text == want || masked(text) == masked(want)
}

// loadLine is a masked line of sator-lab bench.
const loadLine = "# load average before the first run: 0\n"

// masked replaces the figures of a text by 0, and a figure that may be missing before the last
// two of a row: very short runs do not know the load of the machine. Of several lines with
// the load it keeps the first one, since a resumed run adds one if the load has changed.
func masked(text string) string {
	text = strings.ReplaceAll(number.ReplaceAllString(text, "0")+"\n", ",,0,0\n", ",0,0,0\n")
	before, after, found := strings.Cut(text, loadLine)
	if !found {
		return text
	}
	return before + loadLine + strings.ReplaceAll(after, loadLine, "")
}

func unzips(text string) bool {
	r, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, r)
	return err == nil
}

// TestFlags checks that each command and each of its flags with the name of a file
// or a directory has a row, or is a flag for an input.
func (w *Writers) TestFlags(t *testing.T) {
	var visit func(path string, c *cli.Command)
	visit = func(path string, c *cli.Command) {
		for _, sub := range c.Subcommands {
			visit(path+" "+sub.Name, sub)
		}
		if len(c.Subcommands) > 0 {
			return
		}
		path = strings.TrimSpace(path)
		if slices.Contains(w.Skip, path) {
			return
		}
		if !w.has(path) {
			t.Errorf("%s has no row", path)
		}
		for _, f := range c.Flags {
			name := "--" + f.Names()[0]
			if !namesFile(f) || slices.Contains(w.Inputs, path+" "+name) {
				continue
			}
			if _, is := f.(*cli.FileFlag); !is && strings.Contains(usageOf(f), "`FILE`") {
				t.Errorf("%s %s does not say which formats it writes", path, name)
			}
			if !w.has(path, f.Names()...) {
				t.Errorf("%s %s has no row; a flag for an input belongs into Inputs", path, name)
			}
		}
	}
	for _, c := range w.Program.App(&cli.Env{}).Commands {
		visit(c.Name, c)
	}
}

// namesFile reports whether the value of a flag is a file or a directory.
func namesFile(f cli.Flag) bool {
	d, is := f.(interface{ GetUsage() string })
	return is && (strings.Contains(d.GetUsage(), "`FILE`") || strings.Contains(d.GetUsage(), "`DIR`"))
}

// has reports whether there is a row of a command with one of the flags.
func (w *Writers) has(command string, flags ...string) bool {
	return slices.ContainsFunc(w.Rows, func(row Writer) bool {
		if row.Line != command && !strings.HasPrefix(row.Line, command+" ") {
			return false
		}
		return len(flags) == 0 || slices.ContainsFunc(strings.Fields(row.Line), func(word string) bool {
			return slices.Contains(flags, strings.TrimLeft(word, "-")) && strings.HasPrefix(word, "-")
		})
	})
}
