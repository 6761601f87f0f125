//go:build unix

package program_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"sator/internal/effort"
)

// Tests of the commands in documents. A page is a Markdown file of the tree outside testdata.
// A fenced block of a page is
//
//   - a session, if its first line begins with "$ ". Each line "$ COMMAND" is run by sh, and
//     the lines up to the next one are its output, standard output and standard error
//     together. A line "..." stands for any lines, and a word "..." of a line for any words,
//     such as a time.
//   - a script, if its language is sh: commands without output, a line each.
//   - anything else, which is not run, in another language, such as text.
//
// The exit codes 0, 10, 20, 30 and 141 are success. Another one is announced by the last line
// of an output, "(exit code N)".
//
// The commands of a page run one after the other in a folder "sator" of their own. It has the
// files of the root and those of the page's folder, and the programs as ./sator, ./sator-lab
// and ./sator-grid, which are in PATH too. A command "cd DIR" is for the following ones too.
// The go command runs in the root, with what was downloaded for the tests; elsewhere nothing
// is there. There is no network for it. All files that begin with "." are hidden.
//
// An HTML comment in the line before a block can leave it out:
//
//	<!-- not run: REASON -->
//	<!-- whole -->             run it only if SATOR_TESTS is whole
//
// or make a file of it, in any language, before the commands of the page run, in the folder
// or beside it:
//
//	<!-- file: NAME -->
//
// Without SATOR_TESTS=whole all pages together take less than 5 s of CPU time. Therefore
// blocks with sator-lab, sator-grid and the go command must be whole: linking a program takes
// as long.
//
// UPDATE=1 go test -run Documents/PAGE ./cmd/sator/internal/program replaces outputs of PAGE that differ.

