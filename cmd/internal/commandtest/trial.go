package commandtest

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A trial is a run of the test of a case. A failure ends it by a panic with a *Failure,
// as testing.T.Fatal ends a test.
type trial struct {
	*Case
	rand    *rand.Rand
	counts  *Counts
	dir     string
	program Program
	process bool              // the program starts processes
	known   map[string]string // content of the files in the folder, by name
	log     []string          // command lines so far

	operands []string // the files of the formula
	stdin    []byte   // standard input, if it is one of them
}

// fail ends the trial with a failure.
func (t *trial) fail(kind, format string, args ...any) {
	panic(&Failure{Kind: kind, Detail: fmt.Sprintf(format, args...)})
}

// with calls f with another case in the place of the case of the trial. The formula of that
// case is in a file.
func (t *trial) with(c *Case, file string, f func()) {
	own, operands, stdin := t.Case, t.operands, t.stdin
	t.Case, t.operands, t.stdin = c, []string{file}, nil
	f()
	t.Case, t.operands, t.stdin = own, operands, stdin
}

// path returns the name of a file in the folder.
func (t *trial) path(name string) string { return t.dir + "/" + name }

// write creates a file in the folder, and returns its name.
func (t *trial) write(name string, content []byte) string {
	if err := os.WriteFile(t.path(name), content, 0o666); err != nil {
		t.fail("no file", "%v", err)
	}
	t.known[name] = string(content)
	return t.path(name)
}

// read returns the content of a file in the folder, decompressed.
func (t *trial) read(name string) string {
	data, err := os.ReadFile(t.path(name))
	if err == nil {
		data, err = decompress(name, data)
	}
	if err != nil {
		t.fail("unreadable output", "%s: %v", name, err)
	}
	return string(data)
}

// input writes the formula to files: the operands and the standard input of the commands of
// the trial.
func (t *trial) input() {
	for i, f := range t.files() {
		if i == t.Look.Stdin-1 {
			t.operands, t.stdin = append(t.operands, "-"), f.content
			continue
		}
		t.operands = append(t.operands, t.write(f.name, f.content))
	}
}

// command returns a command on the formula with some flags and, after the formula, files.
func (t *trial) command(name string, flags []string, files ...string) command {
	return command{args: slices.Concat([]string{name}, flags, t.relaxed(), t.assuming(), t.operands, files), stdin: t.stdin}
}

// first writes the formula to files and returns the command on it with the flags of the
// case, and with others.
func (t *trial) first(name string, others ...string) command {
	t.input()
	c := t.command(name, append(t.flags(), others...))
	c.outputs = t.outputs()
	return c
}

// flags returns the flags with the names of files.
func (t *trial) flags() []string {
	var all []string
	for _, f := range t.Flags {
		all = append(all, strings.Replace(f, "=@", "="+t.dir+"/", 1))
	}
	return all
}

// relaxed returns the flag of the look.
func (t *trial) relaxed() []string {
	if !t.Look.Relaxed {
		return nil
	}
	return []string{"--relaxed"}
}

// assuming returns the flag of the assumptions.
func (t *trial) assuming() []string {
	if len(t.Assume) == 0 {
		return nil
	}
	return []string{"--assume=" + spaced(t.Assume)}
}

// spaced returns literals between blanks.
func spaced(lits []int) string { return strings.Trim(fmt.Sprint(lits), "[]") }

// A command is a command line of a trial with its expectations.
type command struct {
	args    []string
	stdin   []byte
	outputs []string // names of the files that it may write, in the folder
	says    string   // regular expression of messages that are expected on standard error
	chatty  bool     // without an error, standard error may have any lines
	stopped bool     // a limit ends the check: exit code 1 without a message
	kill    int      // see Call.KillAfter
}

// run runs a command, and checks the properties of every command: the exit code is
// documented and no internal error, standard error has no unexpected line, and no file
// changes except the outputs.
func (t *trial) run(c command) Result {
	t.flatten(&c)
	got := t.call(&c)
	t.counts.Commands++
	if t.process {
		t.counts.Processes++
	}
	if t.counts.Codes == nil {
		t.counts.Codes = map[int]int64{}
	}
	t.counts.Codes[got.Code]++
	got.Stdout = relative(got.Stdout, t.dir)
	got.Stderr = relative(got.Stderr, t.dir)
	t.record(&c, got)
	if c.kill > 0 && got.Code == -1 {
		t.known = t.snapshot()
		return got
	}
	t.checkCode(&got)
	t.checkStderr(&c, &got)
	t.checkFiles(&c, &got)
	return got
}

// callLimit is the time limit of a command. A command above it is reported as not ending. Commands take
// milliseconds, or seconds on a busy machine.
const callLimit = 5 * time.Minute

