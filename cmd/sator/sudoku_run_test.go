package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A puzzle that comes through a pipe is answered before the next one comes, by
// any number of workers.
func TestSudokuAnswersAtOnce(t *testing.T) {
	for _, jobs := range []string{"1", "2", "5"} {
		in, feed := io.Pipe()
		out, answers := io.Pipe()
		code := make(chan int, 1)
		go func() {
			var stderr bytes.Buffer
			code <- run(&env{stdin: in, stdout: answers, stderr: &lockedWriter{w: &stderr}}, []string{"sudoku", "solve", "-j", jobs})
		}()
		lines := bufio.NewScanner(out)
		for range 20 {
			fmt.Fprintln(feed, "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
			answer := make(chan string, 1)
			go func() {
				lines.Scan()
				answer <- lines.Text()
			}()
			select {
			case got := <-answer:
				if !strings.HasPrefix(got, "417369825632158947") {
					t.Fatalf("-j %s: answer %q", jobs, got)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("-j %s: no answer", jobs)
			}
		}
		feed.Close()
		if got := <-code; got != 0 {
			t.Errorf("-j %s: exit code %d", jobs, got)
		}
	}
}

// A signal ends a run that waits for input, and one that counts; what is known is
// printed.
func TestSudokuSignal(t *testing.T) {
	for _, args := range []string{"solve -j 1", "solve -j 2", "count --all -j 1", "count --all -j 2"} {
		in, feed := io.Pipe()
		var stdout, stderr bytes.Buffer
		code := make(chan int, 1)
		go func() {
			e := &env{stdin: in, stdout: &stdout, stderr: &lockedWriter{w: &stderr}}
			code <- run(e, append([]string{"sudoku"}, strings.Fields(args)...))
		}()
		if strings.HasPrefix(args, "count") {
			fmt.Fprintln(feed, strings.Repeat(".", 81))
		} else {
			fmt.Fprintln(feed, "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
		}
		time.Sleep(200 * time.Millisecond)
		self, err := os.FindProcess(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		self.Signal(syscall.SIGINT)
		select {
		case got := <-code:
			if got != codeInput {
				t.Errorf("%s: exit code %d", args, got)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: it goes on", args)
		}
		if !strings.Contains(stderr.String(), "signal: interrupt") || stdout.Len() == 0 {
			t.Errorf("%s: it wrote %q and %q", args, stdout.String(), stderr.String())
		}
	}
}