func TestDocuments(t *testing.T) {
	whole := effort.Whole()
	if testing.Short() {
		t.Skip("it runs many commands")
	}
	tools := newTools(t)
	for name, text := range pages(t) {
		t.Run(name, func(t *testing.T) {
			p := parsePage(name, text)
			for _, fault := range p.faults {
				t.Error(fault)
			}
			if !p.runs(whole) {
				return
			}
			t.Parallel()
			for _, fault := range p.run(t, tools, whole) {
				t.Error(fault)
			}
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(filepath.Join(root, name), []byte(p.updated(text)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// A page is a parsed document.
type page struct {
	name     string // relative to the root
	commands []*command
	files    map[string]string // contents of blocks by the names of their files
	programs map[string]bool   // sator-lab and sator-grid, as far as the page names them
	plain    []string          // the lines without the blocks of commands, files and programs
	faults   []string          // mistakes of the document itself
}

// A command is a command of a page with its output.
type command struct {
	line     int // in the page, from 1
	text     string
	whole    bool // runs only if SATOR_TESTS is whole
	compared bool // the page has its output

	// The output without the line with the exit code, and the number of lines in the page
	// after the command. An exit code is announced unless it is -1.
	output []string
	lines  int
	code   int

	got []string // output that differs
}

// fence begins and ends a block.
const fence = "```"

// parsePage parses a document.
func parsePage(name, text string) *page {
	p := &page{name: name, files: map[string]string{}, programs: map[string]bool{}}
	for _, program := range built.FindAllString(text, -1) {
		p.programs[program] = true
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	p.plain = slices.Clone(lines)
	about := "" // the comment in the line before
	for i := 0; i < len(lines); i++ {
		language, open := strings.CutPrefix(lines[i], fence)
		if !open {
			if aboutBlock.MatchString(about) {
				p.fault(i-1, "the next line begins no block")
			}
			about = ""
			if m := comment.FindStringSubmatch(lines[i]); m != nil {
				about = m[1]
			}
			continue
		}
		begin := i
		for i++; i < len(lines) && lines[i] != fence; i++ {
		}
		if i == len(lines) {
			p.fault(begin, "the block has no end")
			break
		}
		if p.block(begin, about, language, lines[begin+1:i]) {
			clear(p.plain[begin : i+1])
		}
		about = ""
	}
	return p
}

func (p *page) fault(line int, format string, args ...any) {
	p.faults = append(p.faults, fmt.Sprintf("%s:%d: ", p.name, line+1)+fmt.Sprintf(format, args...))
}

var (
	comment    = regexp.MustCompile(`^<!-- (.*?) -->$`)
	aboutBlock = regexp.MustCompile(`^(whole|not run|file)`)
	commandish = regexp.MustCompile(`^(\w*\$|\.?/?sator(-lab|-grid)?|go (build|run|test|doc|install)) `)
	slow       = regexp.MustCompile(`\b(sator-lab|sator-grid|go (build|run|test|doc|install|mod))\b`)
	built      = regexp.MustCompile(`\bsator-(lab|grid)\b`)
	exitCode   = regexp.MustCompile(`^\(exit code (\d+)\)$`)
	trailing   = regexp.MustCompile(`[ \t\r]*\n`)
)

// block adds the commands of a block, and reports whether it is run, a file or a program. The
// line is that of the fence, from 0.
func (p *page) block(line int, about, language string, body []string) bool {
	reason, omitted := strings.CutPrefix(about, "not run: ")
	omitted = omitted && strings.TrimSpace(reason) != ""
	file, isFile := strings.CutPrefix(about, "file: ")
	isFile = isFile && filepath.IsLocal(strings.TrimPrefix(file, "../"))
	if about != "" && about != "whole" && !omitted && !isFile {
		p.fault(line-1, "unknown comment before a block: %q, want whole, \"not run: REASON\" or \"file: NAME\"", about)
	}
	session := language == "" && len(body) > 0 && strings.HasPrefix(body[0], "$ ")
	switch {
	case omitted:
		return language != ""
	case isFile:
		p.files[file] = strings.Join(body, "\n") + "\n"
		return true
	case !session && language != "sh":
		if about != "" {
			p.fault(line, "the block has no commands")
		} else if i := slices.IndexFunc(body, commandish.MatchString); language == "" && i >= 0 {
			p.fault(line+1+i, "the block is not run: begin it with \"$ \", or call its language sh or text")
		}
		return language != "" && language != "text"
	}
	first := len(p.commands)
	if session {
		p.session(line+1, body)
	} else {
		p.script(line+1, body)
	}
	for _, c := range p.commands[first:] {
		c.whole = about == "whole"
		if s := slow.FindString(c.text); s != "" && !c.whole {
			p.fault(c.line-1, "a block with %s takes long: write <!-- whole --> before it", s)
		}
	}
	return true
}

// session adds commands with output.
func (p *page) session(line int, body []string) {
	for i, text := range body {
		if text, is := strings.CutPrefix(text, "$ "); is {
			p.commands = append(p.commands, &command{line: line + i + 1, text: text, compared: true, code: -1})
			continue
		}
		c := p.commands[len(p.commands)-1]
		c.lines++
		if m := exitCode.FindStringSubmatch(text); m != nil {
			c.code, _ = strconv.Atoi(m[1])
		} else {
			c.output = append(c.output, text)
		}
	}
}

// script adds commands without output.
func (p *page) script(line int, body []string) {
	for i, text := range body {
		if text != "" && text[0] != '#' {
			p.commands = append(p.commands, &command{line: line + i + 1, text: text, code: -1})
		}
	}
}

// runs reports whether a command of the page is to be run.
func (p *page) runs(whole bool) bool {
	return slices.ContainsFunc(p.commands, func(c *command) bool { return whole || !c.whole })
}

// run runs the commands of a page and returns what is not as the page says.
func (p *page) run(t *testing.T, tools *tools, whole bool) (faults []string) {
	s := startShell(t, tools, p)
	for _, c := range p.commands {
		if c.whole && !whole {
			continue
		}
		for program := range p.programs {
			if c.whole {
				tools.build(t, program)
			}
		}
		out, code, err := s.run(c.text)
		if err != nil {
			return append(faults, fmt.Sprintf("%s:%d: $ %s\n%v", p.name, c.line, c.text, err))
		}
		if wrong := c.judge(out, code); wrong != "" {
			faults = append(faults, fmt.Sprintf("%s:%d: $ %s\n%s", p.name, c.line, c.text, wrong))
		}
	}
	return faults
}

// judge returns what is wrong with an output and an exit code.
func (c *command) judge(out string, code int) (wrong string) {
	succeeds := slices.Contains([]int{0, 10, 20, 30, 141}, code)
	if c.code >= 0 && code != c.code || c.code < 0 && !succeeds {
		wrong = fmt.Sprintf("exit code %d\n", code)
		if !c.compared {
			return wrong + out
		}
	}
	if !c.compared {
		return wrong
	}
	got := splitLines(out)
	if want := splitLines(strings.Join(c.output, "\n")); !sameLines(want, got) {
		wrong += string(diff.Diff("page", []byte(strings.Join(want, "\n")+"\n"), "output", []byte(strings.Join(got, "\n")+"\n")))
	}
	if wrong != "" {
		if c.got = got; !succeeds {
			c.got = append(c.got, fmt.Sprintf("(exit code %d)", code))
		}
	}
	return wrong
}

// splitLines returns the lines of an output without blanks at their ends, and without empty
// lines at its end.
func splitLines(out string) []string {
	out = strings.TrimRight(trailing.ReplaceAllString(out, "\n"), " \n")
	if out == "" {
		return nil
	}
	return strings.Split(out, "\n")
}

// sameLines reports whether lines are as wanted, where "..." stands for any lines.
func sameLines(want, got []string) bool {
	for ; len(want) > 0; want, got = want[1:], got[1:] {
		if want[0] == "..." {
			for ; ; got = got[1:] {
				if sameLines(want[1:], got) {
					return true
				}
				if len(got) == 0 {
					return false
				}
			}
		}
		if len(got) == 0 || !sameLine(want[0], got[0]) {
			return false
		}
	}
	return len(got) == 0
}

// sameLine reports whether a line is as wanted, where a word "..." stands for any words.
func sameLine(want, got string) bool {
	parts := strings.Split(" "+want+" ", " ... ")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile("^" + strings.Join(parts, " .* ") + "$").MatchString(" " + got + " ")
}

// updated returns the text of the page with outputs as they are.
func (p *page) updated(text string) string {
	lines := strings.Split(text, "\n")
	for _, c := range slices.Backward(p.commands) {
		if c.got == nil {
			continue
		}
		lines = slices.Replace(lines, c.line, c.line+c.lines, c.got...)
	}
	return strings.Join(lines, "\n")
}

// tools are the programs for pages, in a folder.
type tools struct {
	bin   string
	root  string
	build func(t *testing.T, program string) // makes it unless it is there
}

// goTool runs the go command in the root. Names of outputs and of Go files are relative to the
// folder of the page. It does not write to the program of the tests by a symbolic link. In a folder with
// a module of its own it runs there, and there are no modules that were downloaded before.
const goTool = `#!/bin/sh
here=$PWD
before=
[ -e go.sum ] || exec env GOMODCACHE="$PWD/nothing" %[1]s "$@"
for a do
	shift
	case $before:$a in
	-o:/*) ;;
	-o:*) a=$here/$a; [ ! -h "$a" ] || rm "$a" ;;
	*:*.go) a=$here/$a ;;
	esac
	before=$a
	set -- "$@" "$a"
done
cd %[2]s && exec %[1]s "$@"
`

func newTools(t *testing.T) *tools {
	t.Helper()
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	k := &tools{bin: t.TempDir(), root: root}
	k.link(t, "sator", lookPath(t, "sator"))
	gocmd := lookPath(t, "go")
	lookPath(t, "sh")
	script := fmt.Sprintf(goTool, "'"+gocmd+"'", "'"+root+"'")
	if err := os.WriteFile(filepath.Join(k.bin, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	var mutex sync.Mutex
	k.build = func(t *testing.T, program string) {
		mutex.Lock()
		defer mutex.Unlock()
		file := filepath.Join(k.bin, program)
		if _, err := os.Stat(file); err == nil {
			return
		}
		build := exec.Command(gocmd, "build", "-pgo=off", "-o", file, "./cmd/"+program)
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", build, err, out)
		}
	}
	return k
}

func lookPath(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip(err)
	}
	return path
}

func (k *tools) link(t *testing.T, name, target string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(k.bin, name)); err != nil {
		t.Fatal(err)
	}
}

// folder makes the folder for a page: folders of the root as symbolic links, and copies of
// files, since commands may write to these.
func (k *tools) folder(t *testing.T, p *page) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sator")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{filepath.Join(k.root, filepath.Dir(p.name)), k.root} {
		entries, err := os.ReadDir(from)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			to := filepath.Join(dir, e.Name())
			if _, err := os.Lstat(to); err == nil || e.Name()[0] == '.' || !e.IsDir() && !e.Type().IsRegular() {
				continue
			}
			if err := show(filepath.Join(from, e.Name()), to, e.IsDir()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, content := range p.files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, program := range []string{"sator", "sator-lab", "sator-grid"} {
		os.Remove(filepath.Join(dir, program)) // a program built in the root
		if err := os.Symlink(filepath.Join(k.bin, program), filepath.Join(dir, program)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func show(from, to string, isDir bool) error {
	if isDir {
		return os.Symlink(from, to)
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, info.Mode().Perm())
}

// A shell runs the commands of a page. It is the leader of the process group of all of
// them, so that none goes on after the page.
type shell struct {
	files string // inputs and outputs of commands
	cmd   *exec.Cmd
	in    io.Writer
	codes *bufio.Reader
	count int
}

func startShell(t *testing.T, tools *tools, p *page) *shell {
	t.Helper()
	s := &shell{files: t.TempDir(), cmd: exec.Command("sh")}
	s.cmd.Dir = tools.folder(t, p)
	temp := t.TempDir()
	s.cmd.Env = append(os.Environ(), "PATH="+tools.bin+":"+os.Getenv("PATH"), "PWD="+s.cmd.Dir, "TMPDIR="+temp, "LC_ALL=C",
		"UPDATE=", "SATOR_TESTS=", "GORACE=atexit_sleep_ms=0", "GOPROXY=off", "GOTOOLCHAIN=local", "GOFLAGS="+os.Getenv("GOFLAGS")+" -pgo=off")
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.in, s.codes = in, bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() { syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) }
	stop := func() bool { return true }
	if deadline, ok := t.Deadline(); ok {
		ctx, cancel := context.WithDeadline(t.Context(), deadline.Add(-15*time.Second))
		t.Cleanup(cancel)
		stop = context.AfterFunc(ctx, kill)
	}
	t.Cleanup(func() {
		stop()
		kill() // the leader still waits for commands
		s.cmd.Wait()
	})
	return s
}

// run runs a command without input.
func (s *shell) run(text string) (out string, code int, err error) {
	s.count++
	file := filepath.Join(s.files, strconv.Itoa(s.count))
	if err := os.WriteFile(file, []byte(text+"\n"), 0o666); err != nil {
		return "", 0, err
	}
	run := "sh -c \"$(cat '%[1]s')\" sh"
	if strings.HasPrefix(text, "cd ") {
		run = ". '%[1]s'"
	}
	fmt.Fprintf(s.in, run+" </dev/null >'%[1]s.out' 2>&1; echo $?\n", file)
	line, err := s.codes.ReadString('\n')
	if err != nil {
		return "", 0, fmt.Errorf("it did not end before the time of the tests was over")
	}
	if code, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
		return "", 0, err
	}
	b, err := os.ReadFile(file + ".out")
	return string(b), code, err
}

// TestDocumentFaults: mistakes in pages are found, at their lines.
func TestDocumentFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs many commands")
	}
	tools := newTools(t)
	for _, c := range []struct {
		name, page string
		whole      bool
		want       []string // parts of the faults, in order
	}{
		{name: "right", page: "```\n$ echo a; echo 2 >&2\na\n2\n```\n"},
		{name: "any lines", page: "```\n$ seq 9\n1\n...\n4\n5\n...\n$ seq 2\n...\n1\n2\n...\n```\n"},
		{name: "any words", page: "```\n$ echo c refuted after 12.25 s, 17 MB\nc refuted after ... s, ... MB\n```\n"},
		{name: "not any words", page: "```\n$ echo ..5..\n......\n```\n", want: []string{"-......\n+..5..\n"}},
		{name: "folders", page: "```\n$ mkdir -p a/b\n$ cd a/b\n$ ls ..\nb\n$ cd c\n...\n(exit code 2)\n```\n"},
		{name: "files", page: "```sh\necho a >README.md # a copy\n```\n```\n$ cat README.md\na\n$ cmp README.md cmd/../README.md >here\n(exit code 1)\n$ ls here p.md\nhere\np.md\n(exit code 2)\n```\n",
			want: []string{"p.md:9: $ ls here p.md\n", "p.md"}},
		{name: "file", page: "<!-- file: f.cnf -->\n```text\np cnf 1 1\n1 0\n```\n```\n$ ./sator -q f.cnf\ns SATISFIABLE\nv 1 0\n```\n"},
		{name: "file elsewhere", page: "<!-- file: ../../f.cnf -->\n```text\np cnf 0 0\n```\n", want: []string{"p.md:1: unknown comment"}},
		{name: "solver", page: "```\n$ printf 'p cnf 1 2\\n1 0\\n-1 0\\n' | ./sator -q -\ns UNSATISFIABLE\n$ sator version | cut -d' ' -f1\nsator\n```\n"},
		{name: "output", page: "```\n$ seq 3\n1\n4\n3\n```\n", want: []string{"p.md:2: $ seq 3\n", "-4\n+2\n"}},
		{name: "integer", page: "```\n$ echo c 17 clauses\nc 16 clauses\n```\n", want: []string{"-c 16 clauses\n+c 17 clauses\n"}},
		{name: "too much", page: "```\n$ echo a\n```\n", want: []string{"+a\n"}},
		{name: "too little", page: "```\n$ echo a\na\nb\n```\n", want: []string{"-b\n"}},
		{name: "after any lines", page: "```\n$ seq 9\n1\n...\n5\n```\n", want: []string{"p.md:2: "}},
		{name: "exit code", page: "text\n\n```\n$ echo a; exit 3\na\n$ exit 20\n$ exit 3\n(exit code 3)\n$ exit 4\n(exit code 3)\n```\n",
			want: []string{"p.md:4: $ echo a; exit 3\nexit code 3\n", "p.md:9: $ exit 4\nexit code 4\n"}},
		{name: "script", page: "```sh\ntrue # and\n\n# comment\ncat nothing\n```\n", want: []string{"p.md:5: $ cat nothing\nexit code 1\n"}},
		{name: "syntax", page: "```sh\n(\ntrue\n```\n", want: []string{"p.md:2: $ (\nexit code 2\n"}},
		{name: "killed", page: "```\n$ kill -9 $$\n```\n", want: []string{"exit code 137\n"}},
		{name: "no end", page: "text\n```\n$ echo a\na\n", want: []string{"p.md:2: the block has no end"}},
		{name: "comment", page: "<!-- now run: slow -->\n```\n$ true\n```\n", want: []string{`p.md:1: unknown comment before a block: "now run: slow"`}},
		{name: "no reason", page: "<!-- not run: -->\n```\n$ true\n```\n", want: []string{"p.md:1: unknown comment"}},
		{name: "lost comment", page: "<!-- whole -->\n\n```\n$ true\n```\n", want: []string{"p.md:1: the next line begins no block"}},
		{name: "comment of text", page: "<!-- whole -->\n```text\n$ false\n```\n", want: []string{"p.md:2: the block has no commands"}},
		{name: "omitted", page: "<!-- not run: it needs two machines -->\n```\n$ false\n```\n<!-- whole -->\n```\n$ false\n```\n"},
		{name: "whole", page: "<!-- whole -->\n```\n$ false\n```\n", whole: true, want: []string{"p.md:3: $ false\nexit code 1\n"}},
		{name: "text", page: "```text\nsator solve FILE\n```\n```go\nx $ y\n```\n"},
		{name: "without prompt", page: "```\nf.cnf:\n./sator f.cnf\n```\n", want: []string{"p.md:3: the block is not run"}},
		{name: "slow", page: "```sh\ntrue\nsator-lab --help\n```\n", want: []string{"p.md:3: a block with sator-lab takes long"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := parsePage("p.md", c.page)
			faults := p.faults
			if len(faults) == 0 && p.runs(c.whole) {
				faults = p.run(t, tools, c.whole)
			}
			all := strings.Join(faults, "\n")
			for _, part := range c.want {
				_, rest, found := strings.Cut(all, part)
				if !found {
					t.Errorf("no fault %q in\n%s", part, strings.Join(faults, "\n"))
				}
				all = rest
			}
			if len(c.want) == 0 && len(faults) > 0 {
				t.Error("faults in a page without any:\n", all)
			}
			if len(c.want) > 0 && p.runs(c.whole) && len(p.faults) == 0 {
				again := parsePage("p.md", p.updated(c.page))
				if faults := again.run(t, tools, false); len(faults) > 0 && strings.Contains(c.page, "$ ") {
					t.Errorf("the page has faults when it was updated:\n%s\n%s", strings.Join(faults, "\n"), p.updated(c.page))
				}
			}
		})
	}
}