// call runs a command. One that does not end is abandoned.
func (t *trial) call(c *command) Result {
	done := make(chan Result, 1)
	go func() { done <- t.program(Call{Dir: t.dir, Args: c.args, Stdin: c.stdin, KillAfter: c.kill}) }()
	timer := time.NewTimer(callLimit)
	defer timer.Stop()
	select {
	case got := <-done:
		return got
	case <-timer.C:
		t.record(c, Result{Code: -1})
		t.fail("no end", "after %v", callLimit)
		panic("unreachable")
	}
}

// flatten drops empty arguments that stand for absent flags.
func (t *trial) flatten(c *command) {
	c.args = slices.DeleteFunc(slices.Clone(c.args), func(a string) bool { return a == "" })
}

// record adds a command line to the log.
func (t *trial) record(c *command, got Result) {
	line := "sator"
	for _, a := range c.args {
		line += " " + quoted(relative(a, t.dir))
	}
	if c.stdin != nil {
		for name, content := range t.known {
			if content == string(c.stdin) {
				line += " <" + name
				break
			}
		}
		if !strings.Contains(line, " <") {
			line += fmt.Sprintf(" <<<%q", c.stdin)
		}
	}
	line += fmt.Sprintf(" # exit code %d", got.Code)
	for text := range strings.Lines(first(got.Stderr, 400)) {
		line += "\n    " + strings.TrimSuffix(text, "\n")
	}
	t.log = append(t.log, line)
}

// checkCode checks that the exit code is documented and no internal error.
func (t *trial) checkCode(got *Result) {
	if !slices.Contains([]int{0, 1, 2, 4, 10, 20}, got.Code) {
		t.fail(fmt.Sprintf("exit code %d", got.Code), "%s", first(got.Stderr, 400))
	}
}

// first returns the first n bytes of a text.
func first(text string, n int) string { return text[:min(n, len(text))] }

// checkStderr checks standard error: after a bad input it has one line, after a bad
// command line two; otherwise it has only expected lines.
func (t *trial) checkStderr(c *command, got *Result) {
	want := map[int]int{1: 1, 2: 2}[got.Code]
	if c.stopped {
		want = 0
	}
	if c.chatty && want == 0 {
		return
	}
	says := c.says
	if want > 0 && says != checkerSays {
		says = "" // the lines are the error
	}
	if t.Look.Relaxed {
		says = strings.TrimPrefix(says+"|warning: ", "|")
	}
	expected := regexp.MustCompile(`^sator [a-z0-9 ]+: (` + says + `)`)
	errors := 0
	for line := range strings.Lines(got.Stderr) {
		if says != "" && expected.MatchString(line) {
			continue
		}
		if errors++; errors == 1 && !strings.HasPrefix(line, "sator") {
			t.fail("standard error", "not a message of sator: %s", line)
		}
	}
	if errors != want {
		t.fail(fmt.Sprintf("%d lines on standard error, exit code %d", errors, got.Code), "%s", first(got.Stderr, 400))
	}
	if got.Stderr != "" && !strings.HasSuffix(got.Stderr, "\n") {
		t.fail("standard error ends inside a line", "%s", got.Stderr)
	}
}

// snapshot returns the contents of all files in the folder.
func (t *trial) snapshot() map[string]string {
	all := map[string]string{}
	filepath.WalkDir(t.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if data, err := os.ReadFile(name); err == nil {
			rel, _ := filepath.Rel(t.dir, name)
			all[rel] = string(data)
		}
		return nil
	})
	return all
}

// checkFiles checks that no file changed except the outputs. After an error the outputs
// are as before. The name of a folder among the outputs ends with a slash.
func (t *trial) checkFiles(c *command, got *Result) {
	now := t.snapshot()
	failed := got.Code == 1 || got.Code == 2
	for name, content := range now {
		old, existed := t.known[name]
		if existed && old == content {
			continue
		}
		folder := slices.ContainsFunc(c.outputs, func(o string) bool {
			return strings.HasSuffix(o, "/") && strings.HasPrefix(name, o)
		})
		if !folder && (failed || !slices.Contains(c.outputs, name)) {
			t.fail("unexpected file", "%s was written, exit code %d", name, got.Code)
		}
	}
	for name := range t.known {
		if _, exists := now[name]; !exists {
			t.fail("lost file", "%s was removed", name)
		}
	}
	t.known = now
}

// wantCode checks the exit code.
func (t *trial) wantCode(got Result, want int) {
	if got.Code != want {
		t.fail(fmt.Sprintf("exit code %d instead of %d", got.Code, want), "%s%s", first(got.Stderr, 300), first(got.Stdout, 300))
	}
}
