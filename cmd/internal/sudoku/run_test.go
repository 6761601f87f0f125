package sudoku

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
)

// TestSudokuAnswersAtOnce checks that the solution of a puzzle from a pipe is printed before
// the next puzzle arrives, with any number of workers.
func TestSudokuAnswersAtOnce(t *testing.T) {
	for _, jobs := range []string{"1", "2", "5"} {
		in, feed := io.Pipe()
		out, answers := io.Pipe()
		code := make(chan int, 1)
		go func() {
			var stderr bytes.Buffer
			code <- program.Run(&cli.Env{Stdin: in, Stdout: answers, Stderr: &cli.LockedWriter{W: &stderr}}, []string{"sudoku", "solve", "-j", jobs})
		}()
		lines := bufio.NewScanner(out)
		for range 20 {
			fmt.Fprintln(feed, easy)
			answer := make(chan string, 1)
			go func() {
				lines.Scan()
				answer <- lines.Text()
			}()
			select {
			case got := <-answer:
				if !strings.HasPrefix(got, easySolved) {
					t.Fatalf("-j %s: answer %q", jobs, got)
				}
			case <-time.After(clitest.MostPatience):
				t.Fatalf("-j %s: no answer", jobs)
			}
		}
		feed.Close()
		if got := <-code; got != 0 {
			t.Errorf("-j %s: exit code %d", jobs, got)
		}
	}
}

// easy is a puzzle, and easySolved the beginning of its solution.
const (
	easy       = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
	easySolved = "417369825632158947"
)

// TestSudokuSignal checks that a signal ends a run while it waits for input or counts
// solutions, and that the results so far are printed.
func TestSudokuSignal(t *testing.T) {
	for _, tt := range []struct {
		args string
		more string // a second puzzle, which the signal interrupts
		want string
	}{
		{"solve -j 1", "", "^" + easySolved + `\d+\n$`},
		{"solve -j 2", "", "^" + easySolved + `\d+\n$`},
		{"count --all -j 1", strings.Repeat(".", 81), `^1\n\d+ or more\n$`},
		{"count --all -j 2", strings.Repeat(".", 81), `^1\n\d+ or more\n$`},
	} {
		want := regexp.MustCompile(tt.want)
		clitest.Patiently(t, func(wait time.Duration) bool {
			code, stdout, stderr := signalled(t, strings.Fields("sudoku "+tt.args), tt.more, wait)
			if code != cli.CodeInput || !strings.Contains(stderr, "signal: interrupt") {
				t.Fatalf("%s: exit code %d, standard error %q", tt.args, code, stderr)
			}
			return want.MatchString(stdout)
		})
	}
}

// signalled runs a command that reads puzzles, and sends a signal to the process after the
// first answer, or if there is a second puzzle after some time with it. It returns the
// exit code and the output of the command.
func signalled(t *testing.T, args []string, more string, wait time.Duration) (code int, stdout, stderr string) {
	t.Helper()
	in, feed := io.Pipe()
	out, answers := io.Pipe()
	var errs bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- program.Run(&cli.Env{Stdin: in, Stdout: answers, Stderr: &cli.LockedWriter{W: &errs}}, args)
		answers.Close()
	}()
	fmt.Fprintln(feed, easy)
	lines := bufio.NewReader(out)
	stdout, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if more != "" {
		fmt.Fprintln(feed, more)
		time.Sleep(wait)
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	self.Signal(syscall.SIGINT)
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	return <-ended, stdout + string(rest), errs.String()
}

// TestSudokuCountInTime checks that the count so far is printed after a time limit.
func TestSudokuCountInTime(t *testing.T) {
	file := clitest.Write(t, "empty.txt", strings.Repeat(".", 81)+"\n")
	for _, args := range []string{"-j 2", "-j 1 --engine cdcl"} {
		clitest.Patiently(t, func(limit time.Duration) bool {
			all := append(strings.Fields("sudoku count --all "+args), "--time", limit.String(), file)
			code, out, errs := execute(t, new(cli.Env), all...)
			if code != cli.CodeInput || !strings.Contains(errs, "sator sudoku count: time limit of "+limit.String()+"\n") {
				t.Fatalf("%v: exit code %d, standard error %q", all, code, errs)
			}
			return regexp.MustCompile(`^[1-9]\d* or more\n$`).MatchString(out)
		})
	}
}

// program is a program with only the commands of this package.
var program = &cli.Program{Name: "sator", Commands: []func(*cli.Env) *cli.Command{Command, animateCommand}}

func execute(t *testing.T, e *cli.Env, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return clitest.ExecuteProgram(t, program, e, args...)
}

// TestSudokuRuns checks that puzzles in runs of lines have the answers of puzzles in lines between
// blank lines, which are read one by one.
func TestSudokuRuns(t *testing.T) {
	lines := []string{easy, easy + " 7.1", "55" + easy[2:], strings.Repeat(".", 80) + "1", easy[:80], easy, "5" + easy[1:]}
	var input []string
	for i := range 200 {
		input = append(input, lines[(i*i+i/7)%len(lines)])
	}
	place := regexp.MustCompile(`(line |input:)(\d+)`)
	for _, args := range []string{"solve", "solve --unique", "solve --format json", "count", "count --limit 3", "check"} {
		answers := func(jobs, end string, step int) string {
			e := &cli.Env{Stdin: strings.NewReader(strings.Join(input, end))}
			code, stdout, stderr := execute(t, e, append(strings.Fields("sudoku "+args), "-j", jobs)...)
			stderr, _, _ = strings.Cut(stderr, " s, ") // the time and the rate at its end
			stderr = stderr[:strings.LastIndexByte(stderr, ' ')]
			return place.ReplaceAllStringFunc(fmt.Sprint(code, stdout, stderr), func(s string) string {
				m := place.FindStringSubmatch(s)
				line, _ := strconv.Atoi(m[2])
				return fmt.Sprint(m[1], (line-1)/step)
			})
		}
		want := answers("1", "\n\n", 2)
		for _, jobs := range []string{"1", "3"} {
			if got := answers(jobs, "\n", 1); got != want {
				t.Errorf("%s -j %s: %s, want %s", args, jobs, got, want)
			}
		}
	}
}
